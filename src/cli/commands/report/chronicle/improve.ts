/** `rethread chronicle improve`: proposes lines for instruction files, and writes them when asked to. */
import { AppError } from "../../../../model/errors.ts";
import {
  chronicleImprove,
  INSTRUCTION_FILES,
  improve as write,
} from "../../../../operations/reports/chronicle-improve.ts";
import { toCall } from "../../../calling.ts";
import { toWorkFilter } from "../../../filters.ts";
import { runWriting } from "../../../writing.ts";
import { type Called, printReport, toPage } from "./called.ts";
import { workAsked } from "./options.ts";

export async function improve(called: Called): Promise<number> {
  const { args, config, out, openApp } = called;
  const files = INSTRUCTION_FILES.filter((name) => args.file.some((each) => names(name).includes(each)));
  const unknown = args.file.find((each) => !INSTRUCTION_FILES.some((name) => names(name).includes(each)));
  if (unknown !== undefined)
    throw new AppError(
      "usage",
      `"${unknown}" is no instruction file`,
      "Use AGENTS.md, copilot-instructions.md or CLAUDE.md",
    );
  const input = { ...toWorkFilter(args, config), ...(files.length > 0 && { files }) };
  const wanted = { ...input, ...(args.only.length > 0 && { findings: args.only.map(toId) }) };
  if (args.apply) return runWriting(toWriting(called), openApp, out, write, wanted);
  const app = await openApp();
  const answer = await out.progress("Reading sessions", (call) =>
    chronicleImprove.run(app, wanted, toCall(call, args)),
  );
  return printReport(called, app, "improve", {
    json: () => chronicleImprove.toJson(answer, app),
    text: async () =>
      (await import("../../../print/answers/improve.ts")).printImprovements(answer, {
        ...toPage(called, app),
        asked: workAsked(called, true),
      }),
    title: async () =>
      (await import("../../../../present/markdown/findings.ts")).findingsTitle("Improvements", answer),
    markdown: async (level) =>
      (await import("../../../../present/markdown/improve.ts")).markdownImprovements(answer, level),
  });
}

/** What a person types for it: all of its path, or its name in any case, with or without its ending. */
function names(file: (typeof INSTRUCTION_FILES)[number]): string[] {
  const name = file.split("/").at(-1) ?? file;
  return [
    file,
    name,
    name.toLowerCase(),
    name.replace(/\.md$/, "").toLowerCase(),
    ...(name.startsWith("copilot") ? ["copilot"] : []),
  ];
}

/** A place in the list is no name: what stands there changes with every session, and with every line that is written. */
function toId(word: string): string {
  if (/^[0-9a-f]{8}$/i.test(word)) return word.toLowerCase();
  throw new AppError("usage", `"${word}" is no id of a proposal`, {
    say: "Use those that are listed",
    remedy: { action: "chronicle", args: { report: "improve" } },
  });
}

const toWriting = ({ args }: Called) => ({ json: args.json, dryRun: args.dryRun, yes: args.yes });
