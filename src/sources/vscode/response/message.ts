/** What a user said, in the one form that VS Code surely reads: a text, and that text as its only part. */
import type { JsonObject } from "../../jsonl.ts";

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
