/** Wires the rooms: one object with every call that a surface may make, each handled as its own request. */
import { demoFolder, demoVars } from "../demo/places.ts";
import type { EditPlan } from "../model/plan.ts";
import type { Redactor } from "../model/redact/redact.ts";
import { refuseAborted } from "../platform/fs/abortable.ts";
import { knownSources } from "../query/list.ts";
import type { KeptStore } from "../store/kept-store.ts";
import { type Call, type Notice, toIndexProgress, withoutSignal } from "./call.ts";
import { type Chosen, chooseHomes } from "./choose-catalog.ts";
import type { AppConfig } from "./config.ts";
import type { App, ChatApp, LongLife } from "./contract.ts";
import type { KeptPlans } from "./edit/kept-plans.ts";
import type { Migration } from "./migrate/core.ts";
import type { ProvidedSessions } from "./provided.ts";
import type { Asking } from "./questions/asking.ts";
import { createExports } from "./questions/exports.ts";
import { questionsOfHomes } from "./questions/of-homes.ts";
import { questionsOfSessions } from "./questions/of-sessions.ts";
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

  const asking: Asking = { config, demo, dataFolder, request, ask };

  return {
    sources: openCatalog(() => undefined).sources,
    demo,
    dataFolder,
    close,
    ...questionsOfHomes(asking),
    ...questionsOfSessions(asking),
    ...createExports(asking),
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
    edit: openEdit,
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

const toIndexCall = (call: Call) => {
  const onProgress = toIndexProgress(call);
  return { ...(onProgress && { onProgress }), ...(call.signal && { signal: call.signal }) };
};
