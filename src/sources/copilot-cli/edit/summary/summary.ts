/** The summary that replaces turns, in the words that Copilot CLI keeps: with its title at the end, as its own model gives it. */
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { summarize as makeSummary, type SummaryRequest } from "../../../summary/summarize.ts";
import { findTitle, toSummary, toSummaryText, withTitle } from "../../../summary/tags.ts";
import { findToolAction } from "../../../tools/actions.ts";
import { read } from "../../read.ts";
import { TOOL_ACTIONS } from "../../tool-actions.ts";
import { type SessionFolder, textOf } from "../copy/folder.ts";

export async function summarize(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  request: SummaryRequest,
): Promise<string> {
  const of = {
    read,
    actionOf: (name: string, input: unknown) => findToolAction(TOOL_ACTIONS, name, input),
    toSummary,
    planned: openPoints((await textOf(fs, folder, "plan.md")) ?? ""),
  };
  const { summary, reply } = await makeSummary(fs, artifact, of, request);
  if (reply === undefined) return toSummaryText(summary);
  // A model that forgot the title does not make the rest worthless.
  return findTitle(reply) === undefined ? withTitle(reply, summary.title) : reply;
}

const openPoints = (plan: string): string[] =>
  [...plan.matchAll(/^[ \t]*[-*] \[ \] (.+)$/gm)].map((match) => match[1] ?? "").slice(0, 20);
