/** Wires the rooms: one object that answers every question a surface may ask. */
import { demoFolder, demoVars } from "../demo/places.ts";
import { unfinished } from "../edit/apply/stage.ts";
import { knownSources, listFromFiles, listSessions } from "../query/list.ts";
import { SOURCES } from "../sources/registry.ts";
import { hasErrands } from "../store/state/errands-due.ts";
import { chooseCatalog, makeDemo, problemInDemo } from "./choose-catalog.ts";
import type { Config } from "./config.ts";
import type { App, Notice } from "./contract.ts";
import type { EditApp } from "./edit-contract.ts";
import type { OutputGuard } from "./export/output-guard.ts";
import { toFilter, toStoreFilter } from "./filters.ts";
import { ANSWER_QUERY } from "./self.ts";
import { readSettings } from "./settings.ts";
import { createAsking } from "./store/queries.ts";
import type { StoreApp } from "./store/store.ts";

export async function createApp(config: Config, tell: Notice = () => undefined): Promise<App> {
  const notice = once(tell);
  const settings = await readSettings(config);
  const { catalog, homes, demo } = await chooseCatalog(config, notice);
  const dataFolder = demo ? demoFolder(config.dataHome) : config.dataHome;
  /** Programs that are started look at the homes that we look at. */
  const programVars = { ...config.environment.vars, ...(demo && demoVars(dataFolder)) };
  // Whatever a process that died was writing is settled before anybody looks.
  if (unfinished(dataFolder).length > 0) {
    const { createWorkshop, recoverWrites } = await import("./edit/recover.ts");
    await recoverWrites(createWorkshop(dataFolder, config.now), catalog, notice);
  }
  if (hasErrands(dataFolder)) {
    const { runErrands } = await import("./edit/vendor-rows.ts");
    await runErrands(catalog, dataFolder, config.now, "passer");
  }
  // Loaded on demand: reading sessions needs no database.
  const withStore = async (): Promise<StoreApp> => {
    const { createStoreApp } = await import("./store/store.ts");
    const self = [...config.self, ANSWER_QUERY];
    return createStoreApp(catalog, { ...settings, folder: dataFolder, now: config.now, self, notice });
  };
  const { askStoreOr, askStoreOrNot, askStore, titlesFor, unlessGone, find } = createAsking({
    catalog,
    notice,
    withStore,
  });
  const list: App["list"] = (request, progress) => {
    const filter = toFilter(request, config, catalog);
    return askStoreOr(
      { ...request, progress },
      (store) => listSessions(catalog, store, filter, request.limit),
      () => listFromFiles(catalog, filter, request.limit, progress),
    );
  };
  const openGuard = async (): Promise<OutputGuard> => {
    const { createOutputGuard, holdingsOf } = await import("./export/output-guard.ts");
    return createOutputGuard(holdingsOf(homes, config.dataHome));
  };
  const exporting = async () =>
    (await import("./export/choose.ts")).createExporting({
      config,
      catalog,
      demo,
      dataFolder,
      list,
      find,
      guard: await openGuard(),
    });
  const openEdit = async (): Promise<EditApp> => {
    const [{ createEditApp }, { afterWrite }] = await Promise.all([
      import("./edit/edit.ts"),
      import("./edit/after-write.ts"),
    ]);
    return createEditApp({
      catalog,
      home: dataFolder,
      now: config.now,
      folder: config.folder,
      vars: config.environment.vars,
      userHome: config.environment.homeDir,
      find: (name) => find(name, {}),
      retention: { days: settings.backupDays, bytes: settings.backupBytes },
      titles: titlesFor({}),
      refresh: (plan) =>
        askStoreOr(
          { sources: [plan.session.source] },
          (store) => afterWrite(plan, store, dataFolder, config.now),
          async () => undefined, // the next command that can use the store brings it up to date
        ),
    });
  };

  return {
    config,
    sources: catalog.sources,
    demo,
    list,
    async show(name, options, visitor) {
      const { showSession } = await import("../query/show.ts");
      const shown = showSession(
        catalog,
        name,
        {
          ...options,
          titles: titlesFor(options),
          async storedTurns(artifact, which) {
            const { findTurns } = await import("../store/turn-ranges.ts");
            return askStoreOrNot(({ db, rowsVersion }) => findTurns(db, artifact, rowsVersion, which));
          },
        },
        {
          ...visitor,
          head: (session, problems) => visitor.head(session, demo ? problems.map(problemInDemo) : problems),
        },
      );
      return unlessGone(name, shown);
    },
    async context(name, request = {}) {
      const { contextOf } = await import("../query/context.ts");
      return unlessGone(name, contextOf(catalog, name, request.progress, titlesFor(request)));
    },
    async checkpoints(name, request = {}) {
      const { checkpointsOf } = await import("../query/checkpoints.ts");
      return unlessGone(name, checkpointsOf(catalog, name, request.progress, titlesFor(request)));
    },
    async checkpoint(name, number, request = {}) {
      const { checkpointOf } = await import("../query/checkpoints.ts");
      return unlessGone(name, checkpointOf(catalog, name, number, request.progress, titlesFor(request)));
    },
    async diff(a, b, request = {}) {
      const { diffSessions } = await import("../query/diff.ts");
      return diffSessions(catalog, await find(a, request), await find(b, request));
    },
    export: async (request) => (await exporting()).export(request),
    exportBundle: async (request) => (await exporting()).exportBundle(request),
    exportTranscript: async (request) => (await exporting()).exportTranscript(request),
    async doctor(sources, progress) {
      const { diagnose } = await import("../query/doctor.ts");
      const { findBadBackups } = await import("./edit/backup-check.ts");
      const ours = findBadBackups(dataFolder, config.now);
      const diagnosis = await diagnose(catalog, sources, progress, ours);
      return demo ? { ...diagnosis, problems: diagnosis.problems.map(problemInDemo) } : diagnosis;
    },
    async damaged(progress) {
      const { diagnose, inNeedOfRescue } = await import("../query/doctor.ts");
      return inNeedOfRescue(await diagnose(catalog, undefined, progress));
    },
    async overview(request, progress) {
      const { overviewFromFiles, overviewOf } = await import("../query/overview.ts");
      const sources = request.sources && knownSources(catalog, request.sources);
      return askStoreOr(
        { ...request, progress },
        (store) => overviewOf(catalog, store, config.now(), sources),
        () => overviewFromFiles(catalog, config.now(), sources, progress),
      );
    },
    async stats(request, progress) {
      const { statsOf } = await import("../query/stats.ts");
      const filter = toFilter(request, config, catalog);
      return askStore({ ...request, progress }, (store) => statsOf(catalog, store, filter));
    },
    async dividedStats(request, by, progress) {
      const { dividedStatsOf } = await import("../query/stats.ts");
      const filter = toFilter(request, config, catalog);
      return askStore({ ...request, progress }, (store) =>
        dividedStatsOf(catalog, store, filter, by, request.limit),
      );
    },
    async tree({ name, ...request }) {
      const [{ treeOf }, { readLineage }] = await Promise.all([
        import("../query/tree.ts"),
        import("../store/state/lineage.ts"),
      ]);
      const found = name === undefined ? undefined : await find(name, request);
      const recorded = readLineage(dataFolder, config.now);
      return askStore(request, (store) => treeOf(store, recorded, found?.artifact));
    },
    index: async ({ sources, ...request }) =>
      (await withStore()).index({ ...request, ...(sources && { sources: knownSources(catalog, sources) }) }),
    watch: async ({ sources, ...request }) =>
      (await withStore()).watch({ ...request, ...(sources && { sources: knownSources(catalog, sources) }) }),
    async copilotStore() {
      const { createCopilotStoreApp } = await import("./store/copilot-store.ts");
      return createCopilotStoreApp(catalog, { dataFolder, folder: config.folder, now: config.now });
    },
    search: async ({ where, ...request }) =>
      (await withStore()).search({
        ...request,
        filter: toStoreFilter(toFilter(where, config, catalog), where),
      }),
    sql: async (request) => (await withStore()).sql(request),
    schema: async () => (await withStore()).schema(),
    edit: openEdit,
    async launch(name) {
      const { planLaunch } = await import("./launching.ts");
      return planLaunch(catalog, (await find(name, {})).artifact);
    },
    async start(launch, folder) {
      const { runOn } = await import("./launching.ts");
      return runOn(dataFolder, launch, { folder, vars: programVars });
    },
    async chat({ program } = {}) {
      const { createChatApp } = await import("./chat/chat.ts");
      const named = program === undefined ? {} : { program };
      return createChatApp({
        catalog,
        config,
        dataFolder,
        vars: programVars,
        ...named,
        find: (name) => find(name, {}),
        edit: openEdit,
      });
    },
    async migrating() {
      const { createMigrateApp } = await import("./migrate/migrate.ts");
      const guard = await openGuard();
      return createMigrateApp({ catalog, home: dataFolder, now: config.now, folder: config.folder, guard });
    },
    createDemo: () => makeDemo(config),
  };
}

/** One command may come upon the same thing twice. */
function once(notice: Notice): Notice {
  const told = new Set<string>();
  return (sentence) => {
    if (!told.has(sentence)) notice(sentence);
    told.add(sentence);
  };
}

/** The ids of all sources, for help and completion, without looking at the machine. */
export const SOURCE_IDS: readonly string[] = SOURCES.map((source) => source.id);
