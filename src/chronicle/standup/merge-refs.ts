/** Brings together what the store and git know of the same commits, pull requests and issues. */
import { type RefEvidence, refsOfRun } from "../../model/session/refs.ts";
import type { FoundRef, HostCommand } from "../../store/chronicle/standup-rows.ts";
import type { OwnCommit } from "./own-commits.ts";

export type SeenRef = FoundRef;

const STRENGTH: Readonly<Record<RefEvidence, number>> = { tool: 2, command: 1, mentioned: 0 };

/** Each once for a session: where the evidence for it is best. */
export function mergeRefs(found: readonly FoundRef[], commands: readonly HostCommand[]): SeenRef[] {
  const named = commands.flatMap(({ session, turn, command }) =>
    refsOfRun("", command, "").map((ref): FoundRef => ({ session, turn, ...ref })),
  );
  return strongest([...found, ...named], ({ session, type, value }) => `${session} ${type} ${value}`);
}

/** Several sessions of a branch may name one pull request: the one with the best evidence stands for it. */
export function uniqueRefs(refs: readonly SeenRef[]): SeenRef[] {
  return strongest(refs, ({ value }) => value);
}

function strongest(refs: readonly FoundRef[], keyOf: (ref: FoundRef) => string): FoundRef[] {
  const best = new Map<string, FoundRef>();
  for (const ref of refs) {
    const known = best.get(keyOf(ref));
    if (!known || STRENGTH[ref.evidence] > STRENGTH[known.evidence]) best.set(keyOf(ref), ref);
  }
  return [...best.values()];
}

export interface MergedCommit {
  readonly commit: string;
  readonly subject: string | undefined;
  readonly at: string | undefined;
  readonly branch: string | undefined;
  /** The session that made or named it. */
  readonly ref?: SeenRef;
}

/**
 * A session knows a commit by the start of its hash, git by all of it. One that a session made is reported with that
 * session's branch, wherever it has been merged since.
 */
export function mergeCommits(
  refs: readonly SeenRef[],
  own: readonly OwnCommit[],
  branchOf: (session: string) => string | undefined,
): MergedCommit[] {
  const merged = new Map<string, MergedCommit>();
  for (const { commit, subject, at, branch } of own) {
    const ref = refs.find(({ value }) => commit.startsWith(value));
    merged.set(commit, {
      commit,
      subject,
      at,
      branch: ref ? branchOf(ref.session) : branch,
      ...(ref && { ref }),
    });
  }
  const known = [...merged.keys()];
  // What somebody only mentioned is no work of this session.
  for (const ref of refs)
    if (
      ref.evidence !== "mentioned" &&
      !known.some((commit) => commit.startsWith(ref.value)) &&
      !merged.has(ref.value)
    )
      merged.set(ref.value, {
        commit: ref.value,
        subject: undefined,
        at: undefined,
        branch: branchOf(ref.session),
        ref,
      });
  return [...merged.values()];
}
