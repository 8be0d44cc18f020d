/** What a command is: a plain object that says how it is used, asks the app, and prints the answer. */

import type { Config } from "../app/config.ts";
import type { App } from "../app/contract.ts";
import type { ArgSpecs, GLOBAL_ARGS, Values } from "./args.ts";
import type { Output } from "./output.ts";

export interface Invocation<A extends ArgSpecs> {
  readonly args: Values<A> & Values<typeof GLOBAL_ARGS>;
  readonly config: Config;
  readonly out: Output;
  /** Loaded on demand: help, completion and the version need none of it. */
  openApp(): Promise<App>;
}

export interface Example {
  readonly command: string;
  readonly why: string;
}

export interface Command<A extends ArgSpecs = ArgSpecs> {
  readonly name: string;
  readonly summary: string;
  /** A paragraph for the help page. */
  readonly about?: string;
  readonly args: A;
  readonly examples: readonly Example[];
  /** The fields of its `--json` object, in words, for the documentation. */
  readonly json: Readonly<Record<string, string>>;
  /** Gives back an exit code when it is not 0. */
  run(invocation: Invocation<A>): Promise<number | undefined>;
}

/** As the table keeps it: whoever runs it has parsed the words with its own `args`. */
export type AnyCommand = Omit<Command, "run"> & {
  run(invocation: Invocation<ArgSpecs>): Promise<number | undefined>;
};

export const defineCommand = <const A extends ArgSpecs>(command: Command<A>): AnyCommand =>
  command as unknown as AnyCommand;
