/** Finds the values of Kubernetes secrets: every one of them counts, whatever its name. */
import type { Span } from "./span.ts";

/** In YAML and in JSON, also where that stands in JSON itself. */
const MANIFEST = /kind\\*["']?[ \t]{0,4}:[ \t]{0,4}\\*["']?Secret\b/g;
const DATA = /(?:^|[\s"'{,+>|]|\\n)(?:stringD|d)ata\\*["']?[ \t]{0,4}:[ \t]{0,4}(?:\{|(?=\r?\n|\\n))/g;
/** The rules of a manifest may stand before or behind its values, but not far. */
const REACH = 4000;
/** One entry; before its name may stand what a diff, a mail or an editor puts before each line. */
const ENTRY =
  /(?:\s|\\[nrt]|[+>|,\d:]){0,80}\\*["']?[A-Za-z_.][\w.-]{0,250}\\*["']?[ \t]{0,4}:[ \t]{0,4}\\*["']?(?<value>[^\s"'\\,{}]{4,20000})\\*["']?/y;

export function findInManifests(text: string): Span[] {
  if (!text.includes("Secret")) return [];
  const spans: Span[] = [];
  for (const { index } of text.matchAll(MANIFEST)) {
    const from = Math.max(0, index - REACH);
    for (const data of text.slice(from, index + REACH).matchAll(DATA))
      spans.push(...entriesAt(text, from + data.index + data[0].length));
  }
  return spans;
}

function* entriesAt(text: string, from: number): Generator<Span> {
  ENTRY.lastIndex = from;
  for (let entry = ENTRY.exec(text); entry; entry = ENTRY.exec(text)) {
    const value = entry.groups?.value ?? "";
    // A mark of ours, or the next of the manifest's own fields.
    if (/^(?:\[redacted|Opaque|kubernetes\.io|v\d|Secret$)/.test(value)) return;
    const start = entry.index + entry[0].lastIndexOf(value);
    const { lastIndex } = ENTRY;
    yield { start, end: start + value.length, kind: "kubernetes secret", isNamed: true };
    ENTRY.lastIndex = lastIndex;
  }
}
