/** Sessions that come out of real ones by what happens to files: torn, mixed with garbage, re-encoded, reordered. */
import { readFileSync } from "node:fs";
import type { Copilot } from "./copilot.ts";
import { event } from "./copilot-corners.ts";

export const toLog = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

const COPIED = "last line torn";

export function derive(
  copilot: Copilot,
  newId: (name: string) => string,
  from: { attached: string; tools: string },
): void {
  const change = (name: string, source: string, by: (lines: string[]) => string | Buffer): void => {
    const id = newId(name);
    // One keeps the id of the session that it was copied from, as a copied folder does.
    const idInLog = name === COPIED ? source : id;
    const log = readFileSync(copilot.log(source), "utf8").replaceAll(source, idInLog);
    copilot.write(id, by(log.trimEnd().split("\n")));
  };

  change(COPIED, from.tools, (lines) => toLog(lines).slice(0, -90));
  change("garbage in the middle", from.tools, (lines) =>
    toLog(lines.toSpliced(6, 0, "%% not json", '{"half":')),
  );
  change("NUL bytes at the end", from.tools, (lines) => `${toLog(lines)}${"\0".repeat(4096)}`);
  change("byte order mark and CRLF", from.tools, (lines) => `\uFEFF${lines.join("\r\n")}\r\n`);
  change("a line that is not UTF-8", from.tools, (lines) =>
    Buffer.from(toLog(lines).replace('"content":"Looking."', '"content":"Look\u00ffing."'), "latin1"),
  );
  change("an answer lost, its results orphaned", from.tools, (lines) => {
    const first = lines.findIndex((line) => line.includes('"type":"assistant.message"'));
    return toLog(lines.with(first, `${lines[first]?.slice(0, 200)}`));
  });
  change("session.start not first", from.tools, (lines) =>
    toLog([...lines.slice(1, 3), lines[0] ?? "", ...lines.slice(3)]),
  );
  change("unknown events and fields", from.tools, (lines) =>
    toLog([
      ...lines.map((line) => line.replace('"data":{', '"extra":[1],"data":{"extra":{"a":1},')),
      '{"type":"future.event","data":{}}',
      "{}",
    ]),
  );
  change("context cleared", from.tools, (lines) => {
    const prompt = lines.findLastIndex((line) => line.includes('"type":"user.message"'));
    const cleared = event("session.context_cleared", { messagesCleared: 9, initialMessage: "Start over" });
    return toLog(lines.toSpliced(prompt, 0, JSON.stringify(cleared)));
  });
  // Earlier versions did not keep what a file was like; then it is looked at again.
  change("attachments of an earlier version", from.attached, (lines) =>
    toLog(lines.map((line) => line.replace(/,"taggedFilesEntry":"[^"]*"/g, ""))),
  );
  change("an attached file that is gone", from.attached, (lines) =>
    toLog(
      lines.map((line) =>
        line.replace(/,"taggedFilesEntry":"[^"]*"/g, "").replaceAll("notes.txt", "gone.txt"),
      ),
    ),
  );
}
