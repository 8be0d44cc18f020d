/** `rethread export`: writes sessions to files or stdout. */

import { extname, join } from "node:path";
import { noticeNewFolder } from "../../../app/export/folder.ts";
import { AppError } from "../../../model/errors.ts";
import {
  exportBundle,
  exportFiles,
  exportTexts,
  exportTranscript,
  TEXT_FORMATS,
  TRANSCRIPT_FORMATS,
} from "../../../operations/questions/export.ts";
import { page } from "../../../operations/questions/page.ts";
import { sessionDocument } from "../../../operations/questions/show.ts";
import { meant } from "../../args.ts";
import { toCall } from "../../calling.ts";
import { defineCommand } from "../../command.ts";
import { NO_REFRESH_ARG, SESSIONS_HELP, toWorkFilter, WORK_FILTER_ARGS } from "../../filters.ts";
import { OPEN_ARG, openedShape, openPage } from "../../opening.ts";
import { REDUCTION_ARGS, toReduction } from "../../parse/reduction.ts";
import { printRedactions, printWritten } from "../../print/answers/export.ts";

const FORMATS = [...TEXT_FORMATS, "bundle", ...TRANSCRIPT_FORMATS] as const;
type Format = (typeof FORMATS)[number];

export default defineCommand({
  name: "export",
  summary: "Write sessions as Markdown, HTML or JSON to share, or as a bundle for another machine",
  brief: "Write sessions as Markdown, HTML, JSON, or a bundle",
  about:
    "One session goes to stdout, or to the file that --out names; several go to a folder, one file each, with an index page for Markdown and HTML. With --redact, secrets such as keys, tokens and passwords are replaced by marks such as [redacted: github token #1] (the same secret always gets the same mark), and home folders by ~; what was found is reported on stderr. Each JSON line has a `type`: `session` (as in `list`, with `schemaVersion`), `problem`, `preamble` or `turn` (as in `show`); the last three have the `source` and id of their `session`. A bundle (a gzipped tar with a manifest) holds everything that belongs to its sessions, byte for byte, for `rethread import`. The format `copilot` is the one that `copilot sessions import` reads: the messages that the model would receive, with their tool calls. The format `vscode` is the file that *Export Chat…* in VS Code writes; *Import Chat…* opens it, even while VS Code is running. Both can be a smaller copy, made with the options of `clone`; the session itself stays as it is.",
  isPaged: true,
  args: {
    sessions: {
      kind: "positional",
      session: true,
      rest: true,
      optional: true,
      help: SESSIONS_HELP,
    },
    ...WORK_FILTER_ARGS,
    all: { kind: "flag", help: "all sessions" },
    limit: {
      kind: "number",
      short: "n",
      value: "n",
      help: "at most this many of the matching sessions, most recent first",
    },
    format: {
      kind: "choice",
      choices: FORMATS,
      help: "the format to write (default: by the extension of --out, otherwise md; .tar.gz is a bundle)",
    },
    out: {
      kind: "text",
      value: "path",
      help: "the file or folder to write; jsonl puts several sessions into one file",
    },
    ...OPEN_ARG,
    force: { kind: "flag", help: "replace existing files" },
    redact: { kind: "flag", help: "remove secrets, and write home folders as ~" },
    full: { kind: "flag", help: "write tool calls and results in full in Markdown, and records of any size" },
    ...REDUCTION_ARGS,
    ...NO_REFRESH_ARG,
  },
  examples: [
    { command: "rethread export 0b1c2d3e --redact > session.md", why: "text to paste into a ticket" },
    { command: "rethread export 0b1c2d3e --redact --out session.html", why: "a page to send" },
    {
      command: "rethread export --workspace . --since 7d --format html --out week",
      why: "a week's work in this folder, with an index page",
    },
    { command: "rethread export --all --out sessions.jsonl", why: "everything, for a script" },
    {
      command: "rethread export 0b1c2d3e --format vscode --out chat.json",
      why: "a chat for VS Code's own Import Chat…",
    },
    {
      command: "rethread export 0b1c2d3e --format vscode --budget 60k --out small.json",
      why: "a smaller copy, to be imported while VS Code is running",
    },
    {
      command: "rethread export 0b1c2d3e --out session.tar.gz",
      why: "everything, to continue on another machine",
    },
  ],
  operations: [exportFiles, exportBundle, exportTranscript, page],
  json: [
    {
      when: "without --out",
      schema: sessionDocument,
      like: { command: "show", schema: sessionDocument },
    },
    { when: "with --out", schema: exportFiles.output },
    { when: "with --open", schema: openedShape },
    { when: "of a bundle", schema: exportBundle.output },
    { when: "of a transcript", schema: exportTranscript.output },
  ],
  async run({ args: given, config, out, openApp, pickSession }) {
    const newFolder = noticeNewFolder(config.folder, given.out);
    try {
      const where = { ...toWorkFilter(given, config), ...(given.limit && { limit: given.limit }) };
      const isOpen = given.sessions.length === 0 && Object.keys(where).length === 0 && !given.all;
      const args = isOpen && pickSession ? { ...given, sessions: [await pickSession()] } : given;
      checkSelection(args.sessions.length > 0, Object.keys(where).length > 0, args.all);
      const reduction = { ...toReduction(args), ...(args.summarize && { summarize: true }) };
      const chosen = args.open ? chooseOpened(args) : chooseFormat(args);
      if (Object.keys(reduction).length > 0 && chosen !== "copilot" && chosen !== "vscode")
        throw new AppError(
          "usage",
          `The format ${chosen} holds whole sessions`,
          "Use --format vscode or --format copilot for a smaller copy, or rethread clone",
        );
      if (chosen === "bundle")
        return (await import("../../exporting.ts")).writeBundle(args, where, out, openApp);
      if (chosen === "copilot" || chosen === "vscode") {
        const { writeTranscript } = await import("../../exporting.ts");
        return writeTranscript({ ...args, format: chosen, reduction }, where, out, openApp);
      }
      const app = await openApp();
      if (args.open && args.out === undefined) {
        const [session = "", ...others] = args.sessions;
        if (session === "" || others.length > 0)
          throw new AppError("usage", "Several sessions need a folder", "Add --out <folder>");
        const path = await out.progress("Exporting", (call) =>
          page.run(app, { session, redact: args.redact }, toCall(call, args)),
        );
        return openPage(path, args, config, out);
      }
      const target = { write: out.write, ...(args.out !== undefined && { out: args.out }) };
      const { sessions, force, redact, full } = args;
      const report = await out.progress("Exporting", (call) =>
        exportTexts(
          app,
          { sessions, ...where, format: chosen, force, redact, full },
          target,
          toCall(call, args),
        ),
      );
      if (args.open && report.path !== undefined) {
        if (!args.json) for (const line of printWritten(report, app.demo !== undefined)) out.note(line);
        if (report.redactions)
          for (const line of printRedactions(report.redactions, out.columns)) out.note(line);
        const isFolder = report.sessions.some(({ file }) => file !== undefined);
        return openPage(isFolder ? join(report.path, "index.html") : report.path, args, config, out);
      }
      // If no session matches, there is none to print, but JSON output must still be valid.
      const isEmptyJson = chosen === "json" && args.out === undefined && report.sessions.length === 0;
      if ((args.json && args.out !== undefined) || isEmptyJson) out.json(exportFiles.toJson(report, app));
      else for (const line of printWritten(report, app.demo !== undefined)) out.note(line);
      if (report.redactions)
        for (const line of printRedactions(report.redactions, out.columns)) out.note(line);
      return 0;
    } finally {
      const created = newFolder();
      if (created !== undefined) out.note(`Created the folder ${created}`);
    }
  },
});

/** Browsers show HTML, so that is what `--open` means where nothing else is said. */
function chooseOpened(args: Parameters<typeof chooseFormat>[0]): Format {
  const isSaid = args.format !== undefined || extname(args.out ?? "") !== "";
  const format = isSaid ? chooseFormat({ ...args, json: false }) : "html";
  if (format === "html") return format;
  throw new AppError("usage", `--open shows HTML pages, not ${format}`, "Use --format html");
}

const KNOWN_ENDINGS = [...TEXT_FORMATS, "tar.gz", "tgz"];

function checkSelection(isNamed: boolean, isFiltered: boolean, isAll: boolean): void {
  if ([isNamed, isFiltered, isAll].filter(Boolean).length === 1) return;
  if (isNamed || (isFiltered && isAll))
    throw new AppError(
      "usage",
      "Choose sessions by name, by filters, or with --all, not by two of these at once",
      "Use only one of them",
    );
  throw new AppError(
    "usage",
    "export needs to know which sessions",
    "Name sessions, filter them as in list, or add --all; see: rethread help export",
  );
}

function chooseFormat(args: { json: boolean; format: Format | undefined; out: string | undefined }): Format {
  const onStdout = args.out === undefined;
  const isText = TEXT_FORMATS.some((each) => each === args.format);
  if (onStdout && args.json && isText && args.format !== "json")
    throw new AppError(
      "usage",
      `export prints one format, not json and ${args.format}`,
      "Use only one of them",
    );
  if (args.format !== undefined) return args.format;
  if (onStdout && args.json) return "json";
  if (/\.(tar\.gz|tgz)$/i.test(args.out ?? "")) return "bundle";
  const ending = extname(args.out ?? "")
    .slice(1)
    .toLowerCase();
  const known = TEXT_FORMATS.find((each) => each === ending);
  if (known || ending === "" || /[\\/]$/.test(args.out ?? "")) return known ?? "md";
  throw new AppError(
    "usage",
    `The extension .${ending} does not name a format`,
    meant(ending, KNOWN_ENDINGS) ??
      `Use ${KNOWN_ENDINGS.map((each) => `.${each}`).join(", ")}, or add --format`,
  );
}
