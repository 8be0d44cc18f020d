/**
 * What a session notes of its handoff in members that its program ignores: where it came from, and beside a prompt which
 * turn it was, so that the two count once.
 */
import type { HandedFrom, Session } from "../model/session/session.ts";
import { asNumber, asObject, asString, type JsonObject, titleFrom } from "./log/jsonl.ts";

/** Names the new session, too: copies of it have the note, and were not handed over themselves. */
export const originNote = ({ source, id, title, models }: Session, to: string): JsonObject => ({
  ...{ source, id, title, models, to },
});

/** As it is noted, with the session that was made. */
export interface NotedOrigin extends HandedFrom {
  readonly to?: string;
}

/** Of a record that may have a note of the handoff. */
export function originIn(record: JsonObject | undefined): NotedOrigin | undefined {
  const from = asObject(asObject(record?.handoff)?.from);
  const [source, id, to] = [asString(from?.source), asString(from?.id), asString(from?.to)];
  if (!source || !id) return undefined;
  const title = titleFrom(asString(from?.title) ?? "");
  return { source, id, ...(title !== "" && { title }), ...(to !== undefined && { to }) };
}

/** What the note says of the session that has it. */
export function handedTo(id: string, noted: NotedOrigin | undefined): { readonly handedFrom?: HandedFrom } {
  if (!noted) return {};
  const { to = id, ...handedFrom } = noted;
  return to === id ? { handedFrom } : {};
}

export const workNote = (
  { work }: { readonly work?: number },
  about: { readonly note?: string; readonly from?: JsonObject } = {},
): JsonObject => {
  const handoff = { ...about, ...(work !== undefined && { work }) };
  return Object.keys(handoff).length === 0 ? {} : { handoff };
};

export function workIn(record: JsonObject | undefined): { readonly work?: number } {
  const work = asNumber(asObject(record?.handoff)?.work);
  return work !== undefined && Number.isSafeInteger(work) ? { work } : {};
}
