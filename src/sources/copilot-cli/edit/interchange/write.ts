/** Writes what the model would receive as records that `copilot sessions import` accepts. */
import type { ContextMessage } from "../../../../model/session/context.ts";
import type { Session } from "../../../../model/session/session.ts";
import type { Transcript } from "../../../interchange.ts";

/** Whatever the session lacks, its first moment is needed. */
const LONG_AGO = "1970-01-01T00:00:00.000Z";

export function* writeInterchange({ session, messages, timeOf, hasFailed }: Transcript): Generator<string> {
  let time = session.createdAt ?? session.updatedAt ?? LONG_AGO;
  let count = 0;
  const ids = new Set<string>();
  /** Ids of all kinds of records share one space. */
  const newId = (wanted: string): string => {
    let id = wanted;
    while (ids.has(id) || id.trim() === "") id = `${wanted}#${++count}`;
    ids.add(id);
    return id;
  };
  const calls = new Map<string, string>();
  const line = (record: object): string => `${JSON.stringify(record)}\n`;
  yield line(toHeader(session, time));
  for (const [number, message] of messages.entries()) {
    time = timeOf(message) ?? time;
    const { role, text } = message;
    if (role === "tool") {
      const call = calls.get(message.toolCallId ?? "");
      const isFailed = text.trim() !== "" && hasFailed(message.toolCallId ?? "");
      // With both an error and a content, the model would receive both.
      const outcome = isFailed
        ? { success: false, error: { message: text } }
        : { success: true, content: text };
      if (call !== undefined)
        yield line({
          type: "tool-result",
          id: newId(`result-${number}`),
          timestamp: time,
          toolCallId: call,
          ...outcome,
        });
      continue;
    }
    yield line({
      type: "message",
      id: newId(`message-${number}`),
      timestamp: time,
      role,
      content: [{ type: "text", text }],
    });
    for (const { id, name, arguments: input } of callsOf(message)) {
      const call = newId(id);
      calls.set(id, call);
      yield line({ type: "tool-call", id: call, timestamp: time, name, arguments: input });
    }
  }
}

const callsOf = ({ toolCalls = [] }: ContextMessage) =>
  toolCalls.map((call) => ({ ...call, name: call.name.trim() === "" ? "unknown" : call.name }));

function toHeader(session: Session, createdAt: string): object {
  const title = toTitle(session.title);
  const [owner, name, ...rest] = (session.repository ?? "").split("/");
  const repository = owner && name && rest.length === 0 ? { host: "github.com", owner, name } : undefined;
  const workspace = {
    ...(repository && { repository }),
    ...(session.branch && { branch: session.branch }),
    ...(session.workspace && { workingDirectory: session.workspace }),
  };
  return {
    type: "session",
    version: 1,
    externalId: `${session.source}:${session.id}`,
    createdAt,
    ...(session.updatedAt !== undefined && { updatedAt: session.updatedAt }),
    ...(title !== "" && { title }),
    source: { application: session.source },
    ...(Object.keys(workspace).length > 0 && { workspace }),
  };
}

const LONGEST_TITLE = 100;

/** A name that the program allows: short, on one line, without double quotes. */
export const toTitle = (title: string): string =>
  title
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replaceAll('"', "")
    .trim()
    .slice(0, LONGEST_TITLE)
    .trim();
