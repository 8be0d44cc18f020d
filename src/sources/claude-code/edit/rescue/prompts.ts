/** The prompts of a session that Claude Code keeps for the arrow keys of its input line, as rows of a transcript. */
import { join } from "node:path";
import type { Artifact } from "../../../../model/session/session.ts";
import { uuidOf } from "../../../../model/values/stable-id.ts";
import { eachLine } from "../../../../platform/fs/lines.ts";
import { isErrno, type SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asNumber, asObject, asString, decodeLine, type JsonObject } from "../../../log/jsonl.ts";
import { validTime } from "./row.ts";

/** Nothing where none are kept, as of sessions that no person typed into. */
export async function promptsOf(fs: SessionFs, { root, id, fingerprint }: Artifact): Promise<string> {
  const found: JsonObject[] = [];
  const mark = Buffer.from(id);
  try {
    await eachLine(
      fs,
      join(root, "history.jsonl"),
      (line) => {
        const decoded = decodeLine(line);
        if (decoded.kind === "record" && decoded.record.sessionId === id) found.push(decoded.record);
      },
      { pass: (bytes, start, end) => !bytes.subarray(start, end).includes(mark) },
    );
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
  let parentUuid: string | null = null;
  return found
    .map((record, at) => {
      const uuid = uuidOf(`${id}:prompt:${at}`);
      const timestamp = validTime(record.timestamp) ?? new Date(fingerprint.mtimeMs).toISOString();
      const cwd = asString(record.project);
      const row = {
        ...{
          parentUuid,
          isSidechain: false,
          type: "user",
          message: { role: "user", content: textOf(record) },
        },
        ...{ uuid, timestamp, ...(cwd !== undefined && { cwd }), sessionId: id },
      };
      parentUuid = uuid;
      return `${JSON.stringify(row)}\n`;
    })
    .join("");
}

/** What was pasted stands apart, under a number. */
function textOf({ display, pastedContents }: JsonObject): string {
  const pasted = Object.values(asObject(pastedContents) ?? {}).flatMap((each) => {
    const { id, content } = asObject(each) ?? {};
    return typeof content === "string" ? [{ id: asNumber(id), content }] : [];
  });
  return pasted.reduce(
    (text, { id, content }) => text.replace(new RegExp(`\\[Pasted text #${id}[^\\]]*\\]`), () => content),
    asString(display) ?? "",
  );
}
