/** A machine in tests: its sessions, as the local store has them, and a push of each with all of its files, unredacted. */
import { relative } from "node:path";
import type { HubDatabase } from "../../src/hub/database/connect.ts";
import type { Credentials } from "../../src/hub/database/credentials.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import type { MachineName, PushAnswer, SessionFacts } from "../../src/hub/protocol.ts";
import { refresh } from "../../src/indexer/refresh.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { openMemoryStore } from "../../src/store/open.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import { type FilePart, MACHINE, pushOf } from "./pushing.ts";

const PIECE = 256 << 10;
const now = (): Date => new Date("2026-11-15T12:00:00Z");

/** The caller closes it. */
export async function indexLocally(catalog: Catalog): Promise<Database> {
  const db = openMemoryStore(now);
  await refresh(catalog, createSessionStore(db), { outputHead: 256, now });
  return db;
}

export async function pushAll(
  db: HubDatabase,
  who: Credentials,
  catalog: Catalog,
  store: Database,
  machine: MachineName = MACHINE,
): Promise<PushAnswer[]> {
  const answers: PushAnswer[] = [];
  const { artifacts } = await catalog.scan();
  for (const artifact of artifacts) {
    const parts: FilePart[] = [];
    for (const path of await catalog.files(artifact)) {
      const bytes = Buffer.from(await catalog.fs.read(path));
      const texts = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, at) =>
        bytes.subarray(at * PIECE, (at + 1) * PIECE),
      );
      const { mtimeMs } = await catalog.fs.stat(path);
      parts.push({ path: relative(artifact.root, path).replaceAll("\\", "/"), texts, mtimeMs });
    }
    const { source, id } = artifact;
    const { header, bodies } = pushOf(parts, { source, id, machine, facts: factsOf(store, artifact) });
    answers.push(await receivePush(db, who, header, bodies));
  }
  return answers;
}

function factsOf(store: Database, { source, id, root, path, listed }: Artifact): SessionFacts {
  const row = store
    .prepare(
      `SELECT title, cwd AS workspace, repository, repository_evidence AS repositoryEvidence, branch, born_ms AS bornMs
         FROM sessions WHERE source = ? AND vendor_id = ?`,
    )
    .get(source, id);
  return {
    ...Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== null && value !== "")),
    path: relative(root, path),
    ...(listed && { listed }),
  };
}
