/** A tool call that waits for its result: only what its row and references are made of. */
import type { ToolAct, ToolCallEvent } from "../model/session/session.ts";
import { detachString } from "../model/text/detach-string.ts";

/** Plain JSON: it is kept between two readings of a log. */
export interface KnownCall {
  readonly call: {
    readonly callId: string;
    readonly name: string;
    readonly input: unknown;
    readonly label?: string | undefined;
    readonly act?: ToolAct | undefined;
    readonly agent?: string | undefined;
    readonly time?: string | undefined;
  };
  readonly turn: number;
}

export const LABEL = 200;
/** What is looked at of a command that waits for its result. */
const MOST_OF_COMMAND = 64 << 10;
const NONE = {};

/** Thousands may wait, each with a file in it. */
export const toKnownCall = (
  { callId, name, input, label, act, agent, time }: KnownCall["call"],
  turn: number,
): KnownCall => ({
  call: { callId, name, input: briefInput(name, input), label, act: act && briefAct(act), agent, time },
  turn,
});

const isBrief = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value.length < LABEL);

/** Only tools of a code host name references in their arguments. */
const briefInput = (name: string, input: ToolCallEvent["input"]): unknown =>
  typeof input === "object" && input !== null && /github|gitlab/i.test(name)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => isBrief(value)))
    : NONE;

const briefAct = (act: ToolAct): ToolAct =>
  act.command === undefined || act.command.length <= MOST_OF_COMMAND
    ? act
    : { ...act, command: detachString(act.command.slice(0, MOST_OF_COMMAND)) };
