/** Reads tool output that is too large for the transcript from its own file; the row has a preview. */
import { basename, join } from "node:path";
import type { ToolResultEvent } from "../../model/session/session.ts";
import { MAX_LINE } from "../../platform/fs/lines.ts";
import { isErrno, reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { sessionFolder } from "./locate.ts";
import type { Report } from "./tree/first-pass.ts";

const PREVIEW = /^<persisted-output>[\s\S]*?Full output saved to: (.+)/;

export const isPersisted = ({ text }: ToolResultEvent): boolean => text.startsWith("<persisted-output>");

/** The result with its whole output in place of the preview, as far as the limit allows. */
export async function withWholeOutput(
  fs: SessionFs,
  transcript: string,
  event: ToolResultEvent,
  limit: number,
  report: Report,
): Promise<ToolResultEvent> {
  const named = PREVIEW.exec(event.text)?.[1]?.trim();
  if (named === undefined) return event;
  // The row names an absolute path, which is no longer right once the home has moved.
  const path = join(sessionFolder(transcript), "tool-results", basename(named.replaceAll("\\", "/")));
  try {
    const { size } = await fs.stat(path);
    const end = Math.min(size, MAX_LINE, limit * 4);
    const text = Buffer.from(await fs.read(path, { start: 0, end })).toString("utf8");
    return { ...event, text, ...(size > end && { cut: size - end }) };
  } catch (error) {
    const message = isErrno(error, "ENOENT")
      ? "the full output of a tool call is gone; only its preview is left"
      : reasonOf(error);
    report({ code: "sidecar-unreadable", path, line: event.origin.line, message });
    return event;
  }
}

/** Cuts a long result, and says by how much. */
export function limited(event: ToolResultEvent, limit: number): ToolResultEvent {
  if (event.text.length <= limit) return event;
  const cut = (event.cut ?? 0) + event.text.length - limit;
  return { ...event, text: event.text.slice(0, limit), cut };
}
