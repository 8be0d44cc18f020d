/**
 * Labelled text for what a program has no structure for, in a form that can be read back when the session returns. A label
 * ends with a check of what it says, which one that somebody made up lacks; and where a text quotes a label, its lines
 * are escaped on the way out.
 */
import { hash } from "node:crypto";
import type { SourceId } from "../session/session.ts";
import { type AttachedFile, type Call, NO_RESULT } from "./conversation.ts";

/** The programs by what people call them. */
export interface ProgramNames {
  labelOf(source: SourceId): string;
  sourceOf(label: string): SourceId | undefined;
}

const END = "[End of tool call ";
const CHECK_LENGTH = 8;
/** Between texts and labels. */
export const APART = "\n\n";

export function toLabel({ vendor, name, input, result }: Call, names: ProgramNames): string {
  const { text, status } = result;
  const ending =
    status === "interrupted"
      ? ["No result"]
      : [`${status === "failed" ? "Failed result" : "Result"} (${text.length} characters):`, text];
  const [label, tool, json] = [names.labelOf(vendor), oneLine(name), JSON.stringify(input) ?? "null"];
  return [
    `[Tool call in ${label}: ${tool}]`,
    `Arguments: ${json}`,
    ...ending,
    `${END}${checkOf(label, tool, json, ending.join("\n"))}]`,
  ].join("\n");
}

/** Of a long text the beginning is enough: whoever repeats a label word for word is not found by more of it, either. */
const checkOf = (...texts: readonly string[]): string =>
  hash("sha256", texts.map((text) => `${text.length}:${text.slice(0, 1000).toWellFormed()}`).join()).slice(
    0,
    CHECK_LENGTH,
  );

/** What somebody else wrote, so that nothing in it is read as a label. */
export const escapeLabels = (text: string): string => text.replace(/^\\*\[Tool call in /gm, "\\$&");

const unescapeLabels = (text: string): string => text.replace(/^\\(\\*\[Tool call in )/gm, "$1");

const oneLine = (name: string): string => name.replace(/[\r\n]+/g, " ");

type LabelledCall = Omit<Call, "id">;

/** A text without the calls in it that were written by `toLabel`, and these. What only resembles one stays text. */
export function readLabels(
  text: string,
  names: ProgramNames,
): { readonly text: string; readonly calls: readonly LabelledCall[] } {
  if (!text.includes(END)) return { text: unescapeLabels(text), calls: [] };
  const calls: LabelledCall[] = [];
  const kept: string[] = [];
  let from = 0;
  /** What stands before a label, and behind the last one, without the blank lines that set it apart. */
  const keep = (end: number, isLast: boolean): void => {
    const passage = text.slice(from, end);
    const start = calls.length > 0 && passage.startsWith(APART) ? APART.length : 0;
    kept.push(
      isLast || !passage.endsWith(APART) ? passage.slice(start) : passage.slice(start, -APART.length),
    );
  };
  for (const match of text.matchAll(/^\[Tool call in ([^:\n]+): (.*)\]\nArguments: (.*)\n/gm)) {
    const [head, label = "", name = "", json = ""] = match;
    if (match.index < from) continue; // inside the result of the one before
    const vendor = names.sourceOf(label);
    const input = parse(json);
    const ending = readEnding(text, match.index + head.length);
    if (vendor === undefined || !input || !ending) continue;
    if (checkOf(label, name, json, ending.all) !== ending.check) continue;
    keep(match.index, false);
    calls.push({ vendor, name, input: input.value, result: ending.result });
    from = ending.end;
  }
  keep(text.length, true);
  return { text: unescapeLabels(kept.filter((passage) => passage !== "").join(APART)), calls };
}

function parse(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

const RESULT = /(?:(No result)|(Failed result|Result) \((\d+) characters\):)\n/y;

interface Ending {
  readonly result: Call["result"];
  /** As it is written. */
  readonly all: string;
  readonly check: string;
  /** Where the label ends. */
  readonly end: number;
}

/** The result that begins there. */
function readEnding(text: string, at: number): Ending | undefined {
  RESULT.lastIndex = at;
  const head = RESULT.exec(text);
  if (!head) return undefined;
  const [all, none, how, length] = head;
  const start = at + all.length;
  const size = none === undefined ? Number(length) : -1;
  const end = start + size + 1;
  if (!text.startsWith(END, end) || (size >= 0 && text[end - 1] !== "\n")) return undefined;
  const behind = end + END.length + CHECK_LENGTH;
  if (text[behind] !== "]") return undefined;
  return {
    result: {
      text: none === undefined ? text.slice(start, start + size) : NO_RESULT,
      status: none !== undefined ? "interrupted" : how === "Failed result" ? "failed" : "ok",
      images: [],
    },
    all: text.slice(at, end - 1),
    check: text.slice(end + END.length, behind),
    end: behind + 1,
  };
}

/** A prompt with the files that were attached to it, for programs that attach none. */
export const withFileLabels = (text: string, files: readonly AttachedFile[]): string =>
  files.length === 0
    ? text
    : `${text}\n\n${files.map(({ path }) => `[Attached file: ${oneLine(path)}]`).join("\n")}`;

const FILES = /\n\n((?:\[Attached file: .+\](?:\n(?=\[)|$))+)$/;

export function readFileLabels(text: string): {
  readonly text: string;
  readonly files: readonly AttachedFile[];
} {
  const found = FILES.exec(text);
  if (!found) return { text, files: [] };
  const paths = [...(found[1] ?? "").matchAll(/^\[Attached file: (.+)\]$/gm)].map((match) => match[1] ?? "");
  return {
    text: text.slice(0, found.index),
    files: paths.map((path) => ({ path, name: path.split(/[/\\]/).at(-1) ?? path })),
  };
}
