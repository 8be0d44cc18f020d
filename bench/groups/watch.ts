/** What `index --watch` gives and costs: how soon a turn is found, how many watches it holds, what it takes when idle. */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../src/platform/sqlite/sqlite.ts";
import { storePath } from "../../src/store/open.ts";
import type { Home } from "../corpus/homes.ts";
import { median, type Table } from "../table.ts";
import { builtCommand, homeVars } from "./start-up.ts";

/** Several sweeps, even where they are ten seconds apart. */
const IDLE_MS = 30_000;
const APPENDS = 10;

export async function measureWatch(table: Table, store: string, home: Home): Promise<void> {
  const what = `watching ${home.sessions} sessions`;
  if (process.platform !== "linux") {
    table.skipped(what, "only Linux tells what a process holds and takes", "≤ 200 watches, ≤ 1 % of a core");
    return;
  }
  const child = spawn(process.execPath, [builtCommand(), "index", "--watch", "--json"], {
    env: { ...process.env, ...homeVars(store, home) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    await sleep(2000); // what it does once, when it begins, is not idleness
    const before = cpuMs(child);
    await sleep(IDLE_MS);
    table.number(
      `${what}, idle: share of a core`,
      ((cpuMs(child) - before) / IDLE_MS) * 100,
      "most",
      1,
      " %",
    );
    table.number(`${what}: inotify watches`, watchesOf(child), "most", 200);
    const delays = await findAppended(store, home);
    table.number(`${what}: turn found after, median of ${APPENDS}`, median(delays), "most", 1000, " ms");
    table.number(
      `${what}: turn found after, longest of ${APPENDS}`,
      Math.max(...delays),
      "most",
      1000,
      " ms",
    );
  } finally {
    child.kill("SIGTERM");
  }
}

/** Appends turns to the sessions that were written last, as agents do, and asks until each is found. */
async function findAppended(store: string, home: Home): Promise<number[]> {
  const db = openDatabase(storePath(store));
  // Asked so often that a whole search, which forgives misspellings, would itself slow things down.
  const match = db.prepare("SELECT 1 FROM search_index WHERE search_index MATCH ?");
  const isFound = (word: string): boolean => match.get(word) !== undefined;
  const delays: number[] = [];
  const written = (log: string): number => statSync(log).mtimeMs;
  const latest = home.logs.toSorted((a, b) => written(b) - written(a)).slice(0, APPENDS);
  for (const [turn, log] of latest.entries()) {
    const word = `qzlive${process.pid}x${turn}`;
    const id = `00000000-0000-4000-8000-${String(turn).padStart(12, "0")}`;
    const record = {
      type: "user.message",
      data: { content: word },
      id,
      timestamp: "2026-10-01T00:00:00.000Z",
      parentId: null,
    };
    appendFileSync(log, `${JSON.stringify(record)}\n`);
    const began = performance.now();
    while (!isFound(word) && performance.now() - began < 30_000) await sleep(5);
    delays.push(performance.now() - began);
  }
  db.close();
  return delays;
}

/** User and system time so far; the kernel counts it in hundredths of a second. */
export function cpuMs({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function watchesOf({ pid }: ChildProcess): number {
  const folder = `/proc/${pid}/fdinfo`;
  return readdirSync(folder)
    .map((fd) => readFileSync(join(folder, fd), "utf8").match(/^inotify wd:/gm)?.length ?? 0)
    .reduce((sum, count) => sum + count, 0);
}
