/** Everything that changes an agent's files: plans are made and carried out here, and the store then hears of it. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { apply } from "../edit/apply.ts";
import { findUndoable } from "../edit/past-writes.ts";
import { toPlan } from "../edit/plan.ts";
import { type Pruned, prune, pruneInPassing } from "../edit/prune.ts";
import { recover, type Workshop } from "../edit/recover.ts";
import type { Retention } from "../edit/retention.ts";
import { planUndo } from "../edit/undo.ts";
import { createScale, type Scale } from "../edit/verify.ts";
import { planWithin } from "../edit/within-budget.ts";
import { AppError } from "../model/errors.ts";
import { type Draft, type EditPlan, nounOf } from "../model/plan.ts";
import type { Reduction } from "../model/reduction.ts";
import type { Artifact, SourceId } from "../model/session.ts";
import { createCountingFs } from "../platform/counting-fs.ts";
import { type Disk, localDisk } from "../platform/disk.ts";
import { localFs } from "../platform/local-fs.ts";
import { spareMemory } from "../platform/memory.ts";
import { reasonOf, type SessionFs } from "../platform/session-fs.ts";
import { countContext } from "../query/context.ts";
import { readHead } from "../query/heads.ts";
import { type Found, type ReadTitles, titlesInFiles } from "../query/resolve.ts";
import { loadTokenizer } from "../query/tokens.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { Editor } from "../sources/source.ts";
import { askJournal } from "../store/state/journal.ts";
import {
  type CheckpointOf,
  type CompactOf,
  drawCheckpoint,
  drawCompaction,
  refuseWriter,
  type SummaryOf,
  toWish,
} from "./compacting.ts";
import { createImporting, type ImportOf } from "./import-app.ts";
import { toTarget } from "./move-target.ts";
import { type MoveOf, planMoves } from "./moving.ts";
import { foreseeRows, type OwnRows, runErrands } from "./own-rows.ts";
import { type ReductionWords, toReduction } from "./reduction.ts";
import { planRescueAll } from "./rescuing.ts";
import type { WriterSurroundings } from "./summary-writer.ts";
import type { BackupReport, PastWrite } from "./write-history.ts";

export interface Write {
  readonly operation: string;
  readonly plan: EditPlan;
  /** What became of the rows that agents' own databases have of the sessions. */
  readonly ownRows: readonly OwnRows[];
}

export interface CloneOf extends ReductionWords, SummaryOf {
  /** A summary takes the place of the turns that go. */
  readonly summarize?: boolean;
  readonly name?: string;
  readonly to?: string;
}

export interface ForkOf {
  readonly name?: string;
  readonly at?: string;
}

/** How far the reading of the session is; an estimate. */
type Progress = (done: number, total: number) => void;

export interface EditApp {
  planClone(name: string, request: CloneOf, progress?: Progress): Promise<EditPlan>;
  planFork(name: string, request: ForkOf, progress?: Progress): Promise<EditPlan>;
  /** Back to the turn that is the last to stay, with the workspace's files if wished; no steps where it is the last one already. */
  planRewind(
    name: string,
    to: number,
    wish?: { readonly files?: boolean; readonly inPlace?: boolean },
    progress?: Progress,
  ): Promise<EditPlan>;
  /** Older turns replaced by a summary; no steps where there are none. */
  planCompact(name: string, request: CompactOf, progress?: Progress): Promise<EditPlan>;
  /** A summary of all so far beside the session. */
  planCheckpoint(name: string, request: CheckpointOf, progress?: Progress): Promise<EditPlan>;
  planRename(name: string, to: string, progress?: Progress): Promise<EditPlan>;
  /** Without steps where it is already. */
  planMove(request: MoveOf, progress?: Progress): Promise<EditPlan>;
  planDelete(name: string, progress?: Progress): Promise<EditPlan>;
  /** Without steps when nothing is wrong. */
  planRescue(name: string, progress?: Progress): Promise<EditPlan>;
  /** All that is wrong with the sessions of a source and can be put right, as one write. */
  planRescueAll(source: SourceId, progress?: Progress): Promise<EditPlan>;
  /** Of what a bundle or a transcript holds; without steps where all of it is here already. */
  planImport(file: string, request: ImportOf, progress?: Progress): Promise<EditPlan>;
  /** Lets go of what plans of imports are made from. */
  close(): void;
  /** Of the last write, when none is named. */
  planUndo(operation?: string): Promise<EditPlan>;
  /** What a plan will mean for the rows that agents' own databases have of its sessions. */
  foresee(plan: EditPlan): Promise<readonly OwnRows[]>;
  apply(plan: EditPlan): Promise<Write>;
  /** Latest first. */
  history(): Promise<PastWrite[]>;
  backups(): Promise<BackupReport>;
  /** The user says that a write is good, or `all` are; gives back those of which that was not known. */
  confirm(name: string): Promise<string[]>;
  /** Lets backups go that are no longer needed. */
  prune(): Promise<Pruned>;
}

export interface EditAppOptions {
  readonly catalog: Catalog;
  /** Our own data folder. */
  readonly home: string;
  readonly now: Date;
  /** Where relative paths start. */
  readonly folder: string;
  readonly find: (name: string) => Promise<Found>;
  /** Where the heads of all sessions are known already. */
  readonly titles?: ReadTitles;
  /** Brings the store up to date; sessions that were taken away are to be forgotten. */
  readonly refresh: (plan: EditPlan) => Promise<void>;
  readonly disk?: Disk;
  /** For commands of the user's own. */
  readonly vars?: WriterSurroundings["vars"];
  /** How long backups stay; without it all of them do. */
  readonly retention?: Retention;
}

/** How often a log is read until its plan is made: where things stand in it, as it is, and as it will be. */
const READINGS = {
  clone: 6,
  fork: 7,
  rewind: 6,
  compact: 9,
  checkpoint: 7,
  rename: 4,
  move: 5,
  delete: 2,
  rescue: 5,
};
const FOR_GOOD: Retention = { days: 100_000, bytes: Number.POSITIVE_INFINITY };
/** Smaller sessions fit whatever the engine does. */
const LARGE = 16 << 20;

export const createWorkshop = (home: string, now: Date, disk: Disk = localDisk): Workshop => ({
  home,
  now: () => now,
  fs: localFs,
  disk,
});

/** Before anything else is asked: what a process that died was writing is taken back. */
export async function recoverWrites(
  workshop: Workshop,
  catalog: Catalog,
  notice: (sentence: string) => void,
): Promise<void> {
  try {
    for (const { operation, kind, title, isTakenBack } of await recover(workshop, catalog))
      notice(
        isTakenBack
          ? `The ${nounOf(kind)} of "${title}" was interrupted, and has been taken back`
          : `The ${nounOf(kind)} of "${title}" was interrupted; its session was changed since, so it stays (operation ${operation})`,
      );
  } catch (error) {
    // What is on disk can be read all the same; whoever wants to write will be told again.
    if (!(error instanceof AppError) && !(error instanceof Error && "code" in error)) throw error;
    notice(`An interrupted write cannot be taken back now: ${reasonOf(error)}`);
  }
}

async function loadScale(): Promise<Scale> {
  const count = await loadTokenizer();
  return createScale(count, (messages, weigh) => countContext(messages, weigh).tokens);
}

export function createEditApp(options: EditAppOptions): EditApp {
  const { catalog, home, now, find, retention = FOR_GOOD } = options;
  const workshop = createWorkshop(home, now, options.disk);
  const importing = createImporting({ catalog, home, now, folder: options.folder, fs: localFs, loadScale });
  const around = { vars: options.vars ?? {}, folder: options.folder };

  type Draw = (editor: Editor, fs: SessionFs, artifact: Artifact) => Promise<Draft>;
  const planOf = async (
    kind: keyof typeof READINGS,
    artifact: Artifact,
    progress: Progress = () => undefined,
    draw: Draw,
  ): Promise<EditPlan> => {
    const editing = await catalog.editing(artifact);
    const { size } = artifact.fingerprint;
    if (size > LARGE) spareMemory();
    const total = size * READINGS[kind];
    const fs = createCountingFs(localFs, (bytes) => progress(Math.min(bytes, total), total));
    const { session } = await readHead(catalog, artifact);
    const draft = await draw(editing.editor, fs, artifact);
    const resume = kind === "delete" ? undefined : session.resume?.replace(artifact.id, draft.session.id);
    return toPlan(editing, fs, artifact, draft, {
      kind,
      title: session.title,
      scale: await loadScale(),
      ...(resume !== undefined && { resume }),
    });
  };
  const plan = async (
    kind: keyof typeof READINGS,
    name: string,
    progress: Progress | undefined,
    draw: Draw,
  ): Promise<EditPlan> => planOf(kind, (await find(name)).artifact, progress, draw);

  return {
    planClone: async (name, request, progress) => {
      const planWith = (reduction: Reduction | undefined): Promise<EditPlan> =>
        plan("clone", name, progress, async (editor, fs, artifact) =>
          editor.clone(fs, artifact, {
            id: randomUUID(),
            now,
            ...(request.name !== undefined && { name: toName(request.name) }),
            ...(request.to !== undefined && {
              workspace:
                (await editor.toWorkspace?.(fs, artifact, request.to, options.folder)) ??
                (await toFolder(options.folder, request.to)),
            }),
            ...(reduction && {
              reduce: {
                reduction,
                count: await loadTokenizer(),
                ...(request.summarize && { summarize: toWish(request, editor, artifact, around) }),
              },
            }),
          }),
        );
      const wanted = toReduction(request);
      refuseWriter(request, wanted);
      if (wanted?.budget === undefined) return planWith(wanted);
      return planWithin(wanted.budget, (budget) => planWith({ ...wanted, budget }));
    },
    planFork: (name, request, progress) =>
      plan("fork", name, progress, (editor, fs, artifact) =>
        editor.fork(fs, artifact, {
          id: randomUUID(),
          recordId: randomUUID(),
          now,
          ...(request.name !== undefined && { name: toName(request.name) }),
          ...(request.at !== undefined && { at: toPlace(request.at) }),
        }),
      ),
    planRewind: (name, to, wish, progress) =>
      plan("rewind", name, progress, async (editor, fs, artifact) => {
        const draft = await editor.rewind(fs, artifact, { ...wish, to, now, id: randomUUID() });
        // Who knows of no files says nothing of them.
        if (wish?.files && !draft.files) throw withoutFiles(artifact, to);
        return draft;
      }),
    planCompact: (name, request, progress) =>
      plan("compact", name, progress, (editor, fs, artifact) =>
        drawCompaction({ editor, fs, artifact, now }, request, around),
      ),
    planCheckpoint: (name, request, progress) =>
      plan("checkpoint", name, progress, (editor, fs, artifact) =>
        drawCheckpoint({ editor, fs, artifact, now }, request, around),
      ),
    planRename: (name, to, progress) =>
      plan("rename", name, progress, (editor, fs, artifact) =>
        editor.rename(fs, artifact, { name: toName(to), now }),
      ),
    planMove: (request, progress) =>
      planMoves(request, {
        catalog,
        folder: options.folder,
        now,
        titles: options.titles ?? titlesInFiles(catalog),
        find,
        ...(progress && { progress }),
        plan: (artifact, move, each) =>
          planOf("move", artifact, each, async (editor, fs) => {
            if (!editor.move) throw notMovable(artifact);
            const target = await toTarget(fs, editor, artifact, request, { catalog, folder: options.folder });
            return editor.move(fs, artifact, { ...move, ...target });
          }),
      }),
    planDelete: (name, progress) =>
      plan("delete", name, progress, (editor, fs, artifact) => editor.remove(fs, artifact, { now })),
    planRescueAll: (source, progress = () => undefined) =>
      planRescueAll(catalog, source, { now, home }, progress),
    planRescue: (name, progress) =>
      plan("rescue", name, progress, (editor, fs, artifact) => {
        if (!editor.rescue) throw notRescuable(artifact);
        return editor.rescue(fs, artifact, { now });
      }),
    planImport: (file, { name, ...request }, progress) =>
      importing.plan(file, { ...request, ...(name !== undefined && { name: toName(name) }) }, progress),
    close: () => importing.close(),
    planUndo: async (operation) =>
      askJournal(
        home,
        () => now,
        (journal) => {
          const entry = findUndoable(journal?.entries() ?? [], operation);
          return planUndo(entry, journal?.backupOf(entry.operation) ?? [], now);
        },
      ),
    foresee: (edit) => foreseeRows(catalog, edit, home, () => now),
    async apply(edit) {
      const operation = randomUUID().slice(0, 8);
      await apply(workshop, catalog, operation, edit);
      const ownRows = await runErrands(catalog, home, () => now, "writer");
      await options.refresh(edit);
      pruneInPassing(workshop, retention);
      return { operation, plan: edit, ownRows };
    },
    history: async () => (await import("./write-history.ts")).readHistory(workshop, retention),
    backups: async () => (await import("./write-history.ts")).reportBackups(workshop, retention),
    confirm: async (name) => (await import("./write-history.ts")).confirmWrites(workshop, name),
    prune: async () => prune(workshop, retention),
  };
}

/** A name as people type it; a session without one would go by its first prompt. */
function toName(text: string): string {
  const name = text.trim();
  if (name !== "") return name;
  throw new AppError("usage", "A session needs a name that is not empty", "Write it in quotes");
}

const notRescuable = ({ source, id }: Artifact): AppError =>
  new AppError(
    "not-supported",
    "Rethread cannot repair sessions of this source yet",
    `See what there is of it: rethread show ${source}:${id}`,
  );

const withoutFiles = ({ source, id }: Artifact, to: number): AppError =>
  new AppError(
    "not-supported",
    `Session ${id} is of a program whose changes to files rethread cannot take back`,
    `Rewind the conversation alone: rethread rewind ${source}:${id} --to ${to}`,
  );

const notMovable = ({ source, id }: Artifact): AppError =>
  new AppError(
    "not-supported",
    `Session ${id} is of a program whose sessions rethread does not move yet`,
    `Make a copy in the other folder: rethread clone ${source}:${id} --to <folder>`,
  );

/** A turn by its number, anything else names an event. */
const toPlace = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text);

async function toFolder(base: string, path: string): Promise<string> {
  const folder = resolve(base, path);
  if ((await localFs.exists(folder)) && (await localFs.stat(folder)).kind === "folder") return folder;
  throw new AppError("usage", `${folder} is not a folder`, "Name the folder that the clone is to be about");
}
