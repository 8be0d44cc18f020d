/** New files and single edits as patches for `apply_patch`, and such patches as what they do. */
import type { ActOf } from "../../../model/handoff/act.ts";

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const ADD = "*** Add File: ";
const UPDATE = "*** Update File: ";

/** A patch is made of lines, and trims the paths in it. */
const isNameable = (path: string): boolean => path.trim() === path && path !== "" && !path.includes("\n");

const patchOf = (lines: readonly string[]): string => [BEGIN, ...lines, END].join("\n");

/** Files that patches make end with a line feed. */
export function patchToWrite({ path, text }: ActOf<"write">): string | undefined {
  if (!isNameable(path)) return undefined;
  return patchOf([`${ADD}${path}`, ...(text === "" ? [] : signed("+", text.replace(/\n$/, "")))]);
}

/** Nothing for what one patch cannot do: change every place, or one that is not named. */
export function patchToEdit({ path, old, new: put, all }: ActOf<"edit">): string | undefined {
  if (!isNameable(path) || old === "" || all) return undefined;
  const isWhole = old.endsWith("\n") && (put === "" || put.endsWith("\n"));
  const lines = isWhole
    ? [...signed("-", old.slice(0, -1)), ...(put === "" ? [] : signed("+", put.slice(0, -1)))]
    : [...signed("-", old), ...signed("+", put)];
  return patchOf([`${UPDATE}${path}`, "@@", ...lines]);
}

const signed = (sign: string, text: string): string[] => text.split("\n").map((line) => `${sign}${line}`);

/** What a patch does, where that is one new file or one edit; else it stays a patch. */
export function actOfPatch(text: string): ActOf<"write"> | ActOf<"edit"> | ActOf<"patch"> {
  const patch = { kind: "patch", text } as const;
  const [begin, head = "", ...rest] = text.replace(/\n$/, "").split("\n");
  if (begin !== BEGIN || rest.pop() !== END) return patch;
  if (head.startsWith(ADD)) {
    const isNew = rest.every((line) => line.startsWith("+"));
    const lines = rest.map((line) => `${line.slice(1)}\n`);
    return isNew ? { kind: "write", path: head.slice(ADD.length), text: lines.join("") } : patch;
  }
  const body = rest[0] === "@@" ? rest.slice(1) : rest;
  if (!head.startsWith(UPDATE) || !body.every((line) => /^[ +-]/.test(line))) return patch;
  const [before, after] = ["+", "-"].map((other) =>
    body.filter((line) => !line.startsWith(other)).map((line) => line.slice(1)),
  ) as [string[], string[]];
  if (before.length === 0) return patch;
  const path = head.slice(UPDATE.length);
  return after.length === 0
    ? { kind: "edit", path, old: `${before.join("\n")}\n`, new: "" }
    : { kind: "edit", path, old: before.join("\n"), new: after.join("\n") };
}
