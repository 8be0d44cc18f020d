/** Looks for secrets in local sessions: which kinds, in which turns, how often. */
import { findLocalFiles } from "../../hub/sync/session-files.ts";
import { countMarks, type Mark } from "../../model/redact/marks.ts";
import { createOutgoingRedactor, type OutgoingRedactor } from "../../model/redact/outgoing.ts";
import type { Artifact, Session } from "../../model/session/session.ts";
import { startsTurn } from "../../model/session/turns.ts";
import { formatKey } from "../../model/values/id.ts";
import { isAborted, refuseAborted } from "../../platform/fs/abortable.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";
import { toReadOptions } from "../../query/show.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { findSessions } from "../../store/sessions.ts";
import type { Call } from "../call.ts";
import type { AppConfig } from "../config.ts";
import { toFilter } from "../filters.ts";
import type { Request } from "../request.ts";
import { artifactsByKey } from "../sync/candidates.ts";
import type { SecretFinding, SecretScan, SecretsApp } from "./contract.ts";
import { markKey } from "./mark-key.ts";
import { newMarks, scrubFiles } from "./redact-session.ts";

export async function scanSecrets(
  request: Request,
  config: AppConfig,
  { sessions: names = [], ...where }: Parameters<SecretsApp["scan"]>[0] & object,
  { signal, onProgress }: Call,
): Promise<SecretScan> {
  const key = markKey(request.dataFolder, config);
  const named = new Set<string>();
  for (const name of names) named.add(formatKey((await request.find(name)).artifact));
  const filter = await toFilter(where, request.catalog);
  const known = await request.askStore({}, ({ db }) => findSessions(db, filter));
  const artifacts = await artifactsByKey(request);
  const wanted = known.filter((session) => {
    const isNamed = names.length === 0 || named.has(formatKey(session));
    return isNamed && artifacts.has(formatKey(session));
  });
  const findings: SecretFinding[] = [];
  const leftOut: { session: { source: string; id: string }; path: string; why: string }[] = [];
  const total = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const [at, session] of wanted.entries()) {
    refuseAborted(signal);
    const artifact = artifacts.get(formatKey(session)) as Artifact;
    const { source, id } = session;
    try {
      const found = await scanSession(request.catalog, artifact, session, key);
      findings.push(...found.findings);
      leftOut.push(...found.leftOut.map((each) => ({ session: { source, id }, ...each })));
    } catch (error) {
      if (isAborted(error)) throw error;
      leftOut.push({
        session: { source, id },
        path: artifact.path,
        why: `cannot be read: ${reasonOf(error)}`,
      });
    }
    done += session.bytes;
    onProgress?.({ done, total, sessions: { done: at + 1, total: wanted.length } });
  }
  return { scanned: wanted.length, findings, leftOut };
}

async function scanSession(catalog: Catalog, artifact: Artifact, session: Session, key: Uint8Array) {
  const { files, leftOut, fs } = await findLocalFiles(catalog, artifact);
  const redactor = createOutgoingRedactor({ key });
  const scrubbed = await scrubFiles(fs, files, redactor);
  const about = {
    session: { source: session.source, id: session.id, title: redactor.text(session.title) },
  };
  const byTurn = scrubbed.files.length === 0 ? [] : await marksByTurn(catalog, artifact, redactor);
  const inTurns = new Set(byTurn.flatMap(([, marks]) => marks.map(({ mark }) => mark)));
  const findings: SecretFinding[] = [
    ...byTurn.flatMap(([turn, marks]) =>
      countMarks(marks).map(({ kind, secrets }) => ({
        ...about,
        ...(turn >= 0 && { turn }),
        kind,
        count: secrets,
      })),
    ),
    ...scrubbed.files.flatMap(({ place, marks }) =>
      countMarks(marks.filter(({ mark }) => !inTurns.has(mark))).map(({ kind, secrets }) => ({
        ...about,
        path: place,
        kind,
        count: secrets,
      })),
    ),
  ];
  return { findings, leftOut: [...leftOut, ...scrubbed.leftOut] };
}

/** The marks of each turn, in their order; before the first turn it is -1. */
async function marksByTurn(
  catalog: Catalog,
  artifact: Artifact,
  redactor: OutgoingRedactor,
): Promise<readonly (readonly [number, readonly Mark[]])[]> {
  const found = new Map<number, Mark[]>();
  let turn = -1;
  await catalog.read(
    artifact,
    {
      event(event) {
        if (startsTurn(event)) turn++;
        const before = JSON.stringify(event);
        const marks = newMarks(before, redactor.json(before));
        if (marks.length > 0) found.set(turn, [...(found.get(turn) ?? []), ...marks]);
      },
      problem: () => undefined, // doctor reports them
    },
    toReadOptions({ whole: true }),
  );
  return [...found].sort(([a], [b]) => a - b);
}
