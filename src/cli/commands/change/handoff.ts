/** `rethread handoff`: continues a session of one program in another. */
import { handoffTargets } from "../../../app/source-names.ts";
import { AppError } from "../../../model/errors.ts";
import { BRIEF_SECTIONS, type BriefSection } from "../../../model/summary/brief.ts";
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { handoff } from "../../../operations/changes/handoff.ts";
import { handoffBrief } from "../../../operations/reports/handoff-brief.ts";
import { defineCommand } from "../../command.ts";
import { SESSION_ARG } from "../../filters.ts";
import { toTokens } from "../../parse/reduction.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { ADDING_ARGS, runWriting } from "../../writing.ts";

export default defineCommand({
  name: "handoff",
  summary: handoff.summary,
  about:
    "The other program gets a session of its own, with everything that the model would receive if this one were resumed: prompts, answers, thinking, images, and tool calls with their results under the names of its own tools. What it has nothing like becomes labelled text, which turns back into what it was when the session returns. The report says what is native, what is text, and what is left behind. The original stays as it is. VS Code must not be running when a session goes there.",
  args: {
    ...SESSION_ARG,
    to: {
      kind: "text",
      value: "source",
      help: `the program that continues: ${handoffTargets()}`,
    },
    workspace: {
      kind: "text",
      value: "folder",
      completes: "workspaces",
      help: "the folder to continue in, instead of the session's own; for VS Code also a .code-workspace file, or the id of a workspace",
    },
    name: { kind: "text", value: "name", help: "the new session's name (default: the original's)" },
    at: { kind: "text", value: "turn", help: "the last turn to hand over, counted from 0 (default: all)" },
    budget: {
      kind: "text",
      value: "tokens",
      help: "leave out enough to fit this many tokens, such as 60k, as clone does; with --as-brief, the length of the briefing (default: 2k)",
    },
    asBrief: {
      kind: "flag",
      help: "print a briefing in Markdown instead (goal, state, decisions, files, open questions, last errors), for agents that rethread cannot write sessions for",
    },
    ...ADDING_ARGS,
    ...WHEN_CLOSED_ARGS,
  },
  examples: [
    { command: "rethread handoff 0b1c2d3e --to claude-code", why: "continue in Claude Code" },
    {
      command: "rethread handoff 0b1c2d3e --to vscode --dry-run",
      why: "see what VS Code would get, and write nothing",
    },
    {
      command: "rethread handoff 0b1c2d3e --to copilot-cli --budget 60k --workspace ../other",
      why: "what matters of it, in another folder",
    },
    { command: "rethread handoff 0b1c2d3e --as-brief", why: "a briefing to paste into any other agent" },
  ],
  operations: [handoff, handoffBrief, apply, previewVendorRows],
  json: [
    { schema: written(handoff.output) },
    JOB_SHAPE,
    { when: "with `--as-brief`", schema: handoffBrief.output },
  ],
  async run({ args, out, openApp }) {
    const budget = args.budget === undefined ? {} : { budget: toTokens(args.budget) };
    if (args.asBrief) {
      if (args.to !== undefined || args.at !== undefined)
        throw new AppError(
          "usage",
          "A briefing is for any agent and about all of the session, so --as-brief takes neither --to nor --at",
          "Leave out one or the other",
        );
      const app = await openApp();
      const told = await handoffBrief.run(app, { session: args.session, ...budget });
      if (args.json) out.json(handoffBrief.toJson(told, app));
      else out.line(told.markdown.trimEnd());
      const left = (Object.keys(BRIEF_SECTIONS) as BriefSection[]).flatMap((section) =>
        told.left[section] ? [`${told.left[section]} of ${BRIEF_SECTIONS[section].toLowerCase()}`] : [],
      );
      if (left.length > 0) out.note(`Did not fit: ${left.join(", ")}; a larger --budget includes them`);
      return 0;
    }
    if (args.to === undefined)
      throw new AppError(
        "usage",
        "handoff needs the program that continues the session",
        `Add ${handoffTargets((id) => `--to ${id}`)}; for any other agent, --as-brief`,
      );
    return runWriting(args, openApp, out, handoff, {
      session: args.session,
      to: args.to,
      ...(args.workspace !== undefined && { workspace: args.workspace }),
      ...(args.name !== undefined && { name: args.name }),
      ...(args.at !== undefined && { at: toTurn(args.at) }),
      ...budget,
    });
  },
});

function toTurn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new AppError("usage", `"${text}" is not a turn`, "Turns are counted from 0, as rethread show does");
}
