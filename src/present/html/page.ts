/**
 * A session as one HTML file that is safe to open: everything that was said is escaped, nothing runs, nothing loads.
 * It is written as it is read, so the list of turns comes last in the file; the style puts it beside the conversation.
 */
import { fixOf, type Problem } from "../../model/problem.ts";
import type { NotePart, Part, ToolPart, Turn } from "../../model/session/turns.ts";
import type { PageVisitor } from "../page.ts";
import { factsOf, titleOf } from "../text/facts.ts";
import { chars, clock, moment, plural } from "../text/measure.ts";
import {
  CLEAR_GIST,
  childrenGist,
  editGist,
  gistOf,
  inputText,
  noteLines,
  outcomeOf,
  provenanceOf,
  STATUS_MARKS,
} from "../text/parts.ts";
import { cut, oneLine } from "../text/text.ts";
import { escapeHtml } from "./escape.ts";
import { pageTop } from "./frame.ts";
import { createMarkdown } from "./markdown.ts";
import { PAGE_CSS } from "./style.ts";

export function htmlPage(write: (text: string) => void): PageVisitor {
  const markdown = createMarkdown();
  const entries: string[] = [];
  let found: readonly Problem[] = [];
  let lastDay = "";
  let workspace: string | undefined;

  function turnHtml(turn: Turn): string {
    const began = moment(turn.startedAt);
    const isNewDay = began.split(",")[0] !== lastDay;
    lastDay = began.split(",")[0] ?? "";
    const attached = turn.attachments.map((file) => `<li>${escapeHtml(oneLine(file.name))}</li>`).join("");
    return `<section class="turn" id="turn-${turn.index}">
<header><a class="number" href="#turn-${turn.index}">Turn ${turn.index}</a>${began ? `<time datetime="${escapeHtml(turn.startedAt ?? "")}">${isNewDay ? began : clock(turn.startedAt)}</time>` : ""}</header>
<div class="user" dir="auto">${markdown(turn.user)}${attached ? `<ul class="attachments">${attached}</ul>` : ""}</div>
<div class="agent">${partsHtml(turn.parts)}</div>
</section>
`;
  }

  const partsHtml = (parts: readonly Part[]): string => parts.map(partHtml).join("\n");

  function partHtml(part: Part): string {
    switch (part.kind) {
      case "text":
        return part.text.trim() === "" ? "" : `<div class="text" dir="auto">${markdown(part.text)}</div>`;
      case "thinking":
        return part.text.trim() === ""
          ? ""
          : fold(
              "thinking",
              `<span class="name">Thinking</span>`,
              chars(part.text.length),
              `<p class="pre" dir="auto">${escapeHtml(part.text.trim())}</p>`,
            );
      case "tool":
        return toolHtml(part);
      case "edit":
        return `<p class="edit"><code>${escapeHtml(editGist(part, workspace))}</code></p>`;
      case "checkpoint":
        return fold(
          "checkpoint",
          `<span class="name">Checkpoint</span> ${escapeHtml(oneLine(part.title ?? ""))}`,
          "older turns were replaced by this summary",
          `<div class="text">${markdown(part.summary)}</div>`,
        );
      case "clear":
        return `<p class="notice">${CLEAR_GIST}</p>`;
      case "notice":
        return `<p class="notice ${part.level}">${escapeHtml(oneLine(part.text))}</p>`;
      case "note":
        return noteHtml(part);
    }
  }

  function noteHtml(note: NotePart): string {
    const [title, ...items] = noteLines(note, workspace);
    if (items.length === 0) return `<p class="aside">${escapeHtml(title)}</p>`;
    const list = items.map((item) => `<li>${escapeHtml(item)}</li>`).join("");
    return fold("aside", `<span class="name">${escapeHtml(title)}</span>`, "", `<ul>${list}</ul>`);
  }

  function toolHtml(tool: ToolPart): string {
    const title = `<span class="mark">${STATUS_MARKS[tool.status]}</span> <span class="name">${escapeHtml(oneLine(tool.name))}</span> <code>${escapeHtml(gistOf(tool, workspace).slice(0, 200))}</code>`;
    const children = tool.children ?? [];
    const provenance = provenanceOf(tool);
    const body = [
      provenance === "" ? "" : `<p class="aside">${escapeHtml(provenance)}</p>`,
      `<pre class="input">${escapeHtml(inputText(tool.input))}</pre>`,
      tool.result ? `<pre class="result">${escapeHtml(tool.result)}</pre>` : "",
      children.length > 0
        ? `<div class="sub"><p>${childrenGist(children)}</p>${partsHtml(children)}</div>`
        : "",
    ];
    return fold(`tool ${tool.status}`, title, outcomeOf(tool), body.join(""));
  }

  return {
    head(session, problems) {
      found = problems;
      workspace = session.workspace;
      write(pageTop(titleOf(session), PAGE_CSS) + pageHead(titleOf(session), factsOf(session)));
      if (problems.length > 0)
        write(
          `<p class="warning"><a href="#problems">${plural(problems.length, "problem", "problems")}</a> found while reading this session</p>`,
        );
    },
    preamble: (parts) =>
      write(`<section class="turn"><div class="agent">${partsHtml(parts)}</div></section>\n`),
    turn(turn) {
      entries.push(
        `<li><a href="#turn-${turn.index}"><span>${turn.index}</span>${escapeHtml(cut(oneLine(turn.user.slice(0, 200)), 90)) || "–"}</a></li>`,
      );
      write(turnHtml(turn));
    },
    end: () =>
      write(
        `${problemsHtml(found)}</main>\n<nav id="turns" aria-label="Turns"><h2>Turns</h2><ol>${entries.join("\n")}</ol></nav>\n</body>\n</html>\n`,
      ),
  };
}

const fold = (kind: string, title: string, note: string, body: string): string =>
  `<details class="${kind}"><summary><span class="title">${title}</span><span class="note">${escapeHtml(note)}</span></summary>${body}</details>`;

function pageHead(title: string, facts: ReturnType<typeof factsOf>): string {
  const rows = facts
    .map(({ name, value, isCommand }) => {
      const text = escapeHtml(value);
      return `<div><dt>${name}</dt><dd>${isCommand ? `<code>${text}</code>` : text}</dd></div>`;
    })
    .join("");
  return `<header class="page"><h1 dir="auto">${escapeHtml(title)}</h1><dl>${rows}</dl><a class="jump" href="#turns">All turns</a></header>
`;
}

function problemsHtml(problems: readonly Problem[]): string {
  if (problems.length === 0) return "";
  const items = problems.map((problem) => {
    const { code, path, line, message } = problem;
    const fix = fixOf(problem);
    const place = line === undefined ? path : `${path}:${line}`;
    return `<li><strong>${code}</strong> ${escapeHtml(oneLine(message))}<br><code>${escapeHtml(oneLine(place))}</code>${fix ? `<br>${escapeHtml(oneLine(fix))}` : ""}</li>`;
  });
  return `<section class="problems" id="problems"><h2>Problems</h2><ul>${items.join("")}</ul></section>\n`;
}
