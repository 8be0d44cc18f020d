/** The type of a command: a plain object with its help, its arguments, and a function that asks the app and prints. */

import type { Config } from "../app/config.ts";
import type { App } from "../app/contract.ts";
import type { AnyOperation, Schema } from "../operations/operation.ts";
import type { ArgSpecs, GLOBAL_ARGS, Values } from "./args.ts";
import type { Output } from "./output.ts";

export interface Invocation<A extends ArgSpecs> {
  readonly args: Values<A> & Values<typeof GLOBAL_ARGS>;
  readonly config: Config;
  readonly out: Output;
  /** Loaded on demand: help, completion and the version need none of it. */
  openApp(): Promise<App>;
  /** Lets the person at the terminal choose a session; missing where nobody is there. */
  readonly pickSession?: () => Promise<string>;
}

export interface Example {
  readonly command: string;
  readonly why: string;
}

/** One of the objects that `--json` may print, and when it does, in a few words. */
export interface JsonShape {
  readonly when?: string;
  readonly schema: Schema;
  /** The command whose page describes the fields that both have. */
  readonly like?: { readonly command: string; readonly schema: Schema };
}

export interface Command<A extends ArgSpecs = ArgSpecs> {
  readonly name: string;
  readonly summary: string;
  /** For the list of all commands, where the first clause of the summary does not say enough, or says too much. */
  readonly brief?: string;
  /** A paragraph for the help page. */
  readonly about?: string;
  readonly args: A;
  readonly examples: readonly Example[];
  /** What it prints is to be read, and may be long: in a terminal, a pager shows it. */
  readonly isPaged?: boolean;
  /** What it asks or changes. */
  readonly operations: readonly AnyOperation[];
  /** What `--json` prints, for the documentation, where that is not the answer of its one operation. */
  readonly json?: readonly JsonShape[];
  /** Gives back an exit code when it is not 0. */
  run(invocation: Invocation<A>): Promise<number | undefined>;
}

/** A few words on what a command does. */
export const briefOf = ({ brief, summary }: Pick<AnyCommand, "brief" | "summary">): string =>
  brief ?? summary.replace(/[;:,(].*/, "").trim();

/** A command in the table; its arguments were parsed with its own `args`. */
export type AnyCommand = Omit<Command, "run"> & {
  run(invocation: Invocation<ArgSpecs>): Promise<number | undefined>;
};

export const defineCommand = <const A extends ArgSpecs>(command: Command<A>): AnyCommand =>
  command as unknown as AnyCommand;

export const shapesOf = ({
  operations,
  json,
}: Pick<AnyCommand, "operations" | "json">): readonly JsonShape[] =>
  json ?? operations.map(({ output }) => ({ schema: output }));
