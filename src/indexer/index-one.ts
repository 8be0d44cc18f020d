/** Reads one session into the store: all of it, or only what was appended to its log. */
import type { Problem } from "../model/problem.ts";
import type { Artifact, SidecarMark } from "../model/session/session.ts";
import { workKey } from "../model/session/work-key.ts";
import type { Catalog } from "../sources/catalog.ts";
import { failedOn, toProblem, unreadSession } from "../sources/isolation.ts";
import { isStoreFault } from "../store/faults.ts";
import type { Stop, TurnRow } from "../store/rows.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { Change } from "./changes.ts";
import { parseSidecarCheckpoint } from "./checkpoint.ts";
import { createExtractor, type ExtractState } from "./extract.ts";
import type { RefreshOptions } from "./refresh.ts";

export interface Indexed {
  readonly id: string;
  readonly turns: number;
  readonly problems: number;
  readonly isUnreadable: boolean;
  readonly bytes: number;
}

/** What reading a session needs of the store. */
export type SessionRows = Pick<
  SessionStore,
  "idFor" | "replace" | "stopOf" | "resume" | "sidecars" | "noteSidecars" | "finish" | "setVanished"
>;

type Reading = Extract<Change, { artifact: Artifact }>;

/** What fails on the session itself becomes a problem of it; only what the store cannot do is thrown. */
export async function indexOne(
  catalog: Catalog,
  store: SessionRows,
  change: Reading,
  options: Pick<RefreshOptions, "outputHead">,
): Promise<Indexed> {
  const id = store.idFor(change.artifact);
  try {
    if (change.kind === "sidecars") return await readSidecars(catalog, store, id, change);
    return await readInto(catalog, store, id, change, options);
  } catch (error) {
    if (isStoreFault(error)) throw error;
    // What was kept of an earlier reading may be to blame.
    if (change.kind !== "read") return indexOne(catalog, store, { ...change, kind: "read" }, options);
    return noteFailure(store, id, change.artifact, error);
  }
}

/** Nothing of what was read until then stays: it may be what made the rest fail. */
function noteFailure(store: SessionRows, id: string, artifact: Artifact, error: unknown): Indexed {
  const { fingerprint, listed, sidecars } = artifact;
  store.replace(id, fingerprint.mtimeMs);
  store.finish(id, {
    session: unreadSession(artifact),
    problems: [toProblem(error, failedOn(artifact))],
    mark: { fingerprint, ...(listed && { listed }), ...(sidecars && { sidecars }) },
  });
  return { id, turns: 0, problems: 1, isUnreadable: true, bytes: fingerprint.size };
}

async function readInto(
  catalog: Catalog,
  store: SessionRows,
  id: string,
  change: Reading,
  options: Pick<RefreshOptions, "outputHead">,
): Promise<Indexed> {
  const artifact = await withSidecars(catalog, change.artifact);
  const stop = change.kind === "tail" ? store.stopOf(id) : undefined;
  const { reader, extract } = (stop?.state ?? {}) as Partial<StopState>;
  const from = stop && { offset: stop.readTo, lines: stop.lines, guard: stop.guard, state: reader };
  const goesOn = from !== undefined && extract !== undefined && (await catalog.canContinue(artifact, from));
  const resumed = goesOn ? store.resume(id, artifact.fingerprint.mtimeMs) : undefined;
  const rows = resumed?.rows ?? store.replace(id, artifact.fingerprint.mtimeMs);
  let turns = 0;
  const extractor = createExtractor(
    {
      ...rows,
      turn(row) {
        // The last known turn is emitted again; usually nothing was added to it.
        if (resumed?.last && isSame(row, resumed.last)) return;
        turns++;
        rows.turn(row);
      },
    },
    {
      ...options,
      ranges: catalog.readsRanges(artifact.source),
      workOf: (prompt) =>
        workKey({ source: artifact.source, renewsIds: catalog.renewsIds(artifact.source) }, prompt),
    },
    goesOn ? { state: extract, turn: resumed?.last } : undefined,
  );
  const problems: Problem[] = [];
  let next: Stop | undefined;
  let lasting = 0;
  const session = await catalog.read(
    artifact,
    {
      event: (event) => extractor.event(event),
      problem: (problem) => void problems.push(problem),
      brief: extractor,
    },
    {
      textLimit: Math.max(options.outputHead, 4096),
      skim: true,
      ...(goesOn && { from }),
      onBookmark({ offset, lines, guard, state }) {
        lasting = problems.length;
        const both: StopState = { reader: state, extract: extractor.state() };
        next = { readTo: offset, lines, guard, state: both };
      },
    },
  );
  extractor.end(artifact.fingerprint.size);
  const beside = await writeSidecars(catalog, store, id, artifact, goesOn ? change.before?.sidecars : null);
  const bornMs = await catalog.bornMs(artifact);
  store.finish(id, {
    session,
    ...(bornMs !== undefined && { bornMs }),
    problems,
    passing: problems.slice(lasting),
    mark: {
      fingerprint: artifact.fingerprint,
      ...(artifact.listed && { listed: artifact.listed }),
      ...(artifact.sidecars && { sidecars: artifact.sidecars }),
      ...(next && { stop: next }),
    },
  });
  if (artifact.vanishedAt !== undefined) store.setVanished(id, artifact.vanishedAt);
  const bytes = artifact.fingerprint.size - (goesOn ? from.offset : 0) + beside;
  return { id, turns, problems: session.problems, isUnreadable: problems.some(isUnreadable), bytes };
}

/** The files beside a session that is read from our copy of it are noted when it is read. */
const withSidecars = async ({ sidecars }: Catalog, artifact: Artifact): Promise<Artifact> =>
  artifact.sidecars ? artifact : sidecars.note(artifact);

/** The log has not changed, so it is not opened. */
async function readSidecars(
  catalog: Catalog,
  store: SessionRows,
  id: string,
  { artifact, before }: Extract<Change, { kind: "sidecars" }>,
): Promise<Indexed> {
  const bytes = await writeSidecars(catalog, store, id, artifact, before.sidecars);
  store.noteSidecars(artifact);
  return { id, turns: 0, problems: 0, isUnreadable: false, bytes };
}

/** Reads the files beside a log that have changed, and gives back how many bytes that were. */
async function writeSidecars(
  { sidecars }: Catalog,
  store: SessionRows,
  id: string,
  artifact: Artifact,
  before: SidecarMark | null | undefined,
): Promise<number> {
  const { changed, gone } = sidecars.changes(artifact, before ?? undefined);
  if (changed.length + gone.length === 0) return 0;
  const rows = store.sidecars(id, artifact.fingerprint.mtimeMs);
  let bytes = 0;
  for (const name of gone) rows.remove({ name, path: sidecars.pathOf(artifact, name) });
  for (const name of changed) {
    const found = await sidecars.read(artifact, name);
    const file = { name, path: sidecars.pathOf(artifact, name) };
    rows.remove(file);
    if (!found) continue;
    bytes += Buffer.byteLength(found.text);
    if (found.kind === "text") rows.text(file, found.text);
    else rows.checkpoint(file, parseSidecarCheckpoint(found));
  }
  return bytes;
}

const isSame = (row: TurnRow, other: TurnRow): boolean =>
  row.index === other.index &&
  row.user === other.user &&
  row.response === other.response &&
  row.more === other.more &&
  row.startedAt === other.startedAt &&
  row.endedAt === other.endedAt &&
  row.textBytes === other.textBytes &&
  row.filesChanged === other.filesChanged &&
  row.hasCheckpoint === other.hasCheckpoint &&
  row.range?.end === other.range?.end &&
  row.range?.digest === other.range?.digest;

/** The state that the reader and the extractor need to continue. */
interface StopState {
  readonly reader: unknown;
  readonly extract: ExtractState;
}

export const isUnreadable = ({ code }: Problem): boolean =>
  code === "session-unreadable" || code === "folder-unreadable" || code === "reader-failed";
