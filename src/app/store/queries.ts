/** How a question reaches the store, what happens when it cannot be used, and which session a name means. */
import { AppError, type ErrorCode } from "../../model/errors.ts";
import { explainGone } from "../../query/gone.ts";
import {
  type Found,
  type ReadTitles,
  resolveSession,
  titlesInFiles,
  titlesInStore,
} from "../../query/resolve.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { SessionStore } from "../../store/session-store.ts";
import { type Call, type Notice, toIndexProgress, toProgress } from "../call.ts";
import type { ScopeRequest } from "../contract.ts";
import type { Freshness, StoreApp } from "./store.ts";

/** What the agents' own files can answer as well is answered from them when the store cannot be used. */
export type AskStoreOr = <T>(
  asked: ScopeRequest,
  question: (store: SessionStore) => Promise<T> | T,
  otherwise: () => Promise<T>,
) => Promise<T>;

export interface StoreQueries {
  readonly askStoreOr: AskStoreOr;
  /** What is only answered faster with the store: as it is, and nothing where it cannot be used. */
  askStoreOrNot<T>(question: (store: SessionStore) => T): Promise<T | undefined>;
  /** Questions that only the store can answer. */
  askStore<T>(asked: ScopeRequest, question: (store: SessionStore) => Promise<T> | T): Promise<T>;
  titlesFor(asked: ScopeRequest): ReadTitles;
  /** How fresh the store must be for the call. */
  freshness(asked: ScopeRequest): Freshness;
  /** A session that is gone is reported as gone, not as unknown. */
  unlessGone<T>(name: string, answer: Promise<T>): Promise<T>;
  find(name: string): Promise<Found>;
}

export interface QueryParts {
  readonly call: Call;
  readonly catalog: Catalog;
  readonly notice: Notice;
  /** Opened when the first question needs it. */
  withStore(): Promise<StoreApp>;
  /** The folder that the name `.` means. */
  readonly folder: string;
}

export function createStoreQueries({ call, catalog, notice, withStore, folder }: QueryParts): StoreQueries {
  const onProgress = toIndexProgress(call);
  const { freshness: wanted } = call;
  const refresh =
    typeof wanted === "function" ? async () => (await wanted()) !== "stored" : wanted !== "stored";
  const freshness = ({ sources }: ScopeRequest): Freshness => ({
    refresh,
    ...(sources && sources.length > 0 && { sources }),
    ...(onProgress && { onProgress }),
    ...(call.signal && { signal: call.signal }),
  });
  const askStoreOr: AskStoreOr = async (asked, question, otherwise) => {
    try {
      return await (await withStore()).ask({ ...freshness(asked), isStrict: true }, question);
    } catch (error) {
      if (!isStoreFault(error)) throw error;
      notice(`${error.message}; reading the agents' own files instead`);
      return otherwise();
    }
  };
  const askStoreOrNot: StoreQueries["askStoreOrNot"] = async (question) => {
    try {
      return await (await withStore()).ask({ refresh: false }, question);
    } catch (error) {
      if (!isStoreFault(error)) throw error;
      return undefined;
    }
  };
  const askStore: StoreQueries["askStore"] = async (asked, question) =>
    (await withStore()).ask(freshness(asked), question);
  const titlesFor =
    (asked: ScopeRequest): ReadTitles =>
    (artifacts) =>
      askStoreOr(
        asked,
        (store) => titlesInStore(store, artifacts),
        () => titlesInFiles(catalog, toProgress(call))(artifacts),
      );
  const unlessGone = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof AppError) || !NOT_FOUND.has(error.code)) throw error;
      const ids = catalog.sources.map((each) => each.source);
      const gone = await (await withStore())
        .ask({ refresh: false }, (store) => explainGone(store, name, ids))
        .catch((fault: unknown) => {
          if (!isStoreFault(fault)) throw fault;
          notice(`${fault.message}; reading the agents' own files instead`);
        });
      throw gone ?? error;
    }
  };
  const find = (name: string): Promise<Found> =>
    unlessGone(name, resolveSession(catalog, name, toProgress(call), { titles: titlesFor({}), folder }));
  return { askStoreOr, askStoreOrNot, askStore, titlesFor, freshness, unlessGone, find };
}

const NOT_FOUND: ReadonlySet<ErrorCode> = new Set(["session-not-found", "nothing-found"]);

export const isStoreFault = (error: unknown): error is AppError =>
  error instanceof AppError &&
  ["store-unusable", "store-newer", "store-busy", "disk-full"].includes(error.code);
