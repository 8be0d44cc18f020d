/** A home that is taken elsewhere: whole or not at all, whatever dies or changes meanwhile. */
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../../src/app/edit/import.ts";
import {
  createMigrateCore,
  type MigrateCore,
  type Migrated,
  type MigrationFacts,
} from "../../src/app/migrate/core.ts";
import { pidLike } from "../lookalike.ts";
import { killEverywhere } from "./every-moment.ts";
import { hashTail } from "./guard.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { manifestOf, toBundle } from "./made-up-bundle.ts";
import { NOW } from "./source-homes.ts";

let home: EditHome;
let migrating: MigrateCore;
beforeEach(() => {
  home = createEditHome();
  const { catalog, data } = home;
  const guard = hashTail(catalog, data);
  migrating = createMigrateCore({
    catalog,
    home: data,
    now: () => NOW,
    folder: join(home.copilot, ".."),
    guard,
  });
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

describe("links in a home", () => {
  const ELSEWHERE = "elsewhere";
  /** Moves something of the home elsewhere and leaves a link in its place. */
  const moveAway = (path: string, name: string): void => {
    const place = target(join(ELSEWHERE, name));
    mkdirSync(join(place, ".."), { recursive: true });
    renameSync(join(home.copilot, path), place);
    symlinkSync(place, join(home.copilot, path));
  };
  const link = (to: string, ...names: string[]): void => symlinkSync(to, join(home.copilot, ...names));
  const session = (...names: string[]): string => join("session-state", ID, ...names);
  const TO = ["target", "home.tar.gz"] as const;
  /** Migrates, and gives the folder that comes of it, out of the archive where it is one. */
  const migrate = async (to: string): Promise<{ folder: string; facts: MigrationFacts; done: Migrated }> => {
    const migration = await migrating.plan({ to, madeBy });
    const done = await migrating.apply(migration);
    if (!migration.facts.isArchive) return { folder: target(to), facts: migration.facts, done };
    // What is in it, an archive has to tell without its source.
    renameSync(home.copilot, `${home.copilot}-away`);
    if (existsSync(target(ELSEWHERE))) renameSync(target(ELSEWHERE), target("elsewhere-away"));
    const back = await migrating.plan({ from: to, to: "back", madeBy });
    expect((await migrating.apply(back)).sessions).toBe(done.sessions);
    renameSync(`${home.copilot}-away`, home.copilot);
    if (existsSync(target("elsewhere-away"))) renameSync(target("elsewhere-away"), target(ELSEWHERE));
    return { folder: target("back"), facts: migration.facts, done };
  };
  const whole = (folder: string): Record<string, string> =>
    Object.fromEntries(Object.entries(lookAtAll(folder)).filter(([, look]) => look.startsWith("file")));
  const logIn = (folder: string, id = ID): string =>
    readFileSync(join(folder, "session-state", id, "events.jsonl"), "utf8");

  it.each(
    TO.flatMap(
      (to) =>
        [
          [to, "the folder of all sessions", ["session-state"]],
          [to, "a session", [session()]],
          [to, "a log", [session("events.jsonl")]],
          [to, "a folder in a session", [session("checkpoints")]],
          [to, "all of these", [session("events.jsonl"), session("files"), session(), "session-state"]],
        ] as const,
    ),
  )("are followed, into %s: %s", async (to, _, paths) => {
    const plain = await migrating.plan({ to: "plain", madeBy });
    await migrating.apply(plain);
    for (const [i, path] of paths.entries()) moveAway(path, `${i}`);
    const { folder, facts, done } = await migrate(to);
    expect(done).toMatchObject({ sessions: 1, turns: 3 });
    expect(whole(folder)).toEqual(whole(target("plain")));
    expect(facts).toMatchObject({ sessions: 1, files: plain.facts.files, leftOut: plain.facts.leftOut });
    expect(facts.links.map(({ path, becomes }) => [path, becomes]).sort()).toEqual(
      paths.map((path) => [path, "content"]).sort(),
    );
  });

  it("stay links in a folder where they lead to what is in it, and are content in an archive", async () => {
    link(ID, "session-state", "alias");
    link(join(home.copilot, session("plan.md")), session(), "same-plan.md");
    moveAway(session("files"), "files");
    link(target("elsewhere/files/run.sh"), session(), "run.sh");
    mkdirSync(join(home.copilot, "logs"));
    writeFileSync(join(home.copilot, "logs", "kept.md"), "in a folder that stays behind");
    link("../../logs/kept.md", session(), "from-logs.md");
    const { folder, done } = await migrate("target");
    expect(done.sessions).toBe(2);
    const links = Object.entries(lookAtAll(folder)).filter(([, look]) => look.startsWith("link"));
    expect(Object.fromEntries(links)).toEqual({
      "session-state/alias": `link ${ID}`,
      [session("same-plan.md")]: "link plan.md",
      [session("run.sh")]: "link files/run.sh",
    });
    expect(logIn(folder, "alias")).toBe(logIn(home.copilot));
    expect(readFileSync(join(folder, session("from-logs.md")), "utf8")).toContain("stays behind");
    const archive = await migrate("home.tar.gz");
    expect(archive.done.sessions).toBe(2);
    expect(logIn(archive.folder, "alias")).toBe(logIn(home.copilot));
    for (const name of ["same-plan.md", "run.sh", "from-logs.md"])
      expect(lstatSync(join(archive.folder, session(name))).isFile()).toBe(true);
  });

  it("that lead nowhere, in a circle or above the home are named, and nothing is copied for ever", async () => {
    link("nowhere", session(), "lost");
    link("circle", session(), "circle");
    link(".", session(), "self");
    link(join(home.copilot, ".."), session(), "above");
    mkdirSync(target(ELSEWHERE));
    symlinkSync(home.copilot, target("elsewhere/back"));
    link(target(ELSEWHERE), "out");
    const folder = await migrate("target");
    const names = ["lost", "circle", "self", "above"].map((name) => session(name));
    for (const name of names) expect(lstatSync(join(folder.folder, name)).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(folder.folder, "out/back"))).toBe("..");
    const { facts, done } = await migrate("home.tar.gz");
    expect(done.sessions).toBe(1);
    expect(facts.leftOut).toMatchObject({
      "links that lead nowhere": [session("circle"), session("lost")],
      "links to a folder that contains them": ["out/back", session("above"), session("self")],
    });
    expect(facts.files).toBe(folder.facts.files);
  });

  it("refuse a copy without sessions where the disk behind them is not there", async () => {
    moveAway("session-state", "state");
    rmSync(target(ELSEWHERE), { recursive: true });
    for (const to of TO) expect(await codeOf(migrating.plan({ to, madeBy }))).toBe("unreadable");
  });

  it("are read again before anything is written, and no copy goes into a folder behind them", async () => {
    moveAway("session-state", "state");
    for (const to of TO) {
      expect(await codeOf(migrating.plan({ to: join(ELSEWHERE, "state", to), madeBy }))).not.toBe("none");
      const migration = await migrating.plan({ to, madeBy });
      rmSync(join(home.copilot, "session-state"));
      link("../other", "session-state");
      expect(await codeOf(migrating.apply(migration))).toBe("session-changed");
      expect(existsSync(target(to))).toBe(false);
      rmSync(join(home.copilot, "session-state"));
      link(target("elsewhere/state"), "session-state");
    }
  });

  it("may lead to the home itself, and to its database", async () => {
    const db = new DatabaseSync(join(home.copilot, "session-store.db"));
    db.exec("CREATE TABLE turns (id); INSERT INTO turns VALUES (1)");
    db.close();
    moveAway("session-store.db", "store.db");
    symlinkSync(home.copilot, target("alias"));
    const migration = await migrating.plan({ from: "alias", to: "target", madeBy });
    await migrating.apply(migration);
    expect(migration.facts.databases).toEqual({ "session-store.db": { turns: 1 } });
    expect(lstatSync(target("target/session-store.db")).isFile()).toBe(true);
    expect(logIn(target())).toBe(logIn(home.copilot));
  });
});

describe("the proof of a migration", () => {
  it("counts what the archive holds, not what it was to hold", async () => {
    const { plan, facts, sessions } = await migrating.plan({ to: "home.tar.gz", madeBy });
    const [first] = sessions;
    if (!first) throw new Error("the home has a session");
    const other = { ...first, id: "other", path: "session-state/other/events.jsonl" };
    const spoiled = { ...first, files: new Map([...first.files, [session("plan.md"), "0".repeat(64)]]) };
    const missing = { ...first, files: new Map([...first.files, [session("more.md"), "0".repeat(64)]]) };
    for (const wanted of [[first, other], [spoiled], [missing]]) {
      expect(await codeOf(migrating.apply({ plan, facts, sessions: wanted }))).toBe("write-unverified");
      rmSync(target("home.tar.gz"));
    }
  });

  it("says of an older archive what it lacks, and brings back the rest", async () => {
    await migrating.apply(await migrating.plan({ to: "home.tar.gz", madeBy }));
    const text = gunzipSync(readFileSync(target("home.tar.gz"))).toString("latin1");
    // As many digits, so that all of the rest stays where it is.
    writeFileSync(
      target("home.tar.gz"),
      gzipSync(Buffer.from(text.replace('"sessions": 1', '"sessions": 9'), "latin1")),
    );
    const migration = await migrating.plan({ from: "home.tar.gz", to: "target", madeBy });
    expect(Object.keys(migration.facts.leftOut)).toEqual([
      "8 of 9 sessions, which the archive lists but does not contain",
    ]);
    expect(await migrating.apply(migration)).toMatchObject({ sessions: 1, turns: 3 });
  });

  const session = (...names: string[]): string => join("session-state", ID, ...names);
});

describe("an archive that somebody made up", () => {
  it("brings back no locks, and no database that is none", async () => {
    const log = readFileSync(home.file("events.jsonl"), "utf8");
    const content = {
      [`session-state/${ID}/events.jsonl`]: log,
      [`session-state/${ID}/inuse.1.lock`]: "1\n",
    };
    const write = (more: object, files: Record<string, string>): void =>
      writeFileSync(
        target("made-up.tar.gz"),
        toBundle(
          manifestOf(files, { kind: "home" }, { id: undefined, sessions: 1, rows: {}, ...more }),
          files,
        ),
      );
    write({}, content);
    const migration = await migrating.plan({ from: "made-up.tar.gz", to: "target", madeBy });
    expect(migration.facts.leftOut).toEqual({ locks: [`session-state/${ID}/inuse.1.lock`] });
    await migrating.apply(migration);
    expect(readdirSync(target(join("target", "session-state", ID)))).toEqual(["events.jsonl"]);
    const plan = () => codeOf(migrating.plan({ from: "made-up.tar.gz", to: "other", madeBy }));
    write({ rows: { "session-store.db": { turns: 1 } } }, { ...content, "session-store.db": "no database" });
    expect(await plan()).toBe("bundle-damaged");
    write({ rows: { "session-store.db": { turns: 1 } } }, content);
    expect(await plan()).toBe("bundle-damaged");
    write({ source: "someone-else" }, content);
    expect(await plan()).toBe("not-supported");
    write({}, { "other/file": "no home" });
    expect(await plan()).toBe("bundle-unknown");
  });
});
