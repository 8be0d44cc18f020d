/** How a question reaches the store, what happens when it cannot be used, and which session a name means. */
import { AppError, type ErrorCode } from "../../model/errors.ts";
import { explainGone } from "../../query/gone.ts";
import type { Progress } from "../../query/heads.ts";
import {
  type Found,
  type ReadTitles,
  resolveSession,
  titlesInFiles,
  titlesInStore,
} from "../../query/resolve.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { SessionStore } from "../../store/session-store.ts";
import type { Notice, ScopeRequest } from "../contract.ts";
import type { Freshness, StoreApp } from "./store.ts";

export interface Asked extends ScopeRequest {
  readonly progress?: Progress | undefined;
}

/** What the agents' own files can answer as well is answered from them when the store cannot be used. */
export type AskStoreOr = <T>(
  asked: Asked,
  question: (store: SessionStore) => Promise<T> | T,
  otherwise: () => Promise<T>,
) => Promise<T>;

export interface Asking {
  readonly askStoreOr: AskStoreOr;
  /** What is only answered faster with the store: as it is, and nothing where it cannot be used. */
  askStoreOrNot<T>(question: (store: SessionStore) => T): Promise<T | undefined>;
  /** Questions that only the store can answer. */
  askStore<T>(asked: Asked, question: (store: SessionStore) => Promise<T> | T): Promise<T>;
  titlesFor(asked: Asked): ReadTitles;
  /** Who asks for a session that is gone is told so, rather than that there never was one. */
  unlessGone<T>(name: string, answer: Promise<T>): Promise<T>;
  find(name: string, asked: Asked): Promise<Found>;
}

export interface AskingParts {
  readonly catalog: Catalog;
  readonly notice: Notice;
  /** Opened when the first question needs it. */
  withStore(): Promise<StoreApp>;
}

export function createAsking({ catalog, notice, withStore }: AskingParts): Asking {
  const askStoreOr: AskStoreOr = async (asked, question, otherwise) => {
    try {
      return await (await withStore()).ask({ ...toFreshness(asked), isStrict: true }, question);
    } catch (error) {
      if (!isStoreFault(error)) throw error;
      notice(`${error.message}; reading the agents' own files instead`);
      return otherwise();
    }
  };
  const askStoreOrNot = async <T>(question: (store: SessionStore) => T): Promise<T | undefined> => {
    try {
      return await (await withStore()).ask({ refresh: false }, question);
    } catch (error) {
      if (!isStoreFault(error)) throw error;
      return undefined;
    }
  };
  const askStore = async <T>(asked: Asked, question: (store: SessionStore) => Promise<T> | T): Promise<T> =>
    (await withStore()).ask(toFreshness(asked), question);
  const titlesFor =
    (asked: Asked): ReadTitles =>
    (artifacts) =>
      askStoreOr(
        asked,
        (store) => titlesInStore(store, artifacts),
        () => titlesInFiles(catalog, asked.progress)(artifacts),
      );
  const unlessGone = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof AppError) || !NOT_FOUND.has(error.code)) throw error;
      const ids = catalog.sources.map((each) => each.source);
      const gone = await askStoreOr(
        { noRefresh: true },
        (store) => explainGone(store, name, ids),
        async () => undefined,
      );
      throw gone ?? error;
    }
  };
  const find = (name: string, asked: Asked): Promise<Found> =>
    unlessGone(name, resolveSession(catalog, name, asked.progress, titlesFor(asked)));
  return { askStoreOr, askStoreOrNot, askStore, titlesFor, unlessGone, find };
}

const NOT_FOUND: ReadonlySet<ErrorCode> = new Set(["session-not-found", "nothing-found"]);

const toFreshness = ({ noRefresh, sources, progress }: Asked): Freshness => ({
  refresh: !noRefresh,
  ...(sources && sources.length > 0 && { sources }),
  ...(progress && { onProgress: ({ bytes, totalBytes }) => progress(bytes, totalBytes) }),
});

const isStoreFault = (error: unknown): error is AppError =>
  error instanceof AppError &&
  ["store-unusable", "store-newer", "store-busy", "disk-full"].includes(error.code);
