/** A number that a turn keeps in every copy of its session, by which copies are recognised without a record of them. */
import type { PromptEvent } from "./session.ts";

/** Enough of a prompt to tell two apart that a made-up log gives the same id and time. */
const HEAD = 32;
/** Moved copies name their new folder. */
const IN_PATH = /[\\/]/;
/** What is looked at of a prompt. */
const MOST = 500;

export interface WorkSource {
  readonly source: string;
  /** Copies of its sessions get new ids, so only the moment and the words tell. */
  readonly renewsIds: boolean;
}

/** Nothing where a prompt says neither who it is nor when it was. What was handed over keeps the key it had. */
export function workKey({ source, renewsIds }: WorkSource, prompt: PromptEvent): number | undefined {
  if (prompt.work !== undefined) return prompt.work;
  const id = renewsIds ? "" : (prompt.id ?? "");
  if (prompt.time === undefined && id === "") return undefined;
  const words = beginningOf(prompt.text.slice(0, MOST));
  return keyOf([source, id, prompt.time ?? "", words].join("\n"));
}

/** The first words that are no paths, a space between; mostly the first few are enough. */
function beginningOf(text: string): string {
  let beginning = "";
  for (const [word] of text.matchAll(/\S+/g)) {
    if (IN_PATH.test(word)) continue;
    beginning += beginning === "" ? word : ` ${word}`;
    if (beginning.length >= HEAD) break;
  }
  return beginning.slice(0, HEAD);
}

/** A model call by the ids that the vendor's service gave its answer, which every copy of a log repeats. */
export const callKey = (source: string, message: string, request: string): number =>
  keyOf([source, message, request].join("\n"));

/** 53 bits, which JSON, JavaScript and SQLite all hold. */
const keyOf = (text: string): number =>
  (hashOf(text, 0x811c9dc5) & 0x1fffff) * 2 ** 32 + hashOf(text, 0x9747b28c);

/** FNV-1a. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
