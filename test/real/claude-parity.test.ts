/** Our `context` against the real program: message for message what it sends when each session is resumed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { context } from "../../src/sources/claude-code/context.ts";
import { read } from "../../src/sources/claude-code/read.ts";
import { scan } from "../../src/sources/claude-code/scan.ts";
import type { WireMessage } from "./anthropic.ts";
import { type ClaudeHome, createHome, openClaude, transcriptOf } from "./claude.ts";
import { CASES } from "./claude-cases.ts";
import { writeTranscript } from "./claude-rows.ts";
import { type SentMessage, toSent, withoutReminders } from "./claude-wire.ts";
import { REFUSED } from "./claude-written.ts";

interface Comparison {
  readonly ours: SentMessage[];
  readonly sent: WireMessage[];
}

/** The program takes more than a second of CPU for each: every fourth case is tried, with RETHREAD_FULL=1 all of them. */
const TRIED = [...CASES.entries()].filter(([at]) => at % 4 === 0 || process.env.RETHREAD_FULL !== undefined);

const claude = openClaude();
const homes: ClaudeHome[] = [];
const compared = new Map<string, Comparison | Error>();

beforeAll(async () => {
  const waiting = [...TRIED];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, { name }] = next;
      compared.set(name, await compare(at).catch((error: Error) => error));
    }
  };
  // Two at a time: the program takes more than a second to start, and the machines have few cores.
  await Promise.all([work(), work()]);
}, 400_000);

afterAll(async () => {
  await claude.close();
  for (const home of homes) home.remove();
});

async function compare(at: number): Promise<Comparison> {
  const home = createHome();
  homes.push(home);
  const id = `c0de0000-0000-4000-8000-${String(at).padStart(12, "0")}`;
  await CASES[at]?.make(claude, home, id);
  const ours = await contextOf(home, id);
  return { ours, sent: await claude.historySent(home, id) };
}

async function find(home: ClaudeHome, id: string): Promise<Artifact> {
  const found: Artifact[] = [];
  await scan(localFs, home.root, { artifact: (one) => void found.push(one), problem: () => undefined });
  const artifact = found.find((one) => one.id === id);
  if (!artifact) throw new Error(`no session ${id}`);
  return artifact;
}

async function contextOf(home: ClaudeHome, id: string): Promise<SentMessage[]> {
  const messages = await context(localFs, await find(home, id));
  return messages.map(({ origin: _origin, madeUp: _madeUp, appended: _appended, ...message }) => message);
}

function comparisonOf(name: string): Comparison {
  const result = compared.get(name);
  if (!result || result instanceof Error) throw result ?? new Error("not compared");
  return result;
}

const NAMES = TRIED.map(([, { name }]) => name);

describe("what our context says equals what Claude Code sends", () => {
  it.each(NAMES)("%s", (name) => {
    const { ours, sent } = comparisonOf(name);
    expect(sent.length).toBeGreaterThan(0);
    expect(ours).toEqual(sent.flatMap(toSent));
  });

  it.each(NAMES)("without the reminders: %s", (name) => {
    const { ours, sent } = comparisonOf(name);
    const spoken = sent.filter(({ role }) => role !== "system").flatMap(toSent);
    expect(withoutReminders(ours)).toEqual(withoutReminders(spoken));
  });

  it.each(REFUSED)(
    "finds no conversation that ends with %s, as we report",
    async (_name, write) => {
      const home = createHome();
      homes.push(home);
      const id = "c0de0000-0000-4000-8000-00000000dead";
      const transcript = writeTranscript();
      write(transcript);
      mkdirSync(dirname(transcriptOf(home, id)), { recursive: true });
      writeFileSync(transcriptOf(home, id), transcript.text());
      const { stderr, requests } = await claude.resume(home, id, "Are you there?");
      expect([stderr.trim(), requests]).toEqual([`No conversation found with session ID: ${id}`, []]);
      const codes: string[] = [];
      const sink = { event: () => undefined, problem: ({ code }: Problem) => void codes.push(code) };
      await read(localFs, await find(home, id), sink);
      expect(codes).toEqual(["record-invalid"]);
    },
    30_000,
  );

  it("is told by its path, and only so, of a session whose name is no UUID", async () => {
    const home = createHome();
    homes.push(home);
    const transcript = writeTranscript();
    transcript.prompt("one");
    transcript.answer("Answer.");
    const path = transcriptOf(home, "renamed");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, transcript.text());
    const byName = await claude.resume(home, "renamed", "Are you there?");
    expect([byName.code, byName.requests]).toEqual([1, []]);
    const byPath = await claude.resume(home, path, "Are you there?");
    expect([byPath.code, byPath.requests.length]).toEqual([0, 1]);
  }, 30_000);

  it("over enough sessions to trust it", () => {
    const results = [...compared.values()].flatMap((result) => (result instanceof Error ? [] : [result]));
    const messages = results.reduce((sum, { sent }) => sum + sent.flatMap(toSent).length, 0);
    console.log(`Claude Code: ${results.length} sessions, ${messages} messages compared`);
    expect(results.length).toBeGreaterThanOrEqual(15);
  });
});
