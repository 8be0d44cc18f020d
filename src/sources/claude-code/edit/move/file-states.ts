/**
 * Recorded states of files that follow their folder. A state is known by its path, relative to the folder of the session
 * or absolute, and by the file that holds it, which is named after a hash of the absolute path.
 */
import { hash } from "node:crypto";
import { setMember } from "../../../../model/values/member.ts";
import { isAbsolutePath, isWindowsPath, pathsLike } from "../../../../model/values/paths.ts";
import { type Relocation, relocate } from "../../../../model/values/relocate.ts";
import { asObject, asString, type JsonObject } from "../../../log/jsonl.ts";

export interface StateMover {
  /** The record with other paths; nothing for records that hold no states, or only those of other folders. */
  move(record: JsonObject): JsonObject | undefined;
  /** How many recorded states lead elsewhere now. */
  count(): number;
  /** The files that hold states and are called otherwise now. */
  readonly names: ReadonlyMap<string, string>;
}

/** What marks the rows that have states, as those of a folder need not name it. */
export const STATE_MARK = "backupFileName";

export function createStateMover(workspace: string, relocation: Relocation): StateMover {
  const names = new Map<string, string>();
  let moved = 0;
  const { from, to } = relocation;
  const isOtherSystem = isWindowsPath(from) !== isWindowsPath(to);

  const moveState = (path: string, value: unknown): readonly [string, unknown] => {
    const isRelative = !isAbsolutePath(path);
    const whole = isRelative ? pathsLike(workspace).join(workspace, path) : path;
    const there = relocate(whole, relocation);
    const state = asObject(value);
    // A path that is relative to the new folder would lead there.
    if (there === undefined) return [isRelative ? whole : path, value];
    moved++;
    const key = isRelative ? (isOtherSystem ? withOtherSeparators(path, to) : path) : there;
    return [key, state ? { ...state, ...moveBackup(state, whole, there) } : value];
  };
  const moveBackup = (state: JsonObject, whole: string, there: string): JsonObject => {
    const [name, parent] = [asString(state.backupFileName), asString(state.realParentDir)];
    const nowIn = parent === undefined ? undefined : relocate(parent, { from, to });
    const isOurs = name?.startsWith(`${keyOf(whole)}@`);
    const renamed = isOurs && name !== undefined ? keyOf(there) + name.slice(name.indexOf("@")) : undefined;
    if (renamed !== undefined && name !== undefined) names.set(name, renamed);
    return {
      ...(renamed !== undefined && { backupFileName: renamed }),
      ...(nowIn !== undefined && { realParentDir: nowIn }),
    };
  };

  return {
    move(record) {
      const before = moved;
      const changed =
        record.type === "file-history-delta"
          ? moveDelta(record, moveState)
          : record.type === "file-history-snapshot"
            ? moveSnapshot(record, moveState)
            : undefined;
      return changed && (moved > before || isOther(changed, record)) ? changed : undefined;
    },
    count: () => moved,
    names,
  };
}

type MoveState = (path: string, value: unknown) => readonly [string, unknown];

function moveDelta(record: JsonObject, moveState: MoveState): JsonObject | undefined {
  const path = asString(record.trackingPath);
  if (path === undefined) return undefined;
  const [trackingPath, backup] = moveState(path, record.backup);
  return { ...record, trackingPath, backup };
}

function moveSnapshot(record: JsonObject, moveState: MoveState): JsonObject | undefined {
  const snapshot = asObject(record.snapshot);
  const states = asObject(snapshot?.trackedFileBackups);
  if (!snapshot || !states) return undefined;
  const trackedFileBackups: JsonObject = {};
  for (const [path, state] of Object.entries(states))
    setMember(trackedFileBackups, ...(moveState(path, state) as [string, unknown]));
  return { ...record, snapshot: { ...snapshot, trackedFileBackups } };
}

const isOther = (a: JsonObject, b: JsonObject): boolean => JSON.stringify(a) !== JSON.stringify(b);

/** The program names the copy of a file so. */
const keyOf = (path: string): string => hash("sha256", path).slice(0, 16);

const withOtherSeparators = (path: string, to: string): string =>
  isWindowsPath(to) ? path.replaceAll("/", "\\") : path.replaceAll("\\", "/");
