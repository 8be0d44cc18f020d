/** What a tool is: what it takes, which operations it asks, and how their answers become text. One small file each. */
import type * as zod from "zod";
import type { OPERATIONS, OperationName } from "../operations/index.ts";
import type { Described, Operation, Schema } from "../operations/operation.ts";
import type { Answer } from "./answer.ts";

type Loaded<N extends OperationName> = Awaited<ReturnType<(typeof OPERATIONS)[N]>>;

/** The operations that give one answer. */
export type Askable = {
  [N in OperationName]: Loaded<N> extends { readonly kind: "stream" } ? never : N;
}[OperationName];

/** What an operation takes, as JSON, and what it answers. */
export type Asked<N extends OperationName> = zod.input<ReturnType<Loaded<N>["input"]>>;
export type Told<N extends OperationName> = Described<Loaded<N>["output"]>;

export interface ToolContext {
  /** Runs an operation. Secrets are gone from its answer, so no tool can pass one on. */
  ask<N extends Askable>(operation: N, input: Asked<N>): Promise<Told<N>>;
  /** The same for a change that the caller names. */
  askAny(operation: OperationName, input: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** Without its secrets, also those over several lines, which no single value shows. */
  redact(text: string): string;
  /** Of the answer, in tokens. */
  readonly budget: number;
  readonly now: Date;
}

export interface Tool<I extends Schema = Schema> {
  /** In snake_case, as other MCP servers name theirs. */
  readonly name: string;
  readonly title: string;
  /** For the model: what it answers, and when to use it. */
  readonly description: string;
  /** Without `budget`, which every tool has. */
  readonly input: I;
  /** A tool that changes something is offered only with --allow-write. */
  readonly kind: "question" | "change";
  readonly operations: readonly Pick<Operation, "name">[];
  run(input: Described<I>, context: ToolContext): Promise<Answer>;
}

/** A tool in the table; its input was checked with its own schema. */
export type AnyTool = Omit<Tool, "run"> & { run(input: never, context: ToolContext): Promise<Answer> };

export const defineTool = <const I extends Schema>(tool: Tool<I>): AnyTool => tool as unknown as AnyTool;
