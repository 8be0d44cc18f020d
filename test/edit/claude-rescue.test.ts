/** Rescue of Claude Code transcripts over every kind of damage: nothing is refused afterwards, and what can be told is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentOf } from "../../src/edit/apply/content.ts";
import { createPlannedFs } from "../../src/edit/plan/planned-fs.ts";
import { type Problem, severityOf } from "../../src/model/problem.ts";
import type { Artifact, Event } from "../../src/model/session/session.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { context } from "../../src/sources/claude-code/context.ts";
import { editor } from "../../src/sources/claude-code/edit/index.ts";
import { rescueLog } from "../../src/sources/claude-code/edit/rescue/log.ts";
import { read } from "../../src/sources/claude-code/read.ts";
import { BYTE_DAMAGES, type ByteDamage } from "../fuzz/byte-damage.ts";
import { type Base, DAMAGES, LEFT, missing, told } from "../real/claude-damages.ts";
import { writeTranscript } from "../real/claude-rows.ts";
import { linesOf } from "./claude-bases.ts";

const ID = "c0de0000-0000-4000-8000-000000000001";
const PATH = `/home/projects/-srv-shop/${ID}.jsonl`;
const artifactOf = (size: number): Artifact => ({
  ...{ source: "claude-code", id: ID, root: "/home", path: PATH },
  fingerprint: { size, mtimeMs: Date.UTC(2026, 9, 1), ino: 0 },
});

async function rescued(log: string | Buffer) {
  const fs = createMemoryFs({ [PATH]: log });
  const { pieces, repairs } = await rescueLog(fs, { id: ID, path: PATH, mtimeMs: Date.UTC(2026, 9, 1) });
  const parts: Buffer[] = [];
  for await (const chunk of contentOf(pieces ?? [], { fs })) parts.push(Buffer.from(chunk));
  return { bytes: pieces ? Buffer.concat(parts) : Buffer.from(log as string), repairs };
}

const toldBy = async (log: string | Buffer): Promise<string[]> =>
  told(await context(createMemoryFs({ [PATH]: log }), artifactOf(log.length)));

async function shown(log: Buffer): Promise<string[]> {
  const words: string[] = [];
  const sink = {
    event: (event: Event) => void words.push("text" in event ? event.text : ""),
    problem: () => undefined,
  };
  await read(createMemoryFs({ [PATH]: log }), artifactOf(log.length), sink);
  return words;
}

async function problemsOf(log: Buffer): Promise<Problem[]> {
  const problems: Problem[] = [];
  const sink = { event: () => undefined, problem: (problem: Problem) => void problems.push(problem) };
  await read(createMemoryFs({ [PATH]: log }), artifactOf(log.length), sink);
  return problems;
}

describe("a rescued transcript", () => {
  it.each(DAMAGES.map((damage) => [damage.name, damage] as const))("%s", async (_name, damage) => {
    const lines = linesOf(damage.base);
    const damaged = Buffer.from(damage.make(lines) as string);
    const { bytes, repairs } = await rescued(damaged);
    if (damage.isTolerated) expect([bytes.equals(damaged), repairs]).toEqual([true, []]);
    else if (!damage.isEmpty) expect(repairs).not.toEqual([]);
    expect((await problemsOf(bytes)).filter((problem) => severityOf(problem) === "damage")).toEqual([]);
    const sound = await toldBy(lines.map((line) => `${line}\n`).join(""));
    const after = await toldBy(bytes);
    expect({ missing: damage.isEmpty ? [] : missing(damage, sound, after), after }).toEqual({
      missing: [],
      after,
    });
    expect(after.filter((words) => words.startsWith(LEFT))).toEqual([]);
    const again = await rescued(bytes);
    expect([again.bytes.equals(bytes), again.repairs]).toEqual([true, []]);
  });
});

/** What is done to the rows of a transcript, by their lines. */
const ROW_DAMAGES: readonly ((row: Record<string, unknown>, number: number) => void)[] = [
  (row) => void Reflect.deleteProperty(row, "uuid"),
  (row) => void Reflect.deleteProperty(row, "parentUuid"),
  (row) => void Reflect.deleteProperty(row, "message"),
  (row) => void Reflect.deleteProperty(row, "timestamp"),
  (row) => void Reflect.deleteProperty(row, "type"),
  (row) => void Object.assign(row, { parentUuid: null }),
  (row) => void Object.assign(row, { parentUuid: "gone" }),
  (row, number) => void Object.assign(row, { parentUuid: `row-${number % 20}` }),
  (row, number) => void Object.assign(row, { uuid: `row-${number % 20}` }),
  (row) => void Object.assign(row, { isSidechain: true }),
  (row) => void Object.assign(row, { message: { role: "user", content: [null, { type: "text" }, "words"] } }),
  (row) => void Object.assign(row, { type: "hologram" }),
];

const damages = fc.record({
  base: fc.constantFrom<Base>("plain", "compacted", "rewound"),
  rows: fc.array(fc.tuple(fc.nat({ max: ROW_DAMAGES.length - 1 }), fc.nat({ max: 99 })), { maxLength: 4 }),
  bytes: fc.array(
    fc.tuple(
      fc.constantFrom(...Object.keys(BYTE_DAMAGES)),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 400 }),
    ),
    { maxLength: 4 },
  ),
});

const WRONG_LINK = 7;
const DEAD = /The dead end|Nothing comes of it/;
const RUNS = process.env.RETHREAD_FULL === undefined ? 400 : 5000;

describe("the rescue of a session", () => {
  const now = new Date("2026-11-15T12:00:00.000Z");
  const OWN = PATH.replace(/\.jsonl$/, "");
  const rescue = async (files: Record<string, string | Buffer>) => {
    const fs = createMemoryFs(files);
    const { size } = await fs.stat(PATH);
    const draft = await editor.repairs?.session(fs, artifactOf(size), { now });
    if (!draft) throw new Error("it repairs nothing");
    return { draft, fs: createPlannedFs(fs, draft.steps) };
  };
  const sound = linesOf("plain")
    .map((line) => `${line}\n`)
    .join("");

  it("has no steps where nothing is wrong", async () => {
    const { draft } = await rescue({ [PATH]: sound, [`${OWN}/subagents/agent-a.jsonl`]: sound });
    expect([draft.steps, draft.repairs, draft.losses]).toEqual([[], [], []]);
  });

  it("repairs the logs of its sub-agents, too, and names what is lost in them", async () => {
    const log = `${OWN}/subagents/agent-a.jsonl`;
    const agents = writeTranscript();
    agents.prompt("Count.", { isSidechain: true });
    agents.prompt("lost", { isSidechain: true });
    agents.lines.pop();
    agents.answer("Two.", { isSidechain: true });
    const { draft, fs } = await rescue({ [PATH]: sound, [log]: `%% no row\n${agents.text()}` });
    expect(draft.steps.map(({ path }) => path)).toEqual([log]);
    expect(draft.losses).toEqual(["bytes 0 to 8 of agent-a.jsonl (line 1): not a record or part of one"]);
    const rows = Buffer.from(await fs.read(log))
      .toString("utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
      ["row-1", null],
      ["row-4", "row-1"],
    ]);
  });

  it("brings prompts back that the program keeps for its input line, where nothing else is left", async () => {
    const kept = (sessionId: string, display: string, pastedContents: object) =>
      `${JSON.stringify({ display, pastedContents, timestamp: 1_790_000_000_000, project: "/srv/shop", sessionId })}\n`;
    const history =
      kept("another", "Not mine.", {}) +
      kept(ID, "Look at [Pasted text #1 +2 lines].", { 1: { id: 1, type: "text", content: "$& and more" } }) +
      kept(ID, "Go on.", {});
    const files = { [PATH]: Buffer.alloc(4096), "/home/history.jsonl": history };
    const { draft, fs } = await rescue(files);
    expect(draft.losses).toHaveLength(1);
    const messages = await context(fs, artifactOf((await fs.stat(PATH)).size));
    expect(told(messages)).toEqual(["Look at $& and more.", "Go on.", "No response requested."]);
    await expect(rescue({ [PATH]: "" })).rejects.toMatchObject({ code: "unreadable" });
  });

  it.each([
    ["a sound transcript", ""],
    ["a damaged one", "%% no row\n"],
  ])("adds such prompts to what else is in %s, on lines of their own", async (_, damage) => {
    const notes = '{"type":"custom-title","customTitle":"Kept"}\n{"type":"tag","tag":"kept"}';
    const prompt = { display: "Go on.", timestamp: 1_790_000_000_000, sessionId: ID };
    const { fs } = await rescue({
      [PATH]: damage + notes,
      "/home/history.jsonl": `${JSON.stringify(prompt)}\n`,
    });
    const lines = Buffer.from(await fs.read(PATH))
      .toString("utf8")
      .split("\n");
    expect(lines.slice(0, 2)).toEqual(notes.split("\n"));
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({ type: "user", message: { content: "Go on." } });
  });

  it("is what clones, forks and previews are made of", async () => {
    const damage = DAMAGES.find(({ name }) => name === "no links at all");
    const damaged = damage?.make(linesOf("plain")) ?? "";
    const fs = createMemoryFs({ [PATH]: damaged });
    const wanted = await toldBy((await rescued(damaged)).bytes);
    const artifact = artifactOf(damaged.length);
    const id = "c0de0000-0000-4000-8000-000000000002";
    const clone = await editor.clone(fs, artifact, { id, now });
    const fork = await editor.fork(fs, artifact, { id, recordId: id, now });
    const elsewhere = await editor.clone(fs, artifact, { id, now, workspace: "/srv/elsewhere" });
    for (const { session, steps, repairs } of [clone, fork, elsewhere]) {
      const planned = createPlannedFs(fs, steps);
      const { size, mtimeMs, ino } = await planned.stat(session.path);
      const copy = { ...artifact, ...session, fingerprint: { size, mtimeMs, ino } };
      expect(told(await context(planned, copy))).toEqual(wanted);
      expect(repairs?.length).toBeGreaterThan(5);
    }
    const preview = await editor.preview?.(fs, artifact, (text) => text.length);
    expect(told(preview?.draw(Number.POSITIVE_INFINITY).messages() ?? [])).toEqual(wanted);
    expect(Buffer.from(await fs.read(PATH)).toString("utf8")).toBe(damaged);
  });
});

describe("a rescue of random damage", () => {
  it("leaves no damage, changes nothing more when repeated, and keeps the words of all sound rows", async () => {
    await fc.assert(
      fc.asyncProperty(damages, async ({ base, rows, bytes: blows }) => {
        const lines = linesOf(base);
        const spared = new Set(lines);
        for (const [kind, place] of rows) {
          const at = place % lines.length;
          const row = JSON.parse(lines[at] ?? "{}");
          ROW_DAMAGES[kind]?.(row, place);
          lines[at] = JSON.stringify(row);
        }
        let damaged: Buffer = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        for (const [how, where, size] of blows)
          damaged = (BYTE_DAMAGES[how] as ByteDamage)(damaged, Math.floor(where * damaged.length), size);
        const { bytes } = await rescued(damaged);
        expect((await problemsOf(bytes)).filter((problem) => severityOf(problem) === "damage")).toEqual([]);
        const again = await rescued(bytes);
        expect([again.repairs, again.bytes.equals(bytes)]).toEqual([[], true]);
        // Whatever could be shown before is shown still, but for what only damage had brought back.
        const after = (await shown(bytes)).join("\n");
        // A link to a wrong row is one to a branch.
        const isBranched = rows.some(([kind]) => kind === WRONG_LINK || kind === WRONG_LINK + 1);
        for (const words of isBranched ? [] : await shown(damaged))
          if (!DEAD.test(words)) expect(after).toContain(words);
        const text = bytes.toString("utf8");
        for (const line of damaged
          .toString("utf8")
          .split("\n")
          .filter((each) => spared.has(each))) {
          const { message } = JSON.parse(line);
          const said = typeof message?.content === "string" ? message.content : message?.content?.[0]?.text;
          if (said !== undefined) expect(text).toContain(JSON.stringify(said));
        }
      }),
      { numRuns: RUNS },
    );
  }, 120_000);
});
