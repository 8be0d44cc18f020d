/** Composes the file states that Copilot CLI keeps beside a log, with which it rewinds files. */
import { hash } from "node:crypto";
import type { Story } from "../../../model/session/story.ts";
import { type FileChange, filesOf } from "../../../model/session/story-files.ts";
import { uuidOf } from "../../../model/values/stable-id.ts";
import { backupName, SNAPSHOT_INDEX, SNAPSHOTS } from "../edit/rewind-files/snapshots.ts";

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A regular file that its owner may write. */
const MODE = 0o100644;
/** The key of a file begins the hash of its path. */
const KEY_DIGITS = 32;

/** For each turn that changed files; `prompts` has the ids of the records of all turns. */
export function composeSnapshots(story: Story, prompts: readonly string[]): NamedText[] {
  const changed = filesOf(story).turns.flatMap((changes, index) => {
    const [turn, eventId] = [story.turns[index], prompts[index]];
    return changes.length > 0 && turn && eventId !== undefined ? [{ changes, turn, eventId }] : [];
  });
  const snapshots = changed.map(({ changes, turn, eventId }) => {
    const files = Object.fromEntries(
      changes.map((change) => [hash("sha256", change.path).slice(0, KEY_DIGITS), toFile(change)] as const),
    );
    return {
      snapshotId: uuidOf(`${eventId} files`),
      eventId,
      userMessage: turn.user,
      timestamp: turn.at,
      files,
      backupFiles: [
        ...new Set(changes.flatMap(({ before }) => (before === undefined ? [] : [hash("sha256", before)]))),
      ],
      fileCount: changes.length,
      linesAdded: sumOf(Object.values(files), "linesAdded"),
      linesRemoved: sumOf(Object.values(files), "linesRemoved"),
    };
  });
  const kept = new Set(changed.flatMap(({ changes }) => changes.flatMap(({ before }) => before ?? [])));
  return [
    { name: `${SNAPSHOTS}/tracking.json`, text: JSON.stringify({ schema: 1, tracking: true }) },
    { name: SNAPSHOT_INDEX, text: JSON.stringify({ schema: 1, snapshots }, undefined, 2) },
    ...[...kept].map((text) => ({ name: backupName(hash("sha256", text)), text })),
  ];
}

const sumOf = (files: readonly ReturnType<typeof toFile>[], of: "linesAdded" | "linesRemoved"): number =>
  files.reduce((sum, file) => sum + file[of], 0);

const toFile = ({ path, before, after }: FileChange) => ({
  path,
  preimage:
    before === undefined
      ? { kind: "absent" }
      : {
          kind: "content",
          contentHash: hash("sha256", before),
          backupFile: hash("sha256", before),
          mode: MODE,
          size: Buffer.byteLength(before),
          ...placeOf(path),
        },
  postimage: { kind: "content", contentHash: hash("sha256", after), ...placeOf(path) },
  ...countChanges(before ?? "", after),
});

/** Where the file really is, in words and in bytes. */
const placeOf = (path: string) => ({
  resolvedPath: path,
  encodedPath: { encoding: "unix-bytes", data: Buffer.from(path).toString("hex") },
});

/** Lines that only one of them has; enough for the short files of a story. */
function countChanges(before: string, after: string): { linesAdded: number; linesRemoved: number } {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  return {
    linesAdded: fresh.filter((line) => !old.includes(line)).length,
    linesRemoved: old.filter((line) => !fresh.includes(line)).length,
  };
}

const linesOf = (text: string): string[] => text.split("\n").slice(0, -1);
