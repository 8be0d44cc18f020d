/** Everything about a hub that a surface may ask: each call opens its own records and lets go of them. */
import { hubKey, toHubAddress } from "../../hub/sync/address.ts";
import { createSeal, newIdentity } from "../../hub/sync/seal.ts";
import { AppError } from "../../model/errors.ts";
import type { SessionKey } from "../../model/values/id.ts";
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { openSyncRecords, type SyncRecords, type SyncRule } from "../../store/state/sync.ts";
import type { Call } from "../call.ts";
import type { AppConfig } from "../config.ts";
import type { App } from "../contract.ts";
import type { Request } from "../request.ts";
import type { HubIdentity, KeyReport, RulesRequest, SyncApp } from "./contract.ts";
import { deleteFromHub } from "./deleting.ts";
import { syncStatus } from "./gates.ts";
import {
  findLogin,
  forgetLogin,
  identityPath,
  keepIdentity,
  keepLogin,
  readIdentity,
  requireLogin,
} from "./login.ts";
import { pullSessions } from "./pulling.ts";
import { clientFor, previewSessions, pushSessions, type SyncAround, whileSyncing } from "./pushing.ts";
import { repositoryNamed, toFolderPatterns, toRepositoryPattern } from "./rule-names.ts";
import { shareOnHub } from "./sharing.ts";
import { watchAndPush } from "./watching.ts";

export interface SyncAppParts {
  readonly config: AppConfig;
  readonly dataFolder: string;
  open(call: Call): Promise<Request>;
  readonly watch: App["watch"];
}

export function createSyncApp(parts: SyncAppParts): SyncApp {
  const { config, dataFolder, open } = parts;
  const { patience } = config.hub;
  const within = async <T>(
    call: Call,
    work: (around: SyncAround & { readonly config: AppConfig }) => Promise<T>,
  ): Promise<T> => {
    refuseAborted(call.signal);
    const request = await open(call);
    const records = openSyncRecords(dataFolder, config.now);
    try {
      const machine = records.machine(config.machineName);
      const login = findLogin(dataFolder, config);
      return await work({ request, records, machine, login, signal: call.signal, patience, config });
    } finally {
      records.close();
    }
  };
  const logged = <T>(
    call: Call,
    work: (around: Parameters<typeof pullSessions>[0]) => Promise<T>,
  ): Promise<T> =>
    within(call, async (around) => work({ ...around, login: requireLogin(dataFolder, config) }));
  // What is indexed on the way is not counted as sent.
  const push: SyncApp["push"] = (wanted = {}, { onProgress, ...call } = {}) =>
    whileSyncing(dataFolder, () => logged(call, (around) => pushSessions(around, wanted, onProgress)));

  return {
    login: ({ url: address, token, isInsecure = false, isNewMachine = false }, call = {}) =>
      within(call, async ({ machine: before, ...around }) => {
        const url = toHubAddress(address, { isInsecure });
        const access = { url, token: token.trim() };
        const login = { ...access, key: hubKey(access), from: "file" as const };
        const me = await whoIs({ ...around, login, machine: before });
        keepLogin(dataFolder, access, isInsecure);
        if (!isNewMachine) return me;
        around.records.renewMachine(config.machineName);
        const { id, name } = around.records.machine(config.machineName);
        return { ...me, machine: { id, name } };
      }),
    async logout(call = {}) {
      refuseAborted(call.signal);
      return { wasLoggedIn: forgetLogin(dataFolder) };
    },
    whoami: (call = {}) => logged(call, whoIs),
    async key(wanted, call = {}) {
      refuseAborted(call.signal);
      return keyReport(dataFolder, wanted);
    },
    status: (call = {}, filter = {}) => within(call, (around) => syncStatus(around, filter)),
    setRules: (wanted, call = {}) =>
      within(call, async ({ request, records }) => {
        await changeRules(request, records, wanted);
        return records.rules();
      }),
    setPrivate: ({ sessions, mode }, call = {}) =>
      within(call, async ({ request, records }) => {
        const keys: SessionKey[] = [];
        for (const name of sessions) keys.push((await request.find(name)).artifact);
        for (const { source, id } of keys)
          records.setPrivate({ source, id }, mode === "off" ? undefined : mode);
        return records.privates();
      }),
    push,
    preview: (wanted = {}, call = {}) => within(call, (around) => previewSessions(around, wanted)),
    watch: (wanted, call = {}) => watchAndPush({ push, watch: parts.watch }, wanted, call),
    pull: (wanted = {}, call = {}) =>
      whileSyncing(dataFolder, () => logged(call, (around) => pullSessions(around, wanted))),
    delete: (wanted, call = {}) =>
      whileSyncing(dataFolder, () => logged(call, (around) => deleteFromHub(around, wanted))),
    share: (wanted = {}, call = {}) => logged(call, (around) => shareOnHub(around, wanted)),
    ask: (path, body, call = {}) =>
      logged(call, async (around) => ({
        from: "hub",
        hub: around.login.url,
        answer: await clientFor(around, around.login).ask(path, body),
      })),
  };
}

async function whoIs(around: Parameters<typeof pullSessions>[0]): Promise<HubIdentity> {
  const { login, machine } = around;
  const { user, scopes, teams, machines } = await clientFor(around, login).me();
  return {
    ...{ url: login.url, from: login.from, user, scopes, teams, machines },
    machine: { id: machine.id, name: machine.name },
  };
}

async function keyReport(
  folder: string,
  { action, identity: given }: Parameters<SyncApp["key"]>[0],
): Promise<KeyReport> {
  const known = readIdentity(folder);
  if (action === "show") {
    if (known === undefined)
      throw new AppError("usage", "This machine has no identity yet", "Make one: rethread hub key new");
    return {
      path: identityPath(folder),
      recipient: (await createSeal(known)).recipient,
      identity: known,
    };
  }
  const identity = action === "new" ? await newIdentity() : (given ?? "").trim();
  const { recipient } = await createSeal(identity);
  // What was sealed for it could never be opened again.
  if (known !== undefined && known !== identity)
    throw new AppError(
      "file-exists",
      "This machine has another identity already, and what was sealed with it needs it",
      "Keep it (rethread hub key show), then remove hub-identity.txt from the data folder",
    );
  return { path: keepIdentity(folder, identity), recipient };
}

async function changeRules(
  { catalog: { fs } }: Request,
  records: SyncRecords,
  { effect, repositories = [], folders = [] }: RulesRequest,
): Promise<void> {
  const places = (await Promise.all(folders.map((text) => toFolderPatterns(fs, text)))).flat();
  // A rule is removed by the name that it has, however it came by it.
  const [names, paths] =
    effect === "off"
      ? [
          [...repositories, ...repositories.map(repositoryNamed)],
          [...folders, ...places],
        ]
      : [repositories.map(toRepositoryPattern), places];
  const named = [
    ...names.map((pattern) => ({ kind: "repository" as const, pattern })),
    ...paths.map((pattern) => ({ kind: "folder" as const, pattern })),
  ];
  if (named.length === 0)
    throw new AppError(
      "usage",
      "No repository or folder is named",
      "For example: rethread sync allow owner/name, or rethread sync allow --folder ~/notes",
    );
  if (effect !== "off") records.setRules(named.map((each): SyncRule => ({ ...each, effect })));
  else if (records.removeRules(named) === 0)
    throw new AppError("usage", "There is no such rule", "See the rules: rethread sync status");
}
