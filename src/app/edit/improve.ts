/** The plan that writes proposed lines into instruction files. */
import { join } from "node:path";
import type { InstructionChange } from "../../chronicle/improve/improve.ts";
import { planInsertions } from "../../edit/plan/insert-text.ts";
import type { EditPlan } from "../../model/plan.ts";
import { baseName } from "../../model/values/paths.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

/** Without steps where there is nothing to add. */
export async function planImprove(
  fs: SessionFs,
  changes: readonly InstructionChange[],
  now: Date,
): Promise<EditPlan> {
  const plan = await planInsertions(fs, changes, {
    kind: "improve",
    title: titleOf(changes),
    now,
    hideout: join(changes[0]?.root ?? "", ".rethread"),
  });
  // A disk of its own for each repository, perhaps.
  const rootOf = new Map(changes.map(({ path, root }) => [path, root]));
  return {
    ...plan,
    steps: plan.steps.map((step) => {
      const root = rootOf.get(step.as ?? step.path);
      return root === undefined ? step : { ...step, hideout: join(root, ".rethread") };
    }),
    instructions: changes.map(({ path, repository, isNew, lines, diff }) => ({
      path,
      repository,
      isNew,
      lines,
      diff,
    })),
  };
}

/** "AGENTS.md of acme/shop", or how many files. */
function titleOf(changes: readonly InstructionChange[]): string {
  const [first, ...others] = changes;
  if (!first) return "";
  if (others.length > 0) return `${changes.length} instruction files`;
  return `${baseName(first.path)} of ${first.repository ?? first.root}`;
}
