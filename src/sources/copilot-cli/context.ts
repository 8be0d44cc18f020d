/** The messages Copilot CLI would send if the session were resumed now. */
import type { ContextMessage } from "../../model/context.ts";
import type { Artifact } from "../../model/session.ts";
import { eachLine } from "../../platform/lines.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import { originOf } from "../jsonl.ts";
import { renderAttachments } from "./attachments.ts";
import { judge } from "./records.ts";
import { createReplay } from "./replay.ts";
import { pairResults } from "./tool-results.ts";

export async function context(fs: SessionFs, artifact: Artifact): Promise<ContextMessage[]> {
  const replay = createReplay();
  // The model gets every message whole, however long its line.
  const options = { maxLine: Number.POSITIVE_INFINITY };
  await eachLine(
    fs,
    artifact.path,
    (line) => {
      const { record, fault } = judge(line);
      // A line that is not UTF-8 is dropped by the program. One it refuses stays: the rest is what a repair brings back.
      if (record && fault?.code !== "record-encoding") replay.push(record, originOf(line));
    },
    options,
  );
  const items = replay.end();
  for (const item of items)
    if (item.kind === "message" && item.attachments)
      item.text += await renderAttachments(fs, item.attachments);
  return pairResults(items);
}
