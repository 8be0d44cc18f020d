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
