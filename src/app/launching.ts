/** How a session's own program is started on it, and where. */
import { dirname } from "node:path";
import { demoFolder, demoVars } from "../demo/places.ts";
import { claimSession } from "../edit/apply/locks.ts";
import { AppError } from "../model/errors.ts";
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
  if (workspace === undefined || REMOTE.test(workspace)) return { session, label, words };
  const folder = (await realFolder(workspace)) ?? (isThere(workspace) ? dirname(workspace) : undefined);
  if (folder !== undefined) return { session, label, words, folder };
  // A program that gets the folder as an argument would only report that it is missing.
  if (words.includes(workspace))
    throw new AppError("workspace-missing", `The session's folder is gone: ${workspace}`, {
      say: "See where it may have moved",
      remedy: { action: "doctor", args: { source: artifact.source } },
    });
  return { session, label, words, missing: workspace };
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
