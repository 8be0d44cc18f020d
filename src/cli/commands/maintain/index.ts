/** `rethread index`: brings the store up to date, once or continuously. */

import type { IndexReport, WatchReport } from "../../../app/contract.ts";
import { indexCopilot, restoreCopilot } from "../../../operations/upkeep/index-copilot.ts";
import { indexStore, refreshLine, watch } from "../../../operations/upkeep/index-store.ts";
import { outcomeOf, toIndexJson } from "../../../present/json/index-report.ts";
import { defineCommand } from "../../command.ts";
import { SOURCE_ARG } from "../../filters.ts";
import { aborted, interruptible } from "../../interrupt.ts";
import { type Output, SCHEMA_VERSION } from "../../output.ts";
import { printIndexReport, printRefresh } from "../../print/answers/index-report.ts";
import { IGNORE_LOCK_ARG } from "../../writing.ts";
import { runCopilot } from "./index-copilot.ts";

export default defineCommand({
  name: "index",
  summary: indexStore.summary,
  about:
    "Only what changed since the last run is read; an interrupted run continues the next time. Commands that use the store do this by themselves; run it to see what it does, to rebuild the store, or to keep it up to date all the time. The store can be deleted at any time. The exit code is 1 when it finished but something could not be read at all, and 130 when it was interrupted.",
  args: {
    ...SOURCE_ARG,
    rebuild: {
      kind: "flag",
      help: "read everything again into a new store, which then replaces the old one",
    },
    watch: {
      kind: "flag",
      help: "keep running until interrupted, and index what agents write within a second",
    },
    copilot: {
      kind: "flag",
      help: "rebuild Copilot CLI's own store from its sessions, instead of rethread's; faster than its /chronicle reindex, and removes stale rows",
    },
    dryRun: { kind: "flag", help: "with --copilot: show what would change, and write nothing" },
    restore: {
      kind: "text",
      value: "file",
      help: "with --copilot: restore the copy that was made before an earlier rebuild",
    },
    ...IGNORE_LOCK_ARG,
    jsonl: { kind: "flag", help: "print one JSON object per line; with --watch, --json does this as well" },
  },
  examples: [
    { command: "rethread index", why: "index what is new" },
    { command: "rethread index --rebuild", why: "read everything again" },
    { command: "rethread index --watch", why: "stay up to date while you work" },
    { command: "rethread index --copilot --dry-run", why: "see what is wrong in Copilot CLI's own store" },
  ],
  operations: [indexStore, watch, indexCopilot, restoreCopilot],
  json: [
    { schema: indexStore.output },
    {
      when: "with `--watch`",
      schema: refreshLine,
    },
    { when: "with `--copilot`", schema: indexCopilot.output },
    { when: "with `--restore`", schema: restoreCopilot.output },
  ],
  async run({ args, out, openApp }) {
    if (args.copilot || args.dryRun || args.ignoreLock || args.restore !== undefined)
      return runCopilot(args, openApp, out);
    const app = await openApp();
    const printer = createPrinter(args, out, app.demo !== undefined);
    return interruptible(async (interrupt) => {
      const request = args.source.length > 0 ? { sources: args.source } : {};
      const { signal } = interrupt;
      if (!args.watch || args.rebuild) {
        const report = await out.progress("Indexing", (call) =>
          indexStore.run(app, { ...request, rebuild: args.rebuild }, { ...call, signal }),
        );
        printer.summary(report);
        if (report.pending > 0) return interrupt.code;
        if (!args.watch) return outcomeOf(report) === "partial" ? 1 : 0;
      }
      const watching = await out.progress("Indexing", (call) =>
        app.watch({ ...request, onRefresh: printer.refresh }, { ...call, signal }),
      );
      printer.watching();
      await Promise.race([watching.ended, aborted(interrupt.signal)]);
      await watching.close();
      return 0;
    });
  },
});

/** One summary, and with `--watch` a line for each refresh after it. */
function createPrinter(
  args: { json: boolean; jsonl: boolean; rebuild: boolean; watch: boolean },
  out: Output,
  isDemo: boolean,
) {
  const isForPrograms = args.json || args.jsonl;
  const asLines = args.jsonl || args.watch;
  let isSummed = false;
  const summary = (report: IndexReport): void => {
    isSummed = true;
    const fields = toIndexJson(report);
    if (isForPrograms && asLines) out.jsonLine({ schemaVersion: SCHEMA_VERSION, ...fields });
    else if (isForPrograms) out.json(fields);
    else for (const line of printIndexReport(report, { isDemo, rebuild: args.rebuild })) out.line(line);
  };
  return {
    summary,
    refresh(report: WatchReport): void {
      if (!isSummed) summary(report);
      else if (report.indexed + report.removed === 0) return;
      else if (isForPrograms) out.jsonLine({ schemaVersion: SCHEMA_VERSION, ...toIndexJson(report) });
      else out.line(printRefresh(report));
    },
    watching(): void {
      if (!isForPrograms) out.note("Watching for changes. Press Ctrl-C to stop.");
    },
  };
}
