/** One call to the app: its settings, notices and way to the store, and what a crash left settled before it is answered. */
import { unfinished } from "../edit/apply/stage.ts";
import { AppError } from "../model/errors.ts";
import type { Redactor } from "../model/redact/redact.ts";
import { adviceFor, toHint } from "../model/remedy.ts";
import { type LineageLink, withRecordedParents } from "../model/session/lineage.ts";
import type { Session } from "../model/session/session.ts";
import { localFs } from "../platform/fs/local.ts";
import type { Naming, ReadTitles } from "../query/resolve.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { KeptStore } from "../store/kept-store.ts";
import { hasFollowups } from "../store/state/followups-due.ts";
import { type Call, fromCallProgress, type Notice, onceEach, type Tell } from "./call.ts";
import type { AppConfig } from "./config.ts";
import type { App, LongLife } from "./contract.ts";
import type { OutputGuard } from "./export/output-guard.ts";
import { ANSWER_QUERY } from "./self.ts";
import { readSettings, type Settings } from "./settings.ts";
import { createStoreQueries, type StoreQueries } from "./store/queries.ts";
import type { IndexCall, IndexRequest, StoreApp } from "./store/store.ts";

/** What all calls of an app share. */
export interface RequestParts {
  readonly config: AppConfig;
  /** The catalog of the homes that are read; problems of our own copies are reported. */
  openCatalog(notice: Notice): Catalog;
  /** This machine's own homes, also while the demo is read. */
  readonly homes: Catalog["sources"];
  readonly demo: App["demo"];
  readonly dataFolder: string;
  readonly tell: Notice;
  /** For answers that leave the machine: see `createApp`. */
  readonly redactor?: Redactor;
  /** In a process that lives long. */
  readonly longLife?: { readonly kept: KeptStore; readonly index?: LongLife["index"] };
}

export interface Request extends StoreQueries {
  readonly catalog: Catalog;
  readonly settings: Settings;
  /** Says something beside the answer, once. */
  readonly notice: Notice;
  readonly demo: App["demo"];
  /** Our own folder, or that of the demo. */
  readonly dataFolder: string;
  readonly titles: ReadTitles;
  /** What names may refer to. */
  readonly naming: Naming;
  /** Which sessions we made from which; none where that cannot be read. */
  lineage(): Promise<readonly LineageLink[]>;
  /** The same sessions, with the parents of the copies that we made, and the titles of parents. */
  parents(sessions: readonly Session[]): Promise<readonly Session[]>;
  /** Sessions that were read from their logs alone, with the parents that `list` knows. */
  withParents(sessions: readonly Session[]): Promise<readonly Session[]>;
  /** The tags of sessions, by their keys; none where that cannot be read. */
  tags(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** A session that was read from its log alone, with the parent and the tags that `list` knows. */
  asListed(session: Session): Promise<Session>;
  /** Opened when something needs it. */
  withStore(): Promise<StoreApp>;
  /** Keeps files that people have written out of all homes. */
  openGuard(): Promise<OutputGuard>;
}

export async function openRequest(call: Call, parts: RequestParts): Promise<Request> {
  const { config, demo, dataFolder } = parts;
  const notice = onceEach(call.onNotice ?? parts.tell);
  const tell: Tell = (advice) => notice(toHint(adviceFor(advice, demo !== undefined)));
  const settings = await readSettings(config);
  const whole = parts.openCatalog(notice);
  // The store itself is filled without this memory: it is the one that remembers.
  const remembering = whole.recalling(async (folder) => {
    const { repositoryOfFolder } = await import("../store/folder-rows.ts");
    return askIfThere(({ db }) => repositoryOfFolder(db, folder));
  });
  const catalog = call.signal ? remembering.until(call.signal) : remembering;
  await settle(whole, dataFolder, config, tell);
  // Loaded on demand: reading sessions needs no database. A refresh ends between two sessions, not within one.
  const withStore = async (): Promise<StoreApp> => {
    const { createStoreApp } = await import("./store/store.ts");
    const self = [...config.self, ANSWER_QUERY];
    const index = parts.longLife?.index;
    return createStoreApp(whole, {
      ...settings,
      ...(parts.redactor && { redactor: parts.redactor }),
      ...(parts.longLife && { kept: parts.longLife.kept }),
      ...(index && {
        indexElsewhere: (asked: IndexRequest, { signal, onProgress }: IndexCall) =>
          index(asked, {
            ...(signal && { signal }),
            ...(onProgress && { onProgress: fromCallProgress(onProgress) }),
            onNotice: notice,
          }),
      }),
      folder: dataFolder,
      now: config.now,
      self,
      notice: tell,
    });
  };
  const queries = createStoreQueries({ call, catalog, notice, withStore, folder: config.folder });
  /** No store is created for questions that can do without it. */
  const askIfThere: Request["askStoreOrNot"] = async (question) => {
    const { storePath } = await import("../store/open.ts");
    const isThere = await localFs.exists(storePath(dataFolder));
    return isThere ? queries.askStoreOrNot(question) : undefined;
  };
  const titles = queries.titlesFor({});
  /** Those who need state.db say what is wrong with it; the others do without. */
  const unlessUnusable = async <T>(read: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return otherwise;
    }
  };
  const lineage = (): Promise<readonly LineageLink[]> =>
    unlessUnusable(async () => {
      const { readLineage } = await import("../store/state/lineage.ts");
      return readLineage(dataFolder, config.now);
    }, []);
  const parents: Request["parents"] = async (sessions) => {
    const known = withRecordedParents(sessions, await lineage());
    if (!known.some(({ parent }) => parent && parent.title === undefined)) return known;
    const { withParentTitles } = await import("../store/parents.ts");
    return (await askIfThere(({ db }) => withParentTitles(db, known))) ?? known;
  };
  const withParents: Request["withParents"] = async (sessions) => {
    const { parentByTurns } = await import("../store/parents.ts");
    const told = await askIfThere(({ db }) =>
      sessions.map((session) => session.parent ?? parentByTurns(db, session)),
    );
    return parents(
      sessions.map((session, at) => {
        const parent = told?.[at];
        return parent ? { ...session, parent } : session;
      }),
    );
  };
  return {
    ...queries,
    catalog,
    settings,
    notice,
    demo,
    dataFolder,
    titles,
    lineage,
    parents,
    tags: () =>
      unlessUnusable(async () => {
        const [{ readTags }, { tagsByKey }] = await Promise.all([
          import("../store/state/tags.ts"),
          import("./tagging.ts"),
        ]);
        return tagsByKey(readTags(dataFolder, config.now)?.rows ?? []);
      }, new Map()),
    withParents,
    async asListed(session) {
      const [found = session] = await withParents([session]);
      const tags = await unlessUnusable(async () => {
        const { tagsOf } = await import("../store/state/tags.ts");
        return tagsOf(dataFolder, config.now, session);
      }, []);
      const { tags: _, ...untagged } = found;
      return tags.length > 0 ? { ...untagged, tags } : untagged;
    },
    naming: {
      titles,
      folder: config.folder,
      async recall(key) {
        const { findArtifacts } = await import("../store/known-artifacts.ts");
        return askIfThere(({ db }) => findArtifacts(db, key));
      },
    },
    withStore,
    async openGuard() {
      const { createOutputGuard, holdingsOf } = await import("./export/output-guard.ts");
      return createOutputGuard(holdingsOf(parts.homes, config.dataHome));
    },
  };
}

/** What a process that died was writing, or left to do, is settled before anybody looks. */
async function settle(catalog: Catalog, dataFolder: string, { now }: AppConfig, tell: Tell): Promise<void> {
  if (unfinished(dataFolder).length > 0) {
    const { createWriteContext, recoverWrites } = await import("./edit/recover.ts");
    await recoverWrites(createWriteContext(dataFolder, now, { sessions: catalog.fs }), catalog, tell);
  }
  if (hasFollowups(dataFolder)) {
    const { runFollowups } = await import("./edit/vendor-rows.ts");
    await runFollowups(catalog, dataFolder, now, "passer");
  }
}
