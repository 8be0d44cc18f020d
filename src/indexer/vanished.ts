/** Decides whether a session that a scan no longer finds is gone or only out of reach. */

import type { ProblemCode } from "../model/problem.ts";
import type { Artifact, SourceId } from "../model/session/session.ts";
import { isAtOrBelow } from "../model/values/paths.ts";
import type { Scan, SourceRoots } from "../sources/catalog.ts";

/** `keep`: its rows stay, marked as gone. `remove`: they go. `leave`: nothing is known, so nothing changes. */
export type Fate = "keep" | "remove" | "leave";
export type FateOf = (absent: Pick<Artifact, "source" | "path">) => Fate;

/**
 * `remove` is meant for deleted sessions. If a whole root is missing or empty, a disk may not be mounted or a home may
 * have been renamed, so those sessions are kept.
 */
export function judgeAbsent(
  scan: Scan,
  sources: readonly Pick<SourceRoots, "source" | "roots">[],
  vanished: "keep" | "remove",
): FateOf {
  const rootsOf = new Map(sources.map(({ source, roots }) => [source, roots]));
  // Made when the first one is absent: mostly none is, and there are thousands to look through.
  let inhabited: ReadonlySet<string> | undefined;
  const isInhabited = (source: SourceId, root: string): boolean => {
    inhabited ??= new Set(
      scan.artifacts
        .filter((artifact) => artifact.vanishedAt === undefined)
        .map((artifact) => rootKey(artifact.source, artifact.root)),
    );
    return inhabited.has(rootKey(source, root));
  };
  const closed = scan.problems.filter(({ code }) => CLOSED.has(code)).map(({ path }) => path);
  return ({ source, path }) => {
    if (closed.some((folder) => isAtOrBelow(path, folder))) return "leave";
    if (vanished === "keep") return "keep";
    const isDeleted = (rootsOf.get(source) ?? []).some(
      (root) => isAtOrBelow(path, root) && isInhabited(source, root),
    );
    return isDeleted ? "remove" : "keep";
  };
}

/** What could not be looked into says nothing of what is in there. */
const CLOSED: ReadonlySet<ProblemCode> = new Set([
  "folder-unreadable",
  "session-unreadable",
  "reader-failed",
]);

const rootKey = (source: SourceId, root: string): string => `${source}\0${root}`;
