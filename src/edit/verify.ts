/** What a session says to our own reader, as something that can be compared: its turns, and what its model receives. */
import { createHash } from "node:crypto";
import type { ContextMessage } from "../model/context.ts";
import type { EditPlan, Intention } from "../model/plan.ts";
import type { Artifact } from "../model/session.ts";
import type { SessionFs } from "../platform/session-fs.ts";
import type { Source } from "../sources/source.ts";

export interface Perceived extends Intention {
  /** Counted by whoever wants to know; the messages are gone afterwards, as they may be large. */
  readonly tokens: number;
}

export async function perceive(
  source: Source,
  fs: SessionFs,
  artifact: Artifact,
  countTokens: (messages: readonly ContextMessage[]) => number = () => 0,
): Promise<Perceived> {
  const sink = { event: () => undefined, problem: () => undefined }; // damage is copied as it is
  const { turns } = await source.read(fs, artifact, sink, { skim: true });
  const messages = (await source.context?.(fs, artifact)) ?? [];
  return { turns, context: digest(messages), tokens: countTokens(messages) };
}

/** Where a message stands in which file is no part of it. */
function digest(messages: readonly ContextMessage[]): string {
  const hash = createHash("sha256");
  for (const { origin: _, ...message } of messages) hash.update(JSON.stringify(message));
  return hash.digest("hex");
}

/** What is on disk now, held against what was meant; nothing when they agree. */
export async function findDifference(
  source: Source,
  fs: SessionFs,
  { session, expected }: EditPlan,
): Promise<string | undefined> {
  if (!expected) return undefined;
  const found = await perceive(source, fs, await artifactAt(fs, session));
  if (found.turns !== expected.turns) return `${found.turns} turns instead of ${expected.turns}`;
  return found.context === expected.context ? undefined : "other messages than were meant";
}

export async function artifactAt(fs: SessionFs, session: EditPlan["session"]): Promise<Artifact> {
  const { size, mtimeMs, ino } = await fs.stat(session.path);
  return { ...session, root: "", fingerprint: { size, mtimeMs, ino } };
}
