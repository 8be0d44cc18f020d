/** The plan of a clone: one request to its source, which draws with lower budgets until the result fits. */
import { randomUUID } from "node:crypto";
import { createBudget } from "../../edit/plan/within-budget.ts";
import { AppError } from "../../model/errors.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { Reduction } from "../../model/reduce/reduction.ts";
import type { RemedyArgs } from "../../model/remedy.ts";
import type { SessionKey } from "../../model/values/id.ts";
import { loadTokenizer } from "../../query/tokens.ts";
import { refuseWriter, type SummaryOf, toWish } from "./compact.ts";
import { copyNamer, toName, toWorkspace } from "./names.ts";
import type { Counting, Draw } from "./plan-session.ts";
import type { WriterSurroundings } from "./summary-writer.ts";

export interface CloneOf extends Reduction, SummaryOf {
  /** A summary takes the place of the turns that go. */
  readonly summarize?: boolean;
  readonly name?: string;
  readonly to?: string;
  /** It is only read and never applied. */
  readonly unlisted?: boolean;
  /** With another folder: whether addresses of files lead there; those that are there, unless it is said. */
  readonly paths?: "keep" | "rewrite";
}

export async function planClone(
  request: CloneOf,
  around: WriterSurroundings & { readonly now: Date; clonesOf(session: SessionKey): number },
  plan: (draw: Draw, counting: Counting) => Promise<EditPlan>,
): Promise<EditPlan> {
  const reduction = toReduction(request);
  refuseWriter(request, reduction);
  if (request.paths !== undefined && request.to === undefined)
    throw new AppError("usage", "--paths is about a copy for another folder", "Add --to <folder>");
  let workspace: string | undefined;
  let name = request.name === undefined ? undefined : toName(request.name);
  const draw: Draw = async (editor, fs, artifact, tokensOf, survey) => {
    if (request.to !== undefined)
      workspace = await toWorkspace(fs, editor, artifact, request.to, around.folder);
    const next =
      reduction?.budget === undefined ? undefined : createBudget(artifact, reduction.budget, toArgs(request));
    const nameOf = copyNamer("clone", around.clonesOf(artifact));
    return editor.clone(fs, artifact, {
      id: randomUUID(),
      now: around.now,
      survey,
      ...(request.unlisted && { unlisted: true }),
      copyName(title) {
        name = nameOf(title);
        return name;
      },
      ...(request.name !== undefined && { name: toName(request.name) }),
      ...(workspace !== undefined && { workspace }),
      ...(request.paths !== undefined && { paths: request.paths }),
      ...(reduction && {
        reduce: {
          reduction,
          count: await loadTokenizer(),
          ...(request.summarize && { summarize: toWish(request, around) }),
          ...(next && { nextBudget: async (draft) => next(await tokensOf(draft)) }),
        },
      }),
    });
  };
  const made = await plan(draw, reduction ? "exact" : "estimated");
  const alreadyFits = request.budget !== undefined && (made.stats?.originalTokens ?? 0) <= request.budget;
  return {
    ...made,
    ...(name !== undefined && { name }),
    ...(workspace !== undefined && { workspace }),
    ...(alreadyFits && made.stats && { alreadyFits }),
  };
}

/** Nothing when nothing is to be left out. */
function toReduction({ tools, dropThinking, dropOldest, budget }: CloneOf): Reduction | undefined {
  const reduction: Reduction = {
    ...(tools !== undefined && { tools }),
    ...(dropThinking && { dropThinking }),
    ...(dropOldest !== undefined && { dropOldest }),
    ...(budget !== undefined && { budget }),
  };
  return Object.keys(reduction).length > 0 ? reduction : undefined;
}

/** What was asked for beside a budget, as the options of the command. */
function toArgs({
  to,
  paths,
  name,
  tools,
  dropThinking,
  summarize,
  with: writer,
}: CloneOf): RemedyArgs<"clone"> {
  return {
    ...(to !== undefined && { to }),
    ...(paths !== undefined && { paths }),
    ...(name !== undefined && { name }),
    ...(tools === "drop" && { dropTools: true }),
    ...(typeof tools === "object" && {
      tools: "oldest" in tools ? `oldest:${tools.oldest}%` : `truncate:${tools.truncate}`,
    }),
    ...(dropThinking && { dropThinking }),
    ...(summarize && { summarize }),
    ...(writer !== undefined && { with: writer }),
  };
}
