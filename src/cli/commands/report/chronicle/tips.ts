/** `rethread chronicle tips`. */
import { chronicleTips } from "../../../../operations/reports/chronicle-tips.ts";
import { toCall } from "../../../calling.ts";
import { toWorkFilter } from "../../../filters.ts";
import { type Called, printReport, toPage } from "./called.ts";
import { workAsked } from "./options.ts";

export async function tips(called: Called): Promise<number> {
  const { args, config, out, openApp } = called;
  const app = await openApp();
  const answer = await out.progress("Reading sessions", (call) =>
    chronicleTips.run(app, toWorkFilter(args, config), toCall(call, args)),
  );
  return printReport(called, app, "tips", {
    json: () => chronicleTips.toJson(answer, app),
    text: async () =>
      (await import("../../../print/answers/tips.ts")).printTips(answer, {
        ...toPage(called, app),
        asked: workAsked(called, false),
      }),
    title: async () =>
      (await import("../../../../present/markdown/findings.ts")).findingsTitle("Tips", answer),
    markdown: async (level) =>
      (await import("../../../../present/markdown/findings.ts")).markdownFindings(answer.findings, level) ||
      "Nothing was found that costs time or tokens.\n",
  });
}
