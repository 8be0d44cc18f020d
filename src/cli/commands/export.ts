/** `rethread export`: write sessions down, to keep or to share. */
import { extname } from "node:path";
import type { ExportFormat } from "../../app/contract.ts";
import { AppError } from "../../model/errors.ts";
import { toSessionJson } from "../../present/json/shapes.ts";
import { toCall } from "../calling.ts";
import { defineCommand } from "../command.ts";
import { NO_REFRESH_ARG, PLACE_ARGS, toPlace } from "../filters.ts";
import { printRedactions, printWritten } from "../print/export.ts";

const TEXTS = ["md", "html", "json", "jsonl"] as const;
type Text = (typeof TEXTS)[number];
const FORMATS = [...TEXTS, "bundle", "copilot", "vscode"] as const;
type Format = (typeof FORMATS)[number];

export default defineCommand({
  name: "export",
  summary: "Write sessions as Markdown, HTML or JSON to share, or as a bundle for another machine",
  about:
    "One session goes to stdout, or to the file that --out names; several go to a folder, one file each, with an index page for Markdown and HTML. With --redact, secrets such as keys, tokens and passwords are replaced by marks such as [redacted: github token #1] (the same secret always gets the same mark), and home folders by ~; what was found is reported on stderr. Each JSON line has a `type`: `session` (as in `list`, with `schemaVersion`), `problem`, `preamble` or `turn` (as in `show`); the last three have the `source` and id of their `session`. A bundle (a gzipped tar with a manifest) holds everything that belongs to its sessions, byte for byte, for `rethread import`. The format `copilot` is the one that `copilot sessions import` reads: the messages that the model would receive, with their tool calls. The format `vscode` is the file that *Export Chat…* in VS Code writes; *Import Chat…* opens it, even while VS Code is running.",
  args: {
    sessions: {
      kind: "positional",
      rest: true,
      optional: true,
      help: "one or more sessions, each by any unique start of its id, its title, or source:id",
    },
    ...PLACE_ARGS,
    all: { kind: "flag", help: "all sessions" },
    limit: {
      kind: "number",
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
    force: { kind: "flag", help: "replace existing files" },
    redact: { kind: "flag", help: "remove secrets, and write home folders as ~" },
    full: { kind: "flag", help: "write tool calls and results in full in Markdown, and records of any size" },
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
      command: "rethread export 0b1c2d3e --out session.tar.gz",
      why: "everything, to continue on another machine",
    },
  ],
  json: {
    "(without --out)": "the session, as in `show`",
    path: "with --out: the file or folder that was written",
    "sessions[]": "as in `list`, with `file` (its name in the folder; `null` in a single file)",
    gone: "how many were left out because their files are gone and no copy was kept",
    "redactions[]": "`kind`, `secrets` (how many different ones); `null` without --redact",
    "losses[]": "for a bundle or a transcript: what is not included, in words",
  },
  async run({ args, config, out, openApp }) {
    const where = { ...toPlace(args, config), ...(args.limit && { limit: args.limit }) };
    checkSelection(args.sessions.length > 0, Object.keys(where).length > 0, args.all);
    const chosen = chooseFormat(args);
    if (chosen === "bundle") return (await import("../exporting.ts")).writeBundle(args, where, out, openApp);
    if (chosen === "copilot" || chosen === "vscode") {
      const { writeTranscript } = await import("../exporting.ts");
      return writeTranscript({ ...args, format: chosen }, where, out, openApp);
    }
    const format = await loadFormat(chosen, args.full);
    const app = await openApp();
    const report = await out.progress("Exporting", (call) =>
      app.export(
        {
          names: args.sessions,
          where,
          format,
          write: out.write,
          force: args.force,
          redact: args.redact,
          whole: args.full,
          ...(args.out !== undefined && { out: args.out }),
        },
        toCall(call, args),
      ),
    );
    // Where no session fits, there is none to print, but whoever asked for JSON gets some.
    const isEmptyJson = chosen === "json" && args.out === undefined && report.sessions.length === 0;
    if ((args.json && args.out !== undefined) || isEmptyJson)
      out.json({
        path: report.path ?? null,
        sessions: report.sessions.map(({ session, file }) => ({
          ...toSessionJson(session),
          file: file ?? null,
        })),
        gone: report.gone,
        redactions: report.redactions ?? null,
      });
    else for (const line of printWritten(report)) out.note(line);
    if (report.redactions) for (const line of printRedactions(report.redactions, out.columns)) out.note(line);
    return 0;
  },
});

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
  const isText = TEXTS.some((each) => each === args.format);
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
  return TEXTS.find((each) => each === ending) ?? "md";
}

async function loadFormat(format: Text, full: boolean): Promise<ExportFormat> {
  const common = { extension: format, isJoined: format === "jsonl" };
  switch (format) {
    case "md": {
      const [{ markdownPage }, { markdownIndex }] = await Promise.all([
        import("../../present/markdown/page.ts"),
        import("../../present/html/export-index.ts"),
      ]);
      return {
        ...common,
        page: (write) => markdownPage(write, { full, thinking: full }),
        index: markdownIndex,
      };
    }
    case "html": {
      const [{ htmlPage }, { htmlIndex }] = await Promise.all([
        import("../../present/html/page.ts"),
        import("../../present/html/export-index.ts"),
      ]);
      return { ...common, page: htmlPage, index: htmlIndex };
    }
    case "json":
      return { ...common, page: (await import("../../present/json/page.ts")).jsonPage };
    case "jsonl":
      return { ...common, page: (await import("../../present/json/lines-page.ts")).jsonlPage };
  }
}
