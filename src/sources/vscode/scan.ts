/** Finds every session below a root and its entry in VS Code's own list, without opening a session. */
import { dirname } from "node:path";
import type { Problem } from "../../model/problem.ts";
import type { Artifact, Listing } from "../../model/session/session.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { orProblem } from "../isolation.ts";
import type { ScanSink } from "../source.ts";
import { problem, SOURCE } from "./format/problems.ts";
import { findIndex, type Index } from "./index-db/state-db.ts";
import {
  findSessionFiles,
  findStores,
  type SessionFile,
  type Store,
  transcriptIn,
} from "./index-db/stores.ts";
import { readWorkspace, type Workspace } from "./index-db/workspace.ts";

/** A store with all that can be known of it without opening a session. */
export interface StoreScan {
  readonly store: Store;
  readonly index: Index;
  readonly workspace: Workspace | undefined;
  readonly artifacts: readonly Artifact[];
}

export async function scan(fs: SessionFs, root: string, sink: ScanSink): Promise<void> {
  const scans = await scanStores(fs, root, sink.problem);
  // A window that becomes another workspace takes copies of its sessions along, under the same ids.
  const chosen = new Map<string, Artifact>();
  for (const artifact of scans.flatMap((each) => each.artifacts)) {
    const rival = chosen.get(artifact.id);
    if (!rival) {
      chosen.set(artifact.id, artifact);
      continue;
    }
    if (isSameFile(artifact, rival)) continue;
    const winner = rank(artifact) > rank(rival) ? artifact : rival;
    const other = winner === artifact ? rival : artifact;
    chosen.set(artifact.id, winner);
    const message = `there is a copy of the session in ${winner.path} in another workspace`;
    sink.problem(problem("twin-stale", other.path, message, other.id));
  }
  for (const artifact of chosen.values()) sink.artifact(artifact);
}

/** A link beside a workspace's folder that leads to it is a second name for the same chats, and no copy. */
const isSameFile = ({ fingerprint: a }: Artifact, { fingerprint: b }: Artifact): boolean =>
  a.ino !== 0 && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;

/** Listed before unlisted, then the one that was written last. */
const rank = (artifact: Artifact): number =>
  (artifact.listed?.state === "listed" ? 1e15 : 0) + artifact.fingerprint.mtimeMs;

/** Looks at all stores that hold or list sessions. */
export async function scanStores(
  fs: SessionFs,
  root: string,
  report: (problem: Problem) => void,
): Promise<StoreScan[]> {
  const refused = (path: string, reason: string): void =>
    report(problem("folder-unreadable", path, `the folder cannot be read: ${reason}`));
  const unreadable = (path: string, reason: string): void =>
    report(problem("sidecar-unreadable", path, `the folder of these chats is not known: ${reason}`));
  const scans: StoreScan[] = [];
  const look = async (store: Store): Promise<StoreScan | undefined> => {
    const files = await findSessionFiles(fs, store, refused);
    const index = await findIndex(fs, store.database);
    if (files.length === 0 && !(index.state === "read" && index.entries.length > 0)) return undefined;
    const workspace =
      store.folder === undefined ? undefined : await readWorkspace(fs, store.folder, unreadable);
    if (index.state === "invalid") {
      const message = `VS Code would discard its list of sessions: ${index.reason}`;
      report(problem("index-unreadable", store.database, message));
    } else if (index.state === "newer") {
      const message = `VS Code's list of sessions is newer than this rethread knows: ${index.reason}`;
      report(problem("format-newer", store.database, message));
    } else if (index.state === "unavailable") {
      const message = `VS Code's list of sessions cannot be read now: ${index.reason}`;
      report(problem("index-unavailable", store.database, message));
    }
    const artifacts: Artifact[] = [];
    for (const file of files) {
      if (file.deadEnd !== undefined) {
        await toArtifact(fs, root, { id: file.id, path: file.deadEnd }, undefined, report);
      }
      const artifact = await toArtifact(fs, root, file, listingOf(index, file.id, workspace), report);
      if (!artifact) continue;
      artifacts.push(artifact);
      reportListing(file, index, report);
    }
    const ghosts = await findGhosts(fs, root, { store, index, workspace }, files, report);
    return { store, index, workspace, artifacts: [...artifacts, ...ghosts] };
  };
  for (const store of await findStores(fs, root, refused)) {
    const on = { source: SOURCE, path: store.folder ?? dirname(store.database) };
    const found = await orProblem(on, { problem: report }, () => look(store));
    if (found) scans.push(found);
  }
  return scans;
}

function listingOf(index: Index, id: string, workspace: Workspace | undefined): Listing | undefined {
  // What its list says of a session is not known then.
  if (["unknown", "unavailable", "newer"].includes(index.state)) return undefined;
  const entry = index.state === "read" ? index.entries.find((each) => each.id === id) : undefined;
  return {
    state: entry ? "listed" : "orphan",
    ...(entry?.title !== undefined && { title: entry.title }),
    ...(workspace && { workspace: workspace.name }),
  };
}

/** Undefined, and reported, when there is no file to read. */
async function toArtifact(
  fs: SessionFs,
  root: string,
  file: Pick<SessionFile, "id" | "path">,
  listed: Listing | undefined,
  report: (problem: Problem) => void,
): Promise<Artifact | undefined> {
  const unreadable = (reason: string): void => {
    // There is nothing to show, so nothing to offer.
    const { remedy: _nothingToShow, ...found } = problem("session-unreadable", file.path, reason, file.id);
    report(found);
  };
  try {
    const { kind, size, mtimeMs, ino } = await fs.stat(file.path);
    if (kind === "file") {
      const fingerprint = { size, mtimeMs, ino };
      return { source: SOURCE, id: file.id, root, path: file.path, fingerprint, ...(listed && { listed }) };
    }
    unreadable(`there is ${kind === "folder" ? "a folder" : "something else"} in place of the file`);
  } catch (error) {
    unreadable(`the file cannot be read: ${reasonOf(error)}`);
  }
  return undefined;
}

function reportListing(file: SessionFile, index: Index, report: (problem: Problem) => void): void {
  if (file.twin !== undefined) {
    report(problem("twin-stale", file.twin, "VS Code reads the newer .jsonl beside this file", file.id));
  }
  if (index.state !== "read") return;
  const entry = index.entries.find((each) => each.id === file.id);
  if (!entry) {
    report(
      problem("session-orphaned", file.path, "this session is not in VS Code's list of sessions", file.id),
    );
  } else if (entry.hidden !== undefined) {
    report(
      problem("session-hidden", file.path, `VS Code does not show the session: ${entry.hidden}`, file.id),
    );
  }
}

/** Listed sessions without a file. The extension's transcript may still tell what was said. */
async function findGhosts(
  fs: SessionFs,
  root: string,
  { store, index, workspace }: Omit<StoreScan, "artifacts">,
  files: readonly SessionFile[],
  report: (problem: Problem) => void,
): Promise<Artifact[]> {
  const ghosts: Artifact[] = [];
  if (index.state !== "read") return ghosts;
  const present = new Set(files.map((file) => file.id));
  for (const entry of index.entries) {
    if (present.has(entry.id) || entry.hidden !== undefined) continue;
    const transcript = store.folder === undefined ? undefined : transcriptIn(store.folder, entry.id);
    const rescued = transcript !== undefined && (await fs.exists(transcript));
    const title = JSON.stringify(entry.title ?? "");
    const hope = rescued ? "; a transcript of it is left" : "";
    const message = `VS Code lists ${title}, but its file is gone${hope}`;
    report(problem("session-ghost", store.database, message, entry.id));
    if (!rescued) continue;
    const listed = {
      state: "ghost",
      title: entry.title ?? "",
      ...(workspace && { workspace: workspace.name }),
    } as const;
    const artifact = await toArtifact(fs, root, { id: entry.id, path: transcript }, listed, report);
    if (artifact) ghosts.push(artifact);
  }
  return ghosts;
}
