/** Prints a conversation in the terminal. */
import type { Problem } from "../../../model/problem.ts";
import type { Session, Sidecar } from "../../../model/session/session.ts";
import type { Part, ToolPart, Turn } from "../../../model/session/turns.ts";
import type { Detail, Page } from "../../../present/page.ts";
import { factsOf, titleOf } from "../../../present/text/facts.ts";
import { bytes, clock, moment } from "../../../present/text/measure.ts";
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
} from "../../../present/text/parts.ts";
import { cut, oneLine, pad, pieces, plain, widthOf, wrap } from "../../../present/text/text.ts";
import { renderMarkdown } from "../terminal/markdown.ts";
import { problemLines } from "./problems.ts";

export interface TranscriptOptions extends Page, Detail {
  readonly now: Date;
  readonly isDemo: boolean;
}

/** Longer lines are hard to read, however wide the window is. */
const WIDEST = 100;
const INDENT = "  ";

export function createTranscript(options: TranscriptOptions) {
  const { style, full } = options;
  const width = Math.min(options.columns, WIDEST);
  let workspace: string | undefined;
  let lastDay = "";

  const head = (session: Session): string[] => {
    workspace = session.workspace;
    return [
      ...wrap(titleOf(session), width).map(style.bold),
      ...factsOf(session, options).flatMap(({ name, value, isCommand }) => [
        // Half a command cannot be copied.
        style.dim(pad(name, 11)) + (isCommand ? value : cut(value, options.columns - 11)),
        ...(full && name === "also has" ? (session.sidecars ?? []).map(besideLine) : []),
      ]),
      "",
    ];
  };

  const besideLine = ({ kind, name, detail, bytes: size }: Sidecar): string =>
    style.dim(
      cut(
        `${" ".repeat(11)}${[kind, oneLine(name), detail && oneLine(detail), size !== undefined && bytes(size)].filter(Boolean).join(" · ")}`,
        options.columns,
      ),
    );

  const turn = (each: Turn): string[] => [
    ...userLines(each),
    "",
    ...partsLines(each.parts, INDENT),
    ...(each.parts.length > 0 ? [""] : []),
  ];

  function userLines(each: Turn): string[] {
    const began = moment(each.startedAt);
    const [today = ""] = began.split(",");
    const when = today === lastDay ? clock(each.startedAt) : began;
    lastDay = today;
    const title =
      style.bold("You") +
      style.dim(
        [`turn ${each.index}`, when]
          .filter(Boolean)
          .map((word) => ` · ${word}`)
          .join(""),
      );
    const attached = each.attachments.map((file) => style.dim(cut(`+ ${oneLine(file.name)}`, width - 2)));
    const words = renderMarkdown(each.user, width - 2, style);
    return [title, ...words, ...attached].map((line) => `${style.green("▌")} ${line}`.trimEnd());
  }

  function partsLines(parts: readonly Part[], indent: string): string[] {
    const lines: string[] = [];
    let before: Part | undefined;
    for (const part of parts) {
      const own = partLines(part, indent);
      if (own.length === 0) continue;
      // Words stand apart from the work between them; one-liners stand together.
      if (before && (isProse(before) || isProse(part))) lines.push("");
      for (const line of own) lines.push(line); // not push(...own): a result may have a million lines
      before = part;
    }
    return lines;
  }

  const isProse = (part: Part): boolean =>
    part.kind === "text" ||
    (full && (part.kind === "tool" || part.kind === "checkpoint" || part.kind === "thinking"));

  function partLines(part: Part, indent: string): string[] {
    switch (part.kind) {
      case "text":
        return part.text.trim() === ""
          ? []
          : indented(renderMarkdown(part.text, width - widthOf(indent), style), indent);
      case "thinking":
        return thinkingLines(part.text, indent);
      case "tool":
        return toolLines(part, indent);
      case "edit":
        return [indent + style.magenta(cut(`✎ ${editGist(part, workspace)}`, width - widthOf(indent)))];
      case "checkpoint":
        return [
          ...ruled(checkpointGist(part), indent),
          ...(full
            ? indented(renderMarkdown(part.summary, width - widthOf(indent) - 2, style), `${indent}  `)
            : []),
        ];
      case "clear":
        return ruled(CLEAR_GIST, indent);
      case "notice": {
        const paint = { info: style.dim, warning: style.yellow, error: style.red }[part.level];
        return indented(wrap(`${part.level}: ${oneLine(part.text)}`, width - widthOf(indent)), indent).map(
          paint,
        );
      }
      case "note":
        return full
          ? noteLines(part, workspace).map((line, i) =>
              style.dim(cut(`${indent}${i === 0 ? "≡ " : "    "}${line}`, width)),
            )
          : [];
    }
  }

  function thinkingLines(text: string, indent: string): string[] {
    if (text.trim() === "") return [];
    if (!full && !options.thinking)
      return [indent + style.dim(cut(`… ${thinkingGist(text)}`, width - widthOf(indent)))];
    const body = wrapAll(text, width - widthOf(indent) - 2);
    return [`${indent}${style.dim("… thinking")}`, ...indented(body, `${indent}  `).map(style.dim)];
  }

  function toolLines(tool: ToolPart, indent: string): string[] {
    const paint = { ok: style.green, failed: style.red, interrupted: style.yellow, pending: style.yellow }[
      tool.status
    ];
    const room = width - widthOf(indent);
    const outcome = outcomeOf(tool);
    const name = cut(oneLine(tool.name), Math.max(8, room - 20));
    const gist = cut(gistOf(tool, workspace), Math.max(0, room - widthOf(name) - widthOf(outcome) - 5));
    const left = `${paint(STATUS_MARKS[tool.status])} ${style.bold(name)} ${gist}`;
    const space = Math.max(1, room - widthOf(left) - widthOf(outcome));
    const line = `${indent}${left}${" ".repeat(space)}${style.dim(outcome)}`.trimEnd();
    if (full) return [line, ...fullTool(tool, `${indent}  `), ...childLines(tool, indent)];
    const why = tool.status === "failed" ? firstLine(tool.result) : "";
    return [
      line,
      ...(why ? [`${indent}  ${style.red(cut(why, room - 2))}`] : []),
      ...(tool.children?.length
        ? [`${indent}  ${style.dim(cut(`└ ${childrenGist(tool.children)}`, room - 2))}`]
        : []),
    ];
  }

  const childLines = (tool: ToolPart, indent: string): string[] =>
    tool.children?.length ? ["", ...partsLines(tool.children, `${indent}${style.dim("│")} `)] : [];

  function fullTool(tool: ToolPart, indent: string): string[] {
    const room = width - widthOf(indent) - 2;
    const block = (text: string): string[] =>
      text.trim() === ""
        ? []
        : preformatted(text, room).map((line) => `${indent}${style.dim("│")} ${line}`.trimEnd());
    const provenance = provenanceOf(tool);
    return [
      ...(provenance === "" ? [] : wrap(provenance, room).map((line) => `${indent}${style.dim(line)}`)),
      ...block(inputText(tool.input)).map(style.dim),
      ...(tool.result ? [`${indent}${style.dim("├─")}`, ...block(tool.result)] : []),
    ];
  }

  const ruled = (text: string, indent: string): string[] =>
    indented(wrap(`── ${text} ──`, width - widthOf(indent)), indent).map(style.yellow);

  return {
    head,
    turn,
    preamble: (parts: readonly Part[]): string[] => [...partsLines(parts, INDENT), ""],
    problems: (problems: readonly Problem[]): string[] =>
      problems.length === 0
        ? []
        : [style.bold("Problems"), ...problemLines(problems, options.columns, style)],
  };
}

const indented = (lines: readonly string[], indent: string): string[] =>
  lines.map((line) => (line === "" ? "" : indent + line));

const wrapAll = (text: string, width: number): string[] =>
  plain(text)
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrap(line, width));

const preformatted = (text: string, width: number): string[] =>
  plain(text)
    .trimEnd()
    .split("\n")
    .flatMap((line) => pieces(line, width));

const firstLine = (text: string | undefined): string =>
  oneLine(text?.split("\n").find((line) => line.trim() !== "") ?? "");
