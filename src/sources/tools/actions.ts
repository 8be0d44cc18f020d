/** Maps tool calls to what they do (read, write, run …), whatever the vendor calls the tool. */

import { mayMakeRefs } from "../../model/session/refs.ts";
import type { ToolAct } from "../../model/session/session.ts";
import { memberOf } from "../../model/values/member.ts";
import { asObject, asString, isObject, type JsonObject } from "../log/jsonl.ts";

/** Describes a tool: what it does, and which of its arguments have the path or the command. */
export type ToolActions = Readonly<Record<string, (input: JsonObject) => ToolAct>>;

export const runs =
  (key: string) =>
  (input: JsonObject): ToolAct => {
    const command = asString(memberOf(input, key));
    return command === undefined ? { does: "run" } : { does: "run", command };
  };

export const touches =
  (does: ToolAct["does"], ...keys: string[]) =>
  (input: JsonObject): ToolAct => {
    const paths: string[] = [];
    for (const key of keys) {
      const path = memberOf(input, key);
      if (typeof path === "string") paths.push(path);
    }
    return paths.length > 0 ? { does, paths } : { does };
  };

/** A patch names its files itself, and those it moves by both names. One that only adds or only deletes does just that; any other edits. */
export function patches(text: string): ToolAct {
  const files = [...text.matchAll(/^\*\*\* (?:(Add|Update|Delete) File|Move to): (.+)$/gm)];
  const verbs = new Set(files.flatMap((match) => match[1] ?? []));
  const only = verbs.size === 1 ? [...verbs][0] : undefined;
  const does = only === "Add" ? "create" : only === "Delete" ? "delete" : "edit";
  return { does, ...(files.length > 0 && { paths: files.map((match) => (match[2] ?? "").trim()) }) };
}

export function findToolAction(table: ToolActions, name: string, input: unknown): ToolAct | undefined {
  return memberOf(table, name)?.(isObject(input) ? input : { input });
}

/** Whether a call's result is to be read to its end: a commit's hash stands behind all that its hooks had to say. */
export const printsRefs = (input: unknown): boolean => mayMakeRefs(asString(asObject(input)?.command) ?? "");
