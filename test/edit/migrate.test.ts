/** A home that is taken elsewhere: whole or not at all, whatever dies or changes meanwhile. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../../src/app/import-app.ts";
import { createMigrateApp, type MigrateApp } from "../../src/app/migrate-app.ts";
import { pidLike } from "../lookalike.ts";
import { killEverywhere } from "./every-moment.ts";
import { guardOf } from "./guard.ts";
import { createEditHome, type EditHome, lookAtAll } from "./home.ts";
import { NOW } from "./source-homes.ts";

let home: EditHome;
let migrating: MigrateApp;
beforeEach(() => {
  home = createEditHome();
  const { catalog, data } = home;
  const guard = guardOf(catalog, data);
  migrating = createMigrateApp({ catalog, home: data, now: NOW, folder: join(home.copilot, ".."), guard });
});
afterEach(() => {
  migrating.close();
  home.remove();
});

const madeBy = "test";
const target = (name = "target"): string => join(home.copilot, "..", name);
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: { code: string }) => error.code,
  );

describe("a migration", () => {
  it.each(["a new folder", "an empty folder", "an archive"])(
    "is whole or not there, killed at any moment: %s",
    async (kind) => {
      const to = kind === "an archive" ? "home.tar.gz" : "target";
      if (kind === "an empty folder") mkdirSync(target());
      const { plan } = await migrating.plan({ to, madeBy });
      const look = () => lookAtAll(join(home.copilot, ".."));
      const kills = await killEverywhere(home, { plan, look });
      console.log(`migration to ${kind}: killed at ${kills} moments`);
      if (kind === "an archive") return expect(Object.keys(look())).toContain(to);
      const original = lookAtAll(join(home.copilot, "session-state"));
      const copied = Object.entries(lookAtAll(join(target(), "session-state")));
      expect(copied.length).toBeGreaterThan(10);
      for (const [name, entry] of copied) expect([name, entry]).toEqual([name, original[name]]);
    },
    300_000,
  );

  it("does not copy a home that changes meanwhile, nor leaves anything of it", async () => {
    const migration = await migrating.plan({ to: "target", madeBy });
    appendFileSync(home.file("events.jsonl"), "{}\n");
    expect(await codeOf(migrating.apply(migration))).toBe("session-changed");
    expect(existsSync(target())).toBe(false);
    const again = await migrating.plan({ to: "target", madeBy });
    writeFileSync(home.file(`inuse.${pidLike("copilot")}.lock`), "");
    expect(await codeOf(migrating.apply(again))).toBe("session-busy");
    expect(existsSync(target())).toBe(false);
  });

  it("takes what SQLite keeps in a log into the copy, and refuses a damaged database", async () => {
    const path = join(home.copilot, "session-store.db");
    const db = new DatabaseSync(path);
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE turns (id); INSERT INTO turns VALUES (1)");
    const before = [readFileSync(path), readFileSync(`${path}-wal`)];
    await migrating.apply(await migrating.plan({ to: "target", madeBy }));
    expect([readFileSync(path), readFileSync(`${path}-wal`)]).toEqual(before);
    const copy = new DatabaseSync(join(target(), "session-store.db"), { readOnly: true });
    expect(copy.prepare("SELECT count(*) AS n FROM turns").get()).toEqual({ n: 1 });
    copy.close();
    db.close();
    writeFileSync(path, "this is no database, but long enough to look at");
    expect(await codeOf(migrating.plan({ to: "other", madeBy }))).toBe("unreadable");
  });

  it("keeps nothing in our own folder once it is over", async () => {
    await migrating.apply(await migrating.plan({ to: "home.tar.gz", madeBy }));
    await migrating.apply(await migrating.plan({ from: "home.tar.gz", to: "target", madeBy }));
    migrating.close();
    expect(readdirSync(scratchFolder(home.data))).toEqual([]);
    // Nor anything to be done for the rows of sessions that did not change.
    expect(readdirSync(home.data)).not.toContain("errands.due");
    expect(await codeOf(migrating.plan({ from: "home.tar.gz", to: "again.tar.gz", madeBy }))).toBe("usage");
  });
});
