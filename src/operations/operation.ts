/**
 * What an operation is: a question, a change or a stream, declared once. The command line, the library, the reference
 * pages and every server derive from the declaration.
 */
import type * as zod from "zod";
import type { App, Call } from "../app/contract.ts";

export type Zod = typeof zod;

/** A schema is a function of zod: the command line, which parses its own words, never loads zod. */
export type Schema<T extends zod.ZodType = zod.ZodType> = (z: Zod) => T;

/** The type of a schema's values, as readonly. */
export type Described<S extends Schema> = Immutable<zod.output<ReturnType<S>>>;

export type Immutable<T> = T extends Date
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;

interface Declaration<I extends Schema, O extends Schema> {
  /** Unique, in kebab-case: a path of an HTTP API, the name of a tool. */
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly input: I;
  /** The JSON that `toJson` makes, field by field. */
  readonly output: O;
}

/** A question reads; a change writes, or plans a write. */
export interface Operation<I extends Schema = Schema, O extends Schema = Schema, A = unknown>
  extends Declaration<I, O> {
  readonly kind: "question" | "change";
  /** Gives back the answer of the app, from which a terminal prints. */
  run(app: App, input: Described<I>, call?: Call): Promise<A>;
  toJson(answer: A, app: Pick<App, "demo">): Described<O>;
}

/** A stream emits items as they arrive, and waits for `emit` where it can. */
export interface StreamOperation<I extends Schema = Schema, O extends Schema = Schema, A = unknown>
  extends Declaration<I, O> {
  readonly kind: "stream";
  run(app: App, input: Described<I>, emit: Emit<A>, call?: Call): Promise<void>;
  toJson(item: A, app: Pick<App, "demo">): Described<O>;
}

export type Emit<A> = (item: A) => void | Promise<void>;

export type AnyOperation = Operation | StreamOperation;

/** Types are inferred from the order in which the members are written: `input` and `output` before `run`. */
export const defineOperation = <const I extends Schema, const O extends Schema, A>(
  operation: Operation<I, O, A>,
): Operation<I, O, A> => operation;

export const defineStream = <const I extends Schema, const O extends Schema, A>(
  operation: StreamOperation<I, O, A>,
): StreamOperation<I, O, A> => operation;
