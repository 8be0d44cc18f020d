/** A home of Claude Code in memory with one transcript, and what a draft leaves of it. */
import { createPlannedFs } from "../../src/edit/plan/planned-fs.ts";
import type { Draft } from "../../src/model/plan.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import { context } from "../../src/sources/claude-code/context.ts";
import { type Transcript, writeTranscript } from "../real/claude-rows.ts";

export const OLD = "11111111-1111-4111-8111-111111111111";
export const NEW = "22222222-2222-4222-8222-222222222222";
export const PROJECT = "/c/projects/-srv-shop";

export interface Home {
  readonly fs: SessionFs;
  readonly artifact: Artifact;
  readonly lines: readonly string[];
}

export async function homeOf(
  write: (t: Transcript) => void,
  files: Record<string, string> = {},
): Promise<Home> {
  const transcript = writeTranscript();
  write(transcript);
  const path = `${PROJECT}/${OLD}.jsonl`;
  const fs = createMemoryFs({ [path]: transcript.text(), ...files });
  return { fs, artifact: await artifactAt(fs, OLD, path), lines: transcript.lines };
}

async function artifactAt(fs: SessionFs, id: string, path: string): Promise<Artifact> {
  const { size, mtimeMs, ino } = await fs.stat(path);
  return { source: "claude-code", id, root: "/c", path, fingerprint: { size, mtimeMs, ino } };
}

export const textAt = async (fs: SessionFs, path: string): Promise<string> =>
  Buffer.from(await fs.read(path)).toString("utf8");

/** The transcript that a draft leaves, as lines, and what its model would receive. */
export async function carriedOut({ fs }: Pick<Home, "fs">, draft: Draft) {
  const planned = createPlannedFs(fs, draft.steps);
  const { path, id } = draft.session;
  const artifact = await artifactAt(planned, id, path);
  const messages = await context(planned, artifact);
  return {
    planned,
    artifact,
    lines: (await textAt(planned, path)).trimEnd().split("\n"),
    said: messages.map(({ text }) => text),
  };
}

export const uuids = (lines: readonly string[]): unknown[] => lines.map((line) => JSON.parse(line).uuid);
