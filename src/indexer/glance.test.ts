/** A question looks at few files of sessions that nobody has written for days, and misses nothing all the same. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../platform/fs/local.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { overviewOf } from "../query/overview.ts";
import { openCatalog } from "../sources/catalog.ts";
import copilotCli from "../sources/copilot-cli/index.ts";
import { openMemoryStore, openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { refresh } from "./refresh.ts";

const HOUR = 3_600_000;
const SESSIONS = 8;
/** The folder of all sessions, and the vendor's own store. */
const AROUND = 3;
let folder: string;
let db: Database;
let nowMs: number;
let looked: number;
let touched: string[];

const counting: SessionFs = {
  ...localFs,
  async statEach(paths) {
    looked += paths.length;
    return (await localFs.statEach?.(paths)) ?? [];
  },
  async readdir(path) {
    touched.push(path);
    return localFs.readdir(path);
  },
  async *chunks(path, range) {
    touched.push(path);
    yield* localFs.chunks(path, range);
  },
};
const catalogOf = () => {
  const vars = { COPILOT_HOME: join(folder, "home") };
  return openCatalog([copilotCli], { platform: "linux", homeDir: folder, vars }, counting);
};
const run = (into: Database, sweeping?: "always" | "seldom") => {
  [looked, touched] = [0, []];
  return refresh(catalogOf(), createSessionStore(into), {
    ...{ outputHead: 256, now: () => new Date(nowMs), vanished: "remove" },
    ...(sweeping && { sweeping }),
  });
};
const index = () => run(db, "always");
const ask = () => run(db, "seldom");

const idOf = (n: number): string => `0b6a0000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const at = (n: number, ...names: string[]): string => join(folder, "home/session-state", idOf(n), ...names);
let step = 0;
const prompt = (content: string): string =>
  `${JSON.stringify({
    type: "user.message",
    data: { content },
    id: `81aa0000-0000-4000-8000-${String(++step).padStart(12, "0")}`,
    timestamp: "2026-10-01T10:00:00.000Z",
    parentId: null,
  })}\n`;
function make(n: number): void {
  mkdirSync(at(n, "files"), { recursive: true });
  writeFileSync(at(n, "workspace.yaml"), `id: ${idOf(n)}\nname: Session ${n}\nuser_named: true\n`);
  writeFileSync(at(n, "plan.md"), "- [ ] quinces\n");
  writeFileSync(at(n, "files", "notes.md"), "loam\n");
  writeFileSync(at(n, "events.jsonl"), prompt(`Prompt of ${n}`));
}
/** As if all of it had been written days ago. */
function age(path: string, days: number): void {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) age(join(path, name), days);
  const seconds = nowMs / 1000 - days * 86_400;
  utimesSync(path, seconds, seconds);
}
/** As careful programs write: another file, which then takes its place. */
function replace(path: string, content: string): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

const TABLES = ["sessions", "turns", "search_texts"];
/** But for when a session was first seen: a store that was there before knows it, though its file was made anew since. */
const rowsOf = (from: Database): string[][] =>
  TABLES.map((table) =>
    from
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => JSON.stringify({ ...row, id: 0, number: 0, born_ms: 0 }))
      .sort(),
  );
/** What an index that is made now has. */
async function anew(): Promise<string[][]> {
  const fresh = openMemoryStore(() => new Date(nowMs));
  try {
    await run(fresh);
    return rowsOf(fresh);
  } finally {
    fresh.close();
  }
}

const begin = (): void => {
  folder = mkdtempSync(join(tmpdir(), "rethread-glance-"));
  nowMs = Date.now();
  for (let n = 0; n < SESSIONS; n++) make(n);
  age(join(folder, "home"), 30);
  db = openStore({ folder, now: () => new Date(nowMs), notice: () => undefined });
};
const end = (): void => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
};
beforeEach(begin);
afterEach(end);

it("looks at the folder of a quiet session, and at nothing else", async () => {
  await index();
  expect(looked).toBeGreaterThan(6 * SESSIONS);
  expect(await ask()).toMatchObject({ indexed: 0, unchanged: SESSIONS });
  expect({ looked: looked - AROUND, touched }).toEqual({ looked: SESSIONS, touched: [] });
  // One that is at work is looked at as a whole, and costs the others nothing.
  work(3, () => appendFileSync(at(3, "events.jsonl"), prompt("More")));
  expect(await ask()).toMatchObject({ indexed: 1, unchanged: SESSIONS - 1 });
  await ask();
  expect(looked - AROUND).toBeLessThanOrEqual(SESSIONS + 8);
});

it("looks at a session as a whole that somebody has had open for days", async () => {
  writeFileSync(at(4, "inuse.999999.lock"), "999999");
  age(at(4), 30);
  await index();
  // Between its first prompt and its end the program touches nothing but the log, if at all.
  appendFileSync(at(4, "events.jsonl"), prompt("After the weekend"));
  expect(await ask()).toMatchObject({ indexed: 1, unchanged: SESSIONS - 1 });
});

it("finds what another program appended to a quiet log in its place with the next look at everything", async () => {
  await index();
  appendFileSync(at(6, "events.jsonl"), prompt("By hand"));
  expect(await ask()).toMatchObject({ indexed: 0 });
  nowMs += 6.1 * HOUR;
  expect(await ask()).toMatchObject({ indexed: 1, unchanged: SESSIONS - 1 });
  // It is one that is written now and then from then on.
  appendFileSync(at(6, "events.jsonl"), prompt("By hand again"));
  expect(await ask()).toMatchObject({ indexed: 1 });
  appendFileSync(at(7, "events.jsonl"), prompt("Asked for"));
  expect(await index()).toMatchObject({ indexed: 1 });
});

it("looks at everything where what it remembers was noted by an earlier version", async () => {
  await index();
  const earlier = new Float64Array(1 + 4 * SESSIONS).fill(5);
  db.prepare("UPDATE sweeps SET stamps = ?").run(new Uint8Array(earlier.buffer));
  appendFileSync(at(1, "events.jsonl"), prompt("Meanwhile"));
  expect(await ask()).toMatchObject({ indexed: 1, unchanged: SESSIONS - 1 });
});

it("looks at everything a few times a day, and finds what was changed by hand in its place", async () => {
  await index();
  writeFileSync(at(2, "plan.md"), "- [x] gooseberries\n");
  expect(await ask()).toMatchObject({ unchanged: SESSIONS });
  nowMs += 6.1 * HOUR;
  await ask();
  expect(rowsOf(db)).toEqual(await anew());
  // From then on it is one that is written now and then.
  writeFileSync(at(2, "plan.md"), "- [x] gooseberries, and pears\n");
  await ask();
  expect(rowsOf(db)).toEqual(await anew());
  // Who wants it at once asks for it.
  writeFileSync(at(5, "plan.md"), "- [x] medlars\n");
  await index();
  expect(rowsOf(db)).toEqual(await anew());
});

/** As the program has a session open: behind its lock. */
function work(n: number, deed: () => void): void {
  const lock = at(n, `inuse.${999_000 + (++step % 900)}.lock`);
  writeFileSync(lock, "999999");
  deed();
  rmSync(lock);
}

/** What programs and people do to a session. */
const DEEDS: Readonly<Record<string, (n: number) => void>> = {
  append: (n) => work(n, () => appendFileSync(at(n, "events.jsonl"), prompt("And then?"))),
  appendUnseen: (n) =>
    work(n, () => {
      const { atime, mtime } = statSync(at(n, "events.jsonl"));
      appendFileSync(at(n, "events.jsonl"), prompt("Nobody saw this"));
      utimesSync(at(n, "events.jsonl"), atime, mtime);
    }),
  /** And stays open. */
  appendOn(n) {
    if (!existsSync(at(n, "inuse.999999.lock"))) writeFileSync(at(n, "inuse.999999.lock"), "999999");
    appendFileSync(at(n, "events.jsonl"), prompt("Still there"));
  },
  rewrite: (n) => work(n, () => writeFileSync(at(n, "events.jsonl"), prompt("Prompt of 9"))),
  replaceOld(n) {
    const { atime, mtime } = statSync(at(n, "events.jsonl"));
    replace(at(n, "events.jsonl"), prompt("Prompt of 7"));
    utimesSync(at(n, "events.jsonl"), atime, mtime);
  },
  rename: (n) => replace(at(n, "workspace.yaml"), `id: ${idOf(n)}\nname: Renamed\nuser_named: true\n`),
  plan: (n) => replace(at(n, "plan.md"), `- [ ] medlars ${++step}\n`),
  noPlan: (n) => rmSync(at(n, "plan.md"), { force: true }),
  workWithLock(n) {
    writeFileSync(at(n, "inuse.999999.lock"), "999999");
    writeFileSync(at(n, "files", `new-${++step}.md`), "mulch\n");
    writeFileSync(at(n, "plan.md"), `- [ ] sloes ${step}\n`);
    writeFileSync(at(n, "workspace.yaml"), `id: ${idOf(n)}\nname: In place\nuser_named: true\n`);
    rmSync(at(n, "inuse.999999.lock"));
  },
  remove: (n) => rmSync(at(n), { recursive: true, force: true }),
  loseLog: (n) => rmSync(at(n, "events.jsonl"), { force: true }),
  beginAnother: (n) => mkdirSync(at(n + SESSIONS), { recursive: true }),
  promptOther(n) {
    mkdirSync(at(n + SESSIONS), { recursive: true });
    appendFileSync(at(n + SESSIONS, "events.jsonl"), prompt("Of another"));
  },
  // Never twice to the same time, which would hide a change from every look.
  ageAll: () => age(join(folder, "home"), 10 + ++step / 1e4),
  wait() {
    nowMs += 5 * HOUR;
  },
};

it("misses nothing of what happens to a home, in whatever order", { timeout: 120_000 }, async () => {
  const deed = fc.record({
    name: fc.constantFrom(...Object.keys(DEEDS)),
    n: fc.integer({ min: 1, max: SESSIONS - 1 }), // the first stays: a home without any may only be out of reach
  });
  const days = fc.array(fc.array(deed, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(days, async (home) => {
      end();
      begin();
      await index();
      for (const deeds of home) {
        const isHere = (n: number): boolean => existsSync(at(n, "events.jsonl"));
        for (const { name, n } of deeds)
          if (isHere(n) || /^(begin|prompt|age|wait)/.test(name)) DEEDS[name]?.(n);
        await ask();
        expect(rowsOf(db)).toEqual(await anew());
        for (const { vendor_id, path, born_ms } of db.prepare("SELECT * FROM sessions").all()) {
          const file = statSync(String(path), { throwIfNoEntry: false });
          if (file) expect(Number(born_ms), String(vendor_id)).toBeLessThanOrEqual(file.birthtimeMs);
        }
      }
    }),
    { numRuns: 20 },
  );
});

it("tells the overview without a look at any session", async () => {
  await index();
  [looked, touched] = [0, []];
  const { sessions, suggestions } = await overviewOf(catalogOf(), { db }, new Date(nowMs));
  expect([sessions, looked, touched]).toEqual([SESSIONS, 0, []]);
  expect(suggestions[0]?.session).toMatchObject({ source: "copilot-cli", resume: expect.anything() });
});
