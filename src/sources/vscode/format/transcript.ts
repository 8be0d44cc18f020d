/** The Copilot extension's own record of a chat: what is left when VS Code has lost or emptied the session. */
import type { Event } from "../../../model/session/session.ts";
import { isOddTime, ODD_TIME, toIso } from "../../../model/values/time.ts";
import { eachLine } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import {
  asArray,
  asObject,
  asString,
  decodeLine,
  isObject,
  type JsonObject,
  originOf,
  TOO_DEEP_TO_SHOW,
} from "../../log/jsonl.ts";
import { toInput } from "../response/tools.ts";
import type { Fault } from "./parsed-session.ts";

export interface TranscriptOptions {
  readonly maxLine: number;
  readonly textLimit: number;
  /** Set on every origin when the transcript is not the artifact's own file. */
  readonly file?: string;
}

export interface Transcript {
  readonly events: readonly Event[];
  readonly faults: readonly Fault[];
  /** Version of the extension. */
  readonly producer?: string;
}

export async function readTranscript(
  fs: SessionFs,
  path: string,
  options: TranscriptOptions,
): Promise<Transcript> {
  const events: Event[] = [];
  const faults: Fault[] = [];
  const called = new Set<string>();
  let producer: string | undefined;
  await eachLine(
    fs,
    path,
    (line) => {
      const decoded = decodeLine(line);
      if (decoded.kind === "bad") {
        faults.push({ code: decoded.code, line: line.number, message: `in the transcript, ${decoded.why}` });
      }
      if (decoded.kind !== "record") return;
      if (decoded.isCut) faults.push({ code: "too-deep", line: line.number, message: TOO_DEEP_TO_SHOW });
      const data = asObject(decoded.record.data) ?? {};
      if (decoded.record.type === "session.start") producer = asString(data.copilotVersion);
      const id = asString(decoded.record.id);
      const time = toIso(decoded.record.timestamp);
      if (isOddTime(decoded.record.timestamp))
        faults.push({ code: "time-odd", line: line.number, message: ODD_TIME });
      const base = {
        origin: originOf(line, options.file),
        ...(id !== undefined && { id }),
        ...(time !== undefined && { time }),
      };
      for (const event of toEvents(asString(decoded.record.type), data, called, options.textLimit)) {
        events.push({ ...event, ...base } as Event);
      }
    },
    { maxLine: options.maxLine },
  );
  return { events, faults, ...(producer !== undefined && { producer }) };
}

type Bare = Event extends infer E ? (E extends Event ? Omit<E, "origin"> : never) : never;

function toEvents(type: string | undefined, data: JsonObject, called: Set<string>, limit: number): Bare[] {
  switch (type) {
    case "user.message":
      return [{ kind: "prompt", text: asString(data.content) ?? "" }];
    case "assistant.message": {
      const thought = asString(data.reasoningText) ?? "";
      const text = asString(data.content) ?? "";
      const requests = asArray(data.toolRequests).filter(isObject);
      return [
        ...(thought === "" ? [] : [{ kind: "thinking", text: thought } as const]),
        ...(text.trim() === "" ? [] : [{ kind: "text", text } as const]),
        ...requests.flatMap((request) => toCall(request, request.name, called)),
      ];
    }
    // Also tells of calls that no message asked for, such as those of a sub-agent.
    case "tool.execution_start":
      return toCall(data, data.toolName, called);
    case "tool.execution_complete": {
      const callId = asString(data.toolCallId);
      if (callId === undefined) return [];
      const whole = asString(asObject(data.result)?.content) ?? "";
      const text = whole.slice(0, limit);
      const status = data.success === false ? "failed" : "ok";
      const cut = whole.length - text.length;
      return [{ kind: "tool-result", callId, status, text, ...(cut > 0 && { cut }) }];
    }
    default:
      return [];
  }
}

function toCall(data: JsonObject, name: unknown, called: Set<string>): Bare[] {
  const callId = asString(data.toolCallId);
  if (callId === undefined || called.has(callId)) return [];
  called.add(callId);
  return [{ kind: "tool-call", callId, name: asString(name) ?? "tool", input: toInput(data.arguments) }];
}
