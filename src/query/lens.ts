/**
 * What fills the model's context, passage by passage, and what a draft with a budget would do to each. The session is read
 * once; a budget is then only compared with what was read.
 */

import type { Problem } from "../model/problem.ts";
import type { ContextMessage } from "../model/session/context.ts";
import type { Event, Session } from "../model/session/session.ts";
import { startsTurn } from "../model/session/turns.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { BudgetPreview, PreviewedDraft, PreviewedMessage } from "../sources/editor.ts";
import { type ContextPart, type ShareKind, splitMessages, textOf } from "./context-parts.ts";
import { type Progress, readHead, withinFile } from "./heads.ts";
import type { Found } from "./resolve.ts";
import { loadTokenizer } from "./tokens.ts";
import { createTurnPlaces } from "./turn-places.ts";

export const FATES = ["kept", "cut", "dropped"] as const;
export type Fate = (typeof FATES)[number];

/** One text, thought, call or result that the model would receive. */
export interface LensPassage {
  /** Its place among all of them. */
  readonly id: number;
  /** Null for what belongs to no turn. */
  readonly turn: number | null;
  readonly kind: ShareKind;
  readonly tool?: string;
  readonly callId?: string;
  /** One short line: the command, the path, or how the text begins. */
  readonly label: string;
  readonly tokens: number;
}

export interface Lens {
  readonly session: Session;
  readonly problems: readonly Problem[];
  readonly tokens: number;
  readonly passages: readonly LensPassage[];
  /** The passages of each message, with what they are recognised by. */
  readonly messages: readonly LensMessage[];
}

interface LensMessage {
  readonly role: ContextMessage["role"];
  readonly passages: readonly LensPassage[];
}

export async function readLens(
  catalog: Catalog,
  { artifact, problems: known }: Found,
  progress?: Progress,
): Promise<Lens> {
  const places = createTurnPlaces();
  const labels = createLabels();
  const tell = withinFile(progress);
  const { session, problems } = await readHead(catalog, artifact, known, (event, of) => {
    places.event(event);
    labels.event(event);
    tell?.(event, of);
  });
  const messages = await catalog.context(artifact);
  const count = await loadTokenizer();
  const turns = places.of(messages);
  let [id, tokens] = [0, 0];
  const split = splitMessages(messages).map((parts, at): LensMessage => {
    const turn = turns[at] ?? null;
    const passages = parts.map((part): LensPassage => {
      const { kind, tool, callId } = part;
      const cost = count(textOf(part));
      tokens += cost;
      return {
        id: id++,
        turn,
        kind,
        ...(tool !== undefined && { tool }),
        ...(callId !== undefined && { callId }),
        label: labels.of(part, turn),
        tokens: cost,
      };
    });
    return { role: messages[at]?.role ?? "user", passages };
  });
  return {
    session,
    problems,
    tokens,
    messages: split,
    passages: split.flatMap((message) => message.passages),
  };
}

interface Labels {
  event(event: Event): void;
  of(part: ContextPart, turn: number | null): string;
}

/** What was read tells it in the words that people know: the command of a call, and a prompt as it was typed. */
function createLabels(): Labels {
  const calls = new Map<string, string>();
  const prompts: string[] = [];
  return {
    event(event) {
      if (startsTurn(event)) prompts.push(oneLine(event.text));
      if (event.kind !== "tool-call") return;
      const { act, label } = event;
      const known = act?.command ?? act?.paths?.[0] ?? label;
      if (known !== undefined && known.trim() !== "") calls.set(event.callId, oneLine(known));
    },
    of({ kind, callId, said, tool = "" }, turn) {
      const prompt = kind === "prompts" && turn !== null ? prompts[turn] : undefined;
      if (prompt !== undefined && prompt !== "") return prompt;
      const call = calls.get(callId ?? "");
      if (call !== undefined) return call;
      return oneLine(typeof said === "string" ? said : JSON.stringify(said.arguments)) || tool;
    },
  };
}

const MOST_OF_LABEL = 80;
/** Copied: a slice would keep the whole text in memory. */
function oneLine(text: string | undefined): string {
  const words = (text ?? "")
    .slice(0, 8 * MOST_OF_LABEL)
    .replace(/\s+/g, " ")
    .trim();
  const end = words.length > MOST_OF_LABEL ? "…" : "";
  return Buffer.from(words.slice(0, MOST_OF_LABEL) + end).toString();
}

/** What became of each passage, by its place. */
export interface LensOutcome {
  readonly tokens: number;
  readonly fates: readonly Fate[];
  readonly tokensAfter: readonly number[];
  /** What the model would hear that it does not hear now: of a damaged session, once its copy is repaired. */
  readonly added: readonly Omit<LensPassage, "id">[];
}

/** Compares the drafts of a preview with the session as it is. */
export function createComparison(lens: Lens, preview: BudgetPreview): (draft: PreviewedDraft) => LensOutcome {
  /** What a call was given is told apart by being the same object; writing it as text takes longest of all. */
  const given = new WeakMap<object, number>();
  const weigh = (part: ContextPart): number => {
    const { said } = part;
    const key = typeof said === "string" ? undefined : said.arguments;
    if (typeof key !== "object" || key === null) return preview.count(textOf(part));
    const tokens = given.get(key) ?? preview.count(textOf(part));
    given.set(key, tokens);
    return tokens;
  };
  const whole = partsByKey(preview.draw(Number.POSITIVE_INFINITY).messages());
  const known = align(lens, [...whole.values()], weigh);
  return (draft) => {
    const fates: Fate[] = lens.passages.map(() => "dropped");
    const tokensAfter = lens.passages.map(() => 0);
    const added: Omit<LensPassage, "id">[] = [];
    let tokens = 0;
    for (const [key, { parts }] of partsByKey(draft.messages())) {
      const before = whole.get(key);
      const message = before && known.get(before);
      for (const [place, part] of parts) {
        const [was, passage] = [before?.parts.get(place), message?.get(place)];
        const isSame = was !== undefined && isAlike(was, part);
        const cost = isSame && passage ? passage.tokens : weigh(part);
        tokens += cost;
        if (passage) {
          fates[passage.id] = isSame ? "kept" : "cut";
          tokensAfter[passage.id] = cost;
        } else {
          const { said: _, ...rest } = part;
          added.push({ ...rest, turn: null, label: oneLine(textOf(part)), tokens: cost });
        }
      }
    }
    return { tokens, fates, tokensAfter, added };
  };
}

/** By what kind each part is and which call it belongs to; no message has two that are the same in both. */
type Parts = ReadonlyMap<string, ContextPart>;

interface KeyedMessage {
  readonly role: ContextMessage["role"];
  readonly parts: Parts;
}

function partsByKey(messages: readonly PreviewedMessage[]): Map<string, KeyedMessage> {
  const split = splitMessages(messages);
  const keyed = new Map<string, KeyedMessage>();
  for (const [at, { key, role }] of messages.entries())
    keyed.set(unused(key, keyed), { role, parts: byPlace(split[at] ?? []) });
  return keyed;
}

function byPlace<T extends Pick<ContextPart, "kind" | "callId">>(parts: readonly T[]): Map<string, T> {
  const places = new Map<string, T>();
  for (const part of parts) places.set(unused(`${part.kind} ${part.callId ?? ""}`, places), part);
  return places;
}

/** Of what is alike, the second one is called so, and so on. */
function unused(key: string, taken: ReadonlyMap<string, unknown>): string {
  for (let [name, times] = [key, 2]; ; name = `${key} (${times++})`) if (!taken.has(name)) return name;
}

const isAlike = (a: ContextPart, b: ContextPart): boolean => {
  if (typeof a.said === "string" || typeof b.said === "string") return a.said === b.said;
  return a.said.arguments === b.said.arguments || textOf(a) === textOf(b);
};

type Alignment = Map<KeyedMessage, ReadonlyMap<string, LensPassage>>;

/** The passages of each message of an undiminished draft: it has the same messages, unless the copy is repaired. */
function align(lens: Lens, drafted: readonly KeyedMessage[], weigh: Weigh): Alignment {
  const { messages } = lens;
  const isOneForOne =
    drafted.length === messages.length && drafted.every(({ role }, at) => role === messages[at]?.role);
  if (!isOneForOne) return alignAlike(lens, drafted, weigh);
  return new Map(drafted.map((message, at) => [message, byPlace(messages[at]?.passages ?? [])]));
}

type Weigh = (part: ContextPart) => number;

/** What is of one kind and costs the same is taken for the same. */
function alignAlike({ messages }: Lens, drafted: readonly KeyedMessage[], weigh: Weigh): Alignment {
  const lookOf = (role: string, costs: Iterable<readonly [string, number]>): string =>
    [role, ...Array.from(costs, ([place, tokens]) => `${place} ${tokens}`)].join("\n");
  const known = messages.map(({ role, passages }) => {
    const places = byPlace(passages);
    const costs = Array.from(places, ([place, { tokens }]) => [place, tokens] as const);
    return { places, look: lookOf(role, costs) };
  });
  const free = Map.groupBy(known, ({ look }) => look);
  const aligned: Alignment = new Map();
  for (const message of drafted) {
    const costs = Array.from(message.parts, ([place, part]) => [place, weigh(part)] as const);
    const found = free.get(lookOf(message.role, costs))?.shift();
    if (found) aligned.set(message, found.places);
  }
  return aligned;
}
