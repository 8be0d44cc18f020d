/**
 * Reads a session as a conversation that another program can take: what its model would receive on resume, with what
 * only the events know: what people typed, what was attached, when things happened and how calls ended.
 */
import {
  type Call,
  type CallResult,
  type Conversation,
  type ConversationTurn,
  type LeftBehind,
  NO_RESULT,
  type Picture,
  type Prompt,
  type Reply,
} from "../model/handoff/conversation.ts";
import { type ProgramNames, readFileLabels, readLabels } from "../model/handoff/labels.ts";
import type { ContextMessage } from "../model/session/context.ts";
import { type ImageRef, parseImageId } from "../model/session/image-ref.ts";
import type {
  Artifact,
  CompactionEvent,
  Event,
  PromptEvent,
  Session,
  ToolResultEvent,
} from "../model/session/session.ts";
import { startsTurn } from "../model/session/turns.ts";
import { workKey } from "../model/session/work-key.ts";
import { rasterOf } from "../model/values/raster.ts";
import type { Catalog } from "../sources/catalog.ts";
import { createTurnPlaces, type TurnPlaces } from "./turn-places.ts";

export async function readConversation(
  catalog: Catalog,
  artifact: Artifact,
  names: ProgramNames,
): Promise<Conversation> {
  const seen = await readEvents(catalog, artifact);
  const messages = await catalog.context(artifact);
  const spoken = listen(messages, seen, names);
  return withPictures(catalog, artifact, spoken, seen);
}

/** The programs of a catalog by their names. */
export function programNames({ sources }: Pick<Catalog, "sources">): ProgramNames {
  return {
    labelOf: (source) => sources.find((each) => each.source === source)?.label ?? source,
    sourceOf: (label) => sources.find((each) => each.label === label)?.source,
  };
}

interface Seen {
  readonly session: Session;
  /** By turn. */
  readonly prompts: readonly PromptEvent[];
  readonly turnOf: ReadonlyMap<PromptEvent, number>;
  readonly promptAt: ReadonlyMap<number, PromptEvent>;
  readonly results: ReadonlyMap<string, ToolResultEvent>;
  readonly compactions: readonly CompactionEvent[];
  /** By turn: thoughts, texts and calls in their order. */
  readonly said: ReadonlyMap<number, readonly Event[]>;
  readonly places: TurnPlaces;
  readonly agentCalls: number;
}

async function readEvents(catalog: Catalog, artifact: Artifact): Promise<Seen> {
  const prompts: PromptEvent[] = [];
  const promptAt = new Map<number, PromptEvent>();
  const results = new Map<string, ToolResultEvent>();
  const compactions: CompactionEvent[] = [];
  const said = new Map<number, Event[]>();
  const places = createTurnPlaces();
  let agentCalls = 0;
  const event = (each: Event): void => {
    places.event(each);
    if (each.agent !== undefined) {
      if (each.kind === "tool-call") agentCalls++;
      return;
    }
    if (startsTurn(each)) prompts.push(each);
    if (each.kind === "prompt" && each.origin.file === undefined) promptAt.set(each.origin.line, each);
    if (each.kind === "tool-result") results.set(each.callId, each);
    if (each.kind === "compaction") compactions.push(each);
    if (each.kind !== "thinking" && each.kind !== "text" && each.kind !== "tool-call") return;
    const turn = prompts.length - 1;
    const own = said.get(turn);
    if (own) own.push(each);
    else said.set(turn, [each]);
  };
  const session = await catalog.read(artifact, { event, problem: () => undefined }, { textLimit: 0 });
  const turnOf = new Map(prompts.map((prompt, turn) => [prompt, turn]));
  return { session, prompts, turnOf, promptAt, results, compactions, said, places, agentCalls };
}

/** A conversation whose pictures are named, and not read yet. */
interface SpokenTurn {
  readonly index?: number;
  readonly prompt?: PromptEvent;
  /** Of a prompt that no event tells. */
  readonly text?: string;
  readonly replies: SpokenReply[];
}

interface SpokenReply {
  readonly text: string;
  /** With the labels in it, as events have it. */
  readonly whole: string;
  readonly turn: number | null;
  readonly thinking?: string;
  readonly calls: SpokenCall[];
}

type SpokenCall = Omit<Call, "result" | "vendor"> & {
  readonly vendor?: string;
  result?: Omit<CallResult, "images">;
  readonly seen?: ToolResultEvent;
};

interface Spoken {
  readonly summary?: CompactionEvent & { readonly text: string };
  readonly turns: readonly SpokenTurn[];
  readonly reminders: number;
}

function listen(messages: readonly ContextMessage[], seen: Seen, names: ProgramNames): Spoken {
  const turnOf = seen.places.of(messages);
  const turns: SpokenTurn[] = [];
  const heard = new Set<PromptEvent>();
  let summary: Spoken["summary"];
  let reminders = 0;
  const open = (): SpokenTurn => {
    const last = turns.at(-1);
    if (last) return last;
    const begun: SpokenTurn = { replies: [] };
    turns.push(begun);
    return begun;
  };
  const hear = (message: ContextMessage): void => {
    const compaction = message.madeUp ? findCompaction(message, seen) : undefined;
    if (compaction) {
      summary = { ...compaction, text: summaryOf(compaction, message, seen) };
      turns.length = 0;
      return;
    }
    const prompt = promptOf(message, seen);
    if (prompt && !heard.has(prompt)) {
      heard.add(prompt);
      const index = seen.turnOf.get(prompt);
      if (index !== undefined) turns.push({ index, prompt, replies: [] });
    } else if (!prompt && !message.madeUp && !message.origin && message.text.trim() !== "")
      turns.push({ text: message.text, replies: [] });
    else if (!prompt && message.text.trim() !== "") reminders++;
  };
  /** What people typed while a tool ran may be sent behind its result, among the reminders there. */
  const hearBehind = ({ text, appended = 0, origin }: ContextMessage): void => {
    const behind = text.slice(text.length - appended);
    const isHere = (prompt: PromptEvent): boolean =>
      !heard.has(prompt) &&
      prompt.origin.file === undefined &&
      prompt.origin.line > (origin?.line ?? 0) &&
      prompt.text.trim() !== "" &&
      behind.includes(prompt.text.trim());
    const typed = seen.prompts.filter(isHere);
    if (typed.length === 0) reminders++;
    for (const prompt of typed) {
      heard.add(prompt);
      turns.push({ index: seen.turnOf.get(prompt) ?? 0, prompt, replies: [] });
    }
  };
  for (const [at, message] of messages.entries()) {
    if (message.role === "user") hear(message);
    else if (message.role === "tool") {
      settle(turns, message, seen);
      if (message.appended !== undefined) hearBehind(message);
    } else if (!message.madeUp) open().replies.push(toReply(message, turnOf[at] ?? null, names));
  }
  const thoughts = createThoughts(seen);
  return {
    ...(summary && { summary }),
    turns: turns.map((turn) => ({ ...turn, replies: thoughts(turn.replies) })),
    reminders,
  };
}

/** By the turn where the source tells it, else by the line. What programs make up is a prompt only where an event says so. */
function promptOf({ turn, origin, madeUp }: ContextMessage, seen: Seen): PromptEvent | undefined {
  if (turn !== undefined) return madeUp ? undefined : seen.prompts[turn];
  return origin && origin.file === undefined ? seen.promptAt.get(origin.line) : undefined;
}

function findCompaction(
  { text, origin, turn }: ContextMessage,
  { compactions }: Seen,
): CompactionEvent | undefined {
  const isHere = (event: CompactionEvent): boolean =>
    turn === undefined && origin !== undefined && event.origin.line === origin.line;
  return (
    compactions.findLast(isHere) ??
    compactions.findLast(({ summary }) => summary.trim() !== "" && text.includes(summary.trim()))
  );
}

/** Some programs repeat what the user had asked beside the summary. */
function summaryOf({ summary }: CompactionEvent, { text }: ContextMessage, { prompts }: Seen): string {
  const asked = prompts.filter(
    (prompt) => prompt.text.trim() !== "" && text.includes(prompt.text) && !summary.includes(prompt.text),
  );
  if (asked.length === 0) return summary;
  const listed = asked.map((prompt) => `<user_message>\n${prompt.text}\n</user_message>`);
  return `What the user had asked:\n${listed.join("\n")}\n\n${summary}`;
}

function toReply(message: ContextMessage, turn: number | null, names: ProgramNames): SpokenReply {
  const { text, calls } = readLabels(message.text.toWellFormed(), names);
  const labelled = calls.map(({ result, ...call }, index) => ({
    ...call,
    id: `labelled_${index}`,
    result: { text: result.text, status: result.status },
  }));
  const own = (message.toolCalls ?? []).map(({ id, name, arguments: input }) => ({ id, name, input }));
  return {
    text,
    whole: message.text,
    turn,
    ...(message.thinking && { thinking: message.thinking }),
    calls: [...labelled, ...own],
  };
}

/** Gives a result to its call, which is among the last replies. */
function settle(turns: readonly SpokenTurn[], message: ContextMessage, { results }: Seen): void {
  const id = message.toolCallId ?? "";
  for (const { replies } of turns.toReversed())
    for (const reply of replies.toReversed()) {
      const at = reply.calls.findIndex((call) => call.id === id && !call.result);
      const call = reply.calls[at];
      if (!call) continue;
      const event = results.get(id) ?? suffixed(results, id);
      // What a program puts in the place of a missing result stands nowhere in its log.
      const isMade = message.origin === undefined || message.madeUp === true;
      const status = isMade ? "interrupted" : (event?.status ?? (message.isError ? "failed" : "ok"));
      reply.calls[at] = {
        ...call,
        result: {
          text: isMade ? NO_RESULT : withoutAppended(message).toWellFormed(),
          status: status === "ok" && message.isError ? "failed" : status,
          ...(event?.time !== undefined && { time: event.time }),
        },
        ...(event && { seen: event }),
      };
      return;
    }
}

const withoutAppended = ({ text, appended = 0 }: ContextMessage): string =>
  text.slice(0, text.length - appended);

/** Some programs add to the ids of calls, so that none occurs twice. */
function suffixed(results: ReadonlyMap<string, ToolResultEvent>, id: string): ToolResultEvent | undefined {
  for (const [key, event] of results) if (key.startsWith(`${id}__`)) return event;
  return undefined;
}

/** Adds thoughts and times to the replies of a turn: events stand in the same order, if not in the same pieces. */
function createThoughts({ said }: Seen): (replies: readonly SpokenReply[]) => SpokenReply[] {
  const cursors = new Map<number, number>();
  return (replies) =>
    replies.map((reply, at): SpokenReply & { time?: string } => {
      const turn = reply.turn ?? -1;
      const events = said.get(turn) ?? [];
      const start = cursors.get(turn) ?? 0;
      const first = events.findIndex(
        (event, index) => index >= start && (isOf(event, reply) || beginsWith(event, reply)),
      );
      const isLast = !replies.slice(at + 1).some((other) => other.turn === reply.turn);
      let end = first < 0 ? start : first;
      while (end < events.length && (isOf(events[end], reply) || isThoughtBefore(events, end, reply))) end++;
      if (isLast) end = events.length;
      cursors.set(turn, end);
      const thoughts = events
        .slice(start, end)
        .flatMap((event) => (event.kind === "thinking" && event.text.trim() !== "" ? [event.text] : []));
      const { thinking: sent, ...rest } = reply;
      const thinking = thoughts.length > 0 ? thoughts.join("\n\n") : sent;
      const time = events[first]?.time;
      return {
        ...rest,
        calls: reply.calls.map((call) => withTime(call, events)),
        ...(thinking !== undefined && { thinking: thinking.toWellFormed() }),
        ...(time !== undefined && { time }),
      };
    });
}

function withTime(call: SpokenCall, events: readonly Event[]): SpokenCall {
  const time = events.find((event) => event.kind === "tool-call" && event.callId === call.id)?.time;
  return time === undefined ? call : { ...call, time };
}

const isOf = (event: Event | undefined, { whole, calls }: SpokenReply): boolean =>
  (event?.kind === "tool-call" &&
    calls.some(({ id }) => event.callId === id || event.callId.startsWith(`${id}__`))) ||
  (event?.kind === "text" && event.text.trim() !== "" && whole.includes(event.text.trim()));

/** Some programs show the texts of several replies as one. */
const beginsWith = (event: Event, { whole }: SpokenReply): boolean =>
  event.kind === "text" && whole.trim() !== "" && event.text.includes(whole.trim());

const isThoughtBefore = (events: readonly Event[], at: number, reply: SpokenReply): boolean =>
  events[at]?.kind === "thinking" && isOf(events[at + 1], reply);

/** Reads the pictures of what is handed over; everything else is complete already. */
async function withPictures(
  catalog: Catalog,
  artifact: Artifact,
  { summary, turns, reminders }: Spoken,
  { session, prompts, agentCalls }: Seen,
): Promise<Conversation> {
  let images = 0;
  let attachments = 0;
  const picturesOf = async (refs: readonly ImageRef[]): Promise<Picture[]> => {
    const found: Picture[] = [];
    for (const ref of refs) {
      const picture = await readPicture(catalog, artifact, ref);
      if (picture) found.push(picture);
      else images++;
    }
    return found;
  };
  const toPrompt = async ({ prompt, text = "" }: SpokenTurn): Promise<Prompt> => {
    const labelled = readFileLabels((prompt?.text ?? text).toWellFormed());
    const attached = prompt?.attachments ?? [];
    const files = attached.flatMap(({ image, name, path }) =>
      image || path === undefined ? [] : [{ name, path }],
    );
    const work =
      prompt && workKey({ source: session.source, renewsIds: catalog.renewsIds(session.source) }, prompt);
    attachments += attached.filter(({ image, path }) => !image && path === undefined).length;
    return {
      text: labelled.text,
      images: await picturesOf(attached.flatMap(({ image }) => image ?? [])),
      files: [...files, ...labelled.files],
      ...(prompt?.time !== undefined && { time: prompt.time }),
      ...(work !== undefined && { work }),
    };
  };
  const toCall = async ({ seen, ...call }: SpokenCall): Promise<Call> => {
    const pictures = await picturesOf(seen?.images ?? []);
    const result = call.result ?? { text: NO_RESULT, status: "interrupted" as const };
    const text = pictures.reduce((words) => words.replace(PICTURE, ""), result.text);
    return { vendor: session.source, ...call, result: { ...result, text, images: pictures } };
  };
  const told: ConversationTurn[] = [];
  for (const turn of turns) {
    const replies: Reply[] = [];
    for (const { turn: _, whole: __, calls, ...reply } of turn.replies) {
      const made: Call[] = [];
      for (const call of calls) made.push(await toCall(call));
      replies.push({ ...reply, calls: made });
    }
    const hasPrompt = turn.prompt !== undefined || turn.text !== undefined;
    told.push({
      ...(turn.index !== undefined && { index: turn.index }),
      ...(hasPrompt && { prompt: await toPrompt(turn) }),
      replies,
    });
  }
  const first = told.find(({ index }) => index !== undefined)?.index ?? prompts.length;
  const left: LeftBehind = {
    reminders,
    earlierTurns: prompts.slice(0, first).filter(({ undone }) => !undone).length,
    agentCalls,
    images,
    attachments,
  };
  const time = summary?.time;
  return {
    session,
    ...(summary && { summary: { text: summary.text.toWellFormed(), ...(time !== undefined && { time }) } }),
    turns: told.filter(({ prompt, replies }) => prompt || replies.length > 0),
    left,
  };
}

/** What messages have in the place of a picture, behind the words. */
const PICTURE = /\n?\[image(?:\/[a-z]+)?\]$/;

/** No program sends more than this to a model. */
const MOST_BYTES = 20 << 20;

async function readPicture(
  catalog: Catalog,
  artifact: Artifact,
  { id, name }: ImageRef,
): Promise<Picture | undefined> {
  const place = id === undefined ? undefined : parseImageId(id);
  if (!place) return undefined;
  const bytes = await catalog.image(artifact, place, MOST_BYTES);
  if (bytes === undefined || bytes === "too-large") return undefined;
  const raster = rasterOf(bytes);
  return (
    raster && {
      type: raster.type,
      data: Buffer.from(bytes).toString("base64"),
      ...(name !== undefined && { name }),
    }
  );
}
