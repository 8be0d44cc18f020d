/** Reads sessions whose files are gone from the archived copy; if that is damaged, only the store's rows are left. */
import type { Problem } from "../model/problem.ts";
import type { Artifact } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { isUnreadable } from "./index-one.ts";

/** To be asked before rows are replaced by what the copy gives. */
export async function isReadable(catalog: Catalog, artifact: Artifact): Promise<boolean> {
  if (artifact.vanishedAt === undefined) return true;
  const problems: Problem[] = [];
  const sink = { event: () => undefined, problem: (problem: Problem) => void problems.push(problem) };
  await catalog.read(artifact, sink, { skim: true });
  return !problems.some(isUnreadable);
}
