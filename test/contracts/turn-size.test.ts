/** The estimated tokens of turns are near those that the lens counts, for every source, and cost no reading. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/contract.ts";
import { CHAPTERS } from "../../src/demo/stories/index.ts";

/** The sources that the demo has sessions of. */
const IN_DEMO = [...new Set(CHAPTERS.flatMap(({ tellings }) => tellings.map(({ source }) => source)))];

let folder: string;
let app: App;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-sizes-")));
  const config = toConfig(
    { demo: "on" },
    {
      vars: { RETHREAD_HOME: join(folder, "data") },
      platform: process.platform,
      homeDir: join(folder, "home"),
      folder,
      stdout: {},
      stderr: {},
      self: [process.execPath],
      now: () => new Date("2026-11-15T12:00:00.000Z"),
    },
  );
  app = await createApp(config);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(IN_DEMO)("%s", { timeout: 60_000 }, async (source) => {
  const { sessions } = await app.list({ sources: [source] });
  let [estimated, counted, far, turns] = [0, 0, 0, 0];
  for (const { id, problems } of sessions) {
    if (problems > 0) continue;
    const outline = await app.outline(`${source}:${id}`);
    const lens = await app.lens(`${source}:${id}`);
    for (const { index, estimatedTokens } of outline.turns) {
      const tokens = lens.turns[index]?.tokens ?? 0;
      // A turn that a summary has replaced is not counted any more, but its length is still known.
      expect(estimatedTokens).toBeGreaterThan(0);
      if (tokens === 0) continue;
      turns++;
      estimated += estimatedTokens;
      counted += tokens;
      if (Math.abs(estimatedTokens / tokens - 1) > 0.4) far++;
    }
  }
  expect(turns).toBeGreaterThan(20);
  expect(Math.abs(estimated / counted - 1)).toBeLessThan(0.2);
  expect(far / turns).toBeLessThan(0.1);
});
