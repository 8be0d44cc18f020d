/**
 * The short way from the bytes of a log to what is told of it, for the kinds of lines that it is nearly all made of. It takes
 * a line that is just as the program writes it, by the main agent, and leaves every other to `records.ts` and `events.ts`;
 * a test compares what both ways tell of any log.
 */
import type { PromptEvent } from "../../../model/session/session.ts";
import { CLOSE } from "../../../platform/json/bytes.ts";
import type { BriefSink, Place } from "../../brief.ts";
import { asString, isObject, type JsonObject, parsePart } from "../../log/jsonl.ts";
import { findTail, idIn, isPlainTimeAt, isTimelyAt, says, timeIn } from "./envelope.ts";
import { countedIn, toInput } from "./events.ts";
import type { Head } from "./head.ts";
import type { LineTimes } from "./line-times.ts";
import type { OpenCalls } from "./open-calls.ts";
import { answerText, skimResult, tailOfUnwanted } from "./skim.ts";

/** What the reader of a log knows, as far as these lines need it or add to it. */
export interface Around {
  readonly sink: BriefSink;
  readonly head: Pick<Head, "called" | "model">;
  readonly calls: OpenCalls;
  readonly times: LineTimes;
  prompt(event: PromptEvent): void;
  /** A result came without a call. */
  orphan(line: number): void;
  /** Something is known of earlier calls with which their results are to be completed. */
  hasNotes(): boolean;
  /** Whether a receipt is about a model call of another session. */
  isOfAnother(receipt: JsonObject): boolean;
  readonly textLimit: number;
}

/** Says whether it has read the line; `at` is its first byte in the file. */
export type NarrowReader = (bytes: Buffer, start: number, end: number, number: number, at: number) => boolean;

const BEGIN = '{"type":"';
const headOf = (type: string): Buffer => Buffer.from(`${BEGIN}${type}","data":`);
const PROMPT = headOf("user.message");
const ANSWER = headOf("assistant.message");
const RECEIPT = headOf("session.usage_record");
/** The first letters of types tell enough to look for one of them. */
const [A, S, T, U] = ["a", "s", "t", "u"].map((letter) => letter.charCodeAt(0));

export function createNarrowReader(around: Around): NarrowReader {
  const { sink, head, calls, times, textLimit } = around;

  /** Where the usual end of a line of the main agent begins, or -1. */
  const soundTail = (bytes: Buffer, start: number, end: number): number => {
    const tail = findTail(bytes, start, end);
    const isSound =
      tail > 0 && bytes[tail - 1] === CLOSE && isTimelyAt(bytes, tail) && isPlainTimeAt(bytes, tail);
    return isSound ? tail : -1;
  };
  const dataIn = (text: string): JsonObject | undefined => {
    const data = parsePart(text);
    return isObject(data) && data.parentToolCallId === undefined && data.startTime === undefined
      ? data
      : undefined;
  };

  const takePrompt = (data: JsonObject, id: string, { time, ...origin }: Place): boolean => {
    const { content, transformedContent, attachments, handoff } = data;
    const isBare = attachments === undefined || (Array.isArray(attachments) && attachments.length === 0);
    if (typeof content !== "string" || !isTextOrNone(transformedContent) || !isBare || handoff !== undefined)
      return false;
    around.prompt({ origin, time, id, kind: "prompt", text: content });
    return true;
  };
  const takeAnswer = (data: JsonObject, at: Place): boolean => {
    const { messageId, content, reasoningText, toolRequests, model } = data;
    if (typeof messageId !== "string" || typeof content !== "string" || !isTextOrNone(reasoningText))
      return false;
    const requests = toolRequests ?? NONE;
    if (!Array.isArray(requests) || !requests.every(isPlainRequest)) return false;
    if (typeof reasoningText === "string" && reasoningText !== "") sink.thought(at, reasoningText);
    if (content !== "") {
      if (typeof model === "string") head.model(model);
      sink.said(at, content);
    }
    for (const { toolCallId, name, arguments: written, intentionSummary, toolTitle } of requests) {
      const input = toInput(written);
      head.called(name, input);
      calls.open(toolCallId, name, input, at.line);
      const label = asString(intentionSummary) ?? asString(toolTitle);
      sink.called(at, { callId: toolCallId, name, input, label, act: undefined });
    }
    return true;
  };
  const takeReceipt = (data: JsonObject, at: Place): boolean => {
    const { usage } = data;
    if (!isObject(usage) || usage.parentToolCallId !== undefined) return false;
    if (around.isOfAnother(data)) return true;
    const counted = countedIn(usage);
    if (counted.model !== undefined) head.model(counted.model);
    sink.used(at, counted);
    return true;
  };
  const takeResult: NarrowReader = (bytes, start, end, number, at) => {
    const found = around.hasNotes() ? undefined : skimResult(bytes, start, end);
    if (!found || found.hasAgent || found.text.length > textLimit) return false;
    const { callId, exitCode, text, cut, tail } = found;
    if (cut > 0 && calls.wantsWhole(callId)) return false;
    times.note(bytes, tail);
    const status = exitCode === undefined || exitCode === 0 ? "ok" : "failed";
    if (!calls.close(callId)) around.orphan(number);
    sink.returned(placeOf(bytes, start, end, number, at, tail), { callId, status, text, exitCode, cut });
    return true;
  };

  return (bytes, start, end, number, at) => {
    const letter = bytes[start + BEGIN.length];
    const unwanted = tailOfUnwanted(bytes, start, end);
    if (unwanted >= 0) {
      times.note(bytes, unwanted);
      return true;
    }
    if (letter === T) return takeResult(bytes, start, end, number, at);
    const type = letter === A ? ANSWER : letter === S ? RECEIPT : letter === U ? PROMPT : undefined;
    if (type === undefined || !says(bytes, start, type)) return false;
    const tail = soundTail(bytes, start + type.length, end);
    if (tail < 0) return false;
    const from = start + type.length;
    const data = dataIn(type === ANSWER ? answerText(bytes, from, tail) : bytes.toString("utf8", from, tail));
    if (!data) return false;
    const place = placeOf(bytes, start, end, number, at, tail);
    const isTaken =
      type === ANSWER
        ? takeAnswer(data, place)
        : type === RECEIPT
          ? takeReceipt(data, place)
          : takePrompt(data, idIn(bytes, tail), place);
    if (isTaken) times.note(bytes, tail);
    return isTaken;
  };
}

const placeOf = (
  bytes: Buffer,
  start: number,
  end: number,
  line: number,
  at: number,
  tail: number,
): Place => ({ line, start: at, end: at + end - start, time: timeIn(bytes, tail) });

interface Request {
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments?: unknown;
  readonly intentionSummary?: unknown;
  readonly toolTitle?: unknown;
}
const NONE: readonly unknown[] = [];
const isTextOrNone = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === "string";
/** Patches are noted for the results that answer them. */
const isPlainRequest = (value: unknown): value is Request =>
  isObject(value) &&
  typeof value.toolCallId === "string" &&
  typeof value.name === "string" &&
  value.name !== "apply_patch";
