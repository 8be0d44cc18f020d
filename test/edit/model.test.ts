/**
 * Nothing is ever lost: random sequences of writes, undos, crashes and changes by others, against a simple model. After
 * every step each thing that was ever said in a session is in a session, in a backup from which a command makes a
 * session, or was let go on purpose. RETHREAD_FULL=1 tries many more and longer ones, from a seed of its own each time.
 */
import { chmodSync, cpSync, existsSync, lstatSync, renameSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { contentOf } from "../../src/edit/apply/content.ts";
import { unfinished } from "../../src/edit/apply/stage.ts";
import { prune } from "../../src/edit/backups/prune.ts";
import { recover } from "../../src/edit/undo/recover.ts";
import { AppError } from "../../src/model/errors.ts";
import { type EditPlan, entriesOf } from "../../src/model/plan.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localDisk } from "../../src/platform/disk/disk.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { collect } from "../../src/sources/catalog.ts";
import { askJournal } from "../../src/store/state/journal.ts";
import { openVault } from "../../src/store/vault/vault.ts";
import { dyingDisk } from "./dying-disk.ts";
import { copilotWorld, TOKEN, token, tokensBelow, vscodeWorld, type World } from "./model-world.ts";
import { NOW } from "./source-homes.ts";

const IS_FULL = process.env.RETHREAD_FULL === "1";
const RUNS = IS_FULL ? 300 : 8;
const LENGTH = IS_FULL ? 40 : 14;

const PLANS: Readonly<Record<string, (edit: EditCore, id: string, number: number) => Promise<EditPlan>>> = {
  clone: (edit, id) => edit.planClone(id, {}),
  "smaller clone": (edit, id) => edit.planClone(id, { dropOldest: { count: 1 } }),
  fork: (edit, id) => edit.planFork(id, { at: 0 }),
  rewind: (edit, id, number) => edit.planRewind(id, number % 2, { inPlace: true }),
  compact: (edit, id) => edit.planCompact(id, { keep: 1 }),
  checkpoint: (edit, id) => edit.planCheckpoint(id, {}),
  rename: (edit, id, number) => edit.planRename(id, `Name ${number}`),
  move: (edit, id, number) => edit.planMove({ session: id, to: `/srv/place-${number % 3}`, text: true }),
  delete: (edit, id) => edit.planDelete(id),
  rescue: (edit, id) => edit.planRescue(id),
};

const CHANGES: Readonly<Record<string, (artifact: Artifact, world: World) => void>> = {
  touch: ({ path }) => utimesSync(path, new Date(), new Date()),
  protect: ({ path }) => chmodSync(path, 0o640),
  "copy and put back": ({ path }) => {
    cpSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, path);
  },
  "put behind a link": ({ path, id }, { hasFolders, folder }) => {
    const own = dirname(path);
    const elsewhere = join(folder, `elsewhere-${id}`);
    if (!hasFolders || lstatSync(own).isSymbolicLink() || existsSync(elsewhere)) return;
    renameSync(own, elsewhere);
    symlinkSync(elsewhere, own);
  },
};

type Step =
  | {
      readonly does: "write";
      readonly what: string;
      readonly which: number;
      readonly number: number;
      readonly diesAt: number | null;
    }
  | { readonly does: "undo" | "copy"; readonly which: number; readonly diesAt: number | null }
  | { readonly does: "say" | "prune"; readonly which: number }
  | { readonly does: "change"; readonly what: string; readonly which: number };

const which = fc.nat({ max: 50 });
/** A third of all writes die on the way. */
const diesAt = fc.option(fc.integer({ min: 1, max: 45 }), { freq: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("write" as const),
      what: fc.constantFrom(...Object.keys(PLANS)),
      which,
      number: fc.nat(9),
      diesAt,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constantFrom("undo" as const, "copy" as const), which, diesAt }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("say" as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("change" as const),
      what: fc.constantFrom(...Object.keys(CHANGES)),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("prune" as const), which }) },
);

/** How many backups the sequences let go. */
let pruned = 0;

/** Carries out a sequence on a world, and looks after each step whether all that was said can still be had. */
async function live(world: World, steps: readonly Step[]): Promise<void> {
  let said = 0;
  /** What must be found, and where what was deleted had been. */
  const wanted = new Set<string>();
  const graves: string[] = [];
  const say = (log: string, how: World["say"] = world.say): void => {
    how(log, token(++said));
    if (tokensBelow(world.folder).has(token(said))) wanted.add(token(said));
  };
  const sessions = async (): Promise<readonly Artifact[]> =>
    (await world.catalog.scan()).artifacts.filter(({ path }) => existsSync(path));
  const pick = <T>(all: readonly T[], number: number): T | undefined => all[number % Math.max(1, all.length)];
  const writeContext = { home: world.data, now: () => NOW, fs: localFs, disk: localDisk };
  const settle = () => recover(writeContext, world.catalog);

  /** A refusal is an answer; anything else is a defect. */
  const attempt = async (
    diesAt: number | null,
    plan: (edit: EditCore) => Promise<EditPlan>,
  ): Promise<void> => {
    const edit = world.edit(diesAt === null ? undefined : dyingDisk(({ number }) => number === diesAt));
    try {
      const made = await plan(edit);
      const { plan: done } = await edit.apply(made);
      if (done.kind === "delete") graves.push(done.session.path);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    } finally {
      edit.close();
    }
    await settle();
    expect(unfinished(world.data), "staging is empty").toEqual([]);
  };

  const take = async (each: Step): Promise<void> => {
    const all = await sessions();
    const artifact = pick(all, each.which);
    const history = await world.edit().history();
    if (each.does === "write" && artifact)
      await attempt(
        each.diesAt,
        (edit) =>
          PLANS[each.what]?.(edit, `${artifact.source}:${artifact.id}`, each.number) as Promise<EditPlan>,
      );
    if (each.does === "undo")
      await attempt(each.diesAt, (edit) => edit.planUndo(pick(history, each.which)?.operation));
    if (each.does === "copy")
      await attempt(each.diesAt, (edit) => edit.planBackupCopy(pick(history, each.which)?.operation));
    if (each.does === "say") {
      const grave = pick(graves, each.which);
      if (artifact) say(artifact.path);
      else if (grave !== undefined && !existsSync(grave)) say(grave, world.leaveStub);
    }
    if (each.does === "change" && artifact) CHANGES[each.what]?.(artifact, world);
    if (each.does === "prune") {
      const named = pick(history, each.which)?.operation;
      if (named !== undefined) await world.edit().confirm(named);
      const before = keptTokens(world);
      const { operations } = await prune(writeContext, { days: 0, bytes: 0 });
      // Only what somebody has found good may go: by saying so, or by continuing the session.
      const isDone = new Set(
        history.flatMap(({ operation, state }) => (state === "done" ? [operation] : [])),
      );
      const left = new Set([...tokensBelow(world.folder), ...keptTokens(world).keys()]);
      for (const [text, by] of before)
        if (!left.has(text) && by.some((each) => operations.includes(each) && isDone.has(each)))
          wanted.delete(text);
      pruned += operations.length;
    }
  };

  for (const path of (await sessions()).map((artifact) => artifact.path)) say(path);
  for (const each of steps) {
    await take(each);
    await findAll(world, wanted);
    for (const artifact of await sessions()) await collect(world.catalog, artifact);
  }
}

/** By which operations' backups something is kept. */
function keptTokens({ data }: World): Map<string, string[]> {
  const vault = openVault(data);
  return askJournal(
    data,
    () => NOW,
    (journal) => {
      const kept = new Map<string, string[]>();
      for (const { operation } of journal?.entries() ?? []) {
        const bytes =
          journal?.backupOf(operation).flatMap(({ blocks }) => blocks.map((hash) => vault.get(hash))) ?? [];
        for (const [text] of Buffer.concat(bytes).toString("latin1").matchAll(TOKEN))
          kept.set(text, [...new Set([...(kept.get(text) ?? []), operation])]);
      }
      return kept;
    },
  );
}

/** What is in no session must be in one that a command makes of a backup. */
async function findAll(world: World, wanted: ReadonlySet<string>): Promise<void> {
  const here = tokensBelow(world.folder);
  const missing = [...wanted].filter((text) => !here.has(text));
  if (missing.length === 0) return;
  const kept = keptTokens(world);
  const found = new Set<string>();
  for (const operation of new Set(missing.flatMap((text) => kept.get(text) ?? []))) {
    if (missing.every((text) => found.has(text))) break;
    const edit = world.edit();
    try {
      for (const text of await tokensOf(await edit.planBackupCopy(operation))) found.add(text);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    } finally {
      edit.close();
    }
  }
  expect(
    missing.filter((text) => !found.has(text)),
    "said, and in no session and no backup",
  ).toEqual([]);
}

async function tokensOf(plan: EditPlan): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { pieces = [] } of plan.steps.flatMap(entriesOf)) {
    const parts: Buffer[] = [];
    for await (const chunk of contentOf(pieces, { fs: localFs })) parts.push(Buffer.from(chunk));
    for (const [text] of Buffer.concat(parts).toString("latin1").matchAll(TOKEN)) found.add(text);
  }
  return found;
}

describe.each([
  ["Copilot CLI", copilotWorld],
  ["VS Code", vscodeWorld],
])("whatever is done to sessions of %s", (_, createWorld) => {
  it("nothing that was said in them is lost", { timeout: IS_FULL ? 3_600_000 : 60_000 }, async () => {
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: LENGTH >> 1, maxLength: LENGTH }), async (sequence) => {
        const world = createWorld();
        try {
          await live(world, sequence);
          steps += sequence.length;
        } finally {
          world.remove();
        }
      }),
      { numRuns: RUNS, seed: IS_FULL ? Date.now() : 11, endOnFailure: !IS_FULL },
    );
    expect(steps).toBeGreaterThan(RUNS * 3);
    expect(pruned).toBeGreaterThan(0);
  });
});
