/** Which sessions may leave this machine: by their repository or folder, and by what was said about each. Pure. */
import type { Session } from "../../model/session/session.ts";
import { toPatternSource } from "../../model/text/escape-regexp.ts";
import { formatKey } from "../../model/values/id.ts";
import type { PrivateSession, SyncRule } from "../../store/state/sync.ts";

/** Why a session stays here. */
export type HeldBack = "private" | "denied" | "not-allowed" | "no-repository";

export type Decision =
  | { readonly sends: true; readonly isSealed: boolean }
  | { readonly sends: false; readonly why: HeldBack };

export interface Place extends Pick<Session, "source" | "id" | "repository" | "workspace"> {
  /** The folder that its own name, as it was recorded, leads to by a link. */
  readonly realWorkspace?: string;
}

export function createRules(
  rules: readonly SyncRule[],
  privates: readonly PrivateSession[],
): (session: Place) => Decision {
  const modes = new Map(privates.map((each) => [formatKey(each), each.mode]));
  const compiled = rules.map((rule) => ({ ...rule, matches: matcherOf(rule) }));
  return (session) => {
    const mode = modes.get(formatKey(session));
    if (mode === "never") return { sends: false, why: "private" };
    const { repository, workspace, realWorkspace } = session;
    const fitting = compiled.filter(({ kind, matches }) => {
      const texts = kind === "repository" ? [repository] : [workspace, realWorkspace];
      return texts.some((text) => text !== undefined && matches(text));
    });
    // A folder says nothing about sessions whose repository is known, unless it forbids them.
    const counting = fitting.filter(
      ({ kind, effect }) => kind === "repository" || repository === undefined || effect !== "allow",
    );
    if (counting.some(({ effect }) => effect === "deny")) return { sends: false, why: "denied" };
    if (counting.length === 0)
      return { sends: false, why: repository === undefined ? "no-repository" : "not-allowed" };
    return { sends: true, isSealed: mode === "sealed" || counting.some(({ effect }) => effect === "sealed") };
  };
}

/** Rules that only forbid: whoever has no others has not said yet what may leave. */
export const letsNothingLeave = (rules: readonly SyncRule[]): boolean =>
  rules.every(({ effect }) => effect === "deny");

export const fitsRepository = (pattern: string, repository: string): boolean =>
  matcherOf({ kind: "repository", pattern })(repository);

/** A folder means all below it, too. Case does not count, as in repositories' names and on many disks. */
function matcherOf({ kind, pattern }: Pick<SyncRule, "kind" | "pattern">): (text: string) => boolean {
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => (part === "**" ? ".*" : part === "*" ? "[^/\\\\]*" : toPatternSource(part)))
    .join("");
  const shape = new RegExp(kind === "folder" ? `^${source}(?:[/\\\\].*)?$` : `^${source}$`, "is");
  return (text) => shape.test(text);
}
