/**
 * What the API takes and answers, by the names of operations: types that follow from their schemas. The published package
 * has them written out (scripts/client-types.ts), so that nobody needs those schemas.
 */
import type * as zod from "zod";
import type { OPERATIONS, OperationName } from "../operations/index.ts";
import type { Described } from "../operations/operation.ts";

type Loaded<N extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[N]>>;

export interface Envelope {
  readonly schemaVersion: 1;
  /** What had to be done or left out on the way, a sentence each. */
  readonly notices?: readonly string[];
}

/** What an operation takes, as JSON. */
export type Input<N extends OperationName> = zod.input<ReturnType<Loaded<N>["input"]>>;

/** What an operation answers, or each item of a stream. */
export type Answer<N extends OperationName> = Described<Loaded<N>["output"]> & Envelope;

/** What the doctor finds, as it is found. */
export type ExamineEvent = Described<Loaded<"examine">["output"]>;

/** What is said in a conversation, as it is said. */
export type ChatEvent = Described<Loaded<"chat-send">["output"]>;
