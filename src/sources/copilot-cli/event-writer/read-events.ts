/** Reads the events of a log unchanged, for replay and for continuing it. */
import type { ProblemCode } from "../../../model/problem.ts";
import { eachLine } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { megabytes } from "../../log/jsonl.ts";
import { decode, NOT_UTF8 } from "../log/records.ts";
import { LOG, under } from "../workspace/locate.ts";
import type { CopilotEvent } from "./event.ts";

/** A line that holds no event. */
export interface LineProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly code: ProblemCode;
  readonly message: string;
}

export interface EventsRead {
  readonly events: readonly CopilotEvent[];
  readonly problems: readonly LineProblem[];
}

/** Reads the log in a session's folder, lines of up to 64 MB whole; longer ones are problems. Throws what the file system says. */
export async function readEvents(fs: SessionFs, folder: string): Promise<EventsRead> {
  const events: CopilotEvent[] = [];
  const problems: LineProblem[] = [];
  await eachLine(
    fs,
    under(folder, LOG),
    (line) => {
      const decoded = decode(line);
      if (decoded.kind === "blank") return;
      if (line.cut > 0) {
        const message = `a record of ${megabytes(line)} MB, more than can be read`;
        problems.push({ line: line.number, code: "too-large", message });
        return;
      }
      const isBad = decoded.kind === "bad";
      if (isBad || decoded.replaced) {
        const { code, why } = isBad ? decoded : NOT_UTF8;
        problems.push({ line: line.number, code, message: why });
      } else events.push(decoded.record as unknown as CopilotEvent); // what is wrong with it, `replay` tells
    },
    { maxLine: Number.POSITIVE_INFINITY },
  );
  return { events, problems };
}
