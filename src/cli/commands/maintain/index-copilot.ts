/** `rethread index --copilot`: rebuilds Copilot CLI's own store. */
import type { App } from "../../../app/contract.ts";
import { AppError } from "../../../model/errors.ts";
import { indexCopilot, restoreCopilot } from "../../../operations/upkeep/index-copilot.ts";
import { toIgnoring } from "../../../present/json/index-report.ts";
import { type Output, SCHEMA_VERSION } from "../../output.ts";
import { printCopilotReport, printRestored } from "../../print/changes/copilot-store.ts";
import { riskLines } from "../../print/changes/plan.ts";

interface CopilotArgs {
  readonly copilot: boolean;
  readonly dryRun: boolean;
  readonly restore: string | undefined;
  readonly ignoreLock: boolean;
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
  const { ignoreLock } = args;
  const app = await openApp();
  const isForPrograms = args.json || args.jsonl;
  const printFields = (fields: Readonly<Record<string, unknown>>): void =>
    args.jsonl ? out.jsonLine({ schemaVersion: SCHEMA_VERSION, ...fields }) : out.json(fields);
  const page = { columns: out.columns, style: out.style, isDemo: app.demo !== undefined };
  if (args.restore !== undefined) {
    const restored = await restoreCopilot.run(app, { file: args.restore, ignoreLock });
    const { backup, ignored } = restored;
    if (isForPrograms) printFields(restoreCopilot.toJson(restored, app));
    else
      for (const line of [
        ...printRestored(args.restore, backup, page),
        ...riskLines(toIgnoring(ignored), page),
      ])
        out.line(line);
    return 0;
  }
  const { dryRun } = args;
  const report = await out.progress("Reading sessions", (call) =>
    indexCopilot.run(app, { dryRun, ignoreLock }, call),
  );
  const { ignored } = report;
  const fields = indexCopilot.toJson(report, app);
  if (isForPrograms) printFields(fields);
  else
    for (const line of [...printCopilotReport(report, dryRun, page), ...riskLines(toIgnoring(ignored), page)])
      out.line(line);
  return fields.outcome === "partial" ? 1 : 0;
}

function refuseMixture(args: CopilotArgs): void {
  const { copilot, dryRun, restore, ignoreLock, rebuild, watch, source } = args;
  const wrong = (message: string, hint: string): AppError => new AppError("usage", message, hint);
  if (!copilot)
    throw wrong(
      `${dryRun ? "--dry-run" : ignoreLock ? "--ignore-lock" : "--restore"} needs --copilot: it is about Copilot CLI's own store`,
      "Add --copilot, or leave out this option",
    );
  if (rebuild || watch || source.length > 0)
    throw wrong(
      "--copilot is about Copilot CLI's own store, and cannot be combined with --rebuild, --watch or --source",
      "Run them one after the other: rethread index, and rethread index --copilot",
    );
  if (dryRun && restore !== undefined)
    throw wrong("--restore and --dry-run cannot be combined", "Use only one of them");
}
