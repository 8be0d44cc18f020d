/** The marks that stand where secrets stood: the same secret has the same mark, wherever it was. */

export interface Mark {
  readonly mark: string;
  readonly kind: string;
}

export const toMark = (kind: string, digest: string): string => `[redacted: ${kind} ${digest}]`;

const MARK = /\[redacted: ([^\]\n]{1,60}) [0-9a-f]{8}\]/g;

export const findMarks = (text: string): readonly Mark[] =>
  Array.from(text.matchAll(MARK), ([mark, kind = ""]) => ({ mark, kind }));

/** Of each kind how many different ones there are, and in how many places. */
export function countMarks(
  marks: readonly Mark[],
): readonly { readonly kind: string; readonly secrets: number; readonly places: number }[] {
  const kinds = Map.groupBy(marks, ({ kind }) => kind);
  return [...kinds]
    .map(([kind, of]) => ({ kind, secrets: new Set(of.map(({ mark }) => mark)).size, places: of.length }))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** Marks in a form that every system takes in the name of a file. */
export const toNamePart = (name: string): string =>
  name.replace(MARK, (mark) => mark.slice(1, -1).replaceAll(/[^a-z\d]+/gi, "-"));

/** A name or a dash of YAML, and a value behind it that has no quotes. */
const PLAIN_SCALAR = /^([ \t]*(?:-[ \t]+)*(?:[\w.-]+:[ \t]+|-[ \t]+))([^\s'"|>&*!#{].*)$/;
/** The lines below it that are further to the right are text. */
const BLOCK_SCALAR = /^([ \t]*).*[:-][ \t]+[|>][-+\d]*[ \t]*$/;

/** A mark would end a value that has no quotes, or begin a list: it gets quotes, and the file stays what it was. */
export function quoteMarks(yaml: string): string {
  let textBeyond: number | undefined;
  return yaml
    .split("\n")
    .map((line) => {
      const indent = line.length - line.trimStart().length;
      if (textBeyond !== undefined && (indent > textBeyond || line.trim() === "")) return line;
      textBeyond = BLOCK_SCALAR.test(line) ? indent : undefined;
      const [, before = "", value = ""] = PLAIN_SCALAR.exec(line) ?? [];
      return findMarks(value).length === 0 ? line : before + JSON.stringify(value.trimEnd());
    })
    .join("\n");
}
