/** The messages Copilot CLI would send if the session were resumed now. */

import { AppError } from "../../model/errors.ts";
import type { ContextLimit, ContextMessage } from "../../model/session/context.ts";
import type { Artifact } from "../../model/session/session.ts";
import { eachLine, type Line } from "../../platform/fs/lines.ts";
import { isErrno, reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { createHeldSize } from "../log/held-size.ts";
import { asNumber, originOf } from "../log/jsonl.ts";
import type { ContextOptions } from "../source.ts";
import { renderAttachments } from "./context/attachments.ts";
import type { ReplayItem } from "./context/conversation.ts";
import { createReplay, type Replay } from "./context/replay.ts";
import { roleOf } from "./log/event-types.ts";
import { pairResults } from "./log/paired-results.ts";
import { heardRecord, isMain, isUnwanted, judge } from "./log/records.ts";

export async function context(
  fs: SessionFs,
  artifact: Artifact,
  options: ContextOptions = {},
): Promise<ContextMessage[]> {
  const hold = options.hold ? () => undefined : createHeldSize(artifact.id);
  return toMessages(fs, await replayLog(fs, artifact, createReplay(options.hold), hold));
}

/** What was replayed, with the files that prompts name. */
export async function toMessages(fs: SessionFs, items: readonly ReplayItem[]): Promise<ContextMessage[]> {
  for (const item of items)
    if (item.kind === "message" && item.attachments)
      item.text += await renderAttachments(fs, item.attachments);
  return pairResults(items);
}

const TRUNCATION = Buffer.from('"session.truncation"');

/** The program notes it whenever it has to leave out old messages for it; the last note counts. */
export async function limit(fs: SessionFs, { path }: Artifact): Promise<ContextLimit | undefined> {
  let tokens: number | undefined;
  const visit = (line: Line): void => {
    if (!line.bytes.includes(TRUNCATION)) return;
    const { record } = judge(line);
    if (record && isMain(record) && roleOf(record.type) === "truncation")
      tokens = asNumber(record.data.tokenLimit) ?? tokens;
  };
  await eachLine(fs, path, visit, {});
  return tokens === undefined ? undefined : { tokens };
}

async function replayLog(
  fs: SessionFs,
  { id, path }: Artifact,
  replay: Replay,
  hold: (bytes: number) => void,
): Promise<ReplayItem[]> {
  const visit = (line: Line): void => {
    // One that the program refuses stays: the rest is what a repair brings back.
    const record = heardRecord(line);
    if (!record) return;
    hold(line.bytes.length);
    replay.push(record, originOf(line));
  };
  try {
    // The model gets every message whole, however long its line.
    await eachLine(fs, path, visit, { maxLine: Number.POSITIVE_INFINITY, pass: isUnwanted });
  } catch (error) {
    if (!isErrno(error, "ENOENT", "EACCES", "EPERM", "EISDIR", "EIO")) throw error;
    const message = `The log of session ${id} cannot be read: ${reasonOf(error)}`;
    throw new AppError(
      "unreadable",
      message,
      { say: "See what else is wrong", remedy: { action: "doctor" } },
      error,
    );
  }
  return replay.end();
}
