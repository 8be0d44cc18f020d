/** `rethread chronicle improve`: proposes lines for instruction files, and writes them when asked to. */
import { AppError } from "../../../model/errors.ts";
import {
  chronicleImprove,
  INSTRUCTION_FILES,
  improve as write,
} from "../../../operations/chronicle-improve.ts";
import { toCall } from "../../calling.ts";
import { toWorkFilter } from "../../filters.ts";
import { runWriting } from "../../writing.ts";
import { type Called, printReport, toPage } from "./called.ts";

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
  if (args.apply && args.only.length === 0) return runWriting(toWriting(called), openApp, out, write, input);
  const app = await openApp();
  const answer = await out.progress("Reading sessions", (call) =>
    chronicleImprove.run(app, input, toCall(call, args)),
  );
  const findings =
    args.only.length === 0 ? answer.findings : args.only.map((number) => chosen(answer.findings, number));
  if (args.apply) {
    const ids = findings.map(({ id }) => id);
    return runWriting(toWriting(called), async () => app, out, write, { ...input, findings: ids });
  }
  return printReport(called, app, "improve", {
    json: () => chronicleImprove.toJson(answer, app),
    text: async () =>
      (await import("../../print/answers/improve.ts")).printImprovements(answer, toPage(called, app)),
    title: async () =>
      (await import("../../../present/markdown/findings.ts")).findingsTitle("Improvements", answer),
    markdown: async (level) =>
      (await import("../../../present/markdown/improve.ts")).markdownImprovements(answer, level),
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

/** By the number under which it was listed. */
function chosen<T>(findings: readonly T[], number: string): T {
  const found = /^\d+$/.test(number) ? findings[Number(number) - 1] : undefined;
  if (found) return found;
  throw new AppError(
    "usage",
    `There is no proposal ${number}`,
    findings.length === 0 ? "There are no proposals" : `Use numbers from 1 to ${findings.length}`,
  );
}

const toWriting = ({ args }: Called) => ({ json: args.json, dryRun: args.dryRun, yes: args.yes });
