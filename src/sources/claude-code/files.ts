/** Lists the files of a session: its transcript, its own folder, the logs of its sub-agents, and states of files. */
import { dirname, join } from "node:path";
import type { Artifact } from "../../model/session/session.ts";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import { filesBelow, type OnSkipped } from "../files/of-session.ts";
import { fileHistory, isSessionId, sessionFolder } from "./locate.ts";

export async function files(fs: SessionFs, artifact: Artifact, onSkipped?: OnSkipped): Promise<string[]> {
  return [
    artifact.path,
    ...(await filesBelow(fs, sessionFolder(artifact.path), join, onSkipped)),
    ...(await agentsBeside(fs, artifact)),
    // Other names could lead anywhere: the program itself only uses ids.
    ...(isSessionId(artifact.id)
      ? await filesBelow(fs, fileHistory(artifact.root, artifact.id), join, onSkipped)
      : []),
  ];
}

/** The first row says whose it is, long before this many bytes. */
const HEAD = 16 << 10;

/** Older releases put the logs of all sub-agents beside the transcripts. */
async function agentsBeside(fs: SessionFs, { id, path }: Artifact): Promise<string[]> {
  const folder = dirname(path);
  const own: string[] = [];
  try {
    for (const { name, kind } of await fs.readdir(folder)) {
      if (kind !== "file" || !/^agent-.+\.jsonl$/.test(name)) continue;
      const head = Buffer.from(await fs.read(join(folder, name), { start: 0, end: HEAD }));
      if (head.includes(`"sessionId":"${id}"`)) own.push(join(folder, name));
    }
  } catch (error) {
    // Gone or closed meanwhile: then there is nothing to copy, and the reading of the session says why.
    if (!isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) throw error;
  }
  return own;
}
