/** Every kind of change that a source's editor draws, with the same ids each time, for tests that compare two file systems. */
import type { Draft, OperationKind } from "../../src/model/plan.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import type { Editor } from "../../src/sources/editor.ts";

/** Of what is new. */
export const ID = "0f0e0d0c-0b0a-4908-8706-050403020100";
const RECORD = "1f1e1d1c-1b1a-4918-8716-151413121110";

export type Draw = (editor: Editor, fs: SessionFs, artifact: Artifact) => Promise<Draft | undefined>;
export type DrawnKind = Exclude<OperationKind, "undo">;

const count = (text: string): number => Math.ceil(text.length / 4);

export const draws = (now: Date): [name: string, kind: DrawnKind, draw: Draw][] => [
  ["clone", "clone", (editor, fs, artifact) => editor.clone(fs, artifact, { id: ID, now })],
  [
    "smaller clone",
    "clone",
    (editor, fs, artifact) =>
      editor.clone(fs, artifact, {
        id: ID,
        now,
        reduce: { reduction: { tools: { truncate: 40 }, dropOldest: { percent: 50 } }, count },
      }),
  ],
  [
    "fork",
    "fork",
    (editor, fs, artifact) => editor.fork(fs, artifact, { id: ID, recordId: RECORD, now, at: 0 }),
  ],
  [
    "rewind",
    "rewind",
    (editor, fs, artifact) => editor.rewind(fs, artifact, { to: 0, now, id: ID, inPlace: true }),
  ],
  [
    "rewind with files",
    "rewind",
    (editor, fs, artifact) =>
      editor.rewind(fs, artifact, { to: 0, now, id: ID, inPlace: true, files: true, outside: true }),
  ],
  ["rename", "rename", (editor, fs, artifact) => editor.rename(fs, artifact, { name: "Neu: #1", now })],
  [
    "move",
    "move",
    async (editor, fs, artifact) =>
      editor.moves?.move(fs, artifact, { to: "/srv/else where", text: true, now }),
  ],
  [
    "compact",
    "compact",
    async (editor, fs, artifact) => editor.summaries?.compact(fs, artifact, { keep: 1, now }),
  ],
  [
    "checkpoint",
    "checkpoint",
    async (editor, fs, artifact) => editor.summaries?.checkpoint?.(fs, artifact, { now }),
  ],
  ["delete", "delete", (editor, fs, artifact) => editor.remove(fs, artifact, { now })],
  ["rescue", "rescue", async (editor, fs, artifact) => editor.repairs?.session(fs, artifact, { now })],
];
