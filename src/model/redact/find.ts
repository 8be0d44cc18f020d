/** Every rule for secrets in a text: by their format, by the name before them, and by the option of a command. */
import { findOverBorders } from "./borders.ts";
import { findDisguised } from "./disguised.ts";
import { findInManifests } from "./manifests.ts";
import { findNamed, toSpan } from "./names.ts";
import { findShapes, type Shape } from "./shapes.ts";
import type { Span } from "./span.ts";
import { splitWrapped } from "./wrapped.ts";

/** `shapes`: those that the text may hold, where the caller knows it of a longer text around it. */
export function findSecrets(text: string, shapes?: readonly Shape[]): Span[] {
  const spans = [
    ...findInLines(text, shapes),
    ...findDisguised(
      text,
      (plain) => findInLines(plain),
      (whole) => findShapes(whole),
    ),
  ];
  const lines = splitWrapped(text);
  if (lines.length > 1)
    for (const { piece, start, end, kind, isNamed } of findOverBorders(lines, (joined) =>
      findInLines(joined),
    )) {
      const at = lines[piece]?.at ?? 0;
      spans.push({ start: at + start, end: at + end, kind, isNamed });
    }
  return spans;
}

const findInLines = (text: string, shapes?: readonly Shape[]): Span[] => [
  ...findShapes(text, shapes),
  ...findNamed(text),
  ...findInManifests(text),
  ...findInOptions(text),
];

const OPTIONS: readonly { readonly needs: string; readonly before: RegExp }[] = [
  {
    needs: "curl",
    before:
      /\bcurl\b[^\n|]{0,300}?[ \t](?:-[a-zA-Z]{0,4}u|--user|--proxy-user)[ =]?\\*["']?[^\s:"'\\]{1,80}:/g,
  },
  { needs: "sshpass", before: /\bsshpass[ \t]+-p[ \t]*/g },
  { needs: "mysql", before: /\bmysql(?:dump|admin)?\b[^\n|]{0,200}?[ \t]-p(?=\S)/g },
  { needs: "redis-cli", before: /\bredis-cli\b[^\n|]{0,200}?[ \t](?:-a|--pass)[ \t]+/g },
  {
    needs: "login",
    // A file .netrc, also with something before each line.
    before: /\blogin\s{1,20}\S{1,80}\s{1,20}(?:\S{1,6}\s{1,20})?password\s{1,20}/g,
  },
];

function findInOptions(text: string): Span[] {
  return OPTIONS.filter(({ needs }) => text.includes(needs)).flatMap(({ before }) =>
    Array.from(text.matchAll(before)).flatMap((match) => {
      const at = match.index + match[0].length;
      return toSpan(text, { at, kind: "password", manner: "plain", bare: "word" }) ?? [];
    }),
  );
}
