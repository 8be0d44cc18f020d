/**
 * What a glance at quiet sessions rests on: whenever the real Copilot CLI appends to the log of a session that nobody had
 * open, the time of the session's folder changes, too; and who has one open keeps a lock there from the first prompt on.
 */
import { readdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refresh } from "../../src/indexer/refresh.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { openMemoryStore } from "../../src/store/open.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { scripted } from "./scripted-model.ts";

const ID = "0b1c2d3e-0000-4000-8000-00000000b001";
const OTHER = "0b1c2d3e-0000-4000-8000-00000000b002";
let copilot: Copilot;
let db: Database;
beforeAll(async () => {
  copilot = await startCopilot();
  db = openMemoryStore(() => new Date());
  for (const id of [ID, OTHER]) await copilot.prompt(id, scripted("One", { say: "First." }));
});
afterAll(async () => {
  db.close();
  await copilot.close();
});

const run = (sweeping: "always" | "seldom") => {
  const vars = { COPILOT_HOME: copilot.home };
  const catalog = openCatalog(
    [copilotCli],
    { platform: process.platform, homeDir: copilot.home, vars },
    localFs,
  );
  return refresh(catalog, createSessionStore(db), { outputHead: 256, now: () => new Date(), sweeping });
};
function age(path: string): void {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) age(join(path, name));
  const seconds = Date.now() / 1000 - 30 * 86_400;
  utimesSync(path, seconds, seconds);
}
/** Nobody has written anything for a month, and all of it was looked at. */
async function quieten(): Promise<void> {
  for (const id of [ID, OTHER]) age(dirname(copilot.log(id)));
  await run("always");
  expect(await run("seldom")).toMatchObject({ indexed: 0, unchanged: 2 });
}
const folder = (): string => dirname(copilot.log(ID));

it("is found by a glance when it is resumed with a prompt", async () => {
  await quieten();
  await copilot.prompt(ID, scripted("Two", { say: "Second." }));
  expect(await run("seldom")).toMatchObject({ indexed: 1, unchanged: 1 });
});

it("is found by a glance when a server goes on with it, also a month after its last prompt", async () => {
  await quieten();
  const before = statSync(copilot.log(ID)).size;
  const server = await copilot.headless();
  try {
    await server.resume(ID);
    // As long as nothing is asked, nothing is written.
    expect(statSync(copilot.log(ID)).size).toBe(before);
    await server.say(ID, scripted("Three", { say: "Third." }));
    expect(await run("seldom")).toMatchObject({ indexed: 1, unchanged: 1 });
    await quieten();
    await server.say(ID, scripted("Four", { say: "Fourth." }));
    expect(await run("seldom")).toMatchObject({ indexed: 1, unchanged: 1 });
    expect(readdirSync(folder()).filter((name) => name.startsWith("inuse"))).not.toEqual([]);
  } finally {
    await server.close();
  }
});
