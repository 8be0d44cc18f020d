/** Makes new sessions from the backup of a write, for when the original was changed since. */
import { dirname } from "node:path";
import { fromBackup } from "../../edit/backups/from-backup.ts";
import { joinPlans } from "../../edit/plan/join.ts";
import { createPlannedFs } from "../../edit/plan/planned-fs.ts";
import { AppError } from "../../model/errors.ts";
import {
  type EditPlan,
  nounOf,
  type Piece,
  type Planned,
  type PlannedSession,
  type Step,
} from "../../model/plan.ts";
import type { Artifact } from "../../model/session/session.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import type { ScratchFile } from "../../platform/disk/scratch-file.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { IncomingFile } from "../../sources/requests.ts";
import type { Journal, JournalEntry } from "../../store/state/journal.ts";
import type { KeptFile } from "../../store/vault/kept-file.ts";
import type { Vault } from "../../store/vault/vault.ts";
import type { TakeFiles } from "./import.ts";
import { joinerFor } from "./move-target.ts";

/** A write with what it changed or took away. */
export interface KeptWrite extends Pick<JournalEntry, "operation" | "plan"> {
  readonly backup: readonly KeptFile[];
}

/**
 * A write, and all later ones that hold, latest first: undone in this order they lead to what was there before it. Where
 * the backup of a later one is gone, what it left stands for what it had found.
 */
export function writesSince(journal: Journal, { operation }: JournalEntry): KeptWrite[] {
  const entries = journal.entries();
  const undone = new Set(
    entries.flatMap(({ plan, state }) => (state === "committed" ? (plan.undoes ?? []) : [])),
  );
  const latest = entries.slice(0, entries.findIndex((entry) => entry.operation === operation) + 1);
  // A write that failed and was undone at once has changed nothing.
  const isReal = (entry: JournalEntry): boolean =>
    entry.operation === operation ||
    (entry.releasedAt === undefined && (entry.state === "committed" || undone.has(entry.operation)));
  return latest.filter(isReal).map((entry) => ({ ...entry, backup: journal.backupOf(entry.operation) }));
}

export interface CopyParts {
  readonly catalog: Catalog;
  readonly fs: SessionFs;
  readonly vault: Pick<Vault, "get">;
  readonly newScratch: () => ScratchFile;
  readonly take: TakeFiles;
  /** Where the copies go, when that is not beside the original. */
  readonly to?: string;
}

/** Each session that the write changed, as it was before; the last of the writes is the one that is meant. */
export async function planBackupCopy(writes: readonly KeptWrite[], parts: CopyParts): Promise<EditPlan> {
  const write = writes.at(-1);
  if (!write) throw new Error("there is no write whose backup could be copied");
  const plans: EditPlan[] = [];
  for (const session of write.plan.closed) {
    const plan = await planSession(session, write, writes, parts);
    if (plan) plans.push(plan);
  }
  const [first] = plans;
  if (!first) throw nothingKept(write);
  if (plans.length === 1) return first;
  return joinPlans(plans, `${plans.length} sessions`, await joinerFor(parts.catalog, plans));
}

async function planSession(
  session: PlannedSession,
  { operation, plan }: KeptWrite,
  writes: readonly KeptWrite[],
  { catalog, fs, vault, newScratch, take, to }: CopyParts,
): Promise<EditPlan | undefined> {
  const concerned = writes.filter(({ plan: { closed } }) =>
    closed.some(({ source, id }) => source === session.source && id === session.id),
  );
  const scratch = newScratch();
  const kept = new Map<string, Piece>();
  let view = fs;
  for (const each of concerned) {
    const steps = turnedBack(each, vault, scratch, kept);
    view = createPlannedFs(view, [...(await foldersFor(view, steps)), ...steps]);
  }
  const path = await placeOf(view, session);
  if (!(await view.exists(path))) return undefined;
  const artifact = await toArtifact(catalog, view, { ...session, path });
  const { folder, files } = await catalog.on(view).packing(artifact);
  const incoming: IncomingFile[] = [];
  for (const path of files) {
    const { size, mode, mtimeMs } = await view.stat(path);
    const place = (await view.realPath?.(path)) ?? path;
    const piece = kept.get(place) ?? kept.get(path) ?? { file: place, start: 0, end: size };
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    incoming.push({ path: name, mode, mtimeMs, size, pieces: size === 0 ? [] : [piece] });
  }
  const { source, id } = session;
  const draft = await take({ source, id }, incoming, {
    newId: true,
    name: `${titleOf(plan, session)} (before ${nounOf(plan.kind)} ${operation})`,
    beside: session.path,
    ...(to !== undefined && { to }),
  });
  return { ...draft, kind: "restore", title: titleOf(plan, session), lineage: "clone" };
}

/** By its own name; links may lead elsewhere by now, and then it is looked for where its files were. */
async function placeOf(view: SessionFs, { path, realPath = path }: PlannedSession): Promise<string> {
  const folder = await view.realPath?.(dirname(path));
  return folder === dirname(realPath) ? path : realPath;
}

/** The folders that are gone by now, for what is put back into them. */
async function foldersFor(view: SessionFs, steps: readonly Step[]): Promise<Step[]> {
  const missing = new Map<string, Step>();
  for (const { does, path } of steps)
    for (let at = dirname(path); does === "place" && !(await view.exists(at)); at = dirname(at))
      missing.set(at, {
        does: "place",
        path: at,
        entries: [{ kind: "folder", path: at, mode: 0o700, mtimeMs: 0 }],
      });
  return [...missing.values()];
}

/** What undoes a write, as steps to look through; every kept file is unpacked once, so that parts of it can be read. */
function turnedBack(
  { plan, backup }: KeptWrite,
  vault: Pick<Vault, "get">,
  scratch: ScratchFile,
  kept: Map<string, Piece>,
): Step[] {
  return plan.steps.flatMap((step): Step[] => {
    if (step.does === "set") return [];
    for (const path of kept.keys()) if (isAtOrBelow(path, step.path)) kept.delete(path);
    const as = step.as === undefined ? {} : { as: step.as };
    if (step.does === "place") return [{ does: "remove", path: step.path, ...as }];
    const entries = fromBackup(step.path, plan.basis, backup).map((entry): Planned => {
      const piece = unpack(entry, vault, scratch);
      if (!piece) return entry;
      kept.set(entry.path, piece);
      return { ...entry, pieces: [piece] };
    });
    return [{ does: "place", path: step.path, entries, ...as }];
  });
}

function unpack(
  { pieces = [] }: Planned,
  vault: Pick<Vault, "get">,
  scratch: ScratchFile,
): Piece | undefined {
  const [only] = pieces;
  if (!only || !("blocks" in only)) return undefined;
  const start = scratch.size();
  for (const hash of only.blocks) scratch.write(vault.get(hash));
  return { file: scratch.path, start, end: scratch.size() };
}

async function toArtifact(
  catalog: Catalog,
  view: SessionFs,
  { source, id, path }: PlannedSession,
): Promise<Artifact> {
  const roots = catalog.sources.find((each) => each.source === source)?.roots ?? [];
  const root = roots.find((each) => isAtOrBelow(path, each)) ?? roots[0] ?? "";
  const { size, mtimeMs, ino } = await view.stat(path);
  return { source, id, path, root, fingerprint: { size, mtimeMs, ino } };
}

const titleOf = ({ title, move }: EditPlan, { id }: PlannedSession): string =>
  move?.sessions?.find((each) => each.id === id)?.title ?? title;

const nothingKept = ({ operation, plan: { kind, session } }: KeptWrite): AppError =>
  new AppError(
    "not-undoable",
    `Operation ${operation} (${nounOf(kind)}) did not change a session, so its backup has none`,
    session.id === ""
      ? { say: "See all writes", remedy: { action: "history" } }
      : {
          say: "Delete what it made, with a backup",
          remedy: { action: "delete", session: `${session.source}:${session.id}` },
        },
  );
