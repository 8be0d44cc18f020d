/** Which row has a match, and what must be opened to see it. */

import { inputText } from "../../../../../src/present/text/parts.ts";
import { splitMarkdown } from "../../../text/split-markdown.ts";
import type { Part, Turn } from "../types.ts";

export interface Match {
  readonly turn: number;
  /** user, assistant, thinking, tool … */
  readonly where: string;
  readonly callId: string | null;
  /** Of the record that has it. */
  readonly line: number;
  /** Which one of the matches that are all the same but for the words around them. */
  readonly nth: number;
  readonly text: string;
}

export interface Located {
  readonly row: string;
  readonly nth: number;
  /** Rows to open, from the outside in. */
  readonly open: readonly string[];
}

interface Candidate {
  readonly row: string;
  readonly line: number;
  readonly callId?: string;
  readonly where: string;
  readonly text: string;
  readonly open: readonly string[];
}

export function locate(turn: Turn, { where, callId, line, nth, text }: Match): Located {
  const words = text.toLowerCase();
  const candidates = [...candidatesOf(turn)];
  const wanted = candidates.filter((candidate) =>
    candidate.where !== where
      ? false
      : where === "tool" && callId !== null
        ? candidate.callId === callId
        : candidate.line === line,
  );
  let left = nth;
  for (const { row, text: has, open } of wanted.length > 0 ? wanted : candidates) {
    const count = occurrences(has.toLowerCase(), words);
    if (left < count) return { row, nth: left, open };
    left -= count;
  }
  // It is in what was not read, such as the rest of a long result.
  const last = wanted.at(-1);
  return { row: last?.row ?? `${turn.index}`, nth: 0, open: last?.open ?? [] };
}

function* candidatesOf(turn: Turn): Generator<Candidate> {
  yield { row: `${turn.index}`, line: turn.origin.line, where: "user", text: turn.user, open: [] };
  yield* inParts(turn.parts, `${turn.index}`, []);
}

function* inParts(parts: readonly Part[], prefix: string, open: readonly string[]): Generator<Candidate> {
  for (const [at, part] of parts.entries()) {
    const row = `${prefix}.${at}`;
    const { line } = part.origin;
    switch (part.kind) {
      case "text":
        for (const [piece, text] of splitMarkdown(part.text).entries())
          yield { row: piece === 0 ? row : `${row}~${piece}`, line, where: "assistant", text, open };
        break;
      case "thinking":
        yield { row, line, where: "thinking", text: part.text, open: [...open, row] };
        break;
      case "tool":
        yield {
          row,
          line,
          callId: part.callId,
          where: "tool",
          text: `${part.act?.command ?? inputText(part.input)}\n${part.result ?? ""}`,
          open: [...open, row],
        };
        if (part.children) yield* inParts(part.children, row, [...open, row]);
        break;
      case "checkpoint":
        yield { row, line, where: "checkpoint", text: part.summary, open: [...open, row] };
        break;
      case "notice":
        yield { row, line, where: "notice", text: part.text, open };
        break;
      case "note":
        yield {
          row,
          line,
          where: "note",
          text: part.items.map(({ text, detail = "" }) => `${text} ${detail}`).join("\n"),
          open: [...open, row],
        };
        break;
      case "edit":
        yield { row, line, where: "edit", text: part.path, open };
        break;
      case "clear":
        break;
    }
  }
}

function occurrences(text: string, words: string): number {
  if (words === "") return 0;
  let count = 0;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) count++;
  return count;
}
