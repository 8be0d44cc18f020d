/** What a source needs to take sessions of other programs: the names of its tools, and a writer of new sessions. */
import type { Act, ActOf, ReadAct, TodoItem, ToolVocabulary, VendorCall } from "../model/handoff/act.ts";
import type { Conversation } from "../model/handoff/conversation.ts";
import type { Carries } from "../model/handoff/translate.ts";
import type { Draft } from "../model/plan.ts";
import { memberOf } from "../model/values/member.ts";
import { isAbsolutePath, pathsLike } from "../model/values/paths.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { ImportEditor, WorkspaceNames } from "./editor.ts";
import { asArray, asObject, isObject, type JsonObject } from "./log/jsonl.ts";

/** The group of a source that takes part in handoffs, in both directions. */
export interface Handoff extends Pick<ImportEditor, "chooseRoot"> {
  readonly tools: ToolVocabulary;
  readonly carries: Carries;
  /** As an editor has it, for sources that have none. */
  stagingDir(root: string): string;
  /** What people may name instead of a folder. */
  readonly workspaces?: WorkspaceNames;
  /** A new session that its program continues. All calls are its program's own already. */
  draw(fs: SessionFs, conversation: Conversation, request: HandoffRequest): Promise<Draft>;
}

/** The request has every choice, so that the same one makes the same draft. */
export interface HandoffRequest {
  /** The home that it comes to. */
  readonly root: string;
  readonly id: string;
  readonly now: Date;
  readonly name: string;
  /** The folder that it is about, or what the program has for one. */
  readonly workspace: string;
  /** One sentence that says where it comes from, for people who read the session. */
  readonly note: string;
}

/** How a call of one tool is read: the arguments that are understood, and what they say. */
export interface ToolReader {
  readonly keys: readonly string[];
  /** Nothing where an argument is missing. */
  read(input: JsonObject): Act | undefined;
}

export type ToolWriters = {
  readonly [K in Act["kind"]]?: (act: ActOf<K>, workspace: string | undefined) => VendorCall | undefined;
};

/** How a program's list of things to do says what is to be done, and how far it is. */
export interface TodoWords {
  /** Nothing for what is no such list. */
  items(list: unknown): readonly TodoItem[] | undefined;
  wordFor(status: TodoItem["status"]): string;
}

export function createTodoWords(
  textKey: string,
  words: Readonly<Record<TodoItem["status"], string>>,
): TodoWords {
  const known = Object.keys(words) as TodoItem["status"][];
  return {
    items(list) {
      const items = asArray(list).flatMap((value): TodoItem[] => {
        const { [textKey]: text, status } = asObject(value) ?? {};
        return typeof text === "string"
          ? [{ text, status: known.find((each) => words[each] === status) ?? "open" }]
          : [];
      });
      return Array.isArray(list) && items.length === list.length ? items : undefined;
    },
    wordFor: (status) => words[status],
  };
}

/** For tools that take absolute paths only. */
export const inFolder = (path: string, workspace: string | undefined): string =>
  workspace === undefined || isAbsolutePath(path) ? path : pathsLike(workspace).join(workspace, path);

export function createVocabulary(
  readers: Readonly<Record<string, ToolReader>>,
  writers: ToolWriters,
): ToolVocabulary {
  return {
    actOf(name, input): ReadAct | undefined {
      const reader = memberOf(readers, name);
      if (!reader || !isObject(input)) return undefined;
      const act = reader.read(input);
      const unused = Object.keys(input).filter((key) => !reader.keys.includes(key));
      return act && { act, unused };
    },
    callFor(act, workspace) {
      const write = writers[act.kind] as
        | ((act: Act, workspace: string | undefined) => VendorCall | undefined)
        | undefined;
      return write?.(act, workspace);
    },
  };
}
