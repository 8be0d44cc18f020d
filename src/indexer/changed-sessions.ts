/** The sessions that a refresh changed, so that a surface can update just those. */
import type { SessionKey } from "../model/values/id.ts";

export interface ChangedSessions {
  /** Read for the first time. */
  readonly added: readonly SessionKey[];
  /** Read again, moved, found again after their files were gone, or with other problems around them. */
  readonly changed: readonly SessionKey[];
  /** Their files are gone, whether or not their rows stay. */
  readonly vanished: readonly SessionKey[];
}

export interface ChangeRecorder {
  /** `row` is the key of the session's rows, under which a session that moved is known in both places. */
  note(row: string, kind: keyof ChangedSessions, { source, id }: SessionKey): void;
  /** What is around the session changed, such as its entry in a list; no more than that, unless it was noted before. */
  noteAround(row: string, key: SessionKey): void;
  result(): ChangedSessions;
}

export function createChangeRecorder(): ChangeRecorder {
  const noted = new Map<string, { kind: keyof ChangedSessions; key: SessionKey }>();
  return {
    note(row, kind, { source, id }) {
      // One that vanished in one place and is found in another has only moved.
      const isKnown = noted.has(row) && kind !== "vanished";
      noted.set(row, { kind: isKnown ? "changed" : kind, key: { source, id } });
    },
    noteAround(row, { source, id }) {
      if (!noted.has(row)) noted.set(row, { kind: "changed", key: { source, id } });
    },
    result() {
      const those = (kind: keyof ChangedSessions): SessionKey[] =>
        [...noted.values()].filter((each) => each.kind === kind).map(({ key }) => key);
      return { added: those("added"), changed: those("changed"), vanished: those("vanished") };
    },
  };
}
