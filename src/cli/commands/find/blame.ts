/** `rethread blame`: says which session wrote each line of a file. */

import { AppError } from "../../../model/errors.ts";
import { blame, files } from "../../../operations/reports/blame.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG } from "../../filters.ts";

export default defineCommand({
  name: "blame",
  summary: blame.summary,
  brief: "Say which session wrote each line of a file, and why",
  about:
    "Goes by the edits that the agents recorded, and follows the file through moves that git or a session knows of. Lines that no session wrote have their commit. Turns that a fork or clone copied belong to the original; what failed or was undone does not count. Without a file, it lists those that sessions changed here.",
  isPaged: true,
  args: {
    file: {
      kind: "positional",
      optional: true,
      help: "a file, or one or several of its lines: src/cart.ts:12, src/cart.ts:12-40",
    },
    lines: { kind: "text", value: "from-to", help: "the lines, for a file whose name ends with a number" },
    why: { kind: "flag", help: "print the prompt and the reasoning behind one line" },
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread blame src/cart.ts", why: "the file with its sessions beside the lines" },
    {
      command: "rethread blame src/cart.ts:12 --why",
      why: "what was asked and thought when line 12 was written",
    },
    { command: "rethread blame src/cart.ts:1-40 --json", why: "the same for a script" },
    { command: "rethread blame", why: "the files in this folder that sessions changed" },
  ],
  operations: [blame, files],
  json: [
    { when: "with a file", schema: blame.output },
    { when: "without one", schema: files.output },
  ],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const setting = { now: config.now(), isDemo: app.demo !== undefined, folder: config.folder };
    const print = (lines: readonly string[]): void => {
      for (const line of lines) out.line(line);
    };
    if (args.file === undefined) {
      const unused = args.why ? "--why" : args.lines === undefined ? undefined : "--lines";
      if (unused !== undefined)
        throw new AppError("usage", `${unused} is about a file, and none is named`, "Name it: <file>:<line>");
      const found = await out.progress("Reading sessions", (call) =>
        files.run(app, { folder: config.folder }, toCall(call, args)),
      );
      if (args.json) out.json(files.toJson(found, app));
      else {
        const { printChangedFiles } = await import("../../print/answers/changed-files.ts");
        print(printChangedFiles(found, setting, out));
      }
      return 0;
    }
    const input = { ...placeOf(args.file, args.lines), here: config.folder, why: args.why };
    const report = await out.progress("Reading sessions", (call) =>
      blame.run(app, input, toCall(call, args)),
    );
    if (args.json) out.json(blame.toJson(report, app));
    else if (args.why) {
      const { printWhy } = await import("../../print/answers/blame-why.ts");
      print(printWhy(report, setting, out));
    } else {
      const { printBlame } = await import("../../print/answers/blame.ts");
      print(printBlame(report, setting, out));
    }
    return 0;
  },
});

/** `file:12`, `file:12-40`; with `--lines`, the whole word is the file. */
function placeOf(word: string, lines: string | undefined): { file: string; line?: number; to?: number } {
  const [, file = word, range] =
    lines === undefined ? (/^(.+):(\d+(?:-\d+)?)$/.exec(word) ?? []) : [word, word, lines];
  if (range === undefined) return { file };
  const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
  const line = Number(from);
  if (from === undefined || line < 1)
    throw new AppError(
      "usage",
      `"${range}" names no lines`,
      "Name one or several, counted from 1: 12 or 12-40",
    );
  return { file, line, ...(to !== undefined && { to: Number(to) }) };
}
