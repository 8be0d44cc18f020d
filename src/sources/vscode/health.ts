/** Checks for workspaces that are gone or were recreated, and stale locks of an editor that no longer runs. */
import { basename, dirname, join } from "node:path";
import type { ProblemCode } from "../../model/problem.ts";
import type { Remedy } from "../../model/remedy.ts";
import type { Artifact } from "../../model/session/session.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { createProcessLook } from "../../platform/process/process-look.ts";
import { orProblem } from "../isolation.ts";
import { workspaceMissing } from "../machine/workspace-missing.ts";
import type { HealthLook, ScanSink } from "../source.ts";
import { idOf } from "./edit/copy/target.ts";
import { type EditorLock, readLock } from "./edit/list/running.ts";
import { problem, SOURCE } from "./format/problems.ts";
import type { Store } from "./index-db/stores.ts";
import { findNewPlace } from "./moved-folders.ts";
import { type StoreScan, scanStores } from "./scan.ts";

/** Where a folder may be now is found from its chats, so it is unknown when no chat may be opened. */
export async function diagnose(
  fs: SessionFs,
  root: string,
  sink: Pick<ScanSink, "problem">,
  { opensNone = false }: HealthLook = {},
): Promise<void> {
  const report = (code: ProblemCode, message: string, { path, id }: Artifact, remedy?: Remedy): void =>
    sink.problem({ ...problem(code, path, message, id), ...(remedy && { remedy }) });
  const seen = new Map<string, boolean>();
  const isGone = async (path: string): Promise<boolean> => {
    const known = seen.get(path) ?? (await workspaceMissing(fs, path));
    seen.set(path, known);
    return known;
  };
  // Everything the survey itself finds was already reported by the scan.
  const scans = await scanStores(fs, root, () => undefined);
  for (const each of scans) {
    const { workspace, artifacts, store } = each;
    if (!workspace?.isLocal || artifacts.length === 0 || !(await isGone(workspace.name))) continue;
    const place = opensNone
      ? undefined
      : await orProblem({ source: SOURCE, path: store.folder ?? root }, sink, () =>
          findNewPlace(fs, each, scans),
        );
    const now = place ? `; it may be ${place.path} now (${place.why})` : "";
    const message = `the folder ${workspace.name} is gone or was renamed, so VS Code no longer finds its chats${now}`;
    const from = workspace.name;
    const remedy: Remedy = place
      ? { action: "move", args: { from, to: place.path } }
      : { action: "move", args: { from }, asks: { to: "folder" } };
    for (const artifact of artifacts) report("workspace-missing", message, artifact, remedy);
  }
  for (const { artifacts, workspace } of await findReplaced(fs, scans)) {
    const message = `the folder ${workspace} was deleted and created again, so VS Code looks for its chats elsewhere`;
    // All chats of the folder at once, and none but them: sessions of other programs are where they belong.
    const remedy: Remedy = { action: "rescue", args: { vscode: true } };
    for (const artifact of artifacts) report("workspace-replaced", message, artifact, remedy);
  }
  await examineLock(fs, join(dirname(root), "code.lock"), sink);
}

/** Of stores for the same folder, all but the one that VS Code uses: an id tells of the folder, not only of its path. */
async function findReplaced(
  fs: SessionFs,
  scans: readonly StoreScan[],
): Promise<{ readonly artifacts: readonly Artifact[]; readonly workspace: string }[]> {
  const local = scans.filter(({ workspace, store }) => workspace?.isLocal && store.folder !== undefined);
  const replaced = [];
  for (const [workspace = "", stores] of Map.groupBy(local, ({ workspace: of }) => of?.name)) {
    if (stores.length < 2 || !(await fs.exists(workspace))) continue;
    const used = await findUsed(fs, workspace, stores);
    for (const { artifacts, store } of stores) if (store !== used) replaced.push({ artifacts, workspace });
  }
  return replaced;
}

/** By its id; or the one whose database was written last. */
async function findUsed(
  fs: SessionFs,
  workspace: string,
  stores: readonly StoreScan[],
): Promise<Store | undefined> {
  const id = fs.isDisk ? await idOf(fs, workspace) : undefined;
  const named = stores.find(({ store }) => basename(store.folder ?? "") === id);
  if (named) return named.store;
  const times: { readonly store: Store; readonly time: number }[] = [];
  for (const { store } of stores) {
    const isThere = await fs.exists(store.database);
    times.push({ store, time: isThere ? (await fs.stat(store.database)).mtimeMs : 0 });
  }
  return times.sort((a, b) => b.time - a.time)[0]?.store;
}

/** The editor writes its process id there and removes the file when it ends well. */
async function examineLock(fs: SessionFs, path: string, sink: Pick<ScanSink, "problem">): Promise<void> {
  let lock: EditorLock | undefined;
  try {
    lock = await readLock(fs, path, createProcessLook());
  } catch {
    return; // there is none any more, or it is not ours to read
  }
  if (!lock || lock.state === "held") return;
  const why =
    lock.state === "ended"
      ? `VS Code (process ${lock.pid}) ended without cleaning up`
      : `it names process ${lock.pid}, which is another program`;
  sink.problem(problem("lock-stale", path, why));
}
