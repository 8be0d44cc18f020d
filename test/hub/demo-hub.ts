/** The demo at home and on a hub: the same sessions, in the local store and pushed by one person. */
import { createDemo } from "../../src/demo/create.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { indexLocally, pushAll } from "./machine.ts";
import { type People, type Person, peopleOf } from "./people.ts";

export const DEMO_NOW = new Date("2026-11-15T12:00:00Z");

export async function demoCatalog(): Promise<Catalog> {
  const fs = createMemoryFs();
  const demo = await createDemo({ fs, sources: SOURCES, home: "/data", now: DEMO_NOW });
  return openCatalog(SOURCES, { platform: "linux", homeDir: "/home/a", vars: demo.vars }, fs);
}

/** Rows are made at once, without the queue. */
export async function deriveAll({ db }: Pick<TestHub, "db">, people: People, who: Person): Promise<void> {
  const rows = await people.ask("SELECT id FROM hub.sessions WHERE account_id = $1 ORDER BY id", [
    who.account,
  ]);
  for (const { id } of rows) await deriveSession(db, { account: who.account, session: String(id) });
}

export interface DemoHub {
  readonly hub: TestHub;
  readonly people: People;
  /** Who has pushed all of the demo. */
  readonly robin: Person;
  readonly catalog: Catalog;
  readonly local: Database;
}

let shared: Promise<DemoHub> | undefined;

/** One for all tests of a worker, which leave it as they found it; it ends with the process. */
export const demoHub = (): Promise<DemoHub> => (shared ??= newDemoHub());

async function newDemoHub(): Promise<DemoHub> {
  const hub = await newHub();
  const people = await peopleOf(hub);
  const robin = await people.add("robin");
  const catalog = await demoCatalog();
  const local = await indexLocally(catalog);
  await pushAll(hub.db, robin, catalog, local);
  await deriveAll(hub, people, robin);
  // As autovacuum does within a minute: plans that were made for empty tables take a hundred times as long.
  await people.ask("ANALYZE hub.sessions, hub.turns, hub.tool_calls, hub.session_files, hub.daily_stats");
  return { hub, people, robin, catalog, local };
}
