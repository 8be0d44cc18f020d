import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../platform/fs/local.ts";
import { type Catalog, openCatalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { CHILD_TABLES } from "../store/session-writer.ts";
import { fillEmpty } from "./first.ts";
import { type RefreshOptions, type RefreshResult, refresh } from "./refresh.ts";

const SESSIONS = 6;
const now = () => new Date("2026-11-15T12:00:00Z");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-first-"));
  for (let n = 1; n <= SESSIONS; n++) {
    const id = `0b1c0000-0000-4000-8000-00000000000${n}`;
    const place = join(folder, "copilot/session-state", id);
    mkdirSync(place, { recursive: true });
    const timestamp = `2026-10-0${n}T10:00:00.000Z`;
    const record = { type: "user.message", data: { content: `Hello ${n}` }, id, timestamp, parentId: null };
    writeFileSync(join(place, "events.jsonl"), `${JSON.stringify(record)}\n`);
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As the scan tells, the logs are so large that it is worth it. */
function catalogOf(onRead: (nth: number) => void = () => undefined, extra = 16 << 20): Catalog {
  const catalog = openCatalog(
    SOURCES,
    { platform: "linux", homeDir: folder, vars: { COPILOT_HOME: join(folder, "copilot") } },
    localFs,
  );
  let nth = 0;
  return {
    ...catalog,
    async scan(only) {
      const scan = await catalog.scan(only);
      const artifacts = scan.artifacts.map((artifact) => ({
        ...artifact,
        fingerprint: { ...artifact.fingerprint, size: artifact.fingerprint.size + extra },
      }));
      return { ...scan, artifacts };
    },
    read(artifact, ...rest) {
      onRead(++nth);
      return catalog.read(artifact, ...rest);
    },
  };
}
const fill = (catalog: Catalog, options: Partial<RefreshOptions> = {}) =>
  fillEmpty(catalog, folder, { outputHead: 256, now, ...options });
const rowsIn = (place: string) => {
  const db = openStore({ folder: place, now, notice: () => undefined });
  const rows = ["sessions", "folders", ...CHILD_TABLES].map((table) => [
    table,
    db.prepare(`SELECT * FROM ${table}`).all(),
  ]);
  db.exec("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 0)");
  db.close();
  return Object.fromEntries(rows);
};
function countSessions(): number {
  const db = openStore({ folder, now, notice: () => undefined });
  const row = db.prepare("SELECT count(*) AS n FROM sessions").get();
  db.close();
  return Number(row?.n);
}
/** What a refresh of an empty store says and writes. */
async function refreshed(): Promise<{ result: RefreshResult; rows: ReturnType<typeof rowsIn> }> {
  const place = join(folder, "other");
  const db = openStore({ folder: place, now, notice: () => undefined });
  const result = await refresh(catalogOf(), createSessionStore(db), { outputHead: 256, now });
  db.close();
  return { result, rows: rowsIn(place) };
}

it("writes the rows that a refresh writes, and says the same of them", async () => {
  const { result, rows } = await refreshed();
  expect(await fill(catalogOf())).toEqual(result);
  expect(rowsIn(folder)).toEqual(rows);
  expect(readdirSync(folder).filter((name) => name.includes("rebuild"))).toEqual([]);
});

it("shows others what was read first while it reads the rest", async () => {
  let at = 0;
  const seen: number[] = [];
  // Four seconds go by with the second session.
  const catalog = catalogOf((nth) => {
    if (nth === 2) at += 4000;
    if (nth > 2 && seen.length === 0) seen.push(countSessions());
  });
  const progress: string[] = [];
  const { result, rows } = await refreshed();
  const told = await fill(catalog, {
    clock: () => at,
    onProgress: ({ done, total }) => void progress.push(`${done}/${total}`),
  });
  expect(seen).toEqual([2]);
  expect(told).toEqual(result);
  expect(rowsIn(folder)).toEqual(rows);
  expect(progress).toEqual(["1/6", "2/6", "3/6", "4/6", "5/6", "6/6"]);
});

it("keeps the newest when it is interrupted", async () => {
  const interrupt = new AbortController();
  const catalog = catalogOf((nth) => void (nth === 3 && interrupt.abort()));
  expect(await fill(catalog, { signal: interrupt.signal })).toMatchObject({ indexed: 3, pending: 3 });
  const ids = rowsIn(folder).sessions.map(({ id }: { id: string }) => id.at(-1));
  expect(ids.length).toBe(3);
});

it("keeps what another process has read meanwhile", async () => {
  const interrupt = new AbortController();
  const other = openStore({ folder, now, notice: () => undefined });
  const whole = catalogOf();
  const catalog = catalogOf((nth) => void (nth === 2 && interrupt.abort()));
  const first = catalog.read;
  let done: Promise<unknown> | undefined;
  const result = await fill(
    {
      ...catalog,
      async read(...args) {
        done ??= refresh(whole, createSessionStore(other), { outputHead: 256, now });
        await done;
        return first(...args);
      },
    },
    { signal: interrupt.signal },
  );
  expect(result).toMatchObject({ indexed: 2, pending: 4, removed: 0, kept: 0 });
  const { sessions } = rowsIn(folder);
  expect(sessions.length).toBe(SESSIONS);
  expect(sessions.every(({ vanished_at }: { vanished_at: unknown }) => vanished_at === null)).toBe(true);
  other.close();
});

it("reads nothing twice where two fill the same store at once", async () => {
  let read = 0;
  const catalog = catalogOf(() => void read++);
  const results = await Promise.all([fill(catalog), fill(catalog)]);
  expect(read).toBe(SESSIONS);
  expect(results.map((result) => result?.indexed)).toEqual(expect.arrayContaining([SESSIONS, undefined]));
  expect(readdirSync(folder).filter((name) => name.endsWith(".lock"))).toEqual([".filling.lock"]);
  expect(countSessions()).toBe(SESSIONS);
});

it("leaves small homes, and stores that know a session, to a refresh", async () => {
  expect(await fill(catalogOf(undefined, 0))).toBe(undefined);
  await fill(catalogOf());
  expect(await fill(catalogOf())).toBe(undefined);
});
