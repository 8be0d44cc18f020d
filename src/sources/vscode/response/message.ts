/** Builds a user message in the form that every VS Code reads: a text with that text as its only part. */
import type { JsonObject } from "../../log/jsonl.ts";

export function toMessage(text: string): JsonObject {
  const lines = text.split("\n");
  const part = {
    kind: "text",
    text,
    range: { start: 0, endExclusive: text.length },
    editorRange: {
      startLineNumber: 1,
      startColumn: 1,
      endLineNumber: lines.length,
      endColumn: (lines.at(-1)?.length ?? 0) + 1,
    },
  };
  return { text, parts: [part] };
}
