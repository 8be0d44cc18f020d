/** Sends one session to the hub: what it does not have yet, in requests that may all be repeated. */
import { AppError } from "../../model/errors.ts";
import type { OutgoingRedaction, OutgoingRedactor } from "../../model/redact/outgoing.ts";
import type { SessionKey } from "../../model/values/id.ts";
import type { ScratchFile } from "../../platform/disk/scratch-file.ts";
import { localFs } from "../../platform/fs/local.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { PushedFileRecord, SealedRecord } from "../../store/state/sync.ts";
import { encodePush } from "../ingest/frame.ts";
import {
  type FileState,
  hubSessionId,
  type MachineName,
  type PushAnswer,
  type SessionFacts,
  type SessionState,
} from "../protocol.ts";
import { type Batch, packBatches } from "./batches.ts";
import type { HubClient } from "./hub-client.ts";
import { lengthsIn, planFile, removedPaths } from "./push-plan.ts";
import { type RedactedFile, redactFiles } from "./redacted-files.ts";
import type { Seal } from "./seal.ts";
import { planSealed, type SealedBatch, sealBatches } from "./sealed-batches.ts";
import type { LeftOut, LocalFile } from "./session-files.ts";

export interface OutgoingSession extends SessionKey {
  readonly facts: SessionFacts;
  readonly files: readonly LocalFile[];
  readonly fs: SessionFs;
  /** The hub is not to read it. */
  readonly seal?: Seal;
  /** Which sealed files we know of. */
  readonly sealed: readonly SealedRecord[];
  /** The hub has acknowledged it before. */
  readonly isNoted?: boolean;
}

export interface PushAround {
  readonly client: Pick<HubClient, "push" | "state" | "delete">;
  readonly machine: MachineName;
  newRedactor(): OutgoingRedactor;
  newScratch(): ScratchFile;
}

export interface PushedSession {
  readonly isCreated: boolean;
  readonly events: number;
  /** Bodies as they were sent. */
  readonly bytes: number;
  readonly backfillQueued: boolean;
  readonly backfillFailed: boolean;
  readonly redacted: readonly OutgoingRedaction[];
  readonly leftOut: readonly LeftOut[];
  /** What the hub has now. */
  readonly files: readonly PushedFileRecord[];
  readonly sealed: readonly SealedRecord[];
}

/** So often the hub may have another state than it said, as when two requests cross. */
const ATTEMPTS = 3;

/** What the hub has of the session, where it has it, or which deletion of it this comes after. */
export interface OnHub {
  readonly state: SessionState | undefined;
  readonly deletion: string | undefined;
}

export async function pushSession(
  session: OutgoingSession,
  { state, deletion }: OnHub,
  around: PushAround,
): Promise<PushedSession> {
  let [known, totals] = [state, NOTHING_SENT];
  const scratches: ScratchFile[] = [];
  const newScratch = (): ScratchFile => {
    const made = around.newScratch();
    scratches.push(made);
    return made;
  };
  try {
    if (known && known.isSealed !== (session.seal !== undefined)) {
      // What the hub could read until now must not stay there, and what it could not is not what it is to have.
      await around.client.delete(known.session);
      known = undefined;
    }
    for (let attempt = 1; ; attempt++) {
      const redactor = around.newRedactor();
      const states = known?.files ?? [];
      const lengthsOf = (path: string): readonly number[] => [
        ...lengthsIn(states, path),
        ...session.sealed.filter((each) => each.path === path).map(({ size }) => size),
      ];
      const made = await redactFiles(session.fs, session.files, {
        ...{ redactor, newScratch, lengthsOf },
        keepsPictures: session.seal !== undefined,
      });
      const facts = redactFacts(session.facts, redactor);
      const send = createSender(session, around, { facts, isThere: known !== undefined, deletion });
      try {
        const outcome = session.seal
          ? await sendSealed(made.files, { ...session, seal: session.seal }, states, send, facts)
          : await sendPlain(made.files, states, send);
        totals = addUp(totals, send.sent());
        return { ...totals, ...outcome, redacted: redactor.report(), leftOut: made.leftOut };
      } catch (error) {
        totals = addUp(totals, send.sent());
        if (!isConflict(error) || attempt >= ATTEMPTS) throw error;
        const { source, id } = session;
        const { sessions, deleted } = await around.client.state(around.machine.id, [{ source, id }]);
        if (deleted.length > 0) throw deletedMeanwhile();
        [known] = sessions;
      } finally {
        for (const scratch of scratches.splice(0)) scratch.remove();
      }
    }
  } finally {
    for (const scratch of scratches) scratch.remove();
  }
}

type Sent = Omit<PushedSession, "redacted" | "leftOut" | "files" | "sealed">;

const NOTHING_SENT: Sent = {
  ...{ isCreated: false, events: 0, bytes: 0 },
  ...{ backfillQueued: false, backfillFailed: false },
};

const addUp = (a: Sent, b: Sent): Sent => ({
  isCreated: a.isCreated || b.isCreated,
  events: a.events + b.events,
  bytes: a.bytes + b.bytes,
  backfillQueued: a.backfillQueued || b.backfillQueued,
  backfillFailed: a.backfillFailed || b.backfillFailed,
});

interface Sender {
  (batch: Batch, removed: readonly string[]): Promise<void>;
  sent(): Sent;
  /** What the hub said of files, the latest of each. */
  states(): ReadonlyMap<string, FileState>;
}

function createSender(
  { source, id, seal }: OutgoingSession,
  { client, machine }: PushAround,
  {
    facts,
    isThere,
    deletion,
  }: {
    readonly facts: SessionFacts;
    readonly isThere: boolean;
    readonly deletion: string | undefined;
  },
): Sender {
  let sent = NOTHING_SENT;
  let wasThere = isThere;
  const states = new Map<string, FileState>();
  const send = async ({ files, bodies }: Batch, removed: readonly string[]): Promise<void> => {
    // Of a sealed session the hub is told only that there is one, and when it went.
    const told = seal ? pickVanished(facts) : facts;
    const header = {
      ...{ machine, source, id, facts: told, isSealed: seal !== undefined, files, removed },
      ...(deletion !== undefined && !wasThere && { afterDeletion: deletion }),
    };
    const answer: PushAnswer = await client.push(encodePush(header, bodies));
    if (answer.created && wasThere) {
      // Somebody took it back between two requests, and this one brought a part of it again.
      await client.delete(hubSessionId(source, id, machine.id), { isForGood: true });
      throw deletedMeanwhile();
    }
    wasThere = true;
    for (const state of answer.files) states.set(state.path, state);
    sent = addUp(sent, {
      isCreated: answer.created,
      events: answer.events,
      bytes: bodies.reduce((sum, { length }) => sum + length, 0),
      backfillQueued: answer.backfill === "queued",
      backfillFailed: answer.backfill === "failed",
    });
  };
  return Object.assign(send, { sent: () => sent, states: () => states });
}

async function sendPlain(
  files: readonly RedactedFile[],
  states: readonly FileState[],
  send: Sender,
): Promise<Pick<PushedSession, "files" | "sealed">> {
  const before = new Map(states.map((state) => [state.path, state]));
  const plans = files.flatMap((file) => planFile(file, before.get(file.path)) ?? []);
  await sendAll(packBatches(localFs, plans), removedPaths(states, files), send);
  const now = new Map([...before, ...send.states()]);
  return { files: [...now.values()].filter(({ removed }) => !removed).map(toRecord), sealed: [] };
}

async function sendSealed(
  files: readonly RedactedFile[],
  session: OutgoingSession & { readonly seal: Seal },
  states: readonly FileState[],
  send: Sender,
  facts: SessionFacts,
): Promise<Pick<PushedSession, "files" | "sealed">> {
  const plan = planSealed(files, states, session.sealed);
  const sealed: SealedRecord[] = [...plan.kept];
  const noted = async function* (): AsyncGenerator<SealedBatch> {
    for await (const batch of sealBatches(localFs, plan, session.seal, facts)) {
      sealed.push(...batch.records);
      yield batch;
    }
  };
  await sendAll(noted(), plan.removed, send);
  const now = new Map([...states.map((state) => [state.path, state] as const), ...send.states()]);
  return { files: [...now.values()].filter(({ removed }) => !removed).map(toRecord), sealed };
}

/** The last request also says which files are gone; where nothing is new, it only says what is known of the session. */
async function sendAll(
  batches: AsyncIterable<Batch>,
  removed: readonly string[],
  send: Sender,
): Promise<void> {
  let last: Batch = { files: [], bodies: [] };
  let isFirst = true;
  for await (const batch of batches) {
    if (!isFirst) await send(last, []);
    [last, isFirst] = [batch, false];
  }
  await send(last, removed);
}

const toRecord = ({ path, generation, size, sha256 }: FileState): PushedFileRecord => ({
  path,
  generation,
  size,
  sha256,
});

const pickVanished = ({ vanishedAt }: SessionFacts): SessionFacts =>
  vanishedAt === undefined ? {} : { vanishedAt };

/** The hub takes no longer ones. */
const LONGEST = 1000;

/** Titles come from prompts. */
function redactFacts(facts: SessionFacts, redactor: OutgoingRedactor): SessionFacts {
  const { title, branch, workspace, repository } = facts;
  const clean = (text: string): string =>
    redactor.text(text).replaceAll("\0", "").slice(0, LONGEST).toWellFormed();
  return {
    ...facts,
    ...(title !== undefined && { title: clean(title) }),
    ...(branch !== undefined && { branch: clean(branch) }),
    ...(workspace !== undefined && { workspace: clean(workspace) }),
    ...(repository !== undefined && { repository: clean(repository) }),
  };
}

/** The next sync takes note of that. */
export const deletedMeanwhile = (): AppError =>
  new AppError(
    "hub-conflict",
    "It was deleted from the hub while it was being sent",
    "To send it after all: rethread sync forget --session <session>",
  );

const isConflict = (error: unknown): boolean => error instanceof AppError && error.code === "hub-conflict";
