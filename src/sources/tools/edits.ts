/** Maps tool calls to what they do to files, whatever the vendor calls the tool and its arguments. */
import type { FileEdit, Replacement } from "../../model/session/file-edit.ts";
import { memberOf } from "../../model/values/member.ts";
import { asArray, asString, isObject, type JsonObject } from "../log/jsonl.ts";

/** By the vendor's names for the tools. */
export type ToolEdits = Readonly<Record<string, (input: JsonObject) => readonly FileEdit[]>>;

/** What a call does to files if it succeeds, as far as its arguments tell. */
export type ToolEditReader = (name: string, input: unknown) => readonly FileEdit[];

export const toolEditReader =
  (table: ToolEdits, keyOf = (name: string): string => name): ToolEditReader =>
  (name, input) =>
    memberOf(table, keyOf(name))?.(isObject(input) ? input : { input }) ?? [];

/** One text for another, as the arguments of a call have them. */
export function replacement(
  input: JsonObject,
  keys: { readonly before: string; readonly after: string; readonly all?: string },
): Replacement[] {
  const [before, after] = [asString(memberOf(input, keys.before)), asString(memberOf(input, keys.after))];
  if (before === undefined && after === undefined) return [];
  const all = keys.all !== undefined && memberOf(input, keys.all) === true;
  return [{ before: before ?? "", after: after ?? "", ...(all && { all }) }];
}

export const replaced = (path: unknown, pairs: readonly Replacement[]): FileEdit[] =>
  typeof path === "string" && pairs.length > 0 ? [{ does: "replace", path, pairs }] : [];

/** A whole file that was not there before. */
export const created = (path: unknown, text: unknown): FileEdit[] =>
  typeof path === "string" && typeof text === "string" ? [{ does: "write", path, text, isNew: true }] : [];

/** The members of a list that are objects. */
export const objectsIn = (value: unknown): JsonObject[] => asArray(value).filter(isObject);
