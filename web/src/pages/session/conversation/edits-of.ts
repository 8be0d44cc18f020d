/** The changes to files that a call's arguments describe, whatever its tool is called. */
import { type DiffLine, diffLines, type LineDiff, readUnified } from "../../../text/line-diff.ts";
import type { PartOf } from "../types.ts";

export interface FileEdit {
  readonly path: string;
  readonly diff: LineDiff;
  /** More places of the file than are shown. */
  readonly isEverywhere?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const known = new WeakMap<object, readonly FileEdit[] | undefined>();

/** Undefined for a call that is no edit, or does not say what it changed. */
export function editsOf(part: PartOf<"tool">): readonly FileEdit[] | undefined {
  if (!/^(edit|create)$/.test(part.act?.does ?? "") || typeof part.input !== "object" || !part.input)
    return typeof part.input === "string" && part.act?.does === "edit" ? readPatch(part.input) : undefined;
  if (!known.has(part.input)) known.set(part.input, read(part.input as Fields, part.act?.paths?.[0] ?? ""));
  return known.get(part.input);
}

function read(input: Fields, named: string): readonly FileEdit[] | undefined {
  const patch = text(input, "patch", "input", "diff");
  if (patch?.includes("*** Begin Patch") || patch?.includes("\n@@")) return readPatch(patch);
  const path = text(input, "file_path", "filePath", "path", "notebook_path") ?? named;
  const many = [input.edits, input.replacements].find(Array.isArray) as unknown[] | undefined;
  if (many) {
    const edits = many.flatMap((each) =>
      typeof each === "object" && each !== null ? replacement(each as Fields, path) : [],
    );
    return edits.length > 0 ? joinByPath(edits) : undefined;
  }
  const one = replacement(input, path);
  if (one.length > 0) return one;
  const whole = text(input, "file_text", "content", "new_source", "code");
  return whole === undefined ? undefined : [{ path, diff: diffLines("", whole) }];
}

function replacement(input: Fields, path: string): FileEdit[] {
  const before = text(input, "old_str", "old_string", "oldString", "oldText");
  const after = text(input, "new_str", "new_string", "newString", "newText");
  if (before === undefined && after === undefined) return [];
  return [
    {
      path: text(input, "file_path", "filePath", "path") ?? path,
      diff: diffLines(before ?? "", after ?? ""),
      ...(input.replace_all === true && { isEverywhere: true }),
    },
  ];
}

function text(input: Fields, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}

function joinByPath(edits: readonly FileEdit[]): FileEdit[] {
  return [...Map.groupBy(edits, ({ path }) => path)].map(([path, all]) => ({
    path,
    diff: {
      lines: all.flatMap(({ diff }, at): DiffLine[] => [
        ...(at > 0 ? [{ kind: "gap", text: "" } as const] : []),
        ...diff.lines,
      ]),
      added: all.reduce((sum, { diff }) => sum + diff.added, 0),
      removed: all.reduce((sum, { diff }) => sum + diff.removed, 0),
    },
  }));
}

/** `*** Update File: a.ts` and the lines below it, or the `+++ b/a.ts` of a unified diff. */
function readPatch(patch: string): readonly FileEdit[] | undefined {
  const edits: FileEdit[] = [];
  let path: string | undefined;
  let body: string[] = [];
  const close = (): void => {
    if (path !== undefined && body.length > 0) edits.push({ path, diff: readUnified(body.join("\n")) });
    body = [];
  };
  for (const line of patch.split(/\r?\n/)) {
    const found =
      /^\*\*\* (?:Add|Update|Delete) File: (.+)$/.exec(line) ?? /^\+\+\+ (?:b\/)?([^\t]+)/.exec(line);
    if (found) {
      close();
      path = (found[1] ?? "").trim();
    } else if (!/^(\*\*\* |--- |diff --git |index )/.test(line)) body.push(line);
  }
  close();
  return edits.length > 0 ? edits : undefined;
}
