/** Checks the home for workspaces that are gone and stale files of processes that no longer run. */
import type { Problem } from "../../model/problem.ts";
import type { Artifact } from "../../model/session/session.ts";
import { eachLine, type Line } from "../../platform/fs/lines.ts";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import { failedOn, orProblem } from "../isolation.ts";
import { asString, decodeLine } from "../log/jsonl.ts";
import { workspaceMissing } from "../machine/workspace-missing.ts";
import type { HealthLook, ScanSink } from "../source.ts";
import { findHolders } from "./open-sessions.ts";
import { SOURCE, scan } from "./scan.ts";

/** The first rows carry the working directory; no need to read on for it. */
const HEAD = 256 << 10;

export async function diagnose(
  fs: SessionFs,
  root: string,
  sink: Pick<ScanSink, "problem">,
  { workspaceOf: known, opensNone = false }: HealthLook = {},
): Promise<void> {
  const holders = await findHolders(fs, root, (found) => sink.problem({ source: SOURCE, ...found }));
  for (const { path, pid, session, state } of holders) {
    if (state === "held") continue;
    sink.problem({
      code: "lock-stale",
      source: SOURCE,
      session,
      path,
      message: `process ${pid}, which had the session open, ${state === "ended" ? "no longer runs" : "is another program now"}`,
    });
  }
  const found: Artifact[] = [];
  // What is wrong with the folders themselves was reported by the scan.
  await scan(fs, root, { artifact: (artifact) => void found.push(artifact), problem: () => undefined });
  const left = new Map<string, boolean>();
  for (const artifact of found)
    await orProblem(failedOn(artifact), sink, async () => {
      const workspace =
        known?.(artifact.path) ?? (opensNone ? undefined : await workspaceOf(fs, artifact.path));
      if (workspace === undefined) return;
      if (!left.has(workspace)) left.set(workspace, await workspaceMissing(fs, workspace));
      if (left.get(workspace)) sink.problem(missing(artifact, workspace));
    });
}

const missing = (artifact: Artifact, workspace: string): Problem => ({
  code: "workspace-missing",
  source: SOURCE,
  session: artifact.id,
  path: artifact.path,
  message: `the session belongs to ${workspace}, which is gone; Claude Code lists it only there`,
  // All sessions of the folder at once.
  remedy: { action: "move", args: { from: workspace }, asks: { to: "folder" } },
});

async function workspaceOf(fs: SessionFs, path: string): Promise<string | undefined> {
  let workspace: string | undefined;
  const visit = (line: Line): void => {
    const decoded = decodeLine(line);
    if (decoded.kind === "record") workspace ??= asString(decoded.record.cwd);
  };
  try {
    await eachLine(fs, path, visit, { start: 0, end: HEAD });
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM", "ENOENT", "EISDIR")) throw error;
    // `read` reports that it cannot be opened.
  }
  return workspace;
}
