/** `rethread show`: prints a session. */

import type { App } from "../../../app/contract.ts";
import { AppError } from "../../../model/errors.ts";
import type { Problem } from "../../../model/problem.ts";
import { lastPrompt } from "../../../operations/questions/last-prompt.ts";
import { page } from "../../../operations/questions/page.ts";
import { sessionDocument, show, toVisitor } from "../../../operations/questions/show.ts";
import { jsonPage } from "../../../present/json/page.ts";
import { toTurnJson } from "../../../present/json/shapes.ts";
import type { Detail, PageVisitor } from "../../../present/page.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG, SESSION_ARG } from "../../filters.ts";
import { OPEN_ARG, openedShape, openPage } from "../../opening.ts";
import type { Output } from "../../output.ts";

/** Enough of a tool result to say why it failed. */
const GIST = 400;

export default defineCommand({
  name: "show",
  summary: show.summary,
  brief: "Read a session: prompts, answers, tool calls, edits",
  about:
    "In the terminal, thinking and tool results are shortened; --full prints them whole. An HTML page has everything, folded, in one file that loads no other files and runs no scripts.",
  isPaged: true,
  args: {
    ...SESSION_ARG,
    turn: { kind: "number", value: "n", help: "only this turn, counted from 0" },
    full: { kind: "flag", help: "print tool calls, results, thinking, sub-agents and summaries in full" },
    thinking: { kind: "flag", help: "print thinking in full" },
    format: {
      kind: "choice",
      choices: ["text", "md", "html", "json"],
      help: "the format to print (default: text)",
    },
    ...OPEN_ARG,
    jsonl: { kind: "flag", help: "print one JSON object per line, one for each turn" },
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread show 0b1c2d3e", why: "by the start of its id" },
    { command: 'rethread show "fix the login redirect" --turn 3', why: "one turn, by title" },
    { command: "rethread show 0b1c2d3e --format html > session.html", why: "a page to keep or send" },
    { command: "rethread show latest --open", why: "the same in your browser" },
  ],
  operations: [show, page, lastPrompt],
  json: [{ schema: sessionDocument }, { when: "with --open", schema: openedShape }],
  async run({ args, config, out, openApp }) {
    const format = chooseFormat(args);
    const app = await openApp();
    if (args.open) {
      checkOpening(args);
      const path = await out.progress("Reading the session", (call) =>
        page.run(app, { session: args.session }, toCall(call, args)),
      );
      return openPage(path, args, config, out);
    }
    const visitor = await createVisitor(format, { app, now: config.now() }, out, args);
    const needsAll = args.full || format !== "text";
    const input = {
      session: args.session,
      ...(args.turn !== undefined && { turn: args.turn }),
      ...(!needsAll && { textLimit: GIST }),
      whole: args.full,
    };
    await out.progress("Reading the session", (call) =>
      show.run(app, input, toVisitor(visitor), toCall(call, args)),
    );
    visitor.end();
    return 0;
  },
});

/** The page has all of the session, as HTML. */
function checkOpening(args: { turn: number | undefined; jsonl: boolean; format: string | undefined }): void {
  if (args.turn === undefined && !args.jsonl && (args.format === undefined || args.format === "html")) return;
  throw new AppError(
    "usage",
    "--open shows the whole session as an HTML page",
    "Leave out --turn, --jsonl and --format",
  );
}

interface Here {
  readonly app: Pick<App, "demo">;
  readonly now: Date;
}

type Format = "text" | "md" | "html" | "json" | "jsonl";

function chooseFormat(args: { json: boolean; jsonl: boolean; format: Format | undefined }): Format {
  const asked = new Set([args.json && "json", args.jsonl && "jsonl", args.format].filter(Boolean));
  if (asked.size > 1)
    throw new AppError(
      "usage",
      `show prints one format, not ${[...asked].join(" and ")}`,
      "Use only one of them",
    );
  const [format = "text"] = asked;
  return format as Format;
}

async function createVisitor(format: Format, here: Here, out: Output, detail: Detail): Promise<PageVisitor> {
  const { app } = here;
  switch (format) {
    case "json":
      return jsonPage(out.write, app);
    case "jsonl":
      return {
        head: () => undefined,
        preamble: () => undefined,
        turn: (turn) => out.jsonLine(toTurnJson(turn)),
        end: () => undefined,
      };
    case "md": {
      const { markdownPage } = await import("../../../present/markdown/page.ts");
      return markdownPage(out.write, detail);
    }
    case "html": {
      const { htmlPage } = await import("../../../present/html/page.ts");
      return htmlPage(out.write);
    }
    case "text":
      return textPage(here, out, detail);
  }
}

async function textPage({ app, now }: Here, out: Output, { full, thinking }: Detail): Promise<PageVisitor> {
  const { createTranscript } = await import("../../print/answers/transcript.ts");
  const transcript = createTranscript({
    style: out.style,
    columns: out.columns,
    now,
    isDemo: app.demo !== undefined,
    full,
    thinking,
  });
  let found: readonly Problem[] = [];
  const print = (lines: readonly string[]): void => out.write(lines.map((line) => `${line}\n`).join(""));
  return {
    head(session, problems) {
      found = problems;
      print(transcript.head(session));
    },
    preamble: (parts) => print(transcript.preamble(parts)),
    turn: (turn) => print(transcript.turn(turn)),
    end: () => print(transcript.problems(found)),
  };
}
