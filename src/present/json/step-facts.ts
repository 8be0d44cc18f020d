/** What a step of a plan concerns: how many files, and their size. */

import { type EditPlan, entriesOf, type Step } from "../../model/plan.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";

/** A few files and how much is in them. */
export interface StepFacts {
  readonly files: number;
  readonly bytes: number;
}

export function stepFacts(step: Step, { basis }: EditPlan): StepFacts {
  const below = step.does === "remove" ? basis.map(({ entry }) => entry) : entriesOf(step);
  const files = below.filter(({ kind, path }) => kind === "file" && isAtOrBelow(path, step.path));
  return {
    files: files.length,
    bytes: files.reduce((sum, file) => sum + (file.kind === "file" ? file.size : 0), 0),
  };
}
