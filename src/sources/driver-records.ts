/** What the drivers have in common: reading what a program prints, of itself and as events of a conversation. */
import type { ChatEvent, ChatUsage } from "../model/chat.ts";
import { asNumber, asObject, asString } from "./log/jsonl.ts";

export type Fields = Record<string, unknown>;

/** Nothing for lines that are no record. */
export function parseRecord(line: string): Fields | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined; // a program that is killed leaves half a line
  }
}

/** It becomes part of a path. */
const ID = /^[A-Za-z0-9][\w-]{0,127}$/;

/** The id of a session as the program printed it; empty where it is none. */
export const sessionIn = (printed: unknown): string => {
  const id = asString(printed) ?? "";
  return ID.test(id) ? id : "";
};

/** What a tool is about to do, by its arguments. A command says more than the description of it. */
export function aboutTo(input: unknown): string | undefined {
  const given = asObject(input) ?? {};
  const { command, file_path, path, pattern, query, url, description } = given;
  return [command, file_path, path, pattern, query, url, description]
    .map(asString)
    .find((word) => word !== undefined && word !== "");
}

export const saying = (says: string | undefined): { readonly says?: string } =>
  says === undefined ? {} : { says };

export const notice = (message: unknown, isError: boolean): ChatEvent[] =>
  typeof message === "string" && message !== "" ? [{ kind: "notice", text: message, isError }] : [];

export function countAs(key: keyof ChatUsage, value: unknown): ChatUsage {
  const count = asNumber(value);
  return count === undefined ? {} : { [key]: count };
}

/** The options that a program's help names. */
export const flagsIn = (help: string): ReadonlySet<string> =>
  new Set(help.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []);

/** Empty where it names none. */
export const versionIn = (text: string): string =>
  /\d+\.\d+\.\d+[\w.-]*(?<!\.)/.exec(text.slice(0, 1000))?.[0] ?? "";
