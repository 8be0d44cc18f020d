/** How a session's own program is started on it, and where. */
import { dirname } from "node:path";
import { demoFolder, demoVars } from "../demo/places.ts";
import { claimSession } from "../edit/apply/locks.ts";
import { AppError } from "../model/errors.ts";
import type { Problem, ProblemCode } from "../model/problem.ts";
import type { Remedy } from "../model/remedy.ts";
import type { Artifact } from "../model/session/session.ts";
import { shortId } from "../model/values/id.ts";
import { realFolder } from "../platform/disk/folders.ts";
import { isThere } from "../platform/disk/own-files.ts";
import { runInForeground } from "../platform/process/foreground.ts";
import { readHead } from "../query/heads.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { AppConfig } from "./config.ts";
import type { App, Launch } from "./contract.ts";

/** On another machine, in a container, in the cloud. */
const REMOTE = /^[a-z][a-z0-9+.-]+:\/\//i;

export async function planLaunch(catalog: Catalog, artifact: Artifact): Promise<Launch> {
  const { session } = await readHead(catalog, artifact);
  const words = artifact.vanishedAt === undefined ? catalog.launch(artifact, session) : undefined;
  const label = catalog.sources.find(({ source }) => source === artifact.source)?.label ?? artifact.source;
  if (!words)
    throw new AppError("not-supported", `${label} cannot resume this session`, {
      say: "Read it",
      remedy: { action: "show", session: `${artifact.source}:${shortId(artifact.id)}` },
    });
  const { workspace } = session;
  const launch = { session, label, words, vars: catalog.launchVars(artifact) };
  if (workspace === undefined || REMOTE.test(workspace)) return launch;
  const folder = (await realFolder(workspace)) ?? (isThere(workspace) ? dirname(workspace) : undefined);
  // A program that gets the folder as an argument finds the session by it.
  const isByFolder = words.includes(workspace);
  if (folder === undefined && isByFolder) throw await folderGone(catalog, artifact, workspace);
  if (folder === undefined) return { ...launch, missing: workspace };
  if (isByFolder) await refuseReplaced(catalog, artifact, workspace, label);
  return { ...launch, folder };
}

async function folderGone(catalog: Catalog, artifact: Artifact, workspace: string): Promise<AppError> {
  const found = await findProblem(catalog, artifact, "workspace-missing");
  const remedy: Remedy =
    found?.remedy?.action === "move"
      ? found.remedy
      : { action: "move", args: { from: workspace }, asks: { to: "folder" } };
  return new AppError("workspace-missing", `The session's folder is gone: ${workspace}`, {
    say: "Move its sessions to where it is now",
    remedy,
  });
}

/** It would start, and not show the session. */
async function refuseReplaced(
  catalog: Catalog,
  artifact: Artifact,
  workspace: string,
  label: string,
): Promise<void> {
  // Where each missing folder may be now is of no interest here.
  const found = await findProblem(catalog, artifact, "workspace-replaced", () => workspace);
  if (!found?.remedy) return;
  throw new AppError(
    "workspace-replaced",
    `${workspace} was deleted and created again, so ${label} looks for its sessions elsewhere`,
    { say: "Bring them there", remedy: found.remedy },
  );
}

async function findProblem(
  catalog: Catalog,
  { source, id }: Artifact,
  code: ProblemCode,
  workspaceOf?: () => string,
): Promise<Problem | undefined> {
  const problems = await catalog.diagnose([source], workspaceOf && { workspaceOf, opensNone: true });
  return problems.find((problem) => problem.code === code && problem.session === id);
}

/** Runs the program in the terminal. While it runs on the session, the session is locked against chats and writes. */
export async function startInTerminal(
  { dataHome, environment }: AppConfig,
  demo: App["demo"],
  { session, words }: Pick<Launch, "session" | "words">,
  folder: string,
): Promise<number | undefined> {
  const home = demo ? demoFolder(dataHome) : dataHome;
  // The program looks at the homes that we look at.
  const vars = { ...environment.vars, ...(demo && demoVars(home)) };
  const release = words.includes(session.id) ? await claimSession(home, session) : () => undefined;
  try {
    return await runInForeground(words, { folder, vars });
  } finally {
    release();
  }
}
