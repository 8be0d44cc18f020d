/** What became of files in the turns that go, and what takes them back: decided from the records and from what is there now. */
import type { WorkspaceFile } from "../../../model/plan-facts.ts";
import type { FileContent, FileState, Snapshot } from "./snapshots.ts";

/** All that the turns did to one file. */
export interface FileStory {
  readonly path: string;
  /** Before the first of them, and after the last. */
  readonly before: FileState;
  readonly after: FileState;
  readonly change: WorkspaceFile["change"];
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/** In the order of their paths, as the program's own preview lists them. */
export function tellStories(
  snapshots: readonly Snapshot[],
  isDropped: (eventId: string) => boolean,
): FileStory[] {
  const changes = snapshots.filter(({ eventId }) => isDropped(eventId)).flatMap((each) => each.changes);
  return [...Map.groupBy(changes, ({ path }) => path)]
    .flatMap(([path, all]) => {
      const [first, last] = [all[0], all.at(-1)];
      if (!first || !last) return [];
      const sum = (of: "linesAdded" | "linesRemoved"): number =>
        all.reduce((lines, each) => lines + each[of], 0);
      const change =
        first.before.kind === "absent" ? "created" : last.after.kind === "absent" ? "deleted" : "modified";
      return [
        {
          path,
          before: first.before,
          after: last.after,
          change,
          linesAdded: sum("linesAdded"),
          linesRemoved: sum("linesRemoved"),
        } satisfies FileStory,
      ];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What is at a path now. */
export type Present =
  | { readonly kind: "absent" }
  | { readonly kind: "content"; readonly hash: string }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "other" };

export type Deed =
  | { readonly does: "nothing" }
  /** Nobody knows what it was, or whether it is still what it became. */
  | { readonly does: "leave"; readonly why: string }
  /** It is not what the turns left: going back would lose what somebody else did. */
  | { readonly does: "refuse" }
  | { readonly does: "remove"; readonly path: string }
  | { readonly does: "write"; readonly path: string; readonly content: FileContent }
  | { readonly does: "link"; readonly path: string; readonly target: string };

/** `look` follows no link. */
export function decide({ path, before, after }: FileStory, look: (path: string) => Present): Deed {
  if (before.kind === "unknown") return { does: "leave", why: before.why };
  if (isState(path, before, look)) return { does: "nothing" };
  if (after.kind === "unknown") return { does: "leave", why: after.why };
  if (!isState(path, after, look)) return { does: "refuse" };
  // What stands at the path itself is a link, and only where it led was something written.
  const through = after.kind === "link" && before.kind === "link" && before.target === after.target;
  if (before.kind === "absent")
    return { does: "remove", path: after.kind === "content" ? after.content.at : path };
  if (before.kind === "link" && !through) return { does: "link", path, target: before.target };
  const { content } = before;
  if (!content) return { does: "nothing" };
  return { does: "write", path: after.kind === "link" && !through ? path : content.at, content };
}

function isState(path: string, state: FileState, look: (path: string) => Present): boolean {
  if (state.kind === "unknown") return false;
  const holds = ({ at, hash }: FileContent): boolean => {
    const present = look(at);
    return present.kind === "content" && present.hash === hash;
  };
  if (state.kind === "content") return holds(state.content);
  const present = look(path);
  if (state.kind === "absent") return present.kind === "absent";
  if (present.kind !== "link" || present.target !== state.target) return false;
  return state.content === undefined || holds(state.content);
}
