/**
 * How costs grow with the number of sessions, from 1,000 to 30,000. Asked for by name (`npm run bench -- growth`), as the
 * largest home has about 9 GB; writes bench/growth.md.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { refresh } from "../../src/indexer/refresh.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { openStore, storePath } from "../../src/store/open.ts";
import { search } from "../../src/store/search/search.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import { type Home, makeHome } from "../corpus/homes.ts";
import { createRandom, type Texts } from "../corpus/text.ts";
import { median, runTask, type Table, timeCommand } from "../table.ts";
import { HEAD, indexHome } from "./index.ts";

const SIZES = [1000, 3000, 10_000, 30_000];
const now = (): Date => new Date("2026-11-01T00:00:00Z");

interface Growth {
  readonly home: Home;
  /** Of the time, and of the processor time, that JSON.parse of every line takes. */
  readonly speed: { readonly wall: number; readonly cpu: number };
  readonly peakMb: number;
  readonly storeShare: number;
  readonly refresh: { readonly ms: number; readonly ofFind: number };
  readonly search: { readonly rare: number; readonly ordinary: number };
}

export async function measureGrowth(table: Table, folder: string, texts: Texts): Promise<void> {
  const rows: Growth[] = [];
  for (const sessions of SIZES) {
    const place = join(folder, `growth-${sessions}`);
    rows.push(await measure(makeHome(texts, place, "copilot-cli", sessions), join(place, "store"), texts));
    rmSync(place, { recursive: true });
  }
  const [first, last] = [rows[0], rows.at(-1)] as [Growth, Growth];
  const about = `at ${last.home.sessions} sessions against ${first.home.sessions}`;
  table.number(`bytes indexed a second ${about}`, last.speed.wall / first.speed.wall, "least", 0.9);
  table.number(
    `share of the logs that the store takes, ${about}`,
    last.storeShare / first.storeShare,
    "most",
    1.1,
  );
  writeFileSync(join(import.meta.dirname, "../growth.md"), asPage(rows));
}

async function measure(home: Home, store: string, texts: Texts): Promise<Growth> {
  const parse = runTask("parse.ts", [home.root]);
  const index = indexHome(home, store, HEAD.usual);
  return {
    home,
    speed: { wall: parse.seconds / index.seconds, cpu: parse.cpu / index.cpu },
    peakMb: index.peakMb,
    storeShare: index.storeBytes / home.bytes,
    refresh: await measureRefreshes(home, store),
    search: measureQuestions(store, texts),
  };
}

async function measureRefreshes(home: Home, folder: string): Promise<Growth["refresh"]> {
  const sources = SOURCES.filter(({ id }) => id === home.source).map((source) => ({
    ...source,
    locate: () => [home.root],
  }));
  const catalog = openCatalog(sources, { platform: process.platform, homeDir: home.root, vars: {} }, localFs);
  const db = openStore({ folder, now, notice: () => undefined });
  const store = createSessionStore(db);
  const times: { ours: number; find: number }[] = [];
  for (let round = 0; round < 3; round++) {
    const began = performance.now();
    await refresh(catalog, store, { outputHead: HEAD.usual, now });
    const ours = performance.now() - began;
    times.push({ ours, find: timeCommand("find", [home.root, "-newer", storePath(folder)]) });
  }
  db.close();
  const ms = median(times.map(({ ours }) => ours));
  return { ms, ofFind: ms / median(times.map(({ find }) => find)) };
}

function measureQuestions(folder: string, texts: Texts): Growth["search"] {
  const db = new DatabaseSync(storePath(folder), { readOnly: true });
  const ask = (text: string): number => {
    const began = performance.now();
    search(db, { text, filter: {}, limit: 20, now: now() });
    return performance.now() - began;
  };
  const random = createRandom(7);
  const word = (from: number, to: number): string =>
    texts.words[Math.floor(from + (to - from) * random())] ?? "";
  const p50 = (from: number, to: number): number =>
    median(Array.from({ length: 25 }, () => ask(word(from, to))));
  const found = { rare: p50(20_000, 30_000), ordinary: p50(300, 2000) };
  db.close();
  return found;
}

function asPage(rows: readonly Growth[]): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const lines = rows.map(({ home, speed, peakMb, storeShare, refresh, search }) =>
    [
      home.sessions.toLocaleString("en"),
      `${(home.bytes / 1e6).toFixed(0)} MB`,
      home.turns.toLocaleString("en"),
      speed.wall.toFixed(2),
      speed.cpu.toFixed(2),
      `${peakMb.toFixed(0)} MB`,
      percent(storeShare),
      `${refresh.ms.toFixed(0)} ms`,
      refresh.ofFind.toFixed(2),
      `${search.rare.toFixed(1)} ms`,
      `${search.ordinary.toFixed(1)} ms`,
    ].join(" | "),
  );
  return `# How costs grow

Written by \`npm run bench -- growth\`. Speed is that of an index with the usual heads of tool outputs against JSON.parse of every line of the same logs, by the clock and by processor time; a refresh finds nothing changed, and is compared with \`find -newer\`; searches are the median of 25.

| sessions | logs | turns | speed, clock | speed, processor | memory | store of logs | refresh | of \`find\` | search, rare word | search, ordinary word |
|---|---|---|---|---|---|---|---|---|---|---|
${lines.map((line) => `| ${line} |`).join("\n")}
`;
}
