/** Repairs a damaged session where it is: its log, locks of processes that are gone, and a workspace.yaml. */
import {
  type Basis,
  type Draft,
  type Planned,
  type Repair,
  type Step,
  sizeOfPieces,
} from "../../../model/plan.ts";
import type { Artifact } from "../../../model/session.ts";
import { isAlive } from "../../../platform/processes.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { readTree } from "../../../platform/tree.ts";
import { LOG, SOURCE } from "../locate.ts";
import { WORKSPACE_FILE } from "../workspace.ts";
import { openFolder, type SessionFolder, textOf } from "./folder.ts";
import { tellMetadata } from "./identity.ts";
import { replaceText } from "./replace.ts";
import { rescueLog } from "./rescue-log.ts";
import { readFields } from "./workspace-text.ts";

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
  const folder = openFolder(artifact);
  const parts = [
    await mendLog(fs, artifact, folder),
    await mendWorkspace(fs, artifact, folder, request.now),
    ...staleLocks(folder.path),
  ];
  const repairs = parts.flatMap((part) => part.repairs);
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    basis: parts.flatMap((part) => part.basis),
    steps: parts.flatMap((part) => part.steps),
    losses: toLosses(repairs.filter(({ isLost }) => isLost)),
    repairs,
  };
}

/** So many are told one by one; all of them are among the repairs. */
const TOLD = 8;
const toLosses = (lost: readonly Repair[]): string[] => [
  ...lost.slice(0, TOLD).map(toLoss),
  ...(lost.length > TOLD ? [`and ${lost.length - TOLD} more places, which --json names`] : []),
];
const toLoss = ({ line, start = 0, end = 0, what }: Repair): string =>
  `bytes ${start} to ${end - 1} of ${LOG} (line ${line}): ${what}`;

const NOTHING: Part = { basis: [], steps: [], repairs: [] };

async function mendLog(fs: SessionFs, artifact: Artifact, folder: SessionFolder): Promise<Part> {
  const { pieces, repairs } = await rescueLog(fs, artifact);
  const log = folder.entries.find((entry) => folder.nameOf(entry) === LOG);
  if (repairs.length === 0 || log?.kind !== "file") return NOTHING;
  const { path, mode } = log;
  // The time of the log is when something was last said. Another one all the same: it tells the old file from the new.
  const mtimeMs = Math.floor(log.mtimeMs) + 2;
  const planned: Planned = { kind: "file", path, mode, mtimeMs, size: sizeOfPieces(pieces), pieces };
  return { basis: [{ entry: log }], steps: [{ does: "replace", path, entries: [planned] }], repairs };
}

/** The program would make one from the folder it is started in, and lose which session is whose. */
async function mendWorkspace(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  now: Date,
): Promise<Part> {
  const found = await textOf(fs, folder, WORKSPACE_FILE);
  if (found !== undefined && isReadable(found)) return NOTHING;
  const made = replaceText(folder, WORKSPACE_FILE, await tellMetadata(fs, artifact), now);
  const what = `${WORKSPACE_FILE} ${found === undefined ? "is missing" : "is not YAML"}: made from what the log tells`;
  return { ...made, repairs: made.steps.map(({ path }) => ({ path, what })) };
}

function isReadable(text: string): boolean {
  try {
    return Object.keys(readFields(text)).length > 0;
  } catch {
    return false; // that is the damage, and it is told
  }
}

function staleLocks(folder: string): Part[] {
  const stale = readTree(folder).filter(({ path }) => {
    const pid = /^inuse\.(\d+)\.(lock|hold)$/.exec(path.slice(folder.length + 1))?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  return stale.map((entry) => ({
    basis: [{ entry }],
    steps: [{ does: "remove", path: entry.path }],
    repairs: [{ path: entry.path, what: "a lock of a process that no longer runs: taken away" }],
  }));
}
