/** Folds the events of one session into rows of the store, one turn at a time. Pure. */

import { type ChangedFiles, changedBy, createChangedFiles, makesPart } from "../model/session/outline.ts";
import { type Ref, refsInText, refsOfRun, refsOfTool } from "../model/session/refs.ts";
import type { EditEvent, Event, Origin, PromptEvent, ToolResultEvent } from "../model/session/session.ts";
import { createTurnDigest, type TurnDigest, type TurnRange } from "../model/session/turn-range.ts";
import { callBytesOf, textBytesOf } from "../model/session/turn-size.ts";
import { toolText } from "../model/session/turn-text.ts";
import { lengthensTurn, type PromptEffect, promptEffect } from "../model/session/turns.ts";
import type { Counted } from "../model/session/usage.ts";
import type { BriefSink, Place } from "../sources/brief.ts";
import type { FileAction, FileRow, RowSink, TurnRow, UsageRow } from "../store/rows.ts";
import { parseCheckpoint } from "./checkpoint.ts";
import { type KnownCall, LABEL, toKnownCall } from "./known-call.ts";

export interface ExtractOptions {
  /** How much of each tool's output is searchable, in characters. */
  readonly outputHead: number;
  /** What prompts do to turns, where the rows are for a store that has its own rule. */
  readonly promptEffect?: (prompt: PromptEvent) => PromptEffect;
  /** Note where each turn stands in the log. */
  readonly ranges?: boolean;
  /** By what the turn of a prompt is recognised in copies. */
  readonly workOf?: (prompt: PromptEvent) => number | undefined;
}

export interface Extractor extends BriefSink {
  event(event: Event): void;
  /** The state that is needed to continue after this event; ask for it before `end`. */
  state(): ExtractState;
  /** `size` is that of the log, with which the last turn ends. */
  end(size?: number): void;
}

/** Where an extraction stopped: plain JSON. The texts of the open turn are in its row already. */
export interface ExtractState {
  readonly count: number;
  readonly checkpoints: number;
  readonly calls: readonly KnownCall[];
  /** Something stands before the first prompt. */
  readonly hasPreamble: boolean;
  readonly open?: {
    readonly startedAt?: string;
    readonly endedAt?: string;
    /** How many characters of `more` are earlier answers. */
    readonly earlier: number;
    readonly room: number;
    readonly at: Position;
    readonly digest: number;
    readonly textBytes: number;
    readonly files: readonly number[];
    readonly work?: number;
  };
}

export interface Resume {
  readonly state: ExtractState;
  /** The row of the turn that was open. */
  readonly turn: TurnRow | undefined;
}

/** Where a turn begins. */
type Position = Pick<Origin, "file" | "start" | "line">;

/** What counts of a result. */
type Result = Pick<ToolResultEvent, "callId" | "status" | "text"> & {
  readonly cut?: number;
  readonly exitCode?: number | undefined;
};

interface OpenTurn {
  readonly index: number;
  readonly user: string;
  readonly startedAt?: string;
  endedAt?: string;
  /** What was said, and on which line of the log. */
  answers: { text: string; line: number }[];
  more: string[];
  /** How many more characters it takes. */
  room: number;
  readonly at: Position;
  readonly digest: TurnDigest;
  textBytes: number;
  readonly files: ChangedFiles;
  hasCheckpoint: boolean;
  readonly work?: number;
}

const ACTIONS: Record<string, FileAction> = {
  create: "created",
  edit: "edited",
  delete: "deleted",
  read: "read",
};
/** The tools whose files Copilot CLI's own index keeps; those of its sub-agents it does not. */
const STRICT_FILE_TOOLS = new Set(["create", "edit"]);
/** So much of a turn is searchable, in characters: what one turn says must fit in memory, several times. */
const MOST_OF_TURN = 16 << 20;
/** Some VS Code requests do not say which model they went to; what they used counts all the same. */
const UNKNOWN_MODEL = "unknown";

export function createExtractor(out: RowSink, options: ExtractOptions, resume?: Resume): Extractor {
  let count = resume?.state.count ?? 0;
  let open = resume && reopen(resume);
  let checkpoints = resume?.state.checkpoints ?? 0;
  let hasPreamble = resume?.state.hasPreamble ?? false;
  const effectOf = options.promptEffect ?? promptEffect;
  const calls = new Map<string, KnownCall>(resume?.state.calls.map((known) => [known.call.callId, known]));

  const rangeOf = ({ at, digest }: OpenTurn, end: number | undefined): TurnRange | undefined =>
    options.ranges && end !== undefined && end > at.start
      ? { ...at, end, digest: digest.value() }
      : undefined;
  /** `end` is the byte that it ends with, where that is known. */
  const close = (end?: number): void => {
    if (!open) return;
    const range = rangeOf(open, end);
    // As in Copilot CLI's own store: the last answer is the response, what was said on the way is further text.
    const response = open.answers.pop()?.text.trim();
    out.turn({
      index: open.index,
      user: open.user.trim(),
      more: [...open.answers.map((answer) => answer.text), ...open.more].join("\n"),
      textBytes: open.textBytes,
      ...(open.files.count() > 0 && { filesChanged: open.files.count() }),
      ...(open.hasCheckpoint && { hasCheckpoint: true }),
      ...(open.index === 0 && hasPreamble && { hasPreamble: true }),
      ...(response !== undefined && { response }),
      ...(open.startedAt !== undefined && { startedAt: open.startedAt }),
      ...(open.endedAt !== undefined && { endedAt: open.endedAt }),
      ...(range && { range }),
      ...(open.work !== undefined && { work: open.work }),
    });
    open = undefined;
  };
  const take = (text: string): string => {
    if (!open || text.length > open.room) {
      const kept = text.slice(0, open?.room ?? 0);
      if (open) open.room = 0;
      return kept;
    }
    open.room -= text.length;
    return text;
  };
  const mention = (text: string, time: string | undefined): void => {
    for (const ref of refsInText(text)) out.ref({ ...ref, turn: open?.index, at: time });
  };
  const found = (ref: Ref, isStrict: boolean, turn: number | undefined, at: string | undefined): void => {
    const evidence = ref.evidence === "tool" && !isStrict ? "command" : ref.evidence;
    out.ref({ ...ref, evidence, turn, at });
  };

  const settle = ({ call, turn }: KnownCall, result?: Result, time?: string): void => {
    const { act } = call;
    const label = act?.command ?? act?.paths?.[0] ?? call.label;
    out.toolCall({
      turn,
      name: call.name,
      status: result?.status ?? "pending",
      subAgent: call.agent !== undefined,
      label: label?.slice(0, LABEL),
      resultSize: result && result.text.length + (result.cut ?? 0),
    });
    const at = time ?? call.time;
    const input =
      typeof call.input === "object" && call.input !== null ? (call.input as Record<string, unknown>) : {};
    const isMain = call.agent === undefined;
    for (const ref of refsOfTool(call.name, input)) found(ref, isMain, turn, at);
    if (!result || result.status === "interrupted") return;
    if (result.status === "ok" && open?.index === turn)
      for (const path of changedBy(act)) open.files.add(path);
    const action = act && result.status === "ok" ? ACTIONS[act.does] : undefined;
    const evidence = isMain && STRICT_FILE_TOOLS.has(call.name) ? "tool" : "call";
    for (const path of (action && act?.paths) ?? [])
      if (action && path !== "") out.file({ path, tool: call.name, action, evidence, turn, at });
    // A command may fail after it made its commit.
    if (act?.command !== undefined) {
      const didRun = result.status === "ok" || result.exitCode !== undefined;
      for (const ref of refsOfRun(call.name, act.command, result.text))
        found(ref, isMain && didRun, turn, at);
    }
  };

  /** What every event of the main agent is to its turn, whatever it says. */
  const note = (kind: "text" | "thinking" | "tool-call" | "tool-result", at: Place, bytes: number): void => {
    if (!open) {
      if (count === 0 && kind !== "tool-result") hasPreamble = true;
      return;
    }
    open.endedAt = at.time;
    open.digest.note(kind, at.start, at.end);
    open.textBytes += bytes;
  };
  const say = (text: string, isMain: boolean, line: number, time: string | undefined): void => {
    if (text.trim() === "") return;
    if (isMain) open?.answers.push({ text: take(text), line });
    else open?.more.push(take(text));
    mention(text, time);
  };
  const call = (made: KnownCall["call"], line: number): void => {
    // As in Copilot CLI's store, what belongs to no turn is attributed to the next one.
    calls.set(made.callId, toKnownCall(made, open?.index ?? count));
    // Text in the same message as a tool call is not an answer; again as in Copilot CLI's store.
    if (open?.answers.at(-1)?.line === line) open.more.push(open.answers.pop()?.text ?? "");
    if (made.act?.command !== undefined) open?.more.push(toolText(take(made.act.command)));
  };
  const giveBack = (result: Result, time: string | undefined): void => {
    const known = calls.get(result.callId);
    if (known) {
      calls.delete(result.callId);
      settle(known, result, time);
    }
    if (options.outputHead > 0 && result.text !== "")
      open?.more.push(toolText(take(result.text.slice(0, options.outputHead))));
  };

  return {
    event(event) {
      const effect = event.kind === "prompt" && event.agent === undefined ? effectOf(event) : "continue";
      if (effect !== "continue") close(open?.at.file === event.origin.file ? event.origin.start : undefined);
      if (effect === "close") return;
      if (effect === "start" && event.kind === "prompt") {
        const work = options.workOf?.(event);
        open = {
          index: count++,
          user: "",
          answers: [],
          more: [],
          room: MOST_OF_TURN,
          at: toPosition(event.origin),
          digest: createTurnDigest(),
          textBytes: textBytesOf(event),
          files: createChangedFiles(),
          hasCheckpoint: false,
          ...(event.time !== undefined && { startedAt: event.time }),
          ...(work !== undefined && { work }),
        };
        open = { ...open, user: take(event.text) };
        open.digest.add(event);
        mention(event.text, event.time);
        return;
      }
      if (open && event.time !== undefined && lengthensTurn(event)) open.endedAt = event.time;
      if (count === 0 && makesPart(event)) hasPreamble = true;
      open?.digest.add(event);
      if (open) open.textBytes += textBytesOf(event);
      switch (event.kind) {
        case "text":
          return say(event.text, event.agent === undefined, event.origin.line, event.time);
        case "tool-call":
          call(event, event.origin.line);
          if (event.provider && event.provider.kind !== "built-in")
            open?.more.push(toolText(take(event.provider.name)));
          return;
        case "tool-result":
          return giveBack(event, event.time);
        case "compaction":
          checkpoints = event.checkpoint ?? checkpoints + 1;
          if (open) open.hasCheckpoint = true;
          out.checkpoint(parseCheckpoint(event, checkpoints));
          return;
        case "edit":
          open?.files.add(event.path);
          out.file({
            path: event.path,
            tool: "edit",
            action: "edited",
            evidence: "record",
            turn: open?.index,
            at: event.time,
            lines: linesOf(event),
          });
          return;
        case "note":
          // Who answered is the same in every turn: whoever looks for that word means another one.
          if (event.about === "agent") return;
          for (const { text, detail, path } of event.items)
            for (const words of new Set([text, detail, path])) if (words) open?.more.push(take(words));
          return;
        case "usage":
          out.usage(toUsageRow(event, open?.index, event.time, event.agent));
          return;
      }
    },
    said(at, text) {
      note("text", at, Buffer.byteLength(text));
      say(text, true, at.line, at.time);
    },
    thought: (at, text) => note("thinking", at, Buffer.byteLength(text)),
    called(at, { callId, name, input, label, act }) {
      note("tool-call", at, callBytesOf(name, input));
      call({ callId, name, input, label, act, agent: undefined, time: at.time }, at.line);
    },
    returned(at, result) {
      note("tool-result", at, Buffer.byteLength(result.text) + result.cut);
      giveBack(result, at.time);
    },
    used(at, usage) {
      if (open) open.endedAt = at.time;
      out.usage(toUsageRow(usage, open?.index, at.time, undefined));
    },
    state: () => ({
      count,
      checkpoints,
      hasPreamble,
      calls: [...calls.values()],
      ...(open && {
        open: {
          earlier: earlierAnswers(open).length,
          room: open.room,
          at: open.at,
          digest: open.digest.value(),
          textBytes: open.textBytes,
          files: open.files.state(),
          ...(open.work !== undefined && { work: open.work }),
          ...(open.startedAt !== undefined && { startedAt: open.startedAt }),
          ...(open.endedAt !== undefined && { endedAt: open.endedAt }),
        },
      }),
    }),
    end(size) {
      for (const known of calls.values()) settle(known);
      close(open?.at.file === undefined ? size : undefined);
    },
  };
}

/** Written out, so that all rows have one form: there are as many as calls of models. */
const toUsageRow = (
  usage: Counted,
  turn: number | undefined,
  at: string | undefined,
  agent: string | undefined,
): UsageRow => ({
  turn,
  agent,
  at,
  subAgent: usage.subAgent,
  model: usage.model ?? UNKNOWN_MODEL,
  billedModel: usage.billedModel,
  input: usage.input,
  output: usage.output,
  cached: usage.cached,
  cacheWritten: usage.cacheWritten,
  reasoning: usage.reasoning,
  nanoCredits: usage.nanoCredits,
  multiplier: usage.multiplier,
  durationMs: usage.durationMs,
  firstTokenMs: usage.firstTokenMs,
  firstOutputMs: usage.firstOutputMs,
  betweenTokensMs: usage.betweenTokensMs,
  initiator: usage.initiator,
  endpoint: usage.endpoint,
  effort: usage.effort,
  finish: usage.finish,
  filtered: usage.filtered,
  details: usage.details,
  call: usage.call,
});

const linesOf = ({ added, removed }: EditEvent): FileRow["lines"] =>
  added === undefined && removed === undefined ? "unknown" : { added: added ?? 0, removed: removed ?? 0 };

const toPosition = ({ file, start, line }: Origin): Position => ({
  start,
  line,
  ...(file !== undefined && { file }),
});

const earlierAnswers = ({ answers }: OpenTurn): string =>
  answers
    .slice(0, -1)
    .map(({ text }) => text)
    .join("\n");

/** The turn as it was: whatever comes next, its row will read as if the log had been read in one go. */
function reopen({ state, turn }: Resume): OpenTurn | undefined {
  if (!state.open || !turn) return undefined;
  const { earlier, room, at, digest, textBytes, files, ...times } = state.open;
  const answers = [turn.more.slice(0, earlier), turn.response]
    .filter((text) => text !== undefined && text !== "")
    .map((text) => ({ text: text ?? "", line: 0 }));
  const more = turn.more.slice(earlier > 0 ? earlier + 1 : 0);
  return {
    index: turn.index,
    user: turn.user,
    answers,
    more: more === "" ? [] : [more],
    room,
    at,
    digest: createTurnDigest(digest),
    textBytes,
    files: createChangedFiles(files),
    hasCheckpoint: turn.hasCheckpoint ?? false,
    ...times,
  };
}
