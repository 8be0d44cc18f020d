/** Sends what may leave: indexes first, takes turns with other syncs of this data folder, and records what was acknowledged. */

import { join } from "node:path";
import { encodePush } from "../../hub/ingest/frame.ts";
import { hubSessionId } from "../../hub/protocol.ts";
import { createHubClient, type HubClient } from "../../hub/sync/hub-client.ts";
import {
  addKinds,
  type PushTotals,
  pushAll,
  type SyncProblem,
  toKinds,
  toProblem,
} from "../../hub/sync/push.ts";
import { redactFiles } from "../../hub/sync/redacted-files.ts";
import type { Patience } from "../../hub/sync/retry.ts";
import { letsNothingLeave } from "../../hub/sync/rules.ts";
import { createSeal, type Seal } from "../../hub/sync/seal.ts";
import { AppError } from "../../model/errors.ts";
import { createOutgoingRedactor } from "../../model/redact/outgoing.ts";
import { formatKey } from "../../model/values/id.ts";
import { makeFolder } from "../../platform/disk/own-files.ts";
import { createScratchFile, type ScratchFile } from "../../platform/disk/scratch-file.ts";
import { isAborted, refuseAborted } from "../../platform/fs/abortable.ts";
import { waitForWriteLock } from "../../platform/process/write-lock.ts";
import type { SyncMachine, SyncRecords } from "../../store/state/sync.ts";
import type { Call } from "../call.ts";
import { scratchFolder } from "../edit/import.ts";
import type { Request } from "../request.ts";
import { artifactsByKey, type Candidate, findCandidates, toShares } from "./candidates.ts";
import { compareWithHub } from "./comparing.ts";
import type { DryRun, Preview, PushFilter, PushRequest, SyncReport } from "./contract.ts";
import { type Login, readIdentity } from "./login.ts";
import { type Sorted, sortCandidates } from "./outgoing.ts";

export interface SyncAround {
  readonly request: Request;
  readonly records: SyncRecords;
  readonly machine: SyncMachine;
  readonly login?: Login | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly patience?: Patience | undefined;
}

/** So long one sync waits for another. */
const PATIENCE_MS = 60_000;

/** Two syncs of one data folder take turns: each would send what the other sends. */
export async function whileSyncing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  makeFolder(folder);
  const unlock = await waitForWriteLock(join(folder, "sync.lock"), PATIENCE_MS);
  if (!unlock)
    throw new AppError("write-busy", "Another rethread is syncing", "Run the command again when it is done");
  try {
    return await work();
  } finally {
    unlock();
  }
}

export const clientFor = ({ signal, patience }: SyncAround, { url, token }: Login): HubClient =>
  createHubClient({ url, token, ...(signal && { signal }), ...(patience && { patience }) });

export async function pushSessions(
  around: SyncAround & { readonly login: Login },
  { consents = false, trustsRecords = false, ...filter }: PushRequest,
  onProgress: Call["onProgress"],
): Promise<SyncReport> {
  const { request, records, machine, login, signal } = around;
  refuseAborted(signal);
  if (!consents) refuseWithoutConsent(records, login);
  const client = clientFor(around, login);
  const allowed = consents ? await noteConsent(around, client, filter) : [];
  const deleted = await deleteUnwanted(around, client);
  const here = await sortFor(around, filter);
  const sorted = await compareWithHub(around, client, { ...here, trustsRecords });
  const told = await tellVanished(around, client, sorted);
  const totals = await pushAll(sorted.toSend, {
    client,
    machine: { id: machine.id, name: machine.name },
    newRedactor: () => createOutgoingRedactor({ key: machine.key }),
    newScratch: () => newScratch(request),
    signal,
    ...(onProgress && { progress: (done, total) => onProgress({ done, total }) }),
    pushed(session, became) {
      const mark = sorted.toSend.find((each) => formatKey(each) === formatKey(session))?.mark ?? "";
      const { source, id } = session;
      const { files, sealed } = became;
      records.notePushed(login.key, {
        ...{ source, id, mark, files, isVanished: false, isUnwanted: false },
        ...(session.seal && { sealed }),
      });
    },
  });
  return toReport(
    totals,
    sorted,
    { hub: login.url, allowed, deleted: deleted.count, vanished: told.count, takenBack: sorted.takenBack },
    [...deleted.problems, ...told.problems],
  );
}

function toReport(
  { isInterrupted, ...totals }: PushTotals,
  { toSend, unchanged, heldBack }: Sorted,
  done: Pick<SyncReport, "hub" | "allowed" | "deleted" | "vanished" | "takenBack">,
  others: readonly SyncProblem[],
): SyncReport {
  const problems = [...others, ...totals.problems];
  const failed = totals.failed + others.length;
  const isPartial = failed > 0 || totals.backfillFailed > 0;
  const found = toSend.flatMap(({ source, id, leftOut }) =>
    leftOut.map((each) => ({ session: { source, id }, ...each })),
  );
  return {
    ...totals,
    ...done,
    ...{ unchanged, heldBack, failed, problems },
    leftOut: [...found, ...totals.leftOut],
    outcome: isInterrupted ? "interrupted" : isPartial ? "partial" : "clean",
  };
}

/** Reads and redacts what would be sent, and sends nothing. Before the first yes, as if what is listed were allowed. */
export async function previewSessions(around: SyncAround, filter: PushFilter): Promise<DryRun> {
  const { request, machine, login } = around;
  const sorted = await sortFor(around, filter, true);
  const kinds = new Map<string, { secrets: number; places: number }>();
  const sessions: Preview[] = [];
  const problems: SyncProblem[] = [];
  const known = new Map(
    (login ? around.records.pushed(login.key) : []).map((each) => [formatKey(each), each]),
  );
  for (const prepared of sorted.toSend) {
    const { source, id, session } = prepared;
    const scratches: ScratchFile[] = [];
    try {
      const redactor = createOutgoingRedactor({ key: machine.key });
      const record = known.get(formatKey(prepared));
      const before = (path: string) =>
        record?.sealed?.findLast((each) => each.path === path) ??
        record?.files.find((each) => each.path === path);
      const made = await redactFiles(prepared.fs, prepared.files, {
        redactor,
        newScratch: () => scratches[scratches.push(newScratch(request)) - 1] as ScratchFile,
        lengthsOf: (path) => [before(path)?.size ?? 0],
        keepsPictures: prepared.seal !== undefined,
      });
      const sent = made.files.map((file) => {
        const has = before(file.path);
        const isPrefix = has && file.hash.at(has.size)?.digest("hex") === has.sha256;
        return file.size - (isPrefix ? has.size : 0);
      });
      const redacted = redactor.report();
      addKinds(kinds, redacted);
      sessions.push({
        ...{ source, id, title: redactor.text(session.title) },
        ...(session.repository !== undefined && { repository: session.repository }),
        isSealed: prepared.seal !== undefined,
        bytes: sent.reduce((sum, size) => sum + size, 0),
        files: sent.filter((size) => size > 0).length,
        redacted,
        leftOut: [...prepared.leftOut, ...made.leftOut],
      });
    } catch (error) {
      if (isAborted(error)) throw error;
      problems.push({ session: { source, id }, ...toProblem(error) });
    } finally {
      for (const scratch of scratches) scratch.remove();
    }
  }
  const { unchanged, heldBack } = sorted;
  return {
    ...(login && { hub: login.url }),
    sessions,
    unchanged,
    heldBack,
    redacted: toKinds(kinds),
    problems,
  };
}

/** Up to date, so that nothing leaves by what was once true of a session. */
async function sortFor(around: SyncAround, filter: PushFilter, isPreview = false): Promise<Sorted> {
  const { request, records, login } = around;
  await indexFirst(around);
  const rules = records.rules();
  const candidates = await findCandidates(request, filter, rules, records.privates());
  const hasAgreed = login !== undefined && records.consentedAt(login.key) !== undefined;
  const isFirst = isPreview && !hasAgreed && letsNothingLeave(rules);
  const chosen = isFirst ? candidates.map(asListed) : candidates;
  const seal = chosen.some(({ decision }) => decision.sends && decision.isSealed)
    ? await sealFor(request.dataFolder)
    : undefined;
  return sortKnown(around, chosen, seal);
}

/** As the store and our records know them. */
export async function sortKnown(
  { request, records, login, signal }: SyncAround,
  candidates: readonly Candidate[],
  seal: Seal | undefined,
): Promise<Sorted> {
  return sortCandidates(candidates, {
    catalog: request.catalog,
    artifacts: await artifactsByKey(request),
    pushed: new Map((login ? records.pushed(login.key) : []).map((each) => [formatKey(each), each])),
    pulled: new Map((login ? records.pulled(login.key) : []).map((each) => [formatKey(each), each])),
    seal,
    signal,
  });
}

/** What `--yes` would allow: every repository that is listed. */
const asListed = (candidate: Candidate): Candidate =>
  !candidate.decision.sends && candidate.decision.why === "not-allowed"
    ? { ...candidate, decision: { sends: true, isSealed: false } }
    : candidate;

async function indexFirst({ request, signal }: SyncAround): Promise<void> {
  const { pending } = await (await request.withStore()).index({}, signal ? { signal } : {});
  refuseAborted(signal);
  if (pending > 0)
    throw new AppError("store-busy", `${pending} sessions are not indexed yet`, "Run: rethread index");
}

export async function sealFor(folder: string): Promise<Seal> {
  const identity = readIdentity(folder);
  if (identity !== undefined) return createSeal(identity);
  throw new AppError(
    "usage",
    "Some sessions are to be sealed, and this machine has no identity to seal them with",
    "Make one: rethread hub key new (or bring it from another machine: rethread hub key import)",
  );
}

const newScratch = ({ dataFolder }: Request): ScratchFile => createScratchFile(scratchFolder(dataFolder));

function refuseWithoutConsent(records: SyncRecords, { key, url }: Login): void {
  if (records.consentedAt(key) !== undefined) return;
  throw new AppError(
    "consent-needed",
    `Nothing is sent to ${url} before you have seen what that would be, and agreed`,
    "See it with `rethread sync status` and `rethread sync --dry-run`; agree with `rethread sync`, or with --yes where nobody can be asked",
  );
}

/**
 * Only once the hub knows who asks: who mistyped an address has not agreed to anything. Who agreed before, and took all
 * rules back since, did not mean to have them again. Gives back the repositories that are allowed now.
 */
async function noteConsent(
  { request, records, login }: SyncAround & { login: Login },
  client: HubClient,
  filter: PushFilter,
): Promise<readonly string[]> {
  await client.me();
  if (records.consentedAt(login.key) !== undefined) return [];
  let allowed: readonly string[] = [];
  const rules = records.rules();
  if (letsNothingLeave(rules)) {
    // Who agreed to send a few sessions has not agreed to send those of all repositories the next time.
    const candidates = await findCandidates(request, filter, rules, records.privates());
    allowed = toShares(candidates).flatMap(({ repository, why }) =>
      // As a pattern, a star would mean others.
      repository !== undefined && !repository.includes("*") && why === "not-allowed" ? [repository] : [],
    );
    // Where there is nothing to agree to, the question stays open.
    if (allowed.length === 0) return [];
    records.setRules(allowed.map((pattern) => ({ kind: "repository", pattern, effect: "allow" })));
  }
  records.consent(login.key);
  return allowed;
}

interface Told {
  readonly count: number;
  readonly problems: readonly SyncProblem[];
}

/** What was deleted here while the hub could not be reached. */
async function deleteUnwanted(
  { records, machine, login }: SyncAround & { login: Login },
  client: HubClient,
): Promise<Told> {
  return each(
    records.pushed(login.key).filter(({ isUnwanted }) => isUnwanted),
    async ({ source, id }) => {
      await client.delete(hubSessionId(source, id, machine.id)).catch(unlessGone);
      records.forgetPushed(login.key, { source, id });
    },
  );
}

export const unlessGone = (error: unknown): void => {
  if (!(error instanceof AppError) || error.code !== "session-not-found") throw error;
};

async function tellVanished(
  { records, machine, login }: SyncAround & { login: Login },
  client: HubClient,
  { vanished }: Sorted,
): Promise<Told> {
  return each(vanished, async ({ record, vanishedAt = "" }) => {
    const { source, id, sealed } = record;
    // Which secrets its title may hold, its files would tell: the hub keeps what it was told while they were there.
    const header = {
      ...{ machine: { id: machine.id, name: machine.name }, source, id, facts: { vanishedAt } },
      ...{ isSealed: sealed !== undefined, files: [], removed: [] },
    };
    await client.push(encodePush(header, []));
    records.notePushed(login.key, { ...record, isVanished: true });
  });
}

async function each<T extends { readonly source: string; readonly id: string }>(
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<Told> {
  const problems: SyncProblem[] = [];
  let count = 0;
  for (const one of all)
    try {
      await work(one);
      count++;
    } catch (error) {
      if (isAborted(error) || (error instanceof AppError && error.code === "hub-refused")) throw error;
      problems.push({ session: { source: one.source, id: one.id }, ...toProblem(error) });
    }
  return { count, problems };
}
