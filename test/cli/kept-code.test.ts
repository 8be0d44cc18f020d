/** What V8 compiled of the command is kept for the next run of it, and never trusted further than V8 does. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createHome, type Home, line, start } from "./home.ts";

const BEGAN = new Date("2026-11-01T09:00:00Z");
let home: Home;
let cache: string;

beforeEach(() => {
  home = createHome();
  home.session("one", [start("one", BEGAN), line("user.message", { content: "anchor" }, BEGAN, 1)]);
  cache = mkdtempSync(join(tmpdir(), "kept-code-"));
});
afterEach(() => {
  home.remove();
  rmSync(cache, { recursive: true, force: true });
});

/** In a process of its own, as a person starts it. */
const run = (words: string, more: Record<string, string> = {}) =>
  home.shell(`rethread ${words}`, { NODE_COMPILE_CACHE: cache, ...more });
const kept = (): string[] =>
  readdirSync(cache, { recursive: true })
    .map((name) => join(cache, String(name)))
    .filter((path) => /start-[^/]*\.cjs-[a-z]+$/.test(path));

it("keeps it once for each command, for nobody else to read, and uses it from then on", () => {
  const first = run("search anchor");
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const [place = ""] = kept();
  expect(kept()).toHaveLength(1);
  const before = statSync(place);
  expect(before.mode & 0o777).toBe(0o600);
  // Functions that ran are in it: Node's own of the same file has none of them.
  expect(before.size).toBeGreaterThan(450_000);
  expect(run("search anchor --no-refresh").stdout).toBe(first.stdout);
  expect(statSync(place)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  run("list");
  expect(kept()).toHaveLength(2);
  // What fails keeps nothing, whatever was typed.
  expect(run("sarch anchor").code).toBe(2);
  expect(kept()).toHaveLength(2);
});

it("does without it where it is damaged, is no file, or cannot be written", () => {
  const { stdout } = run("search anchor");
  const [place = ""] = kept();
  truncateSync(place, 1000);
  expect(run("search anchor")).toMatchObject({ code: 0, stdout, stderr: "" });
  expect(statSync(place).size).toBeGreaterThan(450_000);
  // Of damage in the middle V8 would take no notice until it falls over it.
  const bytes = readFileSync(place);
  writeFileSync(place, bytes.fill(7, 200_000, 204_096));
  expect(run("search anchor")).toMatchObject({ code: 0, stdout, stderr: "" });
  expect(readFileSync(place).equals(bytes)).toBe(false);
  rmSync(place);
  mkdirSync(place);
  expect(run("search anchor")).toMatchObject({ code: 0, stdout, stderr: "" });
  expect(run("search anchor", { NODE_DISABLE_COMPILE_CACHE: "1" })).toMatchObject({ code: 0, stdout });
  const none = join(cache, "none");
  writeFileSync(none, "");
  expect(run("search anchor", { NODE_COMPILE_CACHE: none })).toMatchObject({ code: 0, stdout });
});
