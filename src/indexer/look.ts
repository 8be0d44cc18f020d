/** Finds what a refresh has to compare: all sessions, or those that may have changed since all were looked at last. */
import type { SourceId } from "../model/session/session.ts";
import type { Catalog, Scan } from "../sources/catalog.ts";
import type { Glance } from "../sources/machine/glances.ts";
import type { FoundSweep, SessionStore } from "../store/session-store.ts";
import type { Mark } from "./changes.ts";
import { noteSidecars } from "./note-sidecars.ts";

export interface Look {
  readonly scan: Scan;
  /** What was known of them; of sources that were scanned as a whole, of all their sessions. */
  readonly marks: readonly Mark[];
  /** The sources of which everything was looked at. */
  readonly scanned: readonly SourceId[];
  /** How many sessions were not compared, because they are certain to be as they were. */
  readonly quiet: number;
}

/** `always`: everything is looked at, and remembered. `seldom`: what is remembered will do for a while. */
export type Sweeping = "always" | "seldom";

/** After so long everything is looked at again: what another program changed in its place is found by then. */
const EVERY_MS = 6 * 3_600_000;
/** Who wrote a session in the last days may write it again at any time, whatever it looks like from outside. */
export const QUIET_MS = 3 * 24 * 3_600_000;

export async function lookAround(
  catalog: Catalog,
  store: SessionStore,
  asked: readonly SourceId[],
  {
    sources,
    sweeping,
    nowMs,
    onNew,
  }: {
    readonly sources: readonly SourceId[] | undefined;
    readonly sweeping: Sweeping | undefined;
    readonly nowMs: number;
    /** Is told how large the logs are of which nothing is known, before what lies beside all logs is looked at. */
    readonly onNew?: (bytes: number) => Promise<void>;
  },
): Promise<Look> {
  const glances =
    sweeping === "seldom" ? await glanceAt(catalog, store, asked, nowMs) : new Map<SourceId, Glance[]>();
  const scanned = asked.filter((source) => !glances.has(source));
  const glanced = [...glances.values()].flat();
  const isPart = glanced.length > 0;
  const before = scanned.length > 0 ? store.marks(isPart ? { sources: scanned } : undefined) : undefined;
  const known = new Map(before?.map((mark) => [mark.path, mark.sidecars ?? undefined]));
  const sidecarsOf = (path: string) => known.get(path);
  if (!isPart) {
    const found = await catalog.scan(sources);
    await onNew?.(
      found.artifacts.reduce(
        (sum, { path, fingerprint }) => sum + (known.has(path) ? 0 : fingerprint.size),
        0,
      ),
    );
    const scan = await noteSidecars(catalog, found, sidecarsOf);
    // Where no source was scanned as a whole, nothing else can have changed.
    return { scan, marks: before ?? store.marks({ artifacts: scan.artifacts }), scanned, quiet: 0 };
  }
  const part: Scan = {
    artifacts: glanced.flatMap(({ artifacts }) => artifacts),
    problems: glanced.flatMap(({ problems }) => problems),
  };
  const marks = store.marks({ artifacts: part.artifacts });
  const quiet = glanced.reduce((sum, each) => sum + each.quiet, 0);
  // One that was found since the last look at everything may have gone again, and nobody saw that.
  if (quiet + countPresent(marks) + countPresent(before ?? []) !== store.countPresent())
    return lookAround(catalog, store, asked, { sources, sweeping: "always", nowMs });
  for (const mark of marks) known.set(mark.path, mark.sidecars ?? undefined);
  const whole = scanned.length > 0 ? await catalog.scan(scanned) : { artifacts: [], problems: [] };
  const both: Scan = {
    artifacts: [...part.artifacts, ...whole.artifacts],
    problems: [...part.problems, ...whole.problems],
  };
  return {
    scan: await noteSidecars(catalog, both, sidecarsOf),
    marks: [...marks, ...(before ?? [])],
    scanned,
    quiet,
  };
}

const countPresent = (marks: readonly Mark[]): number =>
  marks.reduce((count, { gone }) => (gone ? count : count + 1), 0);

/** By source; only those of which every root could be looked at in this way. */
async function glanceAt(
  { glances }: Pick<Catalog, "glances">,
  store: SessionStore,
  asked: readonly SourceId[],
  nowMs: number,
): Promise<Map<SourceId, Glance[]>> {
  const found = new Map<SourceId, Glance[]>();
  const places = Map.groupBy(glances.places, ({ source }) => source);
  for (const source of asked) {
    const seen: Glance[] = [];
    for (const { root } of places.get(source) ?? []) {
      const sweep = store.sweepOf(source, root);
      const isGood = sweep && isRecent(sweep.atMs, nowMs);
      const glance = isGood ? await glances.glance(source, root, sweep) : undefined;
      if (!glance) break;
      seen.push(glance);
    }
    if (seen.length > 0 && seen.length === places.get(source)?.length) found.set(source, seen);
  }
  return found;
}

/** A clock that was set back says nothing. */
const isRecent = (atMs: number, nowMs: number): boolean => atMs <= nowMs && nowMs - atMs < EVERY_MS;

/** What to keep of a look, once the store has all that it found. */
export async function sweepsOf(
  { glances }: Pick<Catalog, "glances">,
  { scan, scanned }: Look,
  beganMs: number,
): Promise<readonly FoundSweep[]> {
  const found: FoundSweep[] = [];
  for (const { source, root } of glances.places) {
    if (!scanned.includes(source)) continue;
    const artifacts = scan.artifacts.filter(
      (each) => each.source === source && each.root === root && each.vanishedAt === undefined,
    );
    const kept = await glances.remember(source, root, artifacts, { beganMs, quietMs: QUIET_MS });
    if (kept) found.push({ ...kept, source, root, atMs: beganMs });
  }
  return found;
}
