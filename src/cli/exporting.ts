/** The formats of `rethread export` that programs import: bundles, and the formats of Copilot CLI and VS Code. */
import type { App, ExportReduction, WorkPlace } from "../app/contract.ts";
import { AppError } from "../model/errors.ts";
import { shortId } from "../model/values/id.ts";
import { exportBundle, exportTranscript, exportTranscripts } from "../operations/questions/export.ts";
import { toCall } from "./calling.ts";
import type { Output } from "./output.ts";
import { printBundled, printRedactions, printTranscript } from "./print/answers/export.ts";

interface Args {
  readonly sessions: readonly string[];
  readonly out: string | undefined;
  readonly force: boolean;
  readonly redact: boolean;
  readonly json: boolean;
  readonly noRefresh: boolean;
}

const pageOf = ({ demo }: Pick<App, "demo">, { columns }: Output) => ({
  columns,
  isDemo: demo !== undefined,
});

export async function writeBundle(
  args: Args,
  where: WorkPlace,
  out: Output,
  openApp: () => Promise<App>,
): Promise<number> {
  if (args.redact)
    throw new AppError("usage", "A bundle holds sessions byte for byte, so it cannot be redacted", {
      say: "Export text instead",
      remedy: {
        action: "export",
        args: { redact: true, out: "session.md" },
        asks: { session: "session" },
      },
    });
  const app = await openApp();
  const [name = ""] = args.sessions;
  const isOne = args.sessions.length === 1 && /^[\w:.-]+$/.test(name);
  const path =
    args.out ?? (isOne ? `session-${shortId(name.replace(/^.*:/, ""))}.tar.gz` : "sessions.tar.gz");
  const report = await out.progress("Packing", (call) =>
    exportBundle.run(
      app,
      { sessions: args.sessions, ...where, out: path, force: args.force },
      toCall(call, args),
    ),
  );
  if (args.json) out.json(exportBundle.toJson(report, app));
  else for (const line of printBundled(report, pageOf(app, out))) out.note(line);
  return 0;
}

export async function writeTranscript(
  args: Args & { readonly format: "copilot" | "vscode"; readonly reduction: ExportReduction },
  where: WorkPlace,
  out: Output,
  openApp: () => Promise<App>,
): Promise<number> {
  const app = await openApp();
  if (args.json && args.out === undefined)
    throw new AppError(
      "usage",
      "The session and the --json report would both go to stdout",
      "Name a file with --out",
    );
  const { sessions, format, force, redact, reduction } = args;
  const report = await exportTranscripts(
    app,
    { sessions, ...where, format, force, redact, ...reduction },
    { write: out.write, ...(args.out !== undefined && { out: args.out }) },
    toCall({}, args),
  );
  const { redactions } = report;
  if (args.json) out.json(exportTranscript.toJson(report, app));
  else for (const line of printTranscript(report, args.format, pageOf(app, out))) out.note(line);
  if (redactions) for (const line of printRedactions(redactions, out.columns)) out.note(line);
  return 0;
}
