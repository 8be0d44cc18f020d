/**
 * The questions that need the store: opened when the first one is asked, brought up to date before it is answered. What
 * only some of them need is loaded with them, since a search should take no longer than it must.
 */
import { availableParallelism } from "node:os";
import { OUTPUT_HEAD } from "../../indexer/output-head.ts";
import type { Readers } from "../../indexer/read-ahead.ts";
import type {
  Archiving,
  RefreshOptions,
  Progress as RefreshProgress,
  RefreshResult,
} from "../../indexer/refresh.ts";
import type { IndexWatch } from "../../indexer/watch.ts";
import { AppError } from "../../model/errors.ts";
import type { Redactor } from "../../model/redact/redact.ts";
import type { Role } from "../../model/session/role.ts";
import type { SearchOrder } from "../../model/session/search-order.ts";
import type { Clock } from "../../model/values/time.ts";
import { type Database, SQLITE, sqliteCode } from "../../platform/sqlite/sqlite.ts";
import { type SearchReport, searchPage } from "../../query/search.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { SessionFilter } from "../../store/filter.ts";
import type { KeptStore } from "../../store/kept-store.ts";
import { storePath } from "../../store/open.ts";
import { redactedFolder } from "../../store/redacted/folder.ts";
import type { StoreSchema } from "../../store/schema.ts";
import type { SessionStore } from "../../store/session-store.ts";
import type { RowPlace } from "../../store/sql/row-places.ts";
import type { QueryResult } from "../../store/sql/run.ts";
import { createBoardMirror } from "../../store/state/board-mirror.ts";
import { readTags, type TagRecords } from "../../store/state/tags.ts";
import type { Tell } from "../call.ts";
import { VERSION } from "../version.ts";
import { archiveUnusable } from "./archived-sessions.ts";
import { createArchiving } from "./archiving.ts";
import { STILL_COPYING, STILL_UPDATING, stillPending } from "./incomplete.ts";
import { createStoreSession } from "./store-session.ts";

export interface StoreSettings {
  readonly folder: string;
  readonly now: Clock;
  /** What becomes of sessions whose files are gone. */
  readonly vanished: "keep" | "remove";
  /** Whether copies of sessions are kept in the vault. */
  readonly archive: boolean;
  /** How to start this program again for a guarded query. */
  readonly self: readonly string[];
  readonly notice: Tell;
  /** Where connections stay open from one call to the next. */
  readonly kept?: KeptStore;
  /** Questions are answered from a copy of the store without secrets. */
  readonly redactor?: Redactor;
  /** Makes an index run in a process of its own. */
  readonly indexElsewhere?: (request: IndexRequest, call: IndexCall) => Promise<IndexReport>;
}

export interface IndexRequest {
  readonly rebuild?: boolean;
  readonly sources?: readonly string[];
  /** For those who want something else of the store: what is wrong with the archive does not keep them from it. */
  readonly inPassing?: boolean;
  /** A question waits: where there is much to read, only the newest, and no longer than a question may wait. */
  readonly isForQuestion?: boolean;
}

/** Who hears of an index run, and how it is stopped half-way; what was done until then stays. */
export interface IndexCall {
  readonly onProgress?: (progress: RefreshProgress) => void;
  readonly signal?: AbortSignal;
}

export interface WatchRequest extends Omit<IndexRequest, "rebuild"> {
  /** Called for the first refresh, and for every later one that changed something. */
  readonly onRefresh: (report: WatchReport) => void;
}

export interface WatchReport extends IndexReport {
  readonly at: Date;
}

export interface IndexReport extends RefreshResult {
  readonly seconds: number;
}

export interface SearchRequest {
  readonly text: string;
  readonly filter: SessionFilter;
  readonly role?: Role;
  readonly limit: number;
  readonly sort?: SearchOrder;
  /** `next` of the page before. */
  readonly cursor?: string;
  /** Count the sessions with hits by source, repository and so on. */
  readonly facets?: boolean;
}

export interface SqlRequest {
  readonly sql: string;
  readonly limit?: number;
  readonly timeoutMs?: number;
  /** Tell which session and turn each row is about. */
  readonly places?: boolean;
}

export interface SqlAnswer extends QueryResult {
  /** Only where they were asked for; null for rows that name no session. */
  readonly places?: readonly (RowPlace | null)[];
}

/** Before a question is asked: whether the store has to catch up with the agents' files, and with which. */
export interface Freshness extends IndexCall {
  readonly refresh: boolean | (() => Promise<boolean>);
  readonly sources?: readonly string[];
  /** Who can ask elsewhere wants no answer from a store that could not catch up because another process writes it. */
  readonly isStrict?: boolean;
}

export interface StoreApp {
  /** Answers a question from the store. */
  ask<T>(freshness: Freshness, question: (store: SessionStore) => Promise<T> | T): Promise<T>;
  index(request: IndexRequest, call: IndexCall): Promise<IndexReport>;
  watch(request: WatchRequest, call: IndexCall): Promise<IndexWatch>;
  search(request: SearchRequest, freshness: Freshness): Promise<SearchReport>;
  sql(request: SqlRequest, freshness: Freshness, signal?: AbortSignal): Promise<SqlAnswer>;
  schema(): Promise<StoreSchema>;
}

const isWanted = async ({ refresh }: Freshness): Promise<boolean> =>
  typeof refresh === "function" ? refresh() : refresh;

const isBusy = (error: unknown): boolean =>
  sqliteCode(error) === SQLITE.BUSY || (error instanceof AppError && error.code === "store-busy");

/** Who asks a question waits for so long for the store to catch up; `index` itself takes the time it needs. */
const PATIENCE_MS = 60_000;
/** And for so long for another process that does just that. */
const WRITER_PATIENCE_MS = 2000;
/** One thread writes, so more than a few cannot hand it their rows. */
const MOST_READERS = 4;
/** Whoever copies the store releases it every second. */
const COPY_PATIENCE_MS = 10_000;

export function createStoreApp(catalog: Catalog, settings: StoreSettings): StoreApp {
  const archiving = createArchiving(catalog, {
    folder: settings.folder,
    now: settings.now,
    isOn: settings.archive,
  });
  /** Who asks a question, or keeps no copies, is not kept from it by what is wrong with the archive. */
  const patientArchiving: Archiving = async (sight, pace) => {
    try {
      return await archiving(sight, pace);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      settings.notice(archiveUnusable(error));
      return 0;
    }
  };
  /** A state.db that cannot be read takes no tags from the store. */
  const tagsUnless = (mark: string | undefined): TagRecords | undefined => {
    try {
      return readTags(settings.folder, settings.now, mark);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return undefined;
    }
  };
  const spareCores = availableParallelism() - 1;
  const readers = async (outputHead: number): Promise<Readers> =>
    (await import("./readers/readers.ts")).startReaders(Math.min(spareCores, MOST_READERS), outputHead);
  const options = (request: Omit<IndexRequest, "rebuild"> & IndexCall): RefreshOptions => ({
    outputHead: OUTPUT_HEAD,
    ...(spareCores > 0 && { readers }),
    now: settings.now,
    vanished: settings.vanished,
    archiving: settings.archive && !request.inPassing ? archiving : patientArchiving,
    tags: tagsUnless,
    ownItems: createBoardMirror(settings.folder, settings.now),
    ...(request.sources && { sources: request.sources }),
    ...(request.onProgress && { onProgress: request.onProgress }),
    ...(request.signal && { signal: request.signal }),
  });
  /** For those who want something else of the store, and only as far as they wait. */
  const inPassing = (
    request: Omit<IndexRequest, "rebuild"> & IndexCall,
    withinMs?: number,
  ): RefreshOptions => {
    const how = options({ ...request, inPassing: true });
    const { indexElsewhere: index } = settings;
    if (!index) return how;
    const { onProgress, signal, sources } = request;
    const asked = { ...(sources && { sources }), inPassing: true };
    const elsewhere = (isForQuestion: boolean): Promise<RefreshResult> => {
      const until = withinMs === undefined ? [] : [AbortSignal.timeout(withinMs)];
      return index(isForQuestion ? { ...asked, isForQuestion } : asked, {
        ...(onProgress && { onProgress }),
        signal: AbortSignal.any([...(signal ? [signal] : []), ...until]),
      });
    };
    return { ...how, elsewhere };
  };
  const { folder, now, notice, redactor } = settings;
  /** What is read of the agents' files. */
  const wholeSession = createStoreSession({ folder, now, notice }, settings.kept);
  /** And what questions are asked of. */
  const asked = redactor ? redactedFolder(folder) : folder;
  const storeSession = redactor ? createStoreSession({ folder: asked, now, notice }) : wholeSession;
  /** With `remove`, sessions that were kept after all are reported, with the reason. */
  const tellKept = (kept: number): void => {
    if (settings.vanished === "remove" && kept > 0)
      settings.notice(
        `${kept === 1 ? "1 session is" : `${kept} sessions are`} kept and marked as gone: nothing is left where ${kept === 1 ? "it was" : "they were"}, so a disk may not be mounted, or a home may have moved`,
      );
  };
  /** Before a question is answered. */
  const catchUp = async (store: SessionStore, request: Freshness): Promise<void> => {
    if (!(await isWanted(request)) && storeSession.losses() === 0) return;
    if (!redactor) return catchUpWhole(store, request);
    const { copyRedacted } = await import("../../store/redacted/copy.ts");
    await wholeSession.open(async (whole) => {
      await catchUpWhole(whole, request);
      const { onProgress } = request;
      const copied = copyRedacted(whole.db, store.db, {
        redactor,
        version: VERSION,
        outputHead: OUTPUT_HEAD,
        patienceMs: COPY_PATIENCE_MS,
        withinMs: PATIENCE_MS,
        ...(request.signal && { signal: request.signal }),
        ...(onProgress && {
          onProgress: (progress) => onProgress({ ...progress, bytes: 0, totalBytes: 0 }),
        }),
      });
      const isWhole = await copied.catch((error: unknown) => {
        if (request.isStrict || !isBusy(error)) throw error;
        return false;
      });
      if (!isWhole) settings.notice(STILL_COPYING);
    });
  };
  const catchUpWhole = async (store: SessionStore, request: Freshness): Promise<void> => {
    const { refresh } = await import("../../indexer/refresh.ts");
    const caughtUp = refresh(catalog, store, {
      ...inPassing(request, PATIENCE_MS),
      // The archive is kept in step with all that is there.
      ...(!settings.archive && { sweeping: "seldom" as const }),
      withinMs: PATIENCE_MS,
      patienceMs: WRITER_PATIENCE_MS,
    });
    const { pending, pendingBytes, kept } = await caughtUp.catch((error: unknown) => {
      if (request.isStrict || !isBusy(error)) throw error;
      settings.notice(STILL_UPDATING);
      return { pending: 0, pendingBytes: 0, kept: 0 };
    });
    tellKept(kept);
    if (pending > 0)
      settings.notice({
        say: stillPending(pending, pendingBytes),
        remedy: { action: "index" },
      });
  };

  /** A store that may only be read still answers, with what was indexed before. */
  const fromReadOnly = async <T>(why: AppError, answer: (db: Database) => T): Promise<T> => {
    const { peek } = await import("../../platform/sqlite/untouched.ts");
    let answered: T;
    try {
      answered = peek(storePath(asked), answer);
    } catch {
      throw why; // there is none, or it is one that had to be written first
    }
    settings.notice(`${why.message}; this answer uses the store as it was last updated`);
    return answered;
  };

  return {
    ask: (freshness, question) =>
      storeSession.open(async (store) => {
        await catchUp(store, freshness);
        return question(store);
      }),
    async index({ rebuild: isRebuild, ...request }, call) {
      const began = performance.now();
      const [{ rebuild }, { refresh }, { fillEmpty }] = await Promise.all([
        import("../../indexer/rebuild.ts"),
        import("../../indexer/refresh.ts"),
        import("../../indexer/first.ts"),
      ]);
      const how = {
        ...options({ ...request, ...call }),
        ...(request.isForQuestion && { withinMs: PATIENCE_MS }),
        sweeping: "always" as const,
      };
      const result = isRebuild
        ? await wholeSession.guard(() => rebuild(catalog, settings.folder, how, wholeSession.notice))
        : (!request.isForQuestion &&
            (await wholeSession.guard(() =>
              fillEmpty(catalog, settings.folder, how, wholeSession.notice),
            ))) ||
          (await wholeSession.open((store) => refresh(catalog, store, how)));
      tellKept(result.kept);
      return { ...result, seconds: (performance.now() - began) / 1000 };
    },
    async watch({ onRefresh, ...request }, { onProgress, signal }) {
      const [{ refresh }, { watchIndex }, { watchFolders }, { withoutGrowing }] = await Promise.all([
        import("../../indexer/refresh.ts"),
        import("../../indexer/watch.ts"),
        import("../../platform/disk/watch.ts"),
        import("../../platform/memory.ts"),
      ]);
      let seconds = 0;
      let isUnderWay = false;
      // It is never cut off, but pauses: to look at thousands of files takes longer than anybody should wait for others.
      const pausing = catalog.until(new AbortController().signal);
      const watch = await watchIndex({
        catalog: pausing,
        watchFolders,
        sparingly: withoutGrowing,
        ...(request.sources && { sources: request.sources }),
        async refresh(shown) {
          const from = performance.now();
          const losses = wholeSession.losses();
          const take = (what: Catalog): Promise<RefreshResult> =>
            wholeSession.open((store) =>
              refresh(what, store, {
                ...inPassing({
                  ...request,
                  ...(signal && { signal }),
                  // Only the first call is waited for.
                  ...(!isUnderWay && onProgress && { onProgress }),
                }),
              }),
            );
          const part = await take(shown);
          const result = wholeSession.losses() > losses ? await take(pausing) : part;
          seconds = (performance.now() - from) / 1000;
          return result;
        },
        onRefresh: (result) => onRefresh({ ...result, seconds, at: settings.now() }),
        onNotice: settings.notice,
      });
      isUnderWay = true;
      return watch;
    },
    async search(request, freshness) {
      const answer = (db: Database): SearchReport => searchPage(db, { ...request, now: settings.now() });
      try {
        return await storeSession.open(async (store) => {
          await catchUp(store, freshness);
          return answer(store.db);
        });
      } catch (error) {
        if (!(error instanceof AppError && error.code === "store-unusable")) throw error;
        return fromReadOnly(error, answer);
      }
    },
    async schema() {
      const { readSchema } = await import("../../store/schema.ts");
      return storeSession.open((store) => readSchema(store.db));
    },
    async sql(request, freshness, signal) {
      if (await isWanted(freshness))
        await storeSession.open((store) => catchUp(store, { ...freshness, refresh: true }));
      const { runReadOnly } = await import("../../store/sql/run.ts");
      const answer = await runReadOnly({
        command: settings.self,
        path: storePath(asked),
        sql: request.sql,
        ...(signal && { signal }),
        ...(request.limit !== undefined && { limit: request.limit }),
        ...(request.timeoutMs !== undefined && { timeoutMs: request.timeoutMs }),
        ...(redactor && { isCopy: true }),
      });
      if (!request.places) return answer;
      const { placesOfRows } = await import("../../store/sql/row-places.ts");
      return { ...answer, places: await storeSession.open((store) => placesOfRows(store.db, answer)) };
    },
  };
}
