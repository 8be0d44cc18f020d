/** What every source that can change sessions must do, over every miniature home and the demo. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scrubFiles } from "../../src/app/secrets/redact-session.ts";
import { apply } from "../../src/edit/apply/apply.ts";
import { createScale, createSurvey, measure } from "../../src/edit/apply/verify.ts";
import { toPlan } from "../../src/edit/plan/plan.ts";
import { planUndo } from "../../src/edit/undo/undo.ts";
import { AppError } from "../../src/model/errors.ts";
import type { EditPlan, OperationKind } from "../../src/model/plan.ts";
import { type Problem, severityOf } from "../../src/model/problem.ts";
import type { OutgoingRedactor } from "../../src/model/redact/outgoing.ts";
import type { Reduction } from "../../src/model/reduce/reduction.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { Catalog, Editing } from "../../src/sources/catalog.ts";
import { askJournal } from "../../src/store/state/journal.ts";
import { quickDisk } from "../edit/quick-disk.ts";
import { lookAtUser as lookAtAll } from "../edit/vscode-home.ts";
import { createEditHomes, type EditHome } from "./edit-homes.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
let folder: string;
let homes: readonly EditHome[];

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-edits-")));
  homes = await createEditHomes(folder, now);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder of our own for each home and kind of write: with a long history each write takes longer. */
let rounds = 0;
/**
 * Whole clones and deletes are tried on every session; other kinds of write on every third one, the next kind on others.
 * With RETHREAD_FULL=1 every kind is tried on all.
 */
const STRIDE = process.env.RETHREAD_FULL === undefined ? 3 : 1;
const ENOUGH = 25 / STRIDE;
let kinds = 0;
const data = (): string => join(folder, `data-${rounds}`);
const writeContext = () => ({ home: data(), now: () => now, fs: localFs, disk: quickDisk });
const scale = createScale(
  () => 1,
  (messages) => messages.length,
);

async function turnsOf(catalog: Catalog, session: EditPlan["session"], home: string) {
  const artifact = (await catalog.scan()).artifacts.find(({ path }) => path === session.path);
  if (!artifact) throw new Error(`${session.path} is not found in ${home}`);
  const prompts: string[] = [];
  const sink = {
    event(event: { kind: string; text?: string; agent?: string }) {
      if (event.kind === "prompt" && event.agent === undefined) prompts.push(event.text ?? "");
    },
    problem: () => undefined,
  };
  const { turns } = await catalog.read(artifact, sink);
  return { turns, prompts, context: (await catalog.context(artifact)).map(({ origin: _, ...rest }) => rest) };
}

/** Problems for which content is lost, or its program fails. */
async function damageOf(catalog: Catalog, session: EditPlan["session"]): Promise<string[]> {
  const artifact = (await catalog.scan()).artifacts.find(({ path }) => path === session.path);
  const found: string[] = [];
  const sink = {
    event: () => undefined,
    problem(problem: Problem) {
      if (severityOf(problem) === "damage") found.push(problem.message);
    },
  };
  if (artifact) await catalog.read(artifact, sink);
  return artifact ? found : ["it is not found"];
}

/** Refusals are answers, too: what has no beginning or no folder cannot be copied. */
const REFUSALS = ["unreadable", "not-supported", "turn-not-found", "list-damaged"];

/** VS Code's chats go only to folders that are there, Copilot CLI's to those of other machines, too. */
async function eachEdit(
  kind: Exclude<OperationKind, "undo">,
  draw: (editing: Editing, artifact: Artifact) => ReturnType<Editing["editor"]["clone"]>,
  judge: (catalog: Catalog, plan: EditPlan, artifact: Artifact, home: string) => Promise<void>,
  stride = STRIDE,
): Promise<{ done: number; refused: number }> {
  let [done, refused, number] = [0, 0, kinds++];
  for (const { editing, catalog, home, artifacts } of homes) {
    rounds++;
    for (const artifact of artifacts) {
      if (++number % stride !== 0) continue;
      const before = lookAtAll(home);
      const operation = randomUUID().slice(0, 8);
      try {
        const draft = await draw(editing, artifact);
        const plan = await toPlan(editing, localFs, artifact, draft, { kind, title: "", scale });
        if (plan.steps.length === 0) continue; // it ends there already
        await apply(writeContext(), catalog, operation, plan);
        await judge(catalog, plan, artifact, home);
        const undo = await askJournal(
          data(),
          () => now,
          (journal) => {
            const entry = journal?.find(operation);
            return journal && entry ? planUndo(localFs, entry, journal.backupOf(operation), now) : undefined;
          },
        );
        await apply(writeContext(), catalog, randomUUID().slice(0, 8), undo as EditPlan);
        done++;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect([...REFUSALS, ...(kind === "move" ? ["usage"] : [])], artifact.path).toContain(error.code);
        refused++;
      }
      expect(lookAtAll(home), `${kind} of ${artifact.path}, undone`).toEqual(before);
    }
  }
  return { done, refused };
}

/** Takes a word for a secret that many sessions have. */
const WORD = " the ";
const MARK = " [redacted: key 0123abcd] ";
const replaceWord = (text: string): string => text.replaceAll(WORD, MARK);
const MARKING: OutgoingRedactor = {
  ...{ learn: () => undefined, learnLine: () => undefined, endLines: () => undefined, report: () => [] },
  ...{ line: replaceWord, json: replaceWord, yaml: replaceWord, text: replaceWord, path: replaceWord },
};

describe("sources that change sessions", () => {
  it("clone every session into one that says the same", async () => {
    let surveyed = 0;
    const counts = await eachEdit(
      "clone",
      async ({ editor, source }, artifact) => {
        const survey = createSurvey(scale);
        const draft = await editor.clone(localFs, artifact, { id: randomUUID(), now, survey });
        const told = survey.measured();
        // Told on the way, it is what a reading of its own would tell.
        if (told) expect(told).toEqual(await measure(source, localFs, artifact, scale));
        surveyed += told ? 1 : 0;
        return draft;
      },
      async (catalog, { session, repairs }, artifact, home) => {
        // A damaged one is repaired, so that its program opens it; then it may say more.
        if (repairs) expect(await damageOf(catalog, session)).toEqual([]);
        else expect(await turnsOf(catalog, session, home)).toEqual(await turnsOf(catalog, artifact, home));
      },
      1,
    );
    console.log(`clones: ${counts.done} made, ${counts.refused} refused`);
    expect(counts.done).toBeGreaterThan(25);
    expect(surveyed).toBeGreaterThan(5);
  });

  it.each<[string, Reduction]>([
    ["without tools", { tools: "drop", dropThinking: true }],
    ["with half of its tools", { tools: { oldest: 50 } }],
    ["with short outputs", { tools: { truncate: 40 } }],
    ["without half of its turns", { dropOldest: { percent: 50 } }],
    ["within a budget", { budget: 60 }],
  ])("clone every session %s, with no call that lost its result", async (_, reduction) => {
    const madeUp = async (
      catalog: Catalog,
      artifact: Pick<Artifact, "id" | "path" | "source">,
      home: string,
    ) =>
      (await turnsOf(catalog, artifact, home)).context.filter(({ role, madeUp }) => role === "tool" && madeUp)
        .length;
    const counts = await eachEdit(
      "clone",
      ({ editor }, artifact) =>
        editor.clone(localFs, artifact, {
          id: randomUUID(),
          now,
          reduce: { reduction, count: (text) => Math.ceil(text.length / 4) },
        }),
      async (catalog, { session, stats, ledger, repairs }, artifact, home) => {
        expect(await madeUp(catalog, session, home)).toBeLessThanOrEqual(
          await madeUp(catalog, artifact, home),
        );
        if (!repairs) expect(ledger?.turns.dropped).toBe(stats?.removedTurns);
        if (reduction.tools === "drop")
          expect(
            (await turnsOf(catalog, session, home)).context.filter(({ toolCalls }) => toolCalls),
          ).toEqual([]);
      },
    );
    expect(counts.done).toBeGreaterThan(ENOUGH);
  });

  it("fork every session at its first turn into one that has just that", async () => {
    const counts = await eachEdit(
      "fork",
      ({ editor }, artifact) =>
        editor.fork(localFs, artifact, { id: randomUUID(), recordId: randomUUID(), now, at: 0 }),
      async (catalog, { session }, artifact, home) => {
        const [ours, theirs] = [
          await turnsOf(catalog, session, home),
          await turnsOf(catalog, artifact, home),
        ];
        expect(ours.turns).toBe(1);
        expect(ours.prompts).toEqual(theirs.prompts.slice(0, ours.prompts.length));
      },
    );
    expect(counts.done).toBeGreaterThan(ENOUGH);
  });

  it("rewind every session to its first turn, and bring the others back", async () => {
    const counts = await eachEdit(
      "rewind",
      ({ editor }, artifact) =>
        editor.rewind(localFs, artifact, { to: 0, now, id: randomUUID(), inPlace: true }),
      async (catalog, { session, steps }, artifact, home) => {
        const { turns } = await turnsOf(catalog, session, home);
        expect([turns, session.id]).toEqual([1, artifact.id]);
        expect(steps.length).toBeGreaterThan(0);
      },
    );
    console.log(`rewinds: ${counts.done} made, ${counts.refused} refused`);
    expect(counts.done).toBeGreaterThan(15 / STRIDE);
  });

  it("move every session that can follow its folder, and take that back", async () => {
    const sink = { event: () => undefined, problem: () => undefined };
    const counts = await eachEdit(
      "move",
      async ({ editor }, artifact) => {
        if (!editor.moves) throw new AppError("not-supported", "its sessions do not move", "");
        return editor.moves.move(localFs, artifact, { to: "/srv/else where", text: true, now });
      },
      async (catalog, { session, stats, move }, artifact) => {
        const { workspace } = await catalog.read({ ...artifact, path: session.path }, sink);
        expect([workspace, stats?.removedTurns, move?.isHere]).toEqual(["/srv/else where", 0, false]);
      },
    );
    console.log(`moves: ${counts.done} made, ${counts.refused} refused`);
    expect(counts.done).toBeGreaterThan(15 / STRIDE);
  });

  it("put marks into every session, which says the same otherwise, and bring the words back", async () => {
    const said = new Map<string, string>();
    const counts = await eachEdit(
      "scrub",
      async ({ editor }, artifact) => {
        if (!editor.scrubs) throw new AppError("not-supported", "its sessions cannot be scrubbed", "");
        const { size, mtimeMs } = artifact.fingerprint;
        const manner = artifact.path.endsWith(".jsonl") ? ("jsonl" as const) : ("json" as const);
        const file = { path: "", place: artifact.path, manner, mode: 0o600, mtimeMs, size };
        const { files } = await scrubFiles(localFs, [file], MARKING);
        return editor.scrubs.scrub(localFs, artifact, {
          files: files.map(({ place, pieces }) => ({ path: place, pieces })),
          text: (text) => text,
          now,
        });
      },
      async (catalog, { session }, artifact, home) => {
        const { turns, context } = await turnsOf(catalog, session, home);
        const told = JSON.stringify(context);
        expect(told).not.toContain(WORD);
        expect(turns).toBeGreaterThan(0);
        said.set(artifact.path, told.replaceAll(MARK, WORD));
      },
    );
    for (const { catalog, home, artifacts } of homes)
      for (const artifact of artifacts.filter(({ path }) => said.has(path)))
        expect(said.get(artifact.path), artifact.path).toBe(
          JSON.stringify((await turnsOf(catalog, artifact, home)).context),
        );
    console.log(`scrubs: ${counts.done} made, ${counts.refused} refused`);
    expect(counts.done).toBeGreaterThan(15 / STRIDE);
  });

  it("rename and take away every session, and bring it back", async () => {
    const renamed = await eachEdit(
      "rename",
      ({ editor }, artifact) => editor.rename(localFs, artifact, { name: "Neu: #1", now }),
      async (catalog, { session }, artifact, home) => {
        expect((await turnsOf(catalog, session, home)).turns).toBe(
          (await turnsOf(catalog, artifact, home)).turns,
        );
      },
    );
    const removed = await eachEdit(
      "delete",
      ({ editor }, artifact) => editor.remove(localFs, artifact, { now }),
      async (catalog, _, artifact) => {
        const paths = (await catalog.scan()).artifacts.map(({ path }) => path);
        expect(paths).not.toContain(artifact.path);
      },
      1,
    );
    expect(renamed.done).toBeGreaterThan(ENOUGH);
    // Two are in lists that VS Code would throw away, one is in a list that a browser keeps.
    expect(removed.refused).toBe(3);
  });
});
