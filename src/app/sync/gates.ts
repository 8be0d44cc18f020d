/** What must hold before anything leaves, and what would leave then, without reading a session. */

import { letsNothingLeave } from "../../hub/sync/rules.ts";
import { createSeal } from "../../hub/sync/seal.ts";
import { formatKey } from "../../model/values/id.ts";
import { storePath } from "../../store/path.ts";
import type { SyncRecords, SyncRule } from "../../store/state/sync.ts";
import type { Request } from "../request.ts";
import { artifactsByKey, type Candidate, findCandidates, toShares } from "./candidates.ts";
import type { Gate, PushFilter, SyncStatus } from "./contract.ts";
import { type Login, readIdentity } from "./login.ts";
import { type SyncAround, sortKnown } from "./pushing.ts";

/** Files that leave, redacted; and what never does. */
const SENDS = [
  "conversation logs (.jsonl, .json), line by line without secrets",
  "texts beside them: plans, checkpoints, notes, settings of the session",
  "titles, folders, repositories and branches of sessions",
];
const LEAVES_OUT = [
  "keys, tokens, passwords and other secrets: a mark stands in their place",
  "pictures, also those in a conversation (what is sealed keeps these), databases and other files that are not text",
  "sessions of repositories that are not allowed, and private sessions",
];

/** `filter`: only the repositories of such sessions are told. */
export async function syncStatus(around: SyncAround, filter: PushFilter = {}): Promise<SyncStatus> {
  const { request, records, machine, login } = around;
  const store = await storeGate(request);
  const rules = records.rules();
  const privates = records.privates();
  const candidates = store.isOpen ? await findCandidates(request, {}, rules, privates) : [];
  const wanted = store.isOpen ? await findCandidates(request, filter, rules, privates) : [];
  const pushed = login ? records.pushed(login.key) : [];
  const identity = readIdentity(request.dataFolder);
  const seal = identity === undefined ? undefined : await createSeal(identity);
  const { toSend } = await sortKnown(around, candidates, seal);
  return {
    ...(login && { hub: login.url }),
    machine: { id: machine.id, name: machine.name },
    gates: [
      store,
      await indexingGate(request, candidates),
      repositoriesGate(candidates, rules),
      cloudGate(records, login),
    ],
    repositories: toShares(wanted),
    rules,
    privates,
    pushed: pushed.filter(({ isUnwanted }) => !isUnwanted).length,
    toDelete: pushed.filter(({ isUnwanted }) => isUnwanted).length,
    waiting: toSend.length,
    ...(seal && { recipient: seal.recipient }),
    sends: SENDS,
    leavesOut: LEAVES_OUT,
  };
}

async function storeGate({ catalog, dataFolder, askStoreOrNot }: Request): Promise<Gate> {
  const path = storePath(dataFolder);
  const isThere = await catalog.fs.exists(path);
  const isUsable = isThere && (await askStoreOrNot(() => true)) === true;
  return {
    gate: "store",
    isOpen: isUsable,
    says: isUsable
      ? `The session store is at ${path}`
      : isThere
        ? `${path} cannot be used`
        : "There is no session store yet",
    ...(!isUsable && { hint: "Make it: rethread index" }),
  };
}

async function indexingGate(request: Request, candidates: readonly Candidate[]): Promise<Gate> {
  const known = new Set(candidates.map(({ session }) => formatKey(session)));
  const missing = [...(await artifactsByKey(request)).keys()].filter((key) => !known.has(key)).length;
  return {
    gate: "indexing",
    isOpen: missing === 0,
    says: missing === 0 ? "Every session is indexed" : `${missing} sessions are not indexed yet`,
    ...(missing > 0 && { hint: "Bring the store up to date: rethread index" }),
  };
}

function repositoriesGate(candidates: readonly Candidate[], rules: readonly SyncRule[]): Gate {
  const allowed = candidates.filter(({ decision }) => decision.sends).length;
  const says = `${allowed} of ${candidates.length} sessions are of repositories or folders that are allowed`;
  return {
    gate: "repositories",
    isOpen: allowed > 0,
    says: letsNothingLeave(rules) ? "No repository is allowed yet" : says,
    ...(allowed === 0 && { hint: "Allow one: rethread sync allow <repository>" }),
  };
}

function cloudGate(records: SyncRecords, login: Login | undefined): Gate {
  if (!login)
    return {
      gate: "cloud",
      isOpen: false,
      says: "No hub is known on this machine",
      hint: "Log in: rethread hub login <url>",
    };
  const since = records.consentedAt(login.key);
  return {
    gate: "cloud",
    isOpen: since !== undefined,
    says:
      since === undefined
        ? `You have not agreed to send anything to ${login.url}`
        : `You agreed on ${since.slice(0, 10)} to send to ${login.url}`,
    ...(since === undefined && {
      hint: "See what would leave: rethread sync --dry-run; agree: rethread sync",
    }),
  };
}
