/** Reads a session back and measures it: its turns, and a hash of what its model receives. */
import { createHash, hash } from "node:crypto";
import type { EditPlan, Intention, PlannedSession } from "../../model/plan.ts";
import type { ContextMessage } from "../../model/session/context.ts";
import type { Artifact } from "../../model/session/session.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { Source, Survey, TurnsAndContext } from "../../sources/source.ts";

export interface Measurement extends Intention {
  readonly tokens: number;
}

/** Counts what messages cost, without ever holding all that tools gave back. */
export interface Scale {
  hold(text: string): string;
  weigh(messages: readonly ContextMessage[]): number;
}

/** Below this a text is no longer than what would stand for it. */
const SHORT = 256;

/** A long text is replaced by its hash, and counted once, however often it occurs. */
export function createScale(
  count: (text: string) => number,
  weigh: (messages: readonly ContextMessage[], count: (text: string) => number) => number,
): Scale {
  const known = new Map<string, number>();
  const hold = (text: string): string => {
    if (text.length < SHORT) return text;
    const held = `\0${hash("sha256", text)}`;
    if (!known.has(held)) known.set(held, count(text));
    return held;
  };
  return {
    hold,
    weigh: (messages) => weigh(messages, (text) => known.get(text) ?? known.get(hold(text)) ?? count(text)),
  };
}

const WEIGHTLESS = createScale(
  () => 0,
  () => 0,
);

export async function measure(
  source: Source,
  fs: SessionFs,
  artifact: Artifact,
  { hold, weigh }: Scale = WEIGHTLESS,
): Promise<Measurement> {
  const told = await (source.context?.measure?.(fs, artifact, { hold }) ??
    readBoth(source, fs, artifact, hold));
  return toMeasurement(told, weigh);
}

/** What a source tells of the original while it draws a change to it. */
export function createSurvey({ hold, weigh }: Scale): Survey & { measured(): Measurement | undefined } {
  let told: TurnsAndContext | undefined;
  return {
    hold,
    take: (each) => {
      told = each;
    },
    measured: () => told && toMeasurement(told, weigh),
  };
}

const toMeasurement = ({ turns, messages }: TurnsAndContext, weigh: Scale["weigh"]): Measurement => ({
  turns,
  context: digest(messages),
  tokens: weigh(messages),
});

async function readBoth(
  source: Source,
  fs: SessionFs,
  artifact: Artifact,
  hold: Scale["hold"],
): Promise<TurnsAndContext> {
  const sink = { event: () => undefined, problem: () => undefined }; // damage is copied as it is
  const { turns } = await source.read(fs, artifact, sink, { skim: true });
  return { turns, messages: (await source.context?.messages(fs, artifact, { hold })) ?? [] };
}

/** Where a message stands in which file is no part of it. */
function digest(messages: readonly ContextMessage[]): string {
  const sum = createHash("sha256");
  for (const { origin: _, turn: __, ...message } of messages) sum.update(JSON.stringify(message));
  return sum.digest("hex");
}

/** What is on disk now, held against what was meant; nothing when they agree. */
export async function findDifference(
  catalog: Pick<Catalog, "source">,
  fs: SessionFs,
  { session, expected, also = [] }: EditPlan,
): Promise<string | undefined> {
  for (const each of [{ ...session, ...(expected && { expected }) }, ...also]) {
    if (!each.expected) continue;
    const found = await measure(catalog.source(each.source), fs, await artifactAt(fs, each));
    if (found.turns !== each.expected.turns) return `${found.turns} turns instead of ${each.expected.turns}`;
    if (found.context !== each.expected.context) return "different messages than planned";
  }
  return undefined;
}

export async function artifactAt(fs: SessionFs, { source, id, path }: PlannedSession): Promise<Artifact> {
  const { size, mtimeMs, ino } = await fs.stat(path);
  return { source, id, path, root: "", fingerprint: { size, mtimeMs, ino } };
}
