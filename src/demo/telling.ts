/** A demo session as it is told: its facts and its script, before anybody knows where and when the demo is made. */
import type { SourceId } from "../model/session/session.ts";
import type { Damage } from "./damage.ts";
import { parseScript, type ScriptTurn } from "./script.ts";

export interface Telling {
  /** A word of its own for each session; its id is made from it, so ids are the same in every demo. */
  readonly name: string;
  readonly source: SourceId;
  readonly model: string;
  readonly title: string;
  /** "12d 09:40" is a time of day so many days ago (UTC), "3h" simply so long ago. */
  readonly when: string;
  readonly branch?: string;
  /** The session it was forked from, and how many of its turns were copied. */
  readonly forkOf?: { readonly name: string; readonly keep: number };
  readonly damage?: Damage;
  /** By their paths in the folder, the files as they were before; its program kept their states then. */
  readonly files?: Readonly<Record<string, string>>;
  readonly turns: readonly ScriptTurn[];
}

/** The sessions held in one folder. */
export interface Chapter {
  readonly folder: string;
  readonly repository: string;
  /** The name the folder has today, when it was renamed after these sessions were held. */
  readonly renamedTo?: string;
  /** By their paths in the folder, files as they are today; what sessions created is there besides. */
  readonly files?: Readonly<Record<string, string>>;
  readonly tellings: readonly Telling[];
}

type Facts = Pick<Telling, "title" | "when"> &
  Partial<Pick<Telling, "branch" | "model" | "forkOf" | "damage" | "files">>;

const inSource =
  (source: SourceId, model: string) =>
  (name: string, facts: Facts, script: string): Telling => ({
    name,
    source,
    model,
    ...facts,
    turns: parseScript(script),
  });

export const copilot = inSource("copilot-cli", "claude-sonnet-4.5");
export const claude = inSource("claude-code", "claude-sonnet-4-5");
export const vscode = inSource("vscode", "gpt-5");
