/** The lens tells what `context` counts and what `clone` would do, of every session of the fixtures and the demo. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEditCore } from "../../src/app/edit/core.ts";
import { askLens, type KnownLens } from "../../src/app/lens/lens.ts";
import { createRemembered } from "../../src/app/lens/remembered.ts";
import { createDemo } from "../../src/demo/create.ts";
import { demoFolder, demoVars } from "../../src/demo/places.ts";
import { AppError } from "../../src/model/errors.ts";
import { formatKey } from "../../src/model/values/id.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { contextOf } from "../../src/query/context.ts";
import type { LensReport } from "../../src/query/lens-report.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { copyHome, FIXTURES } from "./fixtures.ts";

const env = { platform: process.platform, homeDir: "/nobody", vars: {} };
const now = new Date("2026-11-15T12:00:00.000Z");
let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-lens-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Budgets, as parts of what the session takes; 0 is one token. */
const PARTS = [0.6, 0.3, 0.9, 0.1, 0, 0.45, 2, 1];

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

function expectConsistent(report: LensReport): void {
  const { tokens, passages, shares, turns, session, budget } = report;
  expect(sum(passages.map((each) => each.tokens))).toBe(tokens);
  expect(sum(shares.map((each) => each.tokens))).toBe(tokens);
  expect(sum(shares.map((each) => each.count))).toBe(passages.length);
  expect(passages.map(({ id }) => id)).toEqual([...passages.keys()]);
  expect(turns.map(({ index }) => index)).toEqual(Array.from({ length: session.turns }, (_, index) => index));
  expect(sum(passages.map((each) => each.tokensAfter))).toBe(budget?.tokens ?? tokens);
  expect(sum(shares.map((each) => each.tokensAfter))).toBe(budget?.tokens ?? tokens);
  for (const { fate, tokensAfter, tokens: before, label, turn } of passages) {
    expect(label).not.toMatch(/\n/);
    expect(label.length).toBeLessThanOrEqual(81);
    if (fate === "dropped") expect(tokensAfter).toBe(0);
    if (fate === "kept" && before > 0) expect(tokensAfter).toBe(before);
    if (turn !== null && turns[turn]?.fate === "kept") expect(fate).toBe("kept");
  }
}

/** Gives back how many drafts were compared. */
async function expectSame(catalog: Catalog): Promise<number> {
  const find = (name: string) => resolveSession(catalog, name);
  const core = createEditCore({
    catalog,
    home: join(folder, "data"),
    now: () => now,
    folder,
    find,
    refresh: async () => undefined,
  });
  let compared = 0;
  const remembered = createRemembered<KnownLens>();
  const { artifacts } = await catalog.scan();
  for (const [at, name] of artifacts.map(formatKey).entries()) {
    const ask = (budget?: number): Promise<LensReport> =>
      askLens({ catalog, find }, name, budget === undefined ? {} : { budget }, {}, remembered);
    const { tokens } = await contextOf(catalog, name);
    const whole = await ask();
    expect(whole.tokens, name).toBe(tokens);
    expect(whole.budget).toBeUndefined();
    expect(whole.passages.every(({ fate }) => fate === "kept")).toBe(true);
    expectConsistent(whole);
    // Three for each session, others for the next one.
    for (const part of [0, 1, 2].map((next) => PARTS[(at + next * 3) % PARTS.length] ?? 0)) {
      const budget = Math.max(1, Math.floor(tokens * part));
      const report = await ask(budget);
      expectConsistent(report);
      const plan = await core.planClone(name, { budget, unlisted: true }).catch((error: unknown) => error);
      if (plan instanceof AppError && plan.code === "usage" && /needs at least/.test(plan.message)) {
        expect(report.budget, name).toMatchObject({ reachable: false });
        expect(plan.message, name).toContain(`at least ${report.budget?.tokens} tokens`);
        expect(report.budget?.smallest).toBe(report.budget?.tokens);
      } else if (plan instanceof Error) {
        expect(report.budget, name).toBeUndefined();
        expect(report.why, name).toBe(plan.message);
        continue;
      } else {
        const { stats, ledger, alreadyFits = false } = plan as Awaited<ReturnType<typeof core.planClone>>;
        expect(report.budget, `${name} within ${budget}`).toMatchObject({
          asked: budget,
          tokens: stats?.clonedTokens,
          reachable: true,
          alreadyFits,
          stats,
          ledger,
        });
        expect(report.turns.filter(({ fate }) => fate === "dropped").length).toBe(ledger?.turns.dropped);
      }
      compared++;
    }
  }
  return compared;
}

describe("the lens", () => {
  it.each(FIXTURES.map((fixture) => ({ name: fixture.name, fixture })))(
    "tells what clone would do: $name",
    async ({ fixture }) => {
      const { home, remove } = copyHome(fixture);
      try {
        await expectSame(openCatalog([{ ...fixture.source, locate: [home] }], env, localFs));
      } finally {
        remove();
      }
    },
  );

  it("tells what clone would do: the demo", async () => {
    await createDemo({ fs: localFs, sources: SOURCES, home: folder, now });
    const catalog = openCatalog(SOURCES, { ...env, vars: demoVars(demoFolder(folder)) }, localFs);
    expect(await expectSame(catalog)).toBeGreaterThan(60);
  });
});
