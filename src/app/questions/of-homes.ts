/** Questions about all sessions, answered from the store, or from files where the store cannot be had. */
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { knownSources } from "../../query/list.ts";
import { toProgress } from "../call.ts";
import { problemInDemo } from "../choose-catalog.ts";
import type { App } from "../contract.ts";
import { toFilter, toStoreFilter } from "../filters.ts";
import type { Asking } from "./asking.ts";
import { listIn } from "./list-in.ts";

type Names =
  | "list"
  | "folderMatches"
  | "doctor"
  | "damaged"
  | "overview"
  | "workspaces"
  | "stats"
  | "dividedStats"
  | "tree"
  | "refresh"
  | "search"
  | "where"
  | "sql"
  | "schema"
  | "blame"
  | "files"
  | "tags"
  | "tag"
  | "abilities"
  | "launch";

export function questionsOfHomes({ ask, request, config, demo, dataFolder }: Asking): Pick<App, Names> {
  return {
    list: (wanted = {}, call = {}) => ask(call, (opened) => listIn(opened, wanted, call)),
    folderMatches: ({ folder = config.folder, limit, ...scope }, call = {}) =>
      ask(call, async (opened) => {
        const { matchFolder } = await import("../folder-matches.ts");
        const { sessions } = await listIn(opened, scope, call);
        const found = await matchFolder(opened.catalog, folder, sessions);
        return { ...found, matches: found.matches.slice(0, limit || undefined) };
      }),
    doctor: ({ sources } = {}, call = {}, found) =>
      ask(call, async ({ catalog }) => {
        const { diagnose } = await import("../../query/doctor.ts");
        const { findBadBackups } = await import("../edit/backup-check.ts");
        const { findVendorLag } = await import("../../indexer/vendor-store-lag.ts");
        const ours = findBadBackups(dataFolder, config.now);
        const diagnosis = await diagnose(catalog, {
          sources,
          progress: toProgress(call),
          ours,
          around: (sessions) => findVendorLag(catalog, sessions),
          ...(found && { found: (findings) => found(demo ? findings.map(problemInDemo) : findings) }),
        });
        return demo ? { ...diagnosis, problems: diagnosis.problems.map(problemInDemo) } : diagnosis;
      }),
    damaged: (call = {}) =>
      ask(call, async ({ catalog }) => {
        const { diagnose, inNeedOfRescue } = await import("../../query/doctor.ts");
        return inNeedOfRescue(await diagnose(catalog, { progress: toProgress(call) }));
      }),
    overview: (wanted = {}, call = {}) =>
      ask(call, async ({ catalog, askStoreOr }) => {
        const { overviewFromFiles, overviewOf } = await import("../../query/overview.ts");
        const sources = wanted.sources && knownSources(catalog, wanted.sources);
        return askStoreOr(
          wanted,
          (store) => overviewOf(catalog, store, config.now(), sources),
          () => overviewFromFiles(catalog, config.now(), sources, toProgress(call)),
        );
      }),
    workspaces: (wanted = {}, call = {}) =>
      ask(call, async ({ catalog, askStoreOr }) => {
        const { workspacesFromFiles, workspacesOf } = await import("../../query/workspaces.ts");
        const sources = wanted.sources && knownSources(catalog, wanted.sources);
        return askStoreOr(
          wanted,
          (store) => workspacesOf(catalog, store, sources),
          () => workspacesFromFiles(catalog, sources, toProgress(call)),
        );
      }),
    stats: (wanted = {}, call = {}) =>
      ask(call, async ({ catalog, askStore, settings }) => {
        const { statsOf } = await import("../../query/stats.ts");
        const filter = await toFilter(wanted, catalog);
        return askStore(wanted, (store) => statsOf(catalog, store, filter, settings.prices ?? undefined));
      }),
    dividedStats: (wanted, by, call = {}) =>
      ask(call, async ({ catalog, askStore, settings }) => {
        const { dividedStatsOf } = await import("../../query/stats.ts");
        const filter = await toFilter(wanted, catalog);
        const { limit } = wanted;
        const how = {
          ...(limit !== undefined && { limit }),
          ...(settings.prices && { prices: settings.prices }),
        };
        return askStore(wanted, (store) => dividedStatsOf(catalog, store, filter, by, how));
      }),
    tree: ({ name } = {}, call = {}) =>
      ask(call, async ({ askStore, find }) => {
        const [{ treeOf }, { readLineage }] = await Promise.all([
          import("../../query/tree.ts"),
          import("../../store/state/lineage.ts"),
        ]);
        const found = name === undefined ? undefined : await find(name);
        const recorded = readLineage(dataFolder, config.now);
        return askStore({}, (store) => treeOf(store, recorded, found?.artifact));
      }),
    refresh: (call = {}) => ask(call, ({ askStore }) => askStore({}, () => undefined)),
    search: ({ where = {}, ...wanted }, call = {}) =>
      ask(call, async ({ catalog, withStore, freshness, find }) => {
        const only = where.session === undefined ? undefined : (await find(where.session)).artifact;
        const filter = toStoreFilter(await toFilter(where, catalog), where, only);
        // Facets tell of other sources, too.
        return (await withStore()).search({ ...wanted, filter }, freshness(wanted.facets ? {} : where));
      }),
    where: (wanted, call = {}) =>
      ask(call, async ({ askStore }) => {
        const { whereIs } = await import("../../query/where.ts");
        return askStore({}, ({ db }) => whereIs(db, wanted, config.now()));
      }),
    sql: (wanted, call = {}) =>
      ask(call, async ({ withStore, freshness }) =>
        (await withStore()).sql(wanted, freshness({}), call.signal),
      ),
    schema: (call = {}) => ask(call, async ({ withStore }) => (await withStore()).schema()),
    blame: (wanted, call = {}) =>
      ask(call, async (opened) => {
        const { askBlame } = await import("../blame/blame.ts");
        return askBlame(opened, config, wanted, call);
      }),
    files: (wanted = {}, call = {}) =>
      ask(call, async (opened) => {
        const { askFiles } = await import("../blame/blame.ts");
        return askFiles(opened, wanted);
      }),
    tags: (wanted = {}, call = {}) =>
      ask(call, async (opened) => {
        const { listTags } = await import("../tagging.ts");
        return listTags(opened, wanted, config.now, call);
      }),
    async tag(wanted, call = {}) {
      refuseAborted(call.signal);
      const { changeSessionTags } = await import("../tagging.ts");
      return changeSessionTags(await request(call), wanted, config.now, call);
    },
    abilities: (call = {}) => ask(call, ({ catalog }) => catalog.abilities()),
    launch: (name, call = {}) =>
      ask(call, async ({ catalog, find }) => {
        const { planLaunch } = await import("../launching.ts");
        return planLaunch(catalog, (await find(name)).artifact);
      }),
  };
}
