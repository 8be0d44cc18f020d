/** A whole home taken elsewhere, judged by the real Copilot CLI: it resumes its sessions there, and its store is whole. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createMigrateCore, type MigrateCore } from "../../src/app/migrate/core.ts";
import { peek } from "../../src/platform/sqlite/untouched.ts";
import { hashTail } from "../edit/guard.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { type Editing, openEditing } from "./copilot-editing.ts";
import { scripted } from "./scripted-model.ts";

const IDS = ["aaaaaaaa-0000-4000-8000-00000000c001", "aaaaaaaa-0000-4000-8000-00000000c002"];
let copilot: Copilot;
let editing: Editing;
let migrating: MigrateCore;
const place = (name: string): string => join(copilot.workspace, "..", name);
const madeBy = "rethread";

beforeAll(async () => {
  copilot = await startCopilot();
  const call = { name: "bash", input: { command: "echo one", description: "try" } };
  for (const id of IDS) await copilot.prompt(id, scripted("Say one", { calls: [call] }, { say: "One." }));
  const plugin = join(copilot.home, "installed-plugins", "one");
  mkdirSync(plugin, { recursive: true });
  writeFileSync(join(plugin, "plugin.json"), "{}");
  mkdirSync(join(copilot.home, "command-history-state"));
  writeFileSync(join(copilot.home, "command-history-state", "history.json"), "[]");
  editing = openEditing(copilot);
  const { catalog } = editing;
  const now = new Date();
  const data = place("rethread");
  const guard = hashTail(catalog, data);
  migrating = createMigrateCore({ catalog, home: data, now: () => now, folder: copilot.workspace, guard });
});
afterAll(() => {
  migrating.close();
  return copilot.close();
});

/** What `/chronicle` would tell from. */
const rowsOf = (home: string): unknown =>
  peek(join(home, "session-store.db"), (db) =>
    ["sessions", "turns", "assistant_usage_events"].map((table) =>
      db.prepare(`SELECT * FROM ${table}`).all(),
    ),
  );

/** The program resumes the sessions that are named; of the others the rows and files are compared. */
async function expectSameHome(home: string, resumed: readonly string[]): Promise<void> {
  expect(rowsOf(home)).toEqual(rowsOf(copilot.home));
  const names = readdirSync(home);
  expect(names).toEqual(
    expect.arrayContaining(["command-history-state", "installed-plugins", "session-state"]),
  );
  expect(names.filter((name) => /logs|-wal|-shm|\.lock/.test(name))).toEqual([]);
  for (const id of resumed) {
    const { code, messages, stderr } = await copilot.resume(id, { home });
    expect({ code, messages }, stderr).toEqual({ code: 0, messages: await editing.contextOf(id) });
  }
}

describe("a migrated home", () => {
  it("is one that the program goes on in, with all rows of its store, which was left in its log", async () => {
    expect(existsSync(join(copilot.home, "session-store.db-wal"))).toBe(true);
    const migration = await migrating.plan({ to: place("folder"), madeBy });
    const { sessions, turns } = await migrating.apply(migration);
    expect({ sessions, turns, leftOut: Object.keys(migration.facts.leftOut) }).toMatchObject({
      sessions: IDS.length,
      turns: IDS.length,
      leftOut: expect.arrayContaining(["logs"]),
    });
    expect(migration.facts.databases["session-store.db"]).toMatchObject({ sessions: IDS.length });
    await expectSameHome(place("folder"), IDS);
  });

  it("comes back out of one archive", async () => {
    const archive = place("home.tar.gz");
    await migrating.apply(await migrating.plan({ to: archive, madeBy }));
    // The program lets go of a session a moment after its last answer, and until then the home is in use.
    await vi.waitFor(
      async () => migrating.apply(await migrating.plan({ from: archive, to: place("back"), madeBy })),
      { timeout: 20_000, interval: 200 },
    );
    await expectSameHome(place("back"), IDS.slice(1));
  });

  it("is not made while the program has a session open", async () => {
    let isDone = false;
    const slow = { name: "bash", input: { command: "sleep 60", description: "wait" } };
    const running = copilot.prompt(IDS[0] ?? "", scripted("Wait", { calls: [slow] }), {
      killWhen: () => isDone,
    });
    const isOpen = (): boolean =>
      readdirSync(join(copilot.home, "session-state", IDS[0] ?? "")).some((name) => /^inuse/.test(name));
    while (!isOpen()) await new Promise((resolve) => setTimeout(resolve, 25));
    await expect(migrating.plan({ to: place("torn"), madeBy })).rejects.toMatchObject({
      code: "agent-running",
    });
    isDone = true;
    await running;
    expect(existsSync(place("torn"))).toBe(false);
  });
});
