/** Decides how to restore the files that dropped turns changed, from the records and from what is on disk now. */
import type { WorkspaceFile } from "../../model/plan-facts.ts";

/** The content of a file, by its hash. */
export interface FileContent {
  readonly hash: string;
  /** Where it really lay, links followed, where that is noted. Never where anything is looked for or written. */
  readonly at?: string;
  /** Only of what was there before: the bytes are kept under their hash. */
  readonly mode: number;
}

export type FileState =
  | { readonly kind: "absent" }
  | { readonly kind: "content"; readonly content: FileContent }
  /** With what it led to, where that was a file. */
  | { readonly kind: "link"; readonly target: string; readonly content?: FileContent }
  /** Too large, no regular file, or of a kind that we do not know. */
  | { readonly kind: "unknown"; readonly why: string };

export interface FileChange {
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

export interface Snapshot {
  /** The prompt. */
  readonly eventId: string;
  readonly changes: readonly FileChange[];
}

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

/** What is at a path now. Everything that is decided about the path concerns these very places. */
export interface Present {
  /** The path itself, links on the way to it followed. */
  readonly place: string;
  readonly is:
    | { readonly kind: "absent" }
    | { readonly kind: "content"; readonly hash: string }
    | { readonly kind: "link"; readonly target: string; readonly leadsTo?: Found }
    | { readonly kind: "other" };
}

interface Found {
  readonly place: string;
  readonly hash: string;
}

export type Deed =
  | { readonly does: "nothing" }
  /** Its earlier state is unknown, or whether it was changed since. */
  | { readonly does: "leave"; readonly why: string }
  /** It was changed since the turns, and restoring it would lose those changes: it stays, or nothing is restored at all. */
  | { readonly does: "refuse"; readonly why: "changed" | "elsewhere" }
  | { readonly does: "remove"; readonly place: string }
  | { readonly does: "write"; readonly place: string; readonly content: FileContent }
  | { readonly does: "link"; readonly place: string; readonly target: string };

export function decide({ before, after }: FileStory, present: Present): Deed {
  const { place, is } = present;
  const leadsTo = is.kind === "link" ? is.leadsTo?.place : undefined;
  if (before.kind === "unknown") return { does: "leave", why: before.why };
  if (isState(before, present)) return { does: "nothing" };
  if (after.kind === "unknown") return { does: "leave", why: after.why };
  if (!isState(after, present)) return { does: "refuse", why: "changed" };
  // What stands at the path itself is a link, and only where it led was something written.
  const through = after.kind === "link" && before.kind === "link" && before.target === after.target;
  const isElsewhere = (state: FileState): boolean =>
    "content" in state &&
    state.content?.at !== undefined &&
    state.content.at !== (state.kind === "link" ? leadsTo : place);
  // The record is about another file than the path leads to now.
  if (isElsewhere(after) || (isElsewhere(before) && (before.kind !== "link" || through)))
    return { does: "refuse", why: "elsewhere" };
  if (before.kind === "absent") return { does: "remove", place };
  if (before.kind === "link" && !through) return { does: "link", place, target: before.target };
  const { content } = before;
  if (!content) return { does: "nothing" };
  return { does: "write", place: through && leadsTo !== undefined ? leadsTo : place, content };
}

function isState(state: FileState, { is }: Present): boolean {
  if (state.kind === "content") return is.kind === "content" && is.hash === state.content.hash;
  if (state.kind === "absent") return is.kind === "absent";
  if (state.kind === "unknown" || is.kind !== "link" || is.target !== state.target) return false;
  return state.content === undefined || is.leadsTo?.hash === state.content.hash;
}
