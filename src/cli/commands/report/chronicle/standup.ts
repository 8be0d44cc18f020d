/** `rethread chronicle standup`. */
import { chronicleStandup } from "../../../../operations/reports/chronicle-standup.ts";
import { toCall } from "../../../calling.ts";
import { toWorkFilter } from "../../../filters.ts";
import { type Called, printReport, toPage } from "./called.ts";
import { workAsked } from "./options.ts";

export async function standup(called: Called): Promise<number> {
  const { args, config, out, openApp } = called;
  const app = await openApp();
  const input = { ...toWorkFilter(args, config), git: !args.noGit };
  const answer = await out.progress("Reading sessions", (call) =>
    chronicleStandup.run(app, input, toCall(call, args)),
  );
  return printReport(called, app, "standup", {
    json: () => chronicleStandup.toJson(answer, app),
    text: async () =>
      (await import("../../../print/answers/standup.ts")).printStandup(answer, {
        ...toPage(called, app),
        asked: workAsked(called, false),
      }),
    title: async () => (await import("../../../../present/markdown/standup.ts")).standupTitle(answer),
    markdown: async (level) =>
      (await import("../../../../present/markdown/standup.ts")).markdownStandup(answer, level),
  });
}
