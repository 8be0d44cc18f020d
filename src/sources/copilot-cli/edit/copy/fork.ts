/** Forks a session as the program's own `sessions.fork` does, but including the recorded file states. */
import type { Draft, Piece, Step } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { LONGEST_LINE } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { changeMembers } from "../../../../platform/json/members.ts";
import { asObject, asString, type JsonObject } from "../../../log/jsonl.ts";
import type { ForkRequest } from "../../../requests.ts";
import { CHECKPOINT_FOLDER } from "../../workspace/checkpoints.ts";
import { LOG, SOURCE, under } from "../../workspace/locate.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { checkpointsBefore, findCut, range } from "../cut/cut.ts";
import { CHECKPOINT_TABLE, checkpointOf, cutIndex, cutSnapshots } from "../cut/cut-sidecars.ts";
import { beginsLine, type Compaction, findIds, findOffsets, type LogOffsets } from "../cut/log-offsets.ts";
import { replaceText } from "../cut/replace.ts";
import { copiedStates, createBackupCheck } from "../reduce/snapshots.ts";
import { SNAPSHOT_INDEX, SNAPSHOTS } from "../rewind-files/snapshots.ts";
import {
  isNamed,
  logBasis,
  newFolder,
  openFolder,
  planFolder,
  type SessionFolder,
  textOf,
} from "./folder.ts";
import { readMetadata, toStartLine, toWorkspaceText } from "./identity.ts";
import { changeFields } from "./workspace-text.ts";

export async function fork(fs: SessionFs, artifact: Artifact, request: ForkRequest): Promise<Draft> {
  const folder = await openFolder(fs, artifact);
  const metadata = await readMetadata(fs, artifact, folder);
  const seen = await findOffsets(fs, artifact);
  const cut = request.at === undefined ? { at: seen.size } : await findCut(fs, artifact, seen, request.at);
  const { last } = await findIds(fs, artifact.path, cut.at);
  const kept = checkpointsBefore(cut.at, seen);
  const name = request.name ?? forkName(metadata.name, metadata.forks);
  const to = newFolder(artifact.root, request.id);
  const plan = planFolder(fs, folder, to, request.now);

  const info = {
    type: "session.info",
    id: request.recordId,
    timestamp: request.now.toISOString(),
    parentId: last ?? null,
    data: {
      infoType: "fork",
      message: forkSentence({ name: metadata.name, id: artifact.id }, cut.before, { name, id: request.id }),
    },
  };
  const start = toStartLine(seen.start.text, request);
  // The program puts a session.start that stands elsewhere in front; behind the cut it would be lost.
  const isBehind = seen.start.start >= cut.at;
  const rest = isBehind ? 0 : seen.start.end;
  plan.add(LOG, [
    ...range(artifact.path, 0, isBehind ? 0 : seen.start.start),
    { text: isBehind ? `${start}\n` : start },
    ...(await withOwnCheckpoints(fs, artifact.path, kept.compactions, { from: folder.path, to }, [
      rest,
      cut.at,
    ])),
    { text: `${(await beginsLine(fs, artifact.path, cut.at)) ? "" : "\n"}${JSON.stringify(info)}\n` },
  ]);
  const checkpoints = kept.isCut ? kept.count : metadata.checkpoints;
  const changes = { name, user_named: request.name !== undefined, summary_count: checkpoints };
  plan.add(WORKSPACE_FILE, [{ text: toWorkspaceText(metadata, request, changes) }]);

  const snapshots = await snapshotsOf(fs, folder, seen, cut.at);
  const isOfNone = createBackupCheck(snapshots);
  const states = await copiedStates(fs, folder, to, snapshots);
  for (const entry of folder.entries) {
    const each = folder.nameOf(entry);
    const checkpoint = checkpointOf(each);
    if (each === CHECKPOINT_TABLE)
      plan.add(each, [{ text: cutIndex((await textOf(fs, folder, each)) ?? "", kept.has) }]);
    else if (each === SNAPSHOT_INDEX && states !== undefined) plan.add(each, [{ text: states }]);
    else if (isOfNone(each)) continue;
    else if (checkpoint !== undefined && !kept.has(checkpoint)) continue;
    else if (isNamed(each, "plan.md", "files", "research", CHECKPOINT_FOLDER, SNAPSHOTS))
      await plan.copy(entry);
  }
  const counted = request.name === undefined && metadata.isThere;
  const count = counted ? countFork(folder, metadata.text, metadata.forks + 1, request.now) : undefined;
  return {
    session: { source: SOURCE, id: request.id, path: under(to, LOG) },
    basis: [...logBasis(folder, seen.size), ...plan.basis(), ...(count?.basis ?? [])],
    steps: [{ does: "place", path: to, entries: plan.entries() }, ...(count?.steps ?? [])],
    name,
    losses: folder.entries.some((entry) => folder.nameOf(entry) === "session.db")
      ? ["the task list (session.db), which Copilot CLI's own fork does not include either"]
      : [],
  };
}

/** The rest of the log, in which compactions name the fork's own checkpoints instead of the original's. */
async function withOwnCheckpoints(
  fs: SessionFs,
  log: string,
  compactions: readonly Compaction[],
  { from, to }: { readonly from: string; readonly to: string },
  [begin, end]: readonly [number, number],
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  let at = begin;
  for (const { start, end: lineEnd } of compactions) {
    if (lineEnd - start > LONGEST_LINE) continue; // it names the original's checkpoint on
    const text = Buffer.from(await fs.read(log, { start, end: lineEnd })).toString("utf8");
    const { data } = JSON.parse(text.replace(/^\ufeff/, "")) as JsonObject; // it made an event, so it parses
    const path = asString(asObject(data)?.checkpointPath);
    if (!path?.startsWith(from) || start < at) continue;
    const own = changeMembers(text, { checkpointPath: to + path.slice(from.length) }, ["data"]);
    pieces.push(...range(log, at, start), { text: own });
    at = lineEnd;
  }
  return [...pieces, ...range(log, at, end)];
}

/** The next default name depends on it. */
function countFork(
  folder: SessionFolder,
  text: string,
  forks: number,
  now: Date,
): Pick<Draft, "basis" | "steps"> {
  const counted = changeFields(text, { fork_count: forks });
  const { basis, steps } = replaceText(folder, WORKSPACE_FILE, counted, now);
  return {
    basis,
    steps: steps.map((step): Step => (step.does === "replace" ? { ...step, minor: true } : step)),
  };
}

async function snapshotsOf(
  fs: SessionFs,
  folder: SessionFolder,
  { turns }: LogOffsets,
  end: number,
): Promise<string | undefined> {
  const text = await textOf(fs, folder, SNAPSHOT_INDEX);
  const dropped = new Set(turns.filter(({ start }) => start >= end).map(({ id }) => id));
  return text === undefined ? undefined : cutSnapshots(text, (eventId) => !dropped.has(eventId));
}

/** The longest name that it gives by itself. */
const LONGEST = 100;

export function forkName(name: string, forksBefore: number): string {
  const suffix = forksBefore === 0 ? " (fork)" : ` (fork ${forksBefore + 1})`;
  const plain = name.replace(/\s+/g, " ").replaceAll('"', "").trim();
  return plain.slice(0, LONGEST - suffix.length).trimEnd() + suffix;
}

/** The only trace of where a fork came from; titles are quoted as in JSON. */
export const forkSentence = (
  from: { readonly name: string; readonly id: string },
  before: string | undefined,
  to: { readonly name: string; readonly id: string },
): string =>
  `Forked from ${JSON.stringify(from.name)} (${from.id})${before === undefined ? "" : ` before event ${before}`} as ${JSON.stringify(to.name)} (${to.id}).`;
