/** Repairs a damaged session where it is: its log, locks of processes that are gone, and a workspace.yaml. */
import { AppError } from "../../../../model/errors.ts";
import {
  type Basis,
  type Draft,
  type Piece,
  type Planned,
  type Step,
  sizeOfPieces,
} from "../../../../model/plan.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { toFileDate } from "../../../../model/values/time.ts";
import { lookThrough, readTreeThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { createProcessLook } from "../../../../platform/process/process-look.ts";
import { toLosses } from "../../../rescue/losses.ts";
import { LOG, SOURCE } from "../../workspace/locate.ts";
import { stateOfLock } from "../../workspace/locks.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { type FileEntry, openFolder, type SessionFolder, textOf } from "../copy/folder.ts";
import { tellMetadata } from "../copy/identity.ts";
import { hasFields } from "../copy/workspace-text.ts";
import { replaceFile, replaceText } from "../cut/replace.ts";
import { rescueLog } from "./log.ts";
import { findDropped, recoveryCopies, withDropped } from "./recovery.ts";

/** What is done to one of the files, and why. */
interface Part {
  readonly basis: readonly Basis[];
  readonly steps: readonly Step[];
  readonly repairs: readonly Repair[];
}

export async function rescue(
  fs: SessionFs,
  artifact: Artifact,
  request: { readonly now: Date },
): Promise<Draft> {
  const folder = await openFolder(fs, artifact);
  const parts = [
    await repairLog(fs, artifact, folder),
    await repairWorkspace(fs, artifact, folder, request.now),
    ...(await staleLocks(fs, folder.path)),
  ];
  const repairs = parts.flatMap((part) => part.repairs);
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    basis: parts.flatMap((part) => part.basis),
    steps: parts.flatMap((part) => part.steps),
    losses: toLosses(repairs),
    repairs,
  };
}

const NOTHING: Part = { basis: [], steps: [], repairs: [] };

async function repairLog(fs: SessionFs, artifact: Artifact, folder: SessionFolder): Promise<Part> {
  const log = folder.entries.find((entry) => folder.nameOf(entry) === LOG);
  if (log?.kind !== "file" || log.size === 0) return (await fromCopy(fs, artifact, folder)) ?? repairLines();
  const repaired = await repairLines();
  return repaired.repairs.length > 0 ? repaired : bringBack(log);

  async function repairLines(): Promise<Part> {
    if (log?.kind !== "file") throw nothingToSave(artifact);
    const { pieces, repairs } = await rescueLog(fs, artifact);
    return repairs.length === 0 ? NOTHING : replaceLog(log, pieces, repairs);
  }
  async function bringBack(entry: FileEntry): Promise<Part> {
    const dropped = await findDropped(fs, artifact);
    if (dropped.length === 0) return NOTHING;
    const repairs = dropped.map(({ copy, line }) => ({
      path: copy,
      line,
      what: "dropped when the program repaired the log: repaired and restored",
    }));
    return replaceLog(entry, withDropped(entry.path, entry.size, dropped), repairs);
  }
}

function replaceLog(log: FileEntry, pieces: readonly Piece[], repairs: readonly Repair[]): Part {
  const { path, mode } = log;
  // The time of the log is when something was last said. Another one all the same: it tells the old file from the new.
  const mtimeMs = Math.floor(log.mtimeMs) + 2;
  const planned: Planned = { kind: "file", path, mode, mtimeMs, size: sizeOfPieces(pieces), pieces };
  return { basis: [{ entry: log }], steps: [{ does: "replace", path, entries: [planned] }], repairs };
}

/** A log that is not there, or holds nothing, is made from the copy with the most in it. */
async function fromCopy(fs: SessionFs, artifact: Artifact, folder: SessionFolder): Promise<Part | undefined> {
  const copies: FileEntry[] = [];
  for (const path of await recoveryCopies(fs, artifact)) {
    const entry = await lookThrough(fs, path);
    if (entry?.kind === "file") copies.push(entry);
  }
  const [copy] = copies.sort((a, b) => b.size - a.size);
  if (!copy || copy.size === 0) return undefined;
  const { pieces, repairs } = await rescueLog(fs, { ...artifact, path: copy.path });
  const { basis, steps } = replaceFile(folder, LOG, pieces, toFileDate(copy.mtimeMs + 2));
  const what = `the log ${basis.length === 0 ? "is missing" : "is empty"}: restored from the copy that the program made before it repaired the log`;
  return { basis: [...basis, { entry: copy }], steps, repairs: [{ path: artifact.path, what }, ...repairs] };
}

const nothingToSave = ({ id, path }: Artifact): AppError =>
  new AppError(
    "session-gone",
    `Session ${id} has no log (${path}) and no copy of one beside it, so there is nothing to repair`,
    { say: "Check whether rethread has a backup of it", remedy: { action: "history" } },
  );

/** The program would make one from the folder it is started in, and lose which session is whose. */
async function repairWorkspace(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  now: Date,
): Promise<Part> {
  const found = await textOf(fs, folder, WORKSPACE_FILE);
  if (found !== undefined && hasFields(found)) return NOTHING;
  const made = replaceText(folder, WORKSPACE_FILE, await tellMetadata(fs, artifact), now);
  const what = `${WORKSPACE_FILE} ${found === undefined ? "is missing" : "is not YAML"}: created from the log`;
  return { ...made, repairs: made.steps.map(({ path }) => ({ path, what })) };
}

async function staleLocks(fs: SessionFs, folder: string): Promise<Part[]> {
  const look = createProcessLook();
  const parts: Part[] = [];
  for (const entry of await readTreeThrough(fs, folder)) {
    const name = entry.path.slice(folder.length + 1);
    const pid = /^inuse\.(\d+)\.(lock|hold)$/.exec(name)?.[1];
    if (pid === undefined || (await stateOfLock(fs, folder, name, Number(pid), look)) === "held") continue;
    parts.push({
      basis: [{ entry }],
      steps: [{ does: "remove", path: entry.path }],
      repairs: [{ path: entry.path, what: "a lock of a process that no longer runs: removed" }],
    });
  }
  return parts;
}
