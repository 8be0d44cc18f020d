/** A session as one Markdown document. */
import type { Problem } from "../../model/problem.ts";
import type { NotePart, Part, ToolPart, Turn } from "../../model/session/turns.ts";
import type { Detail, PageVisitor } from "../page.ts";
import { factsOf, titleOf } from "../text/facts.ts";
import { moment } from "../text/measure.ts";
import {
  CLEAR_GIST,
  checkpointGist,
  childrenGist,
  editGist,
  gistOf,
  inputText,
  noteLines,
  outcomeOf,
  provenanceOf,
  STATUS_MARKS,
  thinkingGist,
} from "../text/parts.ts";
import { plain } from "../text/text.ts";
import { code, escapeInline, fenced, indent } from "./inline.ts";

interface Telling extends Detail {
  readonly workspace?: string | undefined;
}

export function markdownPage(write: (text: string) => void, asked: Detail): PageVisitor {
  let detail: Telling = asked;
  let found: readonly Problem[] = [];
  return {
    head(session, problems) {
      found = problems;
      detail = { ...asked, workspace: session.workspace };
      const facts = factsOf(session).map(
        ({ name, value, isCommand }) => `- **${name}**: ${isCommand ? code(value) : escapeInline(value)}\n`,
      );
      write(`# ${escapeInline(titleOf(session))}\n\n${facts.join("")}\n`);
    },
    preamble: (parts) => write(partsText(parts, detail)),
    turn: (turn) => write(turnText(turn, detail)),
    end() {
      if (found.length === 0) return;
      const lines = found.map(({ code, path, line, message }) => {
        const place = line === undefined ? path : `${path}:${line}`;
        return `- **${code}** ${escapeInline(message)} (${escapeInline(place)})\n`;
      });
      write(`## Problems\n\n${lines.join("")}`);
    },
  };
}

function turnText(turn: Turn, detail: Telling): string {
  const when = moment(turn.startedAt);
  const attached = turn.attachments.map((file) => `> + ${escapeInline(file.name)}\n`);
  return [
    `## Turn ${turn.index}${when ? ` · ${when}` : ""}\n\n`,
    plain(turn.user)
      .split("\n")
      .map((line) => `> ${line}`.trimEnd())
      .join("\n"),
    `\n${attached.join("")}\n`,
    partsText(turn.parts, detail),
  ].join("");
}

function partsText(parts: readonly Part[], detail: Telling): string {
  let text = "";
  let before: Part | undefined;
  for (const part of parts) {
    const own = partText(part, detail);
    if (own === "") continue;
    // One-liners make a list; a paragraph needs a blank line before it.
    if (before && isItem(before) && !isItem(part)) text += "\n";
    text += own;
    before = part;
  }
  return before && isItem(before) ? `${text}\n` : text;
}

const isItem = (part: Part): boolean => part.kind !== "text" && part.kind !== "checkpoint";

function partText(part: Part, detail: Telling): string {
  switch (part.kind) {
    case "text":
      return part.text.trim() === "" ? "" : `${plain(part.text).trim()}\n\n`;
    case "thinking":
      if (part.text.trim() === "") return "";
      return detail.full || detail.thinking
        ? `- … thinking\n\n${fenced(part.text, "  ")}\n`
        : `- … ${escapeInline(thinkingGist(part.text).slice(0, 160))}\n`;
    case "tool":
      return toolText(part, detail);
    case "edit":
      return `- ✎ ${code(editGist(part, detail.workspace))}\n`;
    case "checkpoint":
      return `---\n\n*${escapeInline(checkpointGist(part))}*\n\n${detail.full ? `${plain(part.summary).trim()}\n\n` : ""}`;
    case "clear":
      return `- *${CLEAR_GIST}*\n`;
    case "notice":
      return `- ${part.level}: ${escapeInline(part.text)}\n`;
    case "note":
      return detail.full ? noteText(part, detail) : "";
  }
}

function noteText(note: NotePart, { workspace }: Telling): string {
  const [title, ...items] = noteLines(note, workspace);
  return [`- ${escapeInline(title)}\n`, ...items.map((item) => `  - ${escapeInline(item)}\n`)].join("");
}

function toolText(tool: ToolPart, detail: Telling): string {
  const outcome = outcomeOf(tool);
  const gist = gistOf(tool, detail.workspace);
  const line = `- ${STATUS_MARKS[tool.status]} **${escapeInline(tool.name)}**${gist ? ` ${code(gist)}` : ""}${outcome ? ` (${outcome})` : ""}\n`;
  const children = tool.children ?? [];
  if (!detail.full) return children.length === 0 ? line : `${line}  - ${childrenGist(children)}\n`;
  const nested = children.length === 0 ? "" : indent(partsText(children, detail), "  ");
  const provenance = provenanceOf(tool);
  const from = provenance === "" ? "" : `  ${escapeInline(provenance)}\n\n`;
  return `${line}\n${from}${fenced(inputText(tool.input), "  ")}${tool.result ? `\n${fenced(tool.result, "  ")}` : ""}\n${nested}`;
}
