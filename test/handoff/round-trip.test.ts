/** A session that goes to another program and comes back has every prompt, every answer, and every call with its result. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Act } from "../../src/model/handoff/act.ts";
import type { Call, Conversation, Reply } from "../../src/model/handoff/conversation.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { conversationSeeds, toConversation } from "./conversations.ts";
import { createMachine, handOver, read, settle } from "./machine.ts";

const PROGRAMS = ["copilot-cli", "vscode", "claude-code", "codex"];
const PAIRS = PROGRAMS.flatMap((from) =>
  PROGRAMS.filter((to) => to !== from).map((to) => [from, to] as const),
);
const RUNS = process.env.RETHREAD_FULL === undefined ? 25 : 400;

/** What a conversation says, whatever program it is in. */
async function gist(catalog: Catalog, { summary, turns }: Conversation, isJoined: boolean) {
  const vocabularies = new Map(
    await Promise.all(
      PROGRAMS.map(async (source) => [source, (await catalog.handoff(source))?.tools] as const),
    ),
  );
  const toGist = ({ vendor, name, input, result }: Call) => {
    const act = vocabularies.get(vendor)?.actOf(name, input)?.act;
    return {
      does: act ? gistOf(act) : [name, input],
      // VS Code's model receives a word for nothing.
      result: result.text === "(empty)" ? "" : result.text,
      isFailed: result.status !== "ok",
    };
  };
  return {
    summary: summary?.text,
    turns: turns.map(({ prompt, replies }) => ({
      user: prompt?.text,
      images: prompt?.images.map(({ data }) => data),
      files: prompt?.files.map(({ path }) => path),
      // Which answer of its turn a thought belongs to is told by the order alone.
      thinking: replies.flatMap(({ thinking }) => thinking ?? []).join("\n\n"),
      replies: (isJoined ? joined(replies) : replies).map(({ text, calls }) => ({
        text,
        calls: sorted(calls.map(toGist)),
      })),
    })),
  };
}

/** Codex CLI keeps no border between an answer and calls without a word behind it. */
function joined(replies: readonly Reply[]): Reply[] {
  const all: Reply[] = [];
  for (const reply of replies) {
    const last = reply.text.trim() === "" ? all.pop() : undefined;
    all.push(last ? { ...last, calls: [...last.calls, ...reply.calls] } : reply);
  }
  return all;
}

/** Options that not every tool has are left out on the way. */
function gistOf(act: Act): unknown[] {
  switch (act.kind) {
    case "shell":
      return ["shell", act.command];
    case "fetch":
      return ["fetch", act.url];
    // Patches are made of whole lines.
    case "write":
      return ["write", act.path, act.text.replace(/\n$/, "")];
    case "edit": {
      const isWhole = act.old.endsWith("\n") && act.new.endsWith("\n");
      return ["edit", act.path, ...[act.old, act.new].map((text) => (isWhole ? text.slice(0, -1) : text))];
    }
    // Copilot CLI looks at files and folders with one tool.
    case "list":
      return ["read", act.path];
    default:
      return Object.values(act);
  }
}

/** What comes back from a text stands before the other calls of the same answer. */
const sorted = <T>(calls: readonly T[]): T[] =>
  calls.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

it.each(PAIRS)("%s to %s and back", async (from, to) => {
  const machine = await createMachine();
  const isJoined = [from, to].includes("codex");
  const own = await machine.handoff(from);
  if (!own) throw new Error("no such program");
  await fc.assert(
    fc.asyncProperty(conversationSeeds, async (seed) => {
      const original = await settle(machine, from, toConversation(seed, from, own, "/srv/work"));
      const there = await handOver(original, to, { workspace: "/srv/third" });
      const back = await handOver(there, from, { workspace: "/srv/back" });
      const before = await gist(machine, await read(original), isJoined);
      expect(before.turns).toHaveLength(seed.turns.length);
      const after = await gist(machine, await read(back), isJoined);
      expect(after.turns).toEqual(before.turns);
      // Programs put words of their own around a summary.
      expect(after.summary ?? "").toContain((before.summary ?? "").trim());
    }),
    { numRuns: RUNS },
  );
});
