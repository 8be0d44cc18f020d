/** Wires the rooms: one object with every call that a surface may make, each handled as its own request. */
import { demoFolder, demoVars } from "../demo/places.ts";
import type { EditPlan } from "../model/plan.ts";
import type { Redactor } from "../model/redact/redact.ts";
import { copiesIn } from "../model/session/lineage.ts";
import { formatKey } from "../model/values/id.ts";
import { refuseAborted } from "../platform/fs/abortable.ts";
import { knownSources, listFromFiles, listSessions } from "../query/list.ts";
import type { FindStoredTurns } from "../query/turn-range.ts";
import { SOURCES } from "../sources/registry.ts";
import type { KeptStore } from "../store/kept-store.ts";
import { type Call, type Notice, toIndexProgress, toProgress, withoutSignal } from "./call.ts";
import { type Chosen, chooseHomes, problemInDemo } from "./choose-catalog.ts";
import type { AppConfig } from "./config.ts";
import type { App, ChatApp, ListRequest, LongLife, SessionList } from "./contract.ts";
import type { KeptPlans } from "./edit/kept-plans.ts";
import { toFilter, toStoreFilter } from "./filters.ts";
import type { KnownLens } from "./lens/lens.ts";
import type { Remembered } from "./lens/remembered.ts";
import type { Migration } from "./migrate/core.ts";
import type { ProvidedSessions } from "./provided.ts";
import { openRequest, type Request } from "./request.ts";
import { isStoreFault } from "./store/queries.ts";

export interface AppOptions {
  /** Sessions that an application keeps elsewhere, instead of this machine's own. Its caller closes them. */
  readonly sessions?: ProvidedSessions;
  /**
   * The store is asked through a copy without secrets, which this redactor makes. What is read of sessions' own files is
   * for the caller to redact, with the same one.
   */
  readonly redactor?: Redactor;
}

export async function createApp(
  config: AppConfig,
  tell: Notice = () => undefined,
  { redactor, sessions }: AppOptions = {},
): Promise<App> {
  const { openCatalog, homes, demo, dataFolder, close } = await chooseSessions(config, sessions);
  /** Programs that are started look at the homes that we look at. */
  const programVars = { ...config.environment.vars, ...(demo && demoVars(dataFolder)) };
  /** Made by any call, and carried out by any other. Loaded with the first one, as reading needs none. */
  const kept: {
    edits?: KeptPlans<EditPlan>;
    migrations?: KeptPlans<Migration>;
    lenses?: Remembered<KnownLens>;
  } = {};
  /** By their programs: in each conversation only one message at a time is under way. */
  const chats = new Map<string, ChatApp>();
  /** How many index runs of ours are under way; the first look of a watch is one. */
  let indexing = 0;
  let longLife: { readonly kept: KeptStore; readonly index?: LongLife["index"] } | undefined;
  const request = (call: Call): Promise<Request> =>
    openRequest(call, {
      config,
      openCatalog,
      homes,
      demo,
      dataFolder,
      tell,
      ...(redactor && { redactor }),
      ...(longLife && { longLife }),
    });
  /** For questions: once the caller has aborted, there is no answer. */
  const ask = async <T>(call: Call, question: (request: Request) => Promise<T>): Promise<T> => {
    refuseAborted(call.signal);
    const answer = await question(await request(call));
    refuseAborted(call.signal);
    return answer;
  };
  const exporting = async (opened: Request, call: Call) => {
    const { createExporting } = await import("./export/choose.ts");
    const guard = await opened.openGuard();
    return createExporting({
      ...opened,
      config,
      guard,
      list: (where) => listIn(opened, where, call),
      async planCopy(name, wanted) {
        const { openCore } = await import("./edit/open-core.ts");
        return openCore(opened, config).planClone(name, wanted, toProgress(call));
      },
    });
  };
  const storedTurns =
    ({ askStoreOrNot }: Request): FindStoredTurns =>
    async (artifact, which) => {
      const { findTurns } = await import("../store/turn-ranges.ts");
      return askStoreOrNot(({ db, rowsVersion }) => findTurns(db, artifact, rowsVersion, which));
    };
  const watch: App["watch"] = async (wanted, call = {}) => {
    const { catalog, withStore } = await request(withoutSignal(call));
    const sources = wanted.sources && knownSources(catalog, wanted.sources);
    // Resolves with its first refresh, which may take long and lets go of the store again and again.
    indexing++;
    try {
      return await (await withStore()).watch({ ...wanted, ...(sources && { sources }) }, toIndexCall(call));
    } finally {
      indexing--;
    }
  };
  const openEdit = async () => {
    const [{ createEditApp }, { openCore }, { createKeptPlans }] = await Promise.all([
      import("./edit/edit-app.ts"),
      import("./edit/open-core.ts"),
      import("./edit/kept-plans.ts"),
    ]);
    kept.edits ??= createKeptPlans(config.now);
    return createEditApp(async (call) => openCore(await request(call), config), kept.edits);
  };

  return {
    sources: openCatalog(() => undefined).sources,
    demo,
    dataFolder,
    close,
    async liveLong({ index } = {}) {
      const { createKeptStore } = await import("../store/kept-store.ts");
      const kept = createKeptStore();
      longLife = { kept, ...(index && { index }) };
      return () => {
        longLife = undefined;
        kept.close();
      };
    },
    keepsPlansUntil() {
      const ends = [kept.edits?.until(), kept.migrations?.until()].filter((each) => each !== undefined);
      return ends.sort((a, b) => b.getTime() - a.getTime())[0];
    },
    list: (wanted = {}, call = {}) => ask(call, (opened) => listIn(opened, wanted, call)),
    show: (name, options, visitor, call = {}) =>
      ask(call, async (opened) => {
        const { showSession } = await import("../query/show.ts");
        const { catalog, naming, unlessGone, asListed } = opened;
        const progress = toProgress(call);
        const shown = showSession(
          catalog,
          name,
          {
            ...options,
            naming,
            asListed,
            ...(progress && { progress }),
            storedTurns: storedTurns(opened),
          },
          {
            ...visitor,
            head: (session, problems) => visitor.head(session, demo ? problems.map(problemInDemo) : problems),
          },
        );
        return unlessGone(name, shown);
      }),
    outline: (name, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, askStoreOrNot, asListed }) => {
        const { outlineOf } = await import("../query/outline.ts");
        const progress = toProgress(call);
        const answer = outlineOf(catalog, name, {
          naming,
          ...(progress && { progress }),
          async stored(artifact) {
            const { findOutline } = await import("../store/outline.ts");
            return askStoreOrNot(({ db, rowsVersion }) => findOutline(db, artifact, rowsVersion));
          },
        });
        const { problems, ...outline } = await unlessGone(name, answer);
        const session = await asListed(outline.session);
        return { ...outline, session, problems: demo ? problems.map(problemInDemo) : problems };
      }),
    brief: (name, wanted = {}, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, asListed }) => {
        const [{ BRIEF_OUTPUT, createBriefReader }, { showSession }] = await Promise.all([
          import("../query/brief.ts"),
          import("../query/show.ts"),
        ]);
        const reader = createBriefReader(wanted);
        const progress = toProgress(call);
        const how = { naming, asListed, textLimit: BRIEF_OUTPUT, ...(progress && { progress }) };
        await unlessGone(name, showSession(catalog, name, how, reader));
        return reader.end();
      }),
    turns: (name, wanted = {}, call = {}) =>
      ask(call, async (opened) => {
        const { turnsOf } = await import("../query/turns.ts");
        const progress = toProgress(call);
        const { catalog, naming, unlessGone } = opened;
        const places = { naming, storedTurns: storedTurns(opened), ...(progress && { progress }) };
        return unlessGone(name, turnsOf(catalog, name, wanted, places));
      }),
    record: (name, wanted, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, askStoreOrNot }) => {
        const { recordOf } = await import("../query/record.ts");
        const progress = toProgress(call);
        const found = recordOf(catalog, name, wanted, {
          naming,
          ...(progress && { progress }),
          async lineBefore(artifact, line) {
            const { findLineBefore } = await import("../store/turn-ranges.ts");
            return askStoreOrNot(({ db, rowsVersion }) => findLineBefore(db, artifact, rowsVersion, line));
          },
        });
        return unlessGone(name, found);
      }),
    changedFiles: (name, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, askStore }) => {
        const [{ locateSession }, { findChangedFiles }, { joinSpellings }] = await Promise.all([
          import("../query/resolve.ts"),
          import("../store/changed-files.ts"),
          import("../model/session/changed-files.ts"),
        ]);
        const artifact = await unlessGone(name, locateSession(catalog, name, toProgress(call), naming));
        const { files, workspace } = await askStore({}, ({ db }) => findChangedFiles(db, artifact));
        return joinSpellings(files, workspace);
      }),
    image: (name, id, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone }) => {
        const { imageOf } = await import("../query/image.ts");
        const progress = toProgress(call);
        return unlessGone(name, imageOf(catalog, name, id, { naming, ...(progress && { progress }) }));
      }),
    find: (name, wanted, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone }) => {
        const { findText } = await import("../query/find.ts");
        const progress = toProgress(call);
        const how = { naming, ...(progress && { progress }) };
        return unlessGone(name, findText(catalog, name, wanted, how));
      }),
    page: (name, wanted, call = {}) =>
      ask(call, async (opened) => {
        const { writePage } = await import("./export/page.ts");
        const { artifact } = await opened.find(name);
        const names = [formatKey(artifact)];
        const all = { names, where: {}, force: false, whole: true };
        return writePage(dataFolder, artifact, async (write) => {
          await (await exporting(opened, call)).export({ ...wanted, ...all, write }, toProgress(call));
        });
      }),
    lastPrompt: (key, call = {}) =>
      ask(call, async ({ askStoreOrNot }) => {
        const { findLastPrompt } = await import("../store/last-prompt.ts");
        return askStoreOrNot(({ db }) => findLastPrompt(db, key));
      }),
    folderMatches: ({ folder = config.folder, limit, ...scope }, call = {}) =>
      ask(call, async (opened) => {
        const { matchFolder } = await import("./folder-matches.ts");
        const { sessions } = await listIn(opened, scope, call);
        const found = await matchFolder(opened.catalog, folder, sessions);
        return { ...found, matches: found.matches.slice(0, limit || undefined) };
      }),
    context: (name, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone, asListed }) => {
        const { contextOf } = await import("../query/context.ts");
        const report = await unlessGone(name, contextOf(catalog, name, toProgress(call), naming));
        return { ...report, session: await asListed(report.session) };
      }),
    async lens(name, wanted = {}, call = {}) {
      refuseAborted(call.signal);
      const [{ askLens }, { createRemembered }] = await Promise.all([
        import("./lens/lens.ts"),
        import("./lens/remembered.ts"),
      ]);
      kept.lenses ??= createRemembered();
      // Who drags a handle takes questions back, but the session that they share is read to its end.
      const answer = await askLens(await request(withoutSignal(call)), name, wanted, call, kept.lenses);
      refuseAborted(call.signal);
      return answer;
    },
    checkpoints: (name, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone }) => {
        const { checkpointsOf } = await import("../query/checkpoints.ts");
        return unlessGone(name, checkpointsOf(catalog, name, toProgress(call), naming));
      }),
    checkpoint: (name, number, call = {}) =>
      ask(call, async ({ catalog, naming, unlessGone }) => {
        const { checkpointOf } = await import("../query/checkpoints.ts");
        return unlessGone(name, checkpointOf(catalog, name, number, toProgress(call), naming));
      }),
    blame: (wanted, call = {}) =>
      ask(call, async (opened) => {
        const { askBlame } = await import("./blame/blame.ts");
        return askBlame(opened, config, wanted, call);
      }),
    files: (wanted = {}, call = {}) =>
      ask(call, async (opened) => {
        const { askFiles } = await import("./blame/blame.ts");
        return askFiles(opened, wanted);
      }),
    diff: (a, b, call = {}) =>
      ask(call, async ({ catalog, find }) => {
        const { diffSessions } = await import("../query/diff.ts");
        return diffSessions(catalog, await find(a), await find(b));
      }),
    export: (wanted, call = {}) =>
      ask(call, async (opened) => (await exporting(opened, call)).export(wanted, toProgress(call))),
    exportBundle: (wanted, call = {}) =>
      ask(call, async (opened) => (await exporting(opened, call)).exportBundle(wanted, toProgress(call))),
    exportTranscript: (wanted, call = {}) =>
      ask(call, async (opened) => (await exporting(opened, call)).exportTranscript(wanted)),
    doctor: ({ sources } = {}, call = {}, found) =>
      ask(call, async ({ catalog }) => {
        const { diagnose } = await import("../query/doctor.ts");
        const { findBadBackups } = await import("./edit/backup-check.ts");
        const { findVendorLag } = await import("../indexer/vendor-store-lag.ts");
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
        const { diagnose, inNeedOfRescue } = await import("../query/doctor.ts");
        return inNeedOfRescue(await diagnose(catalog, { progress: toProgress(call) }));
      }),
    overview: (wanted = {}, call = {}) =>
      ask(call, async ({ catalog, askStoreOr }) => {
        const { overviewFromFiles, overviewOf } = await import("../query/overview.ts");
        const sources = wanted.sources && knownSources(catalog, wanted.sources);
        return askStoreOr(
          wanted,
          (store) => overviewOf(catalog, store, config.now(), sources),
          () => overviewFromFiles(catalog, config.now(), sources, toProgress(call)),
        );
      }),
    workspaces: (wanted = {}, call = {}) =>
      ask(call, async ({ catalog, askStoreOr }) => {
        const { workspacesFromFiles, workspacesOf } = await import("../query/workspaces.ts");
        const sources = wanted.sources && knownSources(catalog, wanted.sources);
        return askStoreOr(
          wanted,
          (store) => workspacesOf(catalog, store, sources),
          () => workspacesFromFiles(catalog, sources, toProgress(call)),
        );
      }),
    stats: (wanted = {}, call = {}) =>
      ask(call, async ({ catalog, askStore, settings }) => {
        const { statsOf } = await import("../query/stats.ts");
        const filter = await toFilter(wanted, catalog);
        return askStore(wanted, (store) => statsOf(catalog, store, filter, settings.prices ?? undefined));
      }),
    dividedStats: (wanted, by, call = {}) =>
      ask(call, async ({ catalog, askStore, settings }) => {
        const { dividedStatsOf } = await import("../query/stats.ts");
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
          import("../query/tree.ts"),
          import("../store/state/lineage.ts"),
        ]);
        const found = name === undefined ? undefined : await find(name);
        const recorded = readLineage(dataFolder, config.now);
        return askStore({}, (store) => treeOf(store, recorded, found?.artifact));
      }),
    async index(wanted = {}, call = {}) {
      // Stopped half-way, it says what is left; so its own reading is not cut off in the middle of a session.
      const { catalog, withStore } = await request(withoutSignal(call));
      const sources = wanted.sources && knownSources(catalog, wanted.sources);
      indexing++;
      try {
        if (longLife?.index) return await longLife.index(wanted, call);
        return await (await withStore()).index({ ...wanted, ...(sources && { sources }) }, toIndexCall(call));
      } finally {
        indexing--;
      }
    },
    refresh: (call = {}) => ask(call, ({ askStore }) => askStore({}, () => undefined)),
    indexState: (call = {}) =>
      ask(call, async ({ catalog, withStore }) => {
        const [{ indexStateOf }, { storePath }] = await Promise.all([
          import("../query/index-state.ts"),
          import("../store/path.ts"),
        ]);
        const path = storePath(dataFolder);
        try {
          const state = await (await withStore()).ask({ refresh: false }, (store) =>
            indexStateOf(catalog, path, store),
          );
          return { ...state, isIndexing: state.isIndexing || indexing > 0 };
        } catch (error) {
          if (!isStoreFault(error)) throw error;
          return { ...(await indexStateOf(catalog, path, undefined)), trouble: error.message };
        }
      }),
    watch,
    async copilotStore() {
      const [{ catalog }, { createCopilotStoreApp }] = await Promise.all([
        request({}),
        import("./store/copilot-store.ts"),
      ]);
      return createCopilotStoreApp(catalog, { dataFolder, folder: config.folder, now: config.now });
    },
    search: ({ where = {}, ...wanted }, call = {}) =>
      ask(call, async ({ catalog, withStore, freshness, find }) => {
        const only = where.session === undefined ? undefined : (await find(where.session)).artifact;
        const filter = toStoreFilter(await toFilter(where, catalog), where, only);
        // Facets tell of other sources, too.
        return (await withStore()).search({ ...wanted, filter }, freshness(wanted.facets ? {} : where));
      }),
    where: (wanted, call = {}) =>
      ask(call, async ({ askStore }) => {
        const { whereIs } = await import("../query/where.ts");
        return askStore({}, ({ db }) => whereIs(db, wanted, config.now()));
      }),
    sql: (wanted, call = {}) =>
      ask(call, async ({ withStore, freshness }) =>
        (await withStore()).sql(wanted, freshness({}), call.signal),
      ),
    schema: (call = {}) => ask(call, async ({ withStore }) => (await withStore()).schema()),
    async settings(name, call = {}) {
      refuseAborted(call.signal);
      const { knownSetting, listSettings } = await import("./settings-file.ts");
      if (name !== undefined) knownSetting(name);
      const { path, settings } = await listSettings(config);
      return { path, settings: settings.filter((each) => name === undefined || each.name === name) };
    },
    async setSetting(name, text, call = {}) {
      refuseAborted(call.signal);
      const { setSetting } = await import("./settings-file.ts");
      return setSetting(config, name, text);
    },
    tags: (wanted = {}, call = {}) =>
      ask(call, async (opened) => {
        const { listTags } = await import("./tagging.ts");
        return listTags(opened, wanted, config.now, call);
      }),
    async tag(wanted, call = {}) {
      refuseAborted(call.signal);
      const { changeSessionTags } = await import("./tagging.ts");
      return changeSessionTags(await request(call), wanted, config.now, call);
    },
    abilities: (call = {}) => ask(call, ({ catalog }) => catalog.abilities()),
    edit: openEdit,
    launch: (name, call = {}) =>
      ask(call, async ({ catalog, find }) => {
        const { planLaunch } = await import("./launching.ts");
        return planLaunch(catalog, (await find(name)).artifact);
      }),
    async chat({ agent, program } = {}) {
      const key = JSON.stringify([agent, program]);
      const known = chats.get(key);
      if (known) return known;
      const { createChatApp } = await import("./chat/chat.ts");
      const opened = await createChatApp({
        open: () => request({}),
        config,
        dataFolder,
        vars: programVars,
        ...(agent !== undefined && { agent }),
        ...(program !== undefined && { program }),
        edit: openEdit,
      });
      chats.set(key, opened);
      return opened;
    },
    async chronicle() {
      const { createChronicleApp } = await import("./chronicle/chronicle-app.ts");
      return createChronicleApp({ config, ask });
    },
    async board() {
      const { createBoardApp } = await import("./board/board-app.ts");
      return createBoardApp(request, config, tell);
    },
    async jobs() {
      const { createJobsApp } = await import("./jobs/jobs-app.ts");
      return createJobsApp({ config, demo, dataFolder, settle: request });
    },
    async sync() {
      const { createSyncApp } = await import("./sync/sync-app.ts");
      return createSyncApp({ config, dataFolder, open: request, watch });
    },
    async secrets() {
      const { scanSecrets } = await import("./secrets/scan.ts");
      return {
        scan: (wanted = {}, call = {}) => ask(call, (opened) => scanSecrets(opened, config, wanted, call)),
      };
    },
    async migrating() {
      const [{ createMigrateApp }, { createKeptPlans }] = await Promise.all([
        import("./migrate/migrate-app.ts"),
        import("./edit/kept-plans.ts"),
      ]);
      kept.migrations ??= createKeptPlans(config.now);
      return createMigrateApp(request, config, kept.migrations);
    },
  };
}

interface ChosenSessions extends Chosen {
  /** Where what we keep of them is. */
  readonly dataFolder: string;
  readonly close: App["close"];
}

/** Those of the demo, of an application, or of this machine. */
async function chooseSessions(
  config: AppConfig,
  given: ProvidedSessions | undefined,
): Promise<ChosenSessions> {
  const close = async (): Promise<void> => undefined;
  if (given || config.providerUrl !== undefined) {
    const { chooseProvided, openProvided, providedFolder } = await import("./provided.ts");
    const opened = given ? undefined : await openProvided(config);
    const sessions = given ?? opened;
    if (sessions)
      return {
        ...chooseProvided(config, sessions),
        dataFolder: providedFolder(config.dataHome, sessions),
        close: opened?.close ?? close,
      };
  }
  const chosen = await chooseHomes(config);
  return { ...chosen, dataFolder: chosen.demo ? demoFolder(config.dataHome) : config.dataHome, close };
}

async function listIn(
  { catalog, askStoreOr, lineage, parents, tags }: Request,
  wanted: ListRequest,
  call: Call,
): Promise<SessionList> {
  const { model, exact, text, problems, copies, facets } = wanted;
  const recordedCopies = copies || facets ? copiesIn(await lineage()) : [];
  const filter = {
    ...(await toFilter(wanted, catalog)),
    ...(model !== undefined && { model }),
    ...(exact && { exact }),
    ...(text !== undefined && { text }),
    ...(problems && { problems }),
    ...(copies && { copies }),
    ...(recordedCopies.length > 0 && { recordedCopies }),
  };
  const list = await askStoreOr(
    facets ? {} : wanted, // facets tell of other sources, too
    (store) => listSessions(catalog, store, filter, wanted),
    async () => listFromFiles(catalog, filter, wanted, toProgress(call), await tags()),
  );
  return { ...list, sessions: await parents(list.sessions) };
}

const toIndexCall = (call: Call) => {
  const onProgress = toIndexProgress(call);
  return { ...(onProgress && { onProgress }), ...(call.signal && { signal: call.signal }) };
};

/** The ids of all sources, for help and completion, without looking at the machine. */
export const SOURCE_IDS: readonly string[] = SOURCES.map((source) => source.id);
