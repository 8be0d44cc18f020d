/** Sends one message to the program, passes its events on, and collects the answer for the record. */
import { addUsage, type ChatEvent, type ChatUsage, type StartMode } from "../model/chat.ts";
import { type ProcessMark, type ProgramEnd, startProgram } from "../platform/process/program.ts";
import type { Driver, OutgoingMessage } from "../sources/driver.ts";
import type { ChatMessage } from "./chat-record.ts";
import type { Agent } from "./probe.ts";

export interface Run {
  readonly mode: StartMode;
  readonly message: OutgoingMessage;
  readonly folder: string;
  readonly vars: Readonly<Record<string, string | undefined>>;
  readonly silenceMs: number;
  readonly signal?: AbortSignal;
  /** The program is running now, and a process that starts later must know of it. */
  readonly onStart: (mark: ProcessMark) => void;
}

/** What has come so far. */
export interface Gathered {
  readonly text: string;
  readonly tools: NonNullable<ChatMessage["tools"]>;
  readonly usage: ChatUsage;
  /** The program's session, once it has reported it. */
  readonly cliSession?: string;
  /** What it complained about last. */
  readonly complaint?: string;
  /** It has said that it was over, and whether well. */
  readonly ended?: "well" | "badly";
}

export interface Outcome extends Gathered {
  readonly end: ProgramEnd;
  /** The beginning of what it printed first that means nothing. */
  readonly babble?: string;
  /** Another session than the one that was asked for, in which it has answered. */
  readonly strayed?: string;
}

/** Enough of it to tell what it is. */
const BABBLE = 80;

const NOTHING: Gathered = { text: "", tools: [], usage: {} };

/** Hands on each event with what has been gathered up to it; the end of it all is what it returns. */
export async function* converse(
  driver: Driver,
  agent: Agent,
  run: Run,
): AsyncGenerator<{ readonly event: ChatEvent; readonly so: Gathered }, Outcome> {
  const { words, input } = driver.commandLine(run.mode, run.message, agent.can);
  const program = startProgram(agent.path, words, {
    ...(input !== undefined && { input }),
    folder: run.folder,
    env: run.vars,
    silenceMs: run.silenceMs,
  });
  if (program.mark) run.onStart(program.mark);
  const stop = (): void => program.stop();
  run.signal?.addEventListener("abort", stop);
  if (run.signal?.aborted) stop();
  const gather = createGatherer();
  try {
    const stream = driver.createStream(agent.can);
    let babble: string | undefined;
    for await (const line of program.lines()) {
      const events = stream(line);
      if (events.length === 0 && line.trim() !== "") babble ??= line.trim().slice(0, BABBLE);
      for (const event of events) yield { event, so: gather.add(event) };
    }
    return { ...gather.so(), end: await program.ended, ...(babble !== undefined && { babble }) };
  } finally {
    run.signal?.removeEventListener("abort", stop);
    // The reader has stopped, so nothing more is passed on.
    program.stop();
    await program.ended;
  }
}

/** The most that is kept of one answer: the file is rewritten each second, and read as a whole. */
const MOST = { text: 16 << 20, tools: 10_000, says: 10_000 };
const REST = "\n\n[… the rest of the answer is too long to keep here; the program's own session has it]";

export function createGatherer(): { add(event: ChatEvent): Gathered; so(): Gathered } {
  let so = NOTHING;
  let message: string | undefined;
  let isFull = false;
  const withText = (text: string): string => {
    if (isFull) return so.text;
    isFull = so.text.length + text.length > MOST.text;
    return isFull ? so.text + text.slice(0, Math.max(0, MOST.text - so.text.length)) + REST : so.text + text;
  };
  const add = (event: ChatEvent): Gathered => {
    if (event.kind === "text") {
      // Several messages make one answer, as the program itself prints them.
      const gap = so.text !== "" && message !== event.message ? "\n\n" : "";
      message = event.message;
      so = { ...so, text: withText(gap + event.text) };
    } else if (event.kind === "tool") so = { ...so, tools: withTool(so.tools, event) };
    else if (event.kind === "usage") so = { ...so, usage: addUsage(so.usage, event.usage) };
    else if (event.kind === "notice" && event.isError) so = { ...so, complaint: event.text };
    else if (event.kind === "end")
      so = {
        ...so,
        usage: addUsage(so.usage, event.usage),
        ...(event.cliSession !== "" && { cliSession: event.cliSession }),
        ended: event.isFailed ? "badly" : "well",
      };
    return so;
  };
  return { add, so: () => so };
}

/** A tool that began is there until it ends; then it is known how. */
function withTool(tools: Gathered["tools"], event: Extract<ChatEvent, { kind: "tool" }>): Gathered["tools"] {
  const { name, says, state } = event;
  if (state === "began") {
    const began = { name, ...(says !== undefined && { says: says.slice(0, MOST.says) }), isDone: false };
    return tools.length < MOST.tools ? [...tools, began] : tools;
  }
  const at = tools.findLastIndex((tool) => tool.name === name && !tool.isDone);
  return state === "failed"
    ? tools
    : tools.map((tool, number) => (number === at ? { ...tool, isDone: true } : tool));
}
