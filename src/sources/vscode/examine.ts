/** What only a closer look shows: workspaces that are gone, and marks of an editor that no longer runs. */
import { dirname, join } from "node:path";
import { isAlive } from "../../platform/processes.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { hasLeft } from "../departed.ts";
import type { ScanSink } from "../source.ts";
import { problem } from "./problems.ts";
import { survey } from "./scan.ts";

export async function examine(fs: SessionFs, root: string, sink: Pick<ScanSink, "problem">): Promise<void> {
  const seen = new Map<string, boolean>();
  const isGone = async (path: string): Promise<boolean> => {
    const known = seen.get(path) ?? (await hasLeft(fs, path));
    seen.set(path, known);
    return known;
  };
  // Everything the survey itself finds was already reported by the scan.
  for (const { workspace, artifacts } of await survey(fs, root, () => undefined)) {
    if (!workspace?.isLocal || !(await isGone(workspace.name))) continue;
    for (const artifact of artifacts) {
      const message = `the folder ${workspace.name} is gone or was renamed, so VS Code no longer finds its chats`;
      sink.problem(problem("workspace-missing", artifact.path, message, artifact.id));
    }
  }
  await examineLock(fs, join(dirname(root), "code.lock"), sink);
}

/** The editor writes its process id there and removes the file when it ends well. */
async function examineLock(fs: SessionFs, path: string, sink: Pick<ScanSink, "problem">): Promise<void> {
  let text: string;
  try {
    text = Buffer.from(await fs.read(path)).toString("utf8");
  } catch {
    return; // there is none, or it is not ours to read
  }
  const pid = Number(text.trim());
  if (isAlive(pid)) return;
  sink.problem(problem("lock-stale", path, `VS Code (process ${text.trim()}) ended without cleaning up`));
}
