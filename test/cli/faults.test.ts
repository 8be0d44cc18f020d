/** What can go wrong with our own files: each gets a clear message and the published exit code, and nothing is lost. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openArchive } from "../../src/store/state/archive.ts";
import { openState } from "../../src/store/state/open.ts";
import { builtCommand } from "../built.ts";
import { createHome, type Home } from "./home.ts";

const MAIN = builtCommand();
const SESSIONS = 28;
let home: Home;
/** The agents' homes of the demo, read as if they were a person's own. */
let vars: Record<string, string>;
const path = (...names: string[]): string => join(home.dataHome, ...names);
const store = (): string => path("session-store.db");
const rethread = (...words: string[]) => home.again(...words);
const json = (...words: string[]) => JSON.parse(rethread(...words, "--json").stdout);
const named = (part: string): string[] => readdirSync(home.dataHome).filter((name) => name.includes(part));

beforeAll(() => {
  const made = createHome();
  made.again("demo");
  vars = {
    COPILOT_HOME: join(made.dataHome, "demo/copilot"),
    CLAUDE_CONFIG_DIR: join(made.dataHome, "demo/claude"),
    VSCODE_STORAGE_PATH: join(made.path, "no-such-folder"),
    RETHREAD_HOME: join(made.path, "data"),
  };
  home = made.with(vars);
  mkdirSync(home.dataHome, { mode: 0o700 });
});
afterAll(() => home.remove());
beforeEach(() => {
  for (const name of readdirSync(home.dataHome)) rmSync(path(name), { recursive: true });
});

/** Whole, as SQLite and its full-text index judge it, and with every session in it. */
function expectWhole(): void {
  const db = new DatabaseSync(store());
  try {
    expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    db.exec("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 0)");
    expect(db.prepare("SELECT count(*) AS n FROM sessions").get()).toEqual({ n: SESSIONS });
  } finally {
    db.close();
  }
}

/** Every session is in the vault, block by block, and nothing else. */
function expectArchiveWhole(): void {
  const archive = openArchive(home.dataHome, () => new Date());
  try {
    const files = archive.sessions().map((session) => archive.filesOf(session));
    const blocks = new Set(files.flat().flatMap((file) => file.blocks));
    for (const hash of blocks) archive.vault.get(hash);
    expect({ sessions: files.length, blocks: new Set(archive.vault.hashes()) }).toEqual({
      sessions: SESSIONS,
      blocks,
    });
    expect(readdirSync(path("vault")).filter((name) => name.startsWith("tmp-"))).toEqual([]);
  } finally {
    archive.close();
  }
}

const inBackground = (...words: string[]) => runIn(home, ...words);
const runIn = ({ env }: Home, ...words: string[]) => {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const ended = new Promise<{ code: number | null; said: string }>((done) => {
    child.once("close", (code) => done({ code, said }));
  });
  return { child, ended };
};

describe("a corrupt store", () => {
  const damages: [string, () => void][] = [
    ["something else in its place", () => writeFileSync(store(), "no database at all ".repeat(500))],
    ["a header of noise", () => overwrite(0, 100)],
    ["noise behind its header", () => overwrite(4096, statSync(store()).size - 4096)],
    // Enough of it that a search has to read some.
    ["noise in the middle", () => overwrite(statSync(store()).size / 4, statSync(store()).size / 2)],
    ["its end torn off", () => truncateSync(store(), Math.floor(statSync(store()).size / 3))],
  ];
  /** The same noise in every run. */
  const overwrite = (at: number, length: number): void => {
    const bytes = readFileSync(store());
    const from = Math.floor(at);
    for (let i = 0; i < length; i += 32)
      createHash("sha256")
        .update(String(i))
        .digest()
        .copy(bytes, from + i, 0, Math.min(32, length - i));
    writeFileSync(store(), bytes);
  };

  it.each(damages)("(%s) is set aside as it is, and built anew", (_name, damage) => {
    openState(home.dataHome, () => new Date()).close();
    const state = readFileSync(path("state.db"));
    rethread("index");
    damage();
    const bytes = readFileSync(store());
    const { stdout, stderr, code } = rethread("search", "coupons", "--no-refresh");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^session-store\.db was damaged; it is kept as session-store\.db\.corrupt-\d{8}T\d{6}, and a new one is built from the agents' files\n$/,
      ),
    });
    expect(stdout).toContain("Review: stackable coupons");
    const [aside = ""] = named(".corrupt-").filter((name) => !/-(wal|shm)$/.test(name));
    expect(readFileSync(path(aside)).equals(bytes)).toBe(true);
    expect(readFileSync(path("state.db")).equals(state)).toBe(true);
    expectWhole();
  });

  it("is built anew by index --rebuild as well", () => {
    rethread("index");
    overwrite(0, 100);
    const { stderr, code } = rethread("index", "--rebuild");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^session-store\.db was damaged;/),
    });
    expectWhole();
  });

  it("is built anew by two processes at once, and both end well", async () => {
    rethread("index");
    writeFileSync(store(), "no database at all ".repeat(500));
    const ends = await Promise.all([inBackground("index").ended, inBackground("index", "--rebuild").ended]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(rethread("index").code).toBe(0);
    expectWhole();
  });
});

describe("a store of a newer version", () => {
  it("is refused and left as it is, while what can be read from the agents' files is", () => {
    rethread("index");
    const db = new DatabaseSync(store());
    db.exec("INSERT INTO migrations VALUES ('0999-later', '2030-01-01')");
    db.close();
    const before = readFileSync(store());
    const sentence = "session-store.db was written by a newer Rethread (0999-later)";
    for (const words of [["index"], ["index", "--rebuild"], ["search", "coupons"]])
      expect(rethread(...words)).toEqual({
        code: 6,
        stdout: "",
        stderr: `error: ${sentence} (store-newer)\nUpdate Rethread; this version does not change the file\n`,
      });
    const { code, stdout, stderr } = rethread("list");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `${sentence}; reading the agents' own files instead\n`,
    });
    expect(stdout).toContain(`${SESSIONS} sessions`);
    expect(readFileSync(store()).equals(before)).toBe(true);
    expect(named("corrupt")).toEqual([]);
  });
});

describe("several processes", () => {
  it("may index at once", async () => {
    const archiving = home.with({ ...vars, RETHREAD_ARCHIVE: "true" });
    const ends = await Promise.all([1, 2, 3].map(() => runIn(archiving, "index").ended));
    expect(ends).toEqual([1, 2, 3].map(() => ({ code: 0, said: "" })));
    expectWhole();
    expectArchiveWhole();
  });

  it("get their answers while one writes on and on, and are told what these come from", () => {
    rethread("index");
    // Sessions that are gone are news for the store.
    const changed = home.with({ ...vars, CLAUDE_CONFIG_DIR: join(home.path, "no-such-folder") });
    const writer = new DatabaseSync(store());
    writer.exec("BEGIN IMMEDIATE");
    try {
      const soFar = "Another rethread is updating the store; this answer uses what it has so far\n";
      for (const words of [["search", "coupons"], ["stats"], ["tree"], ["sql", "SELECT count(*) FROM turns"]])
        expect(changed.again(...words)).toMatchObject({ code: 0, stderr: soFar });
      expect(changed.again("list")).toMatchObject({
        code: 0,
        stderr: "Another rethread is writing to the store; reading the agents' own files instead\n",
      });
    } finally {
      writer.close();
    }
  });

  it("may build it anew at once", async () => {
    const ends = await Promise.all([1, 2].map(() => inBackground("index", "--rebuild").ended));
    expect(ends).toEqual([1, 2].map(() => ({ code: 0, said: "" })));
    expectWhole();
  });

  it("may be killed at any time: store and archive stay whole, and the next one goes on", async () => {
    const archiving = home.with({ ...vars, RETHREAD_ARCHIVE: "true" });
    const began = performance.now();
    await runIn(archiving, "index").ended;
    const whole = performance.now() - began;
    for (const name of readdirSync(home.dataHome)) rmSync(path(name), { recursive: true });
    for (let kill = 0; kill < 20; kill++) {
      const { child, ended } = runIn(archiving, "index", ...(kill % 4 === 3 ? ["--rebuild"] : []));
      // Spread over the whole run, in an order that no two neighbours share.
      setTimeout(() => child.kill("SIGKILL"), whole * (((kill * 7) % 20) / 20 + 0.02));
      await ended;
      if (kill % 5 === 4) for (const name of named("session-store.db")) rmSync(path(name));
    }
    expect(archiving.again("index")).toMatchObject({ code: 0, stderr: "" });
    expectWhole();
    expect(archiving.again("index", "--rebuild").code).toBe(0);
    expect(named("rebuild")).toEqual([]);
    expectArchiveWhole();
  }, 240_000);
});

/** A disk of our own, in a namespace of our own: that needs no rights where the system lets people have one. */
const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

describe.skipIf(!canMount)("a disk of its own (needs a Linux that lets people mount in a namespace)", () => {
  /** Runs lines of shell with a small disk where our data is. */
  const onDisk = (options: string, ...lines: string[]) => {
    const script = [`mount -t tmpfs -o ${options} tmpfs "$RETHREAD_HOME"`, ...lines].join("\n");
    const command = `rethread() { '${process.execPath}' '${MAIN}' "$@"; echo "exit $?" >&2; }\n${script}`;
    const { stdout, stderr } = spawnSync("unshare", ["-rm", "bash", "-c", command], {
      env: home.env,
      encoding: "utf8",
    });
    return { stdout, stderr };
  };
  const full = (file: string): string =>
    `error: No space is left to write ${path(file)} (disk-full)\nFree some space, then run the command again; nothing was lost\nexit 6\n`;

  it.each(["20k", "100k", "400k"])(
    "that is full (%s) stops the index, and lets it go on when there is space",
    (size) => {
      const { stdout, stderr } = onDisk(
        `size=${size}`,
        "rethread index >&2",
        "rethread index --rebuild >&2",
        "rethread list 2>/dev/null | tail -1",
        `mount -o remount,size=64m "$RETHREAD_HOME"`,
        "rethread index --json",
        `rethread sql "SELECT count(*) AS n FROM sessions" --csv`,
      );
      expect(stderr.startsWith(full("session-store.db"))).toBe(true);
      expect(stderr.match(/disk-full/g)?.length).toBe(2);
      expect(stdout).toContain(`${SESSIONS} sessions`);
      expect(stdout.trimEnd().endsWith(`n\r\n${SESSIONS}`)).toBe(true);
    },
  );

  it("that is full leaves no half copy in the vault, and search answers all the same", () => {
    const { stdout, stderr } = onDisk(
      "size=64m",
      `mkdir "$RETHREAD_HOME/vault"; mount -t tmpfs -o size=60k tmpfs "$RETHREAD_HOME/vault"`,
      "export RETHREAD_ARCHIVE=true",
      "rethread index >&2",
      "rethread search coupons | head -1",
      `find "$RETHREAD_HOME/vault" -name 'tmp-*' | wc -l`,
      `mount -o remount,size=64m "$RETHREAD_HOME/vault"`,
      "rethread index | tail -1",
    );
    const sentence = `No space is left to write ${path("vault")}`;
    expect(stderr).toBe(`${full("vault")}The archive cannot be used now: ${sentence}\nexit 0\nexit 0\n`);
    expect(stdout).toMatch(
      /^Review: stackable coupons\n0\nArchived \d+ sessions: copies are in the vault\.\n$/,
    );
  });

  it("that is read-only is named, and what needs no writing works", () => {
    rethread("index");
    const kept = path("..", "kept");
    cpSync(home.dataHome, kept, { recursive: true });
    const unusable = `error: ${store()} cannot be opened for writing (store-unusable)\nSet RETHREAD_HOME to a folder that you can write to\nexit 6\n`;
    const { stdout, stderr } = onDisk(
      "size=64m",
      `cp -r '${kept}/.' "$RETHREAD_HOME"; mount -o remount,ro "$RETHREAD_HOME"`,
      "rethread index",
      "rethread search coupons | head -1",
      "rethread list 2>/dev/null | tail -1",
      `rethread sql "SELECT count(*) AS n FROM sessions" --csv --no-refresh`,
    );
    rmSync(kept, { recursive: true });
    const remark = `${store()} cannot be opened for writing; this answer uses the store as it was last updated`;
    expect(stderr).toBe(`${unusable}${remark}\nexit 0\nexit 0\n`);
    expect(stdout).toBe(
      `Review: stackable coupons\n${SESSIONS} sessions · ! 1 with problems: rethread doctor\nn\r\n${SESSIONS}\r\n`,
    );
  });
});

describe("a limit on the size of files", () => {
  it.skipIf(process.platform === "win32")("is told like a full disk", () => {
    const { code, stderr } = home.shell("ulimit -f 60; rethread index");
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: `error: No space is left to write ${store()} (disk-full)\nFree some space, then run the command again; nothing was lost\n`,
    });
    expect(rethread("index").code).toBe(0);
    expectWhole();
  });
});

describe("a folder that cannot be written", () => {
  it("is named, and what the agents' files can answer is answered", () => {
    writeFileSync(path("file"), "a file where a folder should be");
    const elsewhere = home.with({ RETHREAD_HOME: path("file") });
    expect(elsewhere.again("index")).toEqual({
      code: 6,
      stdout: "",
      stderr: `error: ${path("file", "session-store.db")} cannot be opened for writing (store-unusable)\nSet RETHREAD_HOME to a folder that you can write to\n`,
    });
    expect(elsewhere.again("list")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${SESSIONS} sessions`),
    });
  });
});

describe("what only we know", () => {
  it("is left as it is when it is damaged; everything that does without it works", () => {
    rethread("index");
    const noise = Buffer.from("no database at all ".repeat(500));
    writeFileSync(path("state.db"), noise);
    const sentence = `${path("state.db")} is damaged; it holds what is recorded nowhere else, so it was not changed`;
    const told = `The archive cannot be used now: ${sentence}\n`;
    const archiving = home.with({ ...vars, RETHREAD_ARCHIVE: "true" });
    expect(archiving.again("index")).toEqual({
      code: 6,
      stdout: "",
      stderr: `${told}error: ${sentence} (state-damaged)\nRestore a copy of it from a backup, or move it away to continue without its records\n`,
    });
    const { code, stdout, stderr } = archiving.again("search", "coupons");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: told,
    });
    expect(stdout).toContain("Review: stackable coupons");
    expect(json("index", "--rebuild").indexed).toBe(SESSIONS);
    expect(json("list").total).toBe(SESSIONS);
    expect(readFileSync(path("state.db")).equals(noise)).toBe(true);
    expect(named("state").filter((name) => !/^state\.db(-wal|-shm)?$/.test(name))).toEqual([]);
  });
});
