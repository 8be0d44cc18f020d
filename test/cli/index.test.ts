/** `index` as people run it: watched, interrupted, and where not everything can be read. */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { builtCommand } from "../built.ts";
import { createHome, type Home, line, start } from "./home.ts";

const BEGAN = new Date("2026-11-01T09:00:00Z");
let home: Home;
const running: ChildProcess[] = [];

beforeEach(() => {
  home = createHome();
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  home.remove();
});

const session = (id: string, ...words: string[]): void =>
  home.session(id, [start(id, BEGAN), ...words.map((word) => said(word))]);
const said = (content: string): object => line("user.message", { content }, BEGAN, 1);
const log = (id: string): string => join(home.path, ".copilot/session-state", id, "events.jsonl");
const hits = (word: string): number =>
  JSON.parse(home.again("search", word, "--no-refresh", "--json").stdout).hits.length;

/** The command, left running. */
function begin(...words: string[]) {
  const child = spawn(process.execPath, [builtCommand(), ...words], { env: home.env });
  running.push(child);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    output.stdout += text;
  });
  child.stderr.on("data", (text) => {
    output.stderr += text;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((done) => {
    child.once("close", (code, signal) => done({ code, signal }));
  });
  return { child, output, ended };
}
const soon = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 50 });

describe("--watch", () => {
  it("says what was brought in, a line for each time, and ends cleanly on Ctrl-C", async () => {
    session("one", "anchor");
    const { child, output, ended } = begin("index", "--watch");
    await soon(() => expect(output.stderr).toBe("Watching for changes. Press Ctrl-C to stop.\n"));
    expect(output.stdout).toMatch(/^Indexed 1 session, \d+ B in [\d.]+ s; 0 unchanged, 0 removed\.\n$/);
    appendFileSync(log("one"), `${JSON.stringify(said("zeppelin"))}\n`);
    await soon(() => expect(output.stdout).toMatch(/\n\d\d:\d\d:\d\d {2}1 session, 1 turn\n$/));
    expect(hits("zeppelin")).toBe(1);
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it("gives programs one object a line, beside another that watches, and ends when it is asked to", async () => {
    session("one", "anchor");
    const others = begin("index", "--watch");
    const { child, output, ended } = begin("index", "--watch", "--json");
    await soon(() =>
      expect([others.output.stderr, output.stdout]).toEqual([
        expect.stringMatching(/Watching/),
        expect.stringMatching(/\n$/),
      ]),
    );
    session("two", "zeppelin");
    await soon(() => expect(hits("zeppelin")).toBeGreaterThan(0));
    session("three", "balloon");
    await soon(() => expect(hits("balloon")).toBeGreaterThan(0));
    for (const each of [child, others.child]) each.kill("SIGTERM");
    expect([await ended, await others.ended]).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
    for (const text of output.stdout.trimEnd().split("\n"))
      expect(JSON.parse(text)).toMatchObject({
        schemaVersion: 1,
        at: expect.stringMatching(/^20.*Z$/),
        outcome: "complete",
        indexed: expect.any(Number),
        turns: expect.any(Number),
      });
    expect(output.stderr + others.output.stderr).not.toMatch(/error|busy/i);
  });
});

describe("what could not be read", () => {
  it("tells partial success from complete success, in words, fields and exit code", () => {
    session("one", "anchor");
    expect(home.again("index", "--json")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"complete"'),
    });
    mkdirSync(join(log("two"), ".."), { recursive: true });
    symlinkSync("nowhere", log("two"));
    symlinkSync("circle", join(home.path, ".copilot/session-state/circle"));
    const told = home.again("index");
    expect(told).toMatchObject({ code: 1, stderr: "" });
    expect(told.stdout).toMatch(
      /; 1 unchanged, 0 removed, 1 with problems\.\nPartly done: 2 sessions or folders could not be read\. See which: rethread doctor\n$/,
    );
    expect(JSON.parse(home.again("index", "--json").stdout)).toMatchObject({
      outcome: "partial",
      indexed: 0,
      unchanged: 2,
      unreadable: 1,
      pending: 0,
    });
  });

  it("takes problems inside a session that was read for complete success", () => {
    home.session("one", [start("one", BEGAN), said("anchor"), "{ torn"]);
    const { code, stdout } = home.again("index", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "complete", indexed: 1, problems: 1, unreadable: 0 });
  });
});

describe("interrupted by Ctrl-C", () => {
  /** Enough that it is not done before the signal comes. */
  const SESSIONS = 600;

  it("ends soon, says what is left, and the next run reads only that", async () => {
    const words = Array.from({ length: 40 }, (_, i) => `some words of the prompt number ${i} `.repeat(12));
    for (let i = 0; i < SESSIONS; i++) session(`s${i}`, ...words);
    const { child, output, ended } = begin("index", "--json");
    const store = join(home.dataHome, "session-store.db-wal");
    await vi.waitFor(() => expect(existsSync(store)).toBe(true), { timeout: 30_000, interval: 10 });
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 130, signal: null });
    const first = JSON.parse(output.stdout);
    expect(first).toMatchObject({ outcome: "interrupted", unchanged: 0 });
    expect(first.pending).toBeGreaterThan(0);
    expect(first.indexed + first.pending).toBe(SESSIONS);
    expect(JSON.parse(home.again("index", "--json").stdout)).toMatchObject({
      outcome: "complete",
      indexed: first.pending,
      unchanged: first.indexed,
    });
  });
});
