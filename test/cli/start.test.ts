/** What a search loads before it can answer: cold start is most of what a person waits for. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHome, type Home, line, SOURCES, start } from "./home.ts";

const BEGAN = new Date("2026-11-01T09:00:00Z");
let home: Home;

beforeAll(() => {
  home = createHome(SOURCES);
  home.session("one", [start("one", BEGAN), line("user.message", { content: "anchor → ✅ 完" }, BEGAN, 1)]);
  home.again("index");
});
afterAll(() => home.remove());

/** The parts of Node and of this package that were loaded. */
function loadedBy(...words: string[]): { node: string[]; ours: string[] } {
  const told = join(home.path, "loaded.json");
  const spy = join(home.path, "spy.cjs");
  writeFileSync(
    spy,
    `const { registerHooks } = require("node:module");
     const ours = [];
     registerHooks({ load(url, context, next) { ours.push(url); return next(url, context); } });
     process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(told)},
       JSON.stringify({ node: process.moduleLoadList, ours })));`,
  );
  const { code, stderr } = home.with({ NODE_OPTIONS: `--require ${spy}` }).again(...words);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(home.shell(`cat ${told}`).stdout);
}

it.each([["--no-refresh"], ["--limit=20"]])("search %s loads nothing that it does not need", (option) => {
  const { node, ours } = loadedBy("search", "anchor", option);
  const heavy = ["crypto", "child_process", "zlib", "http"].map((name) => `NativeModule ${name}`);
  expect(node.filter((name) => heavy.includes(name))).toEqual([]);
  const files = ours.filter((url) => url.startsWith("file:"));
  expect(files.filter((url) => url.includes("node_modules"))).toEqual([]);
  // What reads, composes and judges sessions, and all other commands.
  expect(files.filter((url) => /\/(read|compose|context|health|rebuild)\.ts$/.test(url))).toEqual([]);
  expect(files.filter((url) => /\/cli\/commands\/(?!find\/search)/.test(url))).toEqual([]);
});

/** What checks outside input is a large library. */
const zodIn = ({ ours }: { ours: string[] }): string[] => ours.filter((url) => url.includes("/zod/"));

it.each(["list", "show one", "clone one --dry-run", "--help"])(
  "%s loads nothing that checks outside input",
  (words) => {
    const loaded = loadedBy(...words.split(" "));
    expect(zodIn(loaded)).toEqual([]);
    expect(loaded.ours.filter((url) => /modelcontextprotocol|\/src\/mcp\//.test(url))).toEqual([]);
    // Nor what only a person at the terminal needs.
    expect(
      loaded.ours.filter((url) =>
        /@clack|\/(picker|picking|asking|paged|paging|app\/opening)\.ts$/.test(url),
      ),
    ).toEqual([]);
  },
);

it("checks settings only where there are some", () => {
  const config = join(home.dataHome, "config.json");
  writeFileSync(config, "{}\n");
  expect(zodIn(loadedBy("list"))).toEqual([]);
  writeFileSync(config, '{ "backupDays": 30 }\n');
  expect(zodIn(loadedBy("list")).length).toBeGreaterThan(0);
});

it("a completion loads little more than the store needs", () => {
  const { node, ours } = loadedBy("__complete", "sessions", "o");
  const files = ours.filter((url) => url.startsWith("file:"));
  expect(files.length).toBeLessThanOrEqual(30);
  expect(files.filter((url) => /node_modules|\/(sources|operations|indexer|query)\//.test(url))).toEqual([]);
  expect(node).not.toContain("NativeModule child_process");
});
