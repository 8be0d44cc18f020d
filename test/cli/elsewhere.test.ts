/** Sessions and homes that go elsewhere and come back, as people type it: export, import, migrate, undo. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookAtAll } from "../edit/home.ts";
import { pidLike } from "../lookalike.ts";
import { createHome, type Home, line, start } from "./home.ts";

const ID = "5e551011-aaaa-4bbb-8ccc-000000000001";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
/** Put together here, so that no scanner takes it for a leak. */
const TOKEN = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
let home: Home;

beforeEach(() => {
  home = createHome();
  const call = { toolCallId: "c1", name: "bash", arguments: { command: `echo ${TOKEN}` } };
  home.session(
    ID,
    [
      start(ID, BEGAN),
      line("user.message", { content: "paint the shed" }, BEGAN, 1),
      line("assistant.message", { messageId: "m1", content: "", toolRequests: [call] }, BEGAN, 2),
      line("tool.execution_start", { toolCallId: "c1", toolName: "bash" }, BEGAN, 2),
      line(
        "tool.execution_complete",
        { toolCallId: "c1", success: false, error: { message: "no paint" } },
        BEGAN,
        3,
      ),
      line("assistant.message", { messageId: "m2", content: "No paint.", reasoningText: "Hmm." }, BEGAN, 4),
    ],
    { cwd: "/work/garden", name: "Garden", user_named: "false" },
  );
});
afterEach(() => home.remove());

const copilot = (): string => join(home.path, ".copilot");
const folder = (id = ID): string => join(copilot(), "session-state", id);
const json = (...words: string[]) => {
  const { stdout, code } = home.again(...words, "--json");
  return { code, ...JSON.parse(stdout) };
};

describe("a bundle", () => {
  it("is written with a word on its secrets, comes back whole, and is not taken in twice", () => {
    const { stderr, stdout, code } = home.again("export", "Garden", "--out", "garden.tar.gz");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain(`Wrote 1 session (2 files, `);
    expect(stderr).toContain("redacted, not even secrets");
    expect(statSync(join(home.path, "garden.tar.gz")).mode & 0o777).toBe(0o600);
    const before = lookAtAll(folder());
    rmSync(copilot(), { recursive: true });
    const answer = json("import", "garden.tar.gz");
    expect(answer).toMatchObject({
      code: 0,
      operation: expect.stringMatching(/^[0-9a-f]{8}$/),
      session: { source: "copilot-cli", id: ID },
      resume: `rethread resume copilot-cli:${ID}`,
      plan: { kind: "import", from: { id: ID }, steps: [{ does: "place", path: folder(), files: 2 }] },
      stats: { originalTurns: 1, clonedTurns: 1, removedTurns: 0 },
      losses: ["its folder /work/garden, which is not on this machine (--to sets another)"],
      also: [],
    });
    expect(Object.entries(lookAtAll(folder())).slice(1)).toEqual(Object.entries(before).slice(1));
    expect(json("list").sessions).toMatchObject([{ id: ID, title: "Garden" }]);
    expect(home.again("import", "garden.tar.gz").stdout).toContain("is already here, with the same content");
    expect(json("import", "garden.tar.gz").operation).toBe(null);
    expect(json("undo", answer.operation, "--yes").code).toBe(0);
    expect(json("list").sessions).toEqual([]);
  });

  it("is refused over another session, and comes beside it with --new-id", () => {
    home.again("export", ID, "--format", "bundle");
    const path = "session-5e551011.tar.gz";
    writeFileSync(join(folder(), "plan.md"), "new");
    expect(json("import", path).operation).toBe(null); // what lies beside does not matter
    writeFileSync(join(folder(), "workspace.yaml"), "name: Yard\n");
    expect(json("import", path)).toMatchObject({
      code: 4,
      error: { code: "session-exists", hint: expect.stringContaining("--new-id") },
    });
    const before = lookAtAll(copilot());
    expect(home.again("import", path, "--new-id", "--dry-run").stdout).toMatch(
      /^Would import "Garden"\n +place /,
    );
    expect(lookAtAll(copilot())).toEqual(before);
    const { session } = json("import", path, "--new-id", "--name", "Copy", "--to", ".");
    expect(json("show", session.id).session).toMatchObject({ title: "Copy", workspace: home.path });
    expect(json("import", path, "--to", "nowhere")).toMatchObject({ code: 2, error: { code: "usage" } });
  });

  it("is made of sessions of any source, and taken in where we can", () => {
    const demo = home.again("list", "--demo", "--source", "claude-code", "--json");
    const [{ id }] = JSON.parse(demo.stdout).sessions;
    expect(home.again("export", id, "--demo", "--out", "other.tar.gz").code).toBe(0);
    expect(json("import", "other.tar.gz")).toMatchObject({ code: 0, session: { source: "claude-code", id } });
    expect(json("export", "Garden", "--redact", "--out", "x.tar.gz")).toMatchObject({
      error: { code: "usage" },
    });
    expect(json("export", "Garden", "--out", "other.tar.gz")).toMatchObject({
      error: { code: "file-exists" },
    });
    expect(json("import", "missing.tar.gz")).toMatchObject({ code: 2, error: { code: "usage" } });
  });
});

describe("a transcript", () => {
  it("goes to stdout or a file, without secrets where that is asked for, and comes back as a session", () => {
    const { stdout, stderr } = home.again("export", "Garden", "--format", "copilot");
    const records = stdout
      .trimEnd()
      .split("\n")
      .map((each) => JSON.parse(each));
    expect(records).toMatchObject([
      { type: "session", version: 1, title: "Garden", workspace: { workingDirectory: "/work/garden" } },
      { type: "message", role: "user", timestamp: "2026-11-01T10:01:00.000Z" },
      { type: "message", role: "assistant", timestamp: "2026-11-01T10:02:00.000Z" },
      { type: "tool-call", id: "c1", name: "bash", arguments: { command: `echo ${TOKEN}` } },
      { type: "tool-result", toolCallId: "c1", success: false, error: { message: "no paint" } },
      { type: "message", role: "assistant", content: [{ type: "text", text: "No paint." }] },
    ]);
    expect(stderr).toContain("Left out: thinking");
    const clean = json("export", "Garden", "--format", "copilot", "--redact", "--out", "clean.jsonl");
    expect(clean).toMatchObject({
      sessions: [{ id: ID }],
      redactions: expect.arrayContaining([{ kind: "github token", secrets: 1 }]),
    });
    expect(readFileSync(join(home.path, "clean.jsonl"), "utf8")).not.toContain(TOKEN);
    const { session, resume } = json("import", "clean.jsonl", "--name", "Again");
    expect(resume).toBe(`rethread resume copilot-cli:${session.id}`);
    expect(json("show", session.id)).toMatchObject({
      session: { title: "Again", workspace: "/work/garden", createdAt: "2026-11-01T10:00:00.000Z" },
      turns: [{ user: "paint the shed", assistant: "No paint.", startedAt: "2026-11-01T10:01:00.000Z" }],
    });
    const words = ["export", "Garden", "--format", "copilot", "--drop-tools", "--redact"];
    const small = json(...words, "--out", "small.jsonl");
    expect(small).toMatchObject({
      stats: { originalTurns: 1, clonedTurns: 1 },
      ledger: { toolCalls: { kept: 0, dropped: 1 }, thoughts: { kept: 0, dropped: 1 } },
    });
    expect(readFileSync(join(home.path, "small.jsonl"), "utf8")).not.toContain("bash");
    const { clonedTokens } = small.stats;
    expect(json("import", "small.jsonl", "--dry-run").stats).toMatchObject({ clonedTurns: 1, clonedTokens });
    expect(json("export", "Garden", session.id, "--format", "copilot")).toMatchObject({
      error: { code: "usage" },
    });
  });
});

describe("migrate", () => {
  const fillHome = (): void => {
    const db = new DatabaseSync(join(copilot(), "session-store.db"));
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE turns (id); INSERT INTO turns VALUES (1), (2)");
    for (const name of ["logs", "installed-plugins/one", "command-history-state"])
      mkdirSync(join(copilot(), name), { recursive: true });
    writeFileSync(join(copilot(), "logs", "process.log"), "noise");
    writeFileSync(join(copilot(), "installed-plugins/one/run.sh"), "#!/bin/sh\n");
    chmodSync(join(copilot(), "installed-plugins/one/run.sh"), 0o755);
    symlinkSync("one", join(copilot(), "installed-plugins/link"));
    writeFileSync(join(copilot(), "command-history-state/history.json"), "[]");
    writeFileSync(join(copilot(), "settings.json"), "{}");
    writeFileSync(join(copilot(), "settings.json.lock"), "");
    writeFileSync(join(folder(), "inuse.999999999.lock"), "");
    // Left open, so that what was written stays in the log beside the database.
    void db;
  };

  it("copies a home with all that matters, verified, and undo takes the copy away", () => {
    fillHome();
    const before = lookAtAll(copilot());
    const answer = json("migrate", "--to", "new");
    const to = join(home.path, "new");
    expect(answer).toMatchObject({
      code: 0,
      session: null,
      plan: { kind: "migrate", steps: [{ does: "place", path: to }] },
      losses: ["logs", "locks", "SQLite's write-ahead logs, whose content is in the copied database"],
      from: copilot(),
      to,
      sessions: 1,
      turns: 1,
      files: 6,
      databases: { "session-store.db": { turns: 2 } },
      leftOut: { logs: ["logs"], locks: [`session-state/${ID}/inuse.999999999.lock`, "settings.json.lock"] },
      use: `COPILOT_HOME=${to} copilot`,
    });
    const seen = lookAtAll(to);
    expect(readdirSync(to)).toEqual([
      "command-history-state",
      "installed-plugins",
      "session-state",
      "session-store.db",
      "settings.json",
    ]);
    for (const [name, look] of Object.entries(seen))
      if (name !== "session-store.db" && name !== ".") expect([name, look]).toEqual([name, before[name]]);
    expect(json("history").writes).toMatchObject([{ kind: "migrate", operation: answer.operation }]);
    expect(home.with({ COPILOT_HOME: to }).again("list").stdout).toContain("Garden");
    expect(json("undo", answer.operation, "--yes").code).toBe(0);
    expect(existsSync(to)).toBe(false);
    expect(json("migrate", "--to", "new", "--dry-run")).toMatchObject({ operation: null, turns: null });
    expect(existsSync(to)).toBe(false);
  });

  it("goes into one archive and back", () => {
    fillHome();
    const { stdout, code } = home.again("migrate", "--to", "home.tar.gz");
    expect(code).toBe(0);
    expect(stdout).toContain("redacted, not even secrets");
    expect(stdout).toContain("1 session with 1 turn, 7 files");
    expect(stdout).toContain("symbolic links replaced by what they lead to: installed-plugins/link");
    expect(statSync(join(home.path, "home.tar.gz")).mode & 0o777).toBe(0o600);
    mkdirSync(join(home.path, "back"));
    const back = home.again("migrate", "--from", "home.tar.gz", "--to", "back");
    expect(back.stdout).toContain("1 session with 1 turn, 7 files");
    expect(back.stdout).toContain("session-store.db: intact, 2 rows in 1 table");
    expect(json("import", "home.tar.gz")).toMatchObject({
      error: { code: "usage", hint: expect.stringContaining("rethread migrate") },
    });
    expect(home.again("undo", "--yes").code).toBe(0);
    expect(readdirSync(join(home.path, "back"))).toEqual([]);
  });

  it("says what is in the way", () => {
    const errors = (...words: string[]): string => json("migrate", ...words).error.code;
    expect(errors("--to", ".copilot/inside")).toBe("usage");
    expect(errors("--to", ".")).toBe("usage");
    mkdirSync(join(home.path, "full"));
    writeFileSync(join(home.path, "full/a.txt"), "");
    expect(json("migrate", "--to", "full").error).toMatchObject({
      code: "file-exists",
      message: expect.stringContaining("it has a.txt"),
    });
    expect(errors("--from", "full", "--to", "new")).toBe("nothing-found");
    expect(errors("--from", "missing.tar.gz", "--to", "new")).toBe("nothing-found");
    expect(json("migrate").error.code).toBe("usage");
    writeFileSync(join(folder(), `inuse.${pidLike("copilot")}.lock`), "");
    expect(errors("--to", "new")).toBe("agent-running");
    expect(existsSync(join(home.path, "new"))).toBe(false);
    const { risks } = json("migrate", "--to", "new", "--ignore-lock", "--dry-run");
    expect(risks[0]).toContain(`process ${pidLike("copilot")}`);
  });
});
