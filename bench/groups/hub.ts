/** What the hub takes beyond the least that anyone must do, on a real PostgreSQL server: a push, the rows of a session, a search. */
import { rmSync } from "node:fs";
import type pg from "pg";
import { type HubDatabase, openHubDatabase } from "../../src/hub/database/connect.ts";
import { toCredentials } from "../../src/hub/database/credentials.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { decodePush } from "../../src/hub/ingest/frame.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { searchHub } from "../../src/hub/query/search/search.ts";
import { OUTPUT_HEAD } from "../../src/indexer/output-head.ts";
import { refresh } from "../../src/indexer/refresh.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { openMemoryStore } from "../../src/store/open.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import { startCluster } from "../../test/soak/cluster.ts";
import { makeHistory, NEEDLE_EVERY, needleOf, SOURCE, texts } from "../../test/soak/history.ts";
import { addPushers, type Pusher } from "../../test/soak/people.ts";
import { frameOf } from "../../test/soak/pushing.ts";
import { createRandom } from "../corpus/text.ts";
import { median, type Table } from "../table.ts";

const SESSIONS = 400;
const TURNS = 10;
const ASKED = 40;
const HOME = "/home/robin/.copilot";
/** As one would run it: what is acknowledged is on the disk. */
const SETTINGS = { max_connections: "50", shared_buffers: "256MB" };

export async function measureHub(table: Table): Promise<void> {
  const cluster = await startCluster({ settings: SETTINGS });
  const db = openHubDatabase(cluster.place);
  const admin = await cluster.admin();
  try {
    const [person] = await addPushers(admin, 1);
    if (!person) throw new Error("nobody pushes");
    await measurePush(table, db, admin, person);
    await measureRows(table, db, person);
    await measureQuestions(table, db, admin, person);
  } finally {
    await admin.end();
    await db.close();
    await cluster.stop();
    rmSync(cluster.folder, { recursive: true, force: true });
  }
}

const seeds = (): number[] => Array.from({ length: SESSIONS }, (_, seed) => seed);

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function measurePush(table: Table, db: HubDatabase, admin: pg.Client, person: Pusher): Promise<void> {
  const who = toCredentials(person.token);
  await admin.query(
    "CREATE TABLE plain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea NOT NULL)",
  );
  await admin.query("ALTER TABLE plain ALTER COLUMN body SET STORAGE EXTERNAL");
  const ratios: number[] = [];
  const [pushed, inserted]: [number[], number[]] = [[], []];
  for (const seed of seeds()) {
    const history = makeHistory(seed, TURNS);
    for (const part of history.parts.keys()) {
      const { header, bodies } = decodePush(frameOf(history, part, person).frame);
      const push = await time(() => receivePush(db, who, header, bodies));
      const insert = await time(() =>
        admin.query("INSERT INTO plain (body) VALUES ($1)", [Buffer.from(bodies[0] ?? [])]),
      );
      pushed.push(push);
      inserted.push(insert);
      ratios.push(push / insert);
    }
  }
  table.number("hub, a push against one INSERT of the same bytes (median)", median(ratios), "most", 6);
  table.number(
    `hub, ${ratios.length} pushes against as many INSERTs, in all`,
    sum(pushed) / sum(inserted),
    "most",
    6,
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Both of all sessions; the local index in one go, as it does. */
async function measureRows(table: Table, db: HubDatabase, { account, machine }: Pusher): Promise<void> {
  const fs = createMemoryFs();
  for (const seed of seeds()) {
    const { id, path, parts } = makeHistory(seed, TURNS);
    await fs.mkdir(`${HOME}/session-state/${id}`);
    await fs.write(`${HOME}/${path}`, Buffer.concat(parts), 0o600);
  }
  const local = await time(async () => {
    const store = openMemoryStore(() => new Date());
    const env = { platform: "linux", homeDir: "/home/robin", vars: {} } as const;
    const catalog = openCatalog(SOURCES, env, fs);
    const { indexed } = await refresh(catalog, createSessionStore(store), {
      ...{ outputHead: OUTPUT_HEAD, now: () => new Date(), sources: [SOURCE] },
    });
    if (indexed !== SESSIONS) throw new Error(`${indexed} of ${SESSIONS} sessions were indexed`);
    store.close();
  });
  const derived = await time(async () => {
    for (const seed of seeds())
      await deriveSession(db, {
        account,
        session: hubSessionId(SOURCE, makeHistory(seed, TURNS).id, machine.id),
      });
  });
  table.number(
    `hub, rows of ${SESSIONS} sessions against the local index of the same, in memory`,
    derived / local,
    "most",
    6,
  );
}

async function measureQuestions(
  table: Table,
  db: HubDatabase,
  admin: pg.Client,
  person: Pusher,
): Promise<void> {
  await admin.query("VACUUM (ANALYZE)");
  const who = toCredentials(person.token);
  const search = async (text: string): Promise<number> => {
    const now = new Date("2026-12-01T00:00:00Z");
    return (await searchHub(db, who, { text, filter: {}, limit: 20, now })).hits.length;
  };
  const bare = (word: string) =>
    admin.query(
      `SELECT session_id, turn_index, user_message, assistant_response FROM hub.turns
        WHERE account_id = $2 AND words @@ $1::tsquery ORDER BY timestamp DESC LIMIT 20`,
      [`'${word}'`, person.account],
    );
  const random = createRandom(7);
  const { words } = texts();
  const kinds = { rare: [20_000, 40_000], ordinary: [300, 2000], common: [0, 10] } as const;
  for (const [kind, [from, to]] of Object.entries(kinds)) {
    const ratios: number[] = [];
    for (let at = 0; at < ASKED; at++) {
      const word = words[Math.floor(from + random() * (to - from))] ?? "";
      const took = await time(() => search(word));
      ratios.push(took / (await time(() => bare(word))));
    }
    table.number(`hub, search for ${kind} words against a bare tsquery (median)`, median(ratios), "most", 20);
  }
  let found = 0;
  for (let seed = 0; seed < SESSIONS; seed += NEEDLE_EVERY)
    found += (await search(needleOf(seed))) > 0 ? 1 : 0;
  table.equal("hub, words of one session each that are found", found, SESSIONS / NEEDLE_EVERY);
}
