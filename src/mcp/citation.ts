/** How answers name where a fact is from, and the calls that get more of it. */
import { formatKey, type SessionKey } from "../model/values/id.ts";
import { oneLine } from "../present/text/plain.ts";

/** `copilot-cli:0b1c… turn 3, 2026-10-01T10:02:11Z` */
export function cite(session: SessionKey, turn: number | null, time: string | null | undefined): string {
  const place = turn === null ? "" : ` turn ${turn}`;
  return oneLine(`${formatKey(session)}${place}, ${time ? shortTime(time) : "time unknown"}`);
}

/** To the second. */
export const shortTime = (time: string): string => time.replace(/\.\d+(?=Z$)/, "");

/** A call as the model would make it. */
export const callOf = (tool: string, input: Readonly<Record<string, unknown>>): string =>
  `${tool} ${JSON.stringify(input)}`;

/**
 * A session's name for words of ours. An id comes from a file name, which may be any text; one that is more than an id is
 * not repeated there.
 */
export const nameOf = (session: SessionKey): string => {
  const key = formatKey(session);
  return /^[\w.:-]{1,120}$/.test(key) ? key : "<the session as cited above>";
};
