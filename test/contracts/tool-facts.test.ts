/** What the line of a call says: how long it ran, and what its whole result tells though only the start of it is read. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import { demoFolder, demoVars } from "../../src/demo/places.ts";
import { CHAPTERS } from "../../src/demo/stories/index.ts";
import { factsOf } from "../../src/model/session/result-facts.ts";
import type { Part, ToolPart } from "../../src/model/session/turns.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { turnsOf } from "../../src/query/turns.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { FIXTURES } from "./fixtures.ts";

/** The sources that the demo has sessions of. */
const IN_DEMO = [...new Set(CHAPTERS.flatMap(({ tellings }) => tellings.map(({ source }) => source)))];

const LIMIT = 40;
let folder: string;
let demo: Catalog;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-facts-")));
  const now = new Date("2026-11-15T12:00:00.000Z");
  await createDemo({ fs: localFs, sources: SOURCES, home: folder, now });
  demo = open(SOURCES, demoVars(demoFolder(folder)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (sources: typeof SOURCES, vars: Record<string, string>): Catalog =>
  openCatalog(sources, { platform: "linux", homeDir: join(folder, "nowhere"), vars }, localFs);

const toolsIn = (parts: readonly Part[]): ToolPart[] =>
  parts.flatMap((part) => (part.kind === "tool" ? [part, ...toolsIn(part.children ?? [])] : []));

async function toolsOf(catalog: Catalog, textLimit?: number): Promise<(ToolPart & { source: string })[]> {
  const tools: (ToolPart & { source: string })[] = [];
  for (const { source, id } of (await catalog.scan()).artifacts) {
    const { turns } = await turnsOf(catalog, `${source}:${id}`, textLimit === undefined ? {} : { textLimit });
    for (const { parts } of turns) tools.push(...toolsIn(parts).map((part) => ({ ...part, source })));
  }
  return tools;
}

it("tells of a result that was cut what the whole says", async () => {
  const [whole, cut] = [await toolsOf(demo), await toolsOf(demo, LIMIT)];
  expect(cut).toHaveLength(whole.length);
  const sources = new Set<string>();
  for (const [at, { result = "", facts }] of cut.entries()) {
    const full = whole[at]?.result ?? "";
    expect(whole[at]?.facts).toBeUndefined();
    expect(result).toBe(full.slice(0, LIMIT));
    expect(facts).toEqual(full.length > LIMIT ? factsOf(full) : undefined);
    if (facts?.failed) sources.add(whole[at]?.source ?? "");
  }
  expect(sources).toContain("copilot-cli");
});

it("tells how long commands ran, for every source of the demo", async () => {
  const timed = (await toolsOf(demo)).filter(({ durationMs }) => durationMs !== undefined);
  for (const id of IN_DEMO) {
    const own = timed.filter(({ source, act }) => source === id && act?.does === "run");
    expect(own.length, id).toBeGreaterThan(3);
    // No two commands of the demo take the same time for being written at the same pace.
    expect(new Set(own.map(({ durationMs }) => durationMs)).size, id).toBeGreaterThan(own.length / 2);
  }
});

it("tells the times that the real programs noted, and none of a call that was broken off", async () => {
  const seen: ToolPart[] = [];
  for (const { source, home } of FIXTURES)
    seen.push(...(await toolsOf(open([{ ...source, locate: () => [home] }], {}))));
  const timed = seen.filter(({ durationMs }) => durationMs !== undefined);
  expect(timed.length).toBeGreaterThan(10);
  expect(timed.every(({ durationMs = -1, status }) => durationMs >= 0 && status !== "interrupted")).toBe(
    true,
  );
  expect(seen.some(({ status }) => status === "interrupted")).toBe(true);
  expect(seen.some(({ exitCode }) => exitCode === 0)).toBe(true);
});
