/** `rethread chronicle reindex`: `rethread index`, under the name that Copilot CLI has for it. */
import { indexStore } from "../../../../operations/upkeep/index-store.ts";
import { outcomeOf } from "../../../../present/json/index-report.ts";
import { printIndexReport } from "../../../print/answers/index-report.ts";
import type { Called } from "./called.ts";

export async function reindex({ args, out, openApp }: Called): Promise<number> {
  const app = await openApp();
  const report = await out.progress("Indexing", (call) =>
    indexStore.run(app, args.source.length > 0 ? { sources: args.source } : {}, call),
  );
  if (args.json || args.format === "json") out.json(indexStore.toJson(report, app));
  else
    for (const line of printIndexReport(report, { isDemo: app.demo !== undefined, rebuild: false }))
      out.line(line);
  return outcomeOf(report) === "partial" ? 1 : 0;
}
