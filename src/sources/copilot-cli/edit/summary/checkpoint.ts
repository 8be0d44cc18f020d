/** A checkpoint beside the log: its file, its row in the table, and the count in workspace.yaml. */

import type { Draft, Planned } from "../../../../model/plan.ts";
import { newerThanKnown } from "../../../../model/session/newer.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { CheckpointRequest } from "../../../requests.ts";
import { withoutTitle } from "../../../summary/tags.ts";
import {
  CHECKPOINT_FOLDER,
  CHECKPOINT_INDEX,
  CHECKPOINT_TABLE_HEAD,
  isNewerTable,
} from "../../workspace/checkpoints.ts";
import { SOURCE, under } from "../../workspace/locate.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { openFolder, PRIVATE, type SessionFolder, textOf } from "../copy/folder.ts";
import { readMetadata } from "../copy/identity.ts";
import { changeFields } from "../copy/workspace-text.ts";
import { CHECKPOINT_TABLE, checkpointOf } from "../cut/cut-sidecars.ts";
import { findOffsets, type LogOffsets } from "../cut/log-offsets.ts";
import { replaceText } from "../cut/replace.ts";
import { summarize } from "./summary.ts";
import { fileNameOf, titleIn } from "./text.ts";

export type Part = Pick<Draft, "basis" | "steps">;

export interface CheckpointFiles {
  readonly number: number;
  readonly title: string;
  /** Its place in the session's folder. */
  readonly name: string;
  readonly text: string;
  /** The whole table, with its row. */
  readonly table: string;
}

/** The number after all that were ever given, so that nothing is written over. */
export async function nextCheckpoint(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  seen: LogOffsets,
): Promise<number> {
  const { checkpoints } = await readMetadata(fs, artifact, folder);
  const files = folder.entries.map((entry) => checkpointOf(folder.nameOf(entry)) ?? 0);
  return 1 + Math.max(checkpoints, ...files, ...seen.compactions.map(({ checkpoint }) => checkpoint ?? 0));
}

export async function toCheckpoint(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  {
    number,
    summary,
    title = titleIn(summary, artifact.id),
  }: { number: number; summary: string; title?: string },
): Promise<CheckpointFiles> {
  const file = fileNameOf(number, title);
  const table = (await textOf(fs, folder, CHECKPOINT_TABLE)) ?? CHECKPOINT_TABLE_HEAD;
  if (isNewerTable(table)) throw newerThanKnown(`The table of checkpoints (${CHECKPOINT_TABLE})`);
  const row = `| ${number} | ${title} | ${file} |\n`;
  return {
    number,
    title,
    name: `${CHECKPOINT_FOLDER}/${file}`,
    text: withoutTitle(summary),
    table: `${table.endsWith("\n") || table === "" ? table : `${table}\n`}${row}`,
  };
}

/** The steps that put it beside the log of a session that is there. */
export function placeCheckpoint(folder: SessionFolder, made: CheckpointFiles, now: Date): Part[] {
  const path = under(folder.path, CHECKPOINT_FOLDER);
  if (folder.entries.some((entry) => entry.path === path))
    return [
      replaceText(folder, made.name, made.text, now),
      replaceText(folder, CHECKPOINT_TABLE, made.table, now),
    ];
  // A folder of its own is one step: what takes it back leaves no empty one.
  const mtimeMs = now.getTime();
  const file = (name: string, text: string): Planned => ({
    kind: "file",
    path: under(folder.path, name),
    mode: PRIVATE.file,
    mtimeMs,
    size: Buffer.byteLength(text),
    pieces: [{ text }],
  });
  const entries: Planned[] = [
    { kind: "folder", path, mode: PRIVATE.folder, mtimeMs },
    file(made.name, made.text),
    file(`${CHECKPOINT_FOLDER}/${CHECKPOINT_INDEX}`, made.table),
  ];
  return [{ basis: [], steps: [{ does: "place", path, entries }] }];
}

/** Also written if it is missing, because the program would start counting again without it. */
export async function countCheckpoint(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
  number: number,
  now: Date,
): Promise<Part> {
  const { text } = await readMetadata(fs, artifact, folder);
  const counted = changeFields(text, { summary_count: number, updated_at: now.toISOString() });
  return replaceText(folder, WORKSPACE_FILE, counted, now);
}

/** A summary of all so far, kept beside the log; what the model receives stays as it is. */
export async function checkpoint(
  fs: SessionFs,
  artifact: Artifact,
  { now, title, write }: CheckpointRequest,
): Promise<Draft> {
  const folder = await openFolder(fs, artifact);
  const seen = await findOffsets(fs, artifact);
  const number = await nextCheckpoint(fs, artifact, folder, seen);
  const summary = await summarize(fs, artifact, folder, {
    isMeant: () => true,
    turns: seen.turns.length,
    followed: 0,
    ...(write && { write }),
  });
  const made = await toCheckpoint(fs, artifact, folder, {
    number,
    summary,
    ...(title !== undefined && { title }),
  });
  const parts = [
    ...placeCheckpoint(folder, made, now),
    await countCheckpoint(fs, artifact, folder, number, now),
  ];
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    basis: parts.flatMap(({ basis }) => basis),
    steps: parts.flatMap(({ steps }) => steps),
    checkpoint: { number, title: made.title, path: under(folder.path, made.name), summary: made.text },
    losses: [],
  };
}
