/** The files that the stories are about, as they are today: what sessions created, and what people made of it since. */
import { join } from "node:path";
import type { Story } from "../model/session/story.ts";
import type { Chapter } from "./telling.ts";

/** By their paths, below the folders in which the stories took place. */
export function workFiles(
  chapters: readonly Chapter[],
  stories: readonly Story[],
  work: string,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const inOrder = stories.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  // What a fork tried stayed on its own branch.
  for (const story of inOrder.filter(({ forkOf }) => !forkOf)) carryOut(story, files);
  for (const { folder, files: known = {} } of chapters)
    for (const [path, text] of Object.entries(known)) files.set(join(work, folder, path), text);
  return files;
}

/** A change of something that is not known is left out. */
function carryOut({ turns }: Story, files: Map<string, string>): void {
  for (const step of turns.flatMap(({ steps }) => steps)) {
    if (step.kind !== "tool" || !step.ok) continue;
    const { tool } = step;
    if (tool.does === "create") files.set(tool.path, tool.text);
    if (tool.does !== "edit") continue;
    const parts = files.get(tool.path)?.split(tool.before) ?? [];
    if (parts.length === 2) files.set(tool.path, parts.join(tool.after));
  }
}
