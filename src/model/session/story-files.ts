/** What the turns of a story did to its files, as a program that keeps file states would record it. */
import type { Story } from "./story.ts";

/** Of one file in one turn; what was not there before has no `before`. */
export interface FileChange {
  readonly path: string;
  readonly before?: string;
  readonly after: string;
}

export interface StoryFiles {
  /** For each turn, in the order in which the files were first touched. */
  readonly turns: readonly (readonly FileChange[])[];
  /** By their paths, the files as the story leaves them. */
  readonly last: ReadonlyMap<string, string>;
}

export function filesOf({ files = {}, turns }: Pick<Story, "files" | "turns">): StoryFiles {
  const now = new Map(Object.entries(files));
  const changes = turns.map(({ steps }) => {
    const before = new Map<string, string | undefined>();
    for (const step of steps) {
      if (step.kind !== "tool" || !step.ok) continue;
      const { tool } = step;
      if (tool.does !== "create" && tool.does !== "edit") continue;
      if (!before.has(tool.path)) before.set(tool.path, now.get(tool.path));
      now.set(tool.path, tool.does === "create" ? tool.text : edited(now.get(tool.path), tool));
    }
    return [...before].map(([path, text]): FileChange => {
      const after = now.get(path) ?? "";
      return text === undefined ? { path, after } : { path, before: text, after };
    });
  });
  return { turns: changes, last: now };
}

function edited(
  text: string | undefined,
  { path, before, after }: { readonly path: string; readonly before: string; readonly after: string },
): string {
  const parts = text?.split(before) ?? [];
  if (parts.length !== 2) throw new Error(`${path} does not have this exactly once: ${before}`);
  return parts.join(after);
}
