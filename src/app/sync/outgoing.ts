/** Turns sessions that may leave into what is sent of them, leaving out those that the hub has as they are. */
import { createHash } from "node:crypto";
import type { SessionFacts } from "../../hub/protocol.ts";
import type { OutgoingSession } from "../../hub/sync/push-session.ts";
import type { Seal } from "../../hub/sync/seal.ts";
import { findLocalFiles, type LeftOut, markOf } from "../../hub/sync/session-files.ts";
import type { Artifact, Session } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import { createAbortableFs } from "../../platform/fs/abortable.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { PulledRecord, PushedRecord } from "../../store/state/sync.ts";
import type { Candidate } from "./candidates.ts";

/** What is to be sent of a session, and the mark by which it is known to be unchanged afterwards. */
export interface Prepared extends OutgoingSession {
  readonly session: Session;
  readonly mark: string;
  readonly leftOut: readonly LeftOut[];
}

export interface Preparing {
  readonly catalog: Catalog;
  readonly artifacts: ReadonlyMap<string, Artifact>;
  readonly pushed: ReadonlyMap<string, PushedRecord>;
  /** By the session that they became here. */
  readonly pulled: ReadonlyMap<string, PulledRecord>;
  readonly seal?: Seal | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Grows when redaction learns so much that what was sent before has to be looked at again. */
const REDACTION = 6;

export interface Sorted {
  readonly toSend: readonly Prepared[];
  readonly unchanged: number;
  /** Of those that are unchanged, those that the hub acknowledged, as far as our records go. */
  readonly acknowledged: readonly (Prepared & { readonly record: PushedRecord })[];
  readonly heldBack: number;
  /** Sessions that the hub has, and whose files are gone. */
  readonly vanished: readonly (Session & { readonly record: PushedRecord })[];
}

export async function sortCandidates(candidates: readonly Candidate[], around: Preparing): Promise<Sorted> {
  const { catalog, artifacts, pushed, pulled, seal, signal } = around;
  const toSend: Prepared[] = [];
  const acknowledged: (Prepared & { record: PushedRecord })[] = [];
  const vanished: (Session & { record: PushedRecord })[] = [];
  let [unchanged, heldBack] = [0, 0];
  for (const { session, decision } of candidates) {
    const key = formatKey(session);
    const artifact = artifacts.get(key);
    const record = pushed.get(key);
    if (!decision.sends) heldBack++;
    else if (!artifact) {
      if (session.vanishedAt !== undefined && record && !record.isVanished)
        vanished.push({ ...session, record });
      else unchanged++;
    } else {
      const { files, leftOut, fs } = await findLocalFiles(catalog, artifact);
      const facts = factsOf(session);
      const filesMark = markOf({ files });
      const mark = marked(filesMark, facts, decision.isSealed ? seal?.recipient : undefined);
      // What came from the hub and was not touched since is there already, under its own machine.
      const isFromHub = pulled.get(key)?.localMark === filesMark && !record;
      const prepared: Prepared = {
        ...{ source: session.source, id: session.id, session, facts, files, mark, leftOut },
        fs: signal ? createAbortableFs(fs, signal) : fs,
        ...(decision.isSealed && seal && { seal }),
        sealed: record?.sealed ?? [],
        isNoted: record !== undefined,
      };
      // One that came back is no longer gone, even with the files that it had.
      const isKnown = record?.mark === mark && !record.isUnwanted && !record.isVanished;
      if (!isFromHub && !isKnown) toSend.push(prepared);
      else unchanged++;
      if (isKnown) acknowledged.push({ ...prepared, record });
    }
  }
  return { toSend, unchanged, acknowledged, heldBack, vanished };
}

export function factsOf({
  title,
  workspace,
  repository,
  repositoryFrom,
  branch,
}: Omit<Session, "vanishedAt">): SessionFacts {
  return {
    ...(title !== "" && { title }),
    ...(workspace !== undefined && { workspace }),
    ...(repository !== undefined && { repository, repositoryEvidence: repositoryFrom ?? "session" }),
    ...(branch !== undefined && { branch }),
  };
}

const marked = (files: string, facts: SessionFacts, sealedFor = ""): string =>
  createHash("sha256")
    .update(JSON.stringify([REDACTION, files, facts, sealedFor]))
    .digest("hex")
    .slice(0, 32);
