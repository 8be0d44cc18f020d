/** `rethread index --copilot`: Copilot CLI's own store instead of ours. */
import type { App } from "../../app/contract.ts";
import { AppError } from "../../model/errors.ts";
import { type Output, SCHEMA_VERSION } from "../output.ts";
import { printCopilotReport, printRestored } from "../print/copilot-store.ts";

interface CopilotArgs {
  readonly copilot: boolean;
  readonly dryRun: boolean;
  readonly restore: string | undefined;
  readonly rebuild: boolean;
  readonly watch: boolean;
  readonly source: readonly string[];
  readonly json: boolean;
  readonly jsonl: boolean;
}

export async function runCopilot(
  args: CopilotArgs,
  openApp: () => Promise<App>,
  out: Output,
): Promise<number> {
  refuseMixture(args);
  const app = await openApp();
  const store = await app.copilotStore();
  const isForPrograms = args.json || args.jsonl;
  const printFields = (fields: Readonly<Record<string, unknown>>): void =>
    args.jsonl ? out.jsonLine({ schemaVersion: SCHEMA_VERSION, ...fields }) : out.json(fields);
  const page = { columns: out.columns, style: out.style, isDemo: app.demo !== undefined };
  if (args.restore !== undefined) {
    const { path, backup } = await store.restore(args.restore);
    if (isForPrograms) printFields({ store: path, restored: args.restore, backup });
    else for (const line of printRestored(args.restore, backup, page)) out.line(line);
    return 0;
  }
  const { dryRun } = args;
  const report = await out.progress("Reading sessions", (progress) =>
    store.rebuild({ dryRun, onProgress: ({ bytes, totalBytes }) => progress(bytes, totalBytes) }),
  );
  const { path, unreadable, backup = null, ...facts } = report;
  const outcome = unreadable > 0 ? "partial" : "complete";
  if (isForPrograms) printFields({ store: path, dryRun, outcome, unreadable, ...facts, backup });
  else for (const line of printCopilotReport(report, dryRun, page)) out.line(line);
  return outcome === "partial" ? 1 : 0;
}

function refuseMixture({ copilot, dryRun, restore, rebuild, watch, source }: CopilotArgs): void {
  const wrong = (message: string, hint: string): AppError => new AppError("usage", message, hint);
  if (!copilot)
    throw wrong(
      `${dryRun ? "--dry-run" : "--restore"} is about Copilot CLI's own store`,
      "Add --copilot, or leave it out",
    );
  if (rebuild || watch || source.length > 0)
    throw wrong(
      "--copilot is about Copilot CLI's own store, not about ours",
      "Run the two one after the other: rethread index, and rethread index --copilot",
    );
  if (dryRun && restore !== undefined) throw wrong("--restore has no --dry-run", "Leave out one of the two");
}
