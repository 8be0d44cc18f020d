/** Reads the names that people gave to sessions: a list that is only appended to, where the last word counts. */
import { eachLine } from "../../platform/fs/lines.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { asString, decodeLine } from "../log/jsonl.ts";
import { namesFile } from "./locate.ts";

/** Throws what the disk says; a list that is not there is no exception to that. Codex CLI skips what it cannot parse, too. */
export async function readNames(fs: SessionFs, root: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  await eachLine(fs, namesFile(root), (line) => {
    const decoded = decodeLine(line);
    if (decoded.kind !== "record") return;
    const [id, name] = [asString(decoded.record.id), asString(decoded.record.thread_name)?.trim()];
    if (id !== undefined && name) names.set(id.toLowerCase(), name);
  });
  return names;
}
