/** Which strings of a log are paths that follow a folder, and which are words. */
import type { Relocation } from "../../../../model/values/relocate.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asString } from "../../../log/jsonl.ts";
import { type MovedLog, type MovedString, moveLog as moveLines } from "../../../log/moved-log.ts";
import { roleOf } from "../../log/event-types.ts";
import { isCopyOfRequest, movePath } from "./fields.ts";

export const moveLog = (
  fs: SessionFs,
  path: string,
  size: number,
  relocation: Relocation,
  withText: boolean,
): Promise<MovedLog> =>
  moveLines(fs, path, size, relocation, {
    withText,
    of(record) {
      const type = asString(record.type) ?? "";
      if (isCopyOfRequest(type)) return undefined;
      return (names, value) => {
        const text = movePath(names, value, relocation);
        if (text !== undefined) return { text, as: kindOf(type, names) };
        return names.at(-1) === "checkpointPath" ? "kept" : "words";
      };
    },
  });

function kindOf(type: string, names: readonly string[]): MovedString["as"] {
  const role = roleOf(type);
  if (role === "answer" && names[1] === "toolRequests") return "toolCalls";
  return role === "prompt" && names[1] === "attachments" ? "attachments" : "others";
}
