/** Changing chats of VS Code as a person does, run as commands. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { copiesBeside, INDEX_KEY, lookAtUser, madeUpSession, rowsOf } from "../edit/vscode-home.ts";
import { pidLike } from "../lookalike.ts";
import { createHome, type Home } from "./home.ts";

const ID = "c0ffee00-aaaa-4bbb-8ccc-000000000001";
const STORE = "0123456789abcdef0123456789abcdef";
const LAST = Date.UTC(2026, 10, 1, 11);
let home: Home;

beforeEach(() => {
  home = createHome();
  const entry = {
    sessionId: ID,
    title: "First",
    lastMessageDate: LAST,
    initialLocation: "panel",
    isEmpty: false,
  };
  const list = JSON.stringify({ version: 1, entries: { [ID]: entry } });
  put("workspace.json", '{"folder":"file:///srv/shop"}');
  put(`chatSessions/${ID}.jsonl`, `${JSON.stringify({ kind: 0, v: madeUpSession(ID, 3) })}\n`);
  put("state.vscdb", toKeyValueDb("ItemTable", { [INDEX_KEY]: list, other: "not ours" }));
});
afterEach(() => home.remove());

const user = (): string => join(home.path, ".config/Code/User");
const store = (...names: string[]): string => join(user(), "workspaceStorage", STORE, ...names);
function put(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(store(name)), { recursive: true });
  writeFileSync(store(name), content);
}
const json = (...words: string[]) => {
  const { stdout, code } = home.again(...words, "--json");
  return { code, ...JSON.parse(stdout) };
};
type Listed = { title: string; lastMessageDate: number };
const listed = <T>(pick: (entry: Listed) => T): Record<string, T> => {
  const { list } = rowsOf(store("state.vscdb"))[INDEX_KEY] as { list: { entries: Record<string, Listed> } };
  return Object.fromEntries(Object.entries(list.entries).map(([id, entry]) => [id, pick(entry)]));
};
const titles = (): Record<string, string> => listed(({ title }) => title);
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("a chat of VS Code", () => {
  it("is cloned at once, with the fields that all writing commands share, and undone", () => {
    const before = lookAtUser(user());
    const answer = json("clone", `vscode:${ID}`, "--name", "Copy");
    const { id } = answer.session;
    expect(answer).toMatchObject({
      code: 0,
      schemaVersion: 1,
      operation: expect.stringMatching(/^[0-9a-f]{8}$/),
      session: { source: "vscode", id },
      resume: `rethread resume vscode:${id}`,
      plan: {
        kind: "clone",
        from: { source: "vscode", id: ID },
        steps: [
          { does: "place", path: store("chatSessions", `${id}.jsonl`), files: 1 },
          { does: "set", path: store("state.vscdb"), entries: 1 },
        ],
        reads: [store("chatSessions", `${ID}.jsonl`)],
      },
      stats: { originalTurns: 3, clonedTurns: 3, removedTurns: 0, compressionRatio: 0 },
      losses: [],
      ledger: null,
    });
    expect(titles()).toEqual({ [ID]: "First", [id]: "Copy" });
    expect(
      json("list")
        .sessions.map(({ title }: { title: string }) => title)
        .sort(),
    ).toEqual(["Copy", "First"]);
    expect(json("context", id).messages).toEqual(json("context", ID).messages);
    expect(home.again("tree").stdout).toMatch(/clone +Copy/);
    expect(home.again("undo", "--yes").stdout).toContain('Undid the clone of "First"');
    expect(lookAtUser(user())).toEqual(before);
  });

  it("says where the session and the backup are, and writes both as VS Code would", () => {
    for (const [name, mode] of Object.entries({ "": 0o755, chatSessions: 0o750, "state.vscdb": 0o644 }))
      chmodSync(store(name), mode);
    chmodSync(store("chatSessions", `${ID}.jsonl`), 0o640);
    const planned = json("clone", ID, "--dry-run");
    expect(planned).toMatchObject({ sessionPath: expect.stringContaining("chatSessions"), backupPath: null });
    const clone = json("clone", ID);
    expect(clone.sessionPath).toBe(store("chatSessions", `${clone.session.id}.jsonl`));
    expect(copiesBeside(user()).map((path) => join(user(), path))).toEqual([clone.backupPath]);
    expect(modeOf(clone.sessionPath)).toBe(0o640);
    const fork = json("fork", ID, "--at", "0");
    const dates = listed((entry) => entry.lastMessageDate);
    // Of the whole copy that of the original, of the shorter one that of its last turn.
    expect([dates[clone.session.id], dates[fork.session.id]]).toEqual([
      LAST,
      Date.UTC(2026, 10, 1, 10, 0, 9),
    ]);
    mkdirSync(join(home.path, "fresh"));
    const moved = json("clone", ID, "--to", "fresh");
    expect(moved.backupPath).toBeNull();
    const folder = dirname(dirname(moved.sessionPath));
    expect([folder, join(folder, "state.vscdb"), moved.sessionPath].map(modeOf)).toEqual([
      0o755, 0o644, 0o640,
    ]);
    const undone = json("undo", "--yes");
    expect(undone.sessionPath).toBeNull();
    const gone = json("delete", clone.session.id, "--yes");
    expect(gone).toMatchObject({ sessionPath: null, backupPath: expect.stringContaining("state.vscdb") });
    const { writes } = json("history");
    const backups = writes.map(({ backup }: { backup: { path: string | null } }) => backup.path);
    expect(backups[0]).toBe(gone.backupPath);
    expect(backups).toContain(clone.backupPath);
    expect(backups).toContain(null);
  });

  it("is shown what would happen, and nothing does", () => {
    const before = lookAtUser(user());
    expect(home.again("delete", "First", "--dry-run").stdout).toMatch(
      /^Would delete "First"\n +set .*state\.vscdb +1 entry\n +remove /,
    );
    expect(json("rename", "First", "Other").error.code).toBe("needs-yes");
    expect(lookAtUser(user())).toEqual(before);
    expect(copiesBeside(user())).toEqual([]);
  });

  it("is forked, renamed, rewound beside itself or in place, and taken away", () => {
    const fork = json("fork", ID, "--at", "0");
    expect(fork).toMatchObject({ code: 0, stats: { clonedTurns: 1, removedTurns: 2 } });
    expect(titles()[fork.session.id]).toBe("First (fork)");
    expect(json("rename", ID, "Another", "--yes").code).toBe(0);
    const beside = json("rewind", ID, "--to", "1", "--yes");
    expect(beside).toMatchObject({ code: 0, stats: { clonedTurns: 2 }, losses: ['turn 2, "Prompt 2"'] });
    expect(beside.session.id).not.toBe(ID);
    expect(json("rewind", ID, "--to", "0", "--in-place", "--yes")).toMatchObject({
      session: { id: ID },
      losses: ['turns 1 to 2, from "Prompt 1" on'],
    });
    expect(json("show", ID).turns).toHaveLength(1);
    expect(json("delete", ID, "--yes").code).toBe(0);
    expect(existsSync(store("chatSessions", `${ID}.jsonl`))).toBe(false);
    expect(titles()).toEqual({ [fork.session.id]: "First (fork)", [beside.session.id]: "Another" });
    for (const _ of Array(5)) expect(json("undo", "--yes").code).toBe(0);
    expect(titles()).toEqual({ [ID]: "First" });
    expect(json("show", ID).turns).toHaveLength(3);
  });

  it("without turns is not copied, as nobody would see it", () => {
    const before = lookAtUser(user());
    const empty = { ...madeUpSession("d0000000-aaaa-4bbb-8ccc-000000000002", 0), customTitle: "Empty" };
    writeFileSync(join(home.path, "empty.json"), JSON.stringify(empty));
    expect(json("import", "empty.json", "--to", STORE)).toMatchObject({
      code: 3,
      error: {
        code: "turn-not-found",
        message: expect.stringContaining("VS Code does not show chats without turns"),
      },
    });
    expect(lookAtUser(user())).toEqual(before);
    put(`chatSessions/${empty.sessionId}.jsonl`, `${JSON.stringify({ kind: 0, v: empty })}\n`);
    expect(json("clone", empty.sessionId).error.message).toContain(
      "VS Code does not show chats without turns",
    );
  });

  it("goes to another folder, which is made ready for it", () => {
    const folder = join(home.path, "never opened");
    mkdirSync(folder);
    const { code, plan, session } = json("clone", ID, "--to", folder);
    expect([code, plan.steps.length]).toEqual([0, 1]);
    expect(json("show", session.id).session.workspace).toBe(folder);
    expect(json("clone", ID, "--to", STORE).plan.steps).toHaveLength(2);
    expect(json("clone", ID, "--to", "../nowhere").error.code).toBe("usage");
    expect(json("clone", ID, "--to", "..").error?.code).not.toBe("internal");
  });
});

describe("an id that leads elsewhere", () => {
  it("never takes along more than its own file when its chat is taken away", () => {
    // The name of such a file is ".." and an ending.
    put("chatSessions/...jsonl", readFileSync(store("chatSessions", `${ID}.jsonl`)));
    put(`chatEditingSessions/${ID}/state.json`, "{}");
    const { plan } = json("delete", "vscode:..", "--dry-run");
    expect(plan.steps).toMatchObject([{ does: "remove", path: store("chatSessions", "...jsonl") }]);
    const { steps } = json("move", "vscode:..", "--to", home.path, "--dry-run").plan;
    expect(steps.filter(({ does }: { does: string }) => does === "remove")).toHaveLength(1);
  });

  it("opens no transcript outside of the workspace's folder", () => {
    const said = { type: "user.message", data: { content: "told to somebody else" } };
    writeFileSync(join(home.path, "private.jsonl"), `${JSON.stringify(said)}\n`);
    const way = `${"../".repeat(7)}private`;
    expect(existsSync(store("GitHub.copilot-chat/transcripts", `${way}.jsonl`))).toBe(true);
    const entry = { sessionId: way, title: "Way out", lastMessageDate: 1, initialLocation: "panel" };
    const list = JSON.stringify({ version: 1, entries: { [way]: entry } });
    put("state.vscdb", toKeyValueDb("ItemTable", { [INDEX_KEY]: list }));
    expect(json("list").sessions.map(({ id }: { id: string }) => id)).toEqual([ID]);
    expect(json("rescue", "--vscode", "--yes").code).toBe(0);
    expect(titles()).toEqual({ [ID]: "First" });
    expect(existsSync(join(home.path, "private.jsonl"))).toBe(true);
  });
});

describe("VS Code", () => {
  it("keeps its chats to itself while it runs; a stale lock keeps nobody", () => {
    const before = lookAtUser(user());
    writeFileSync(join(user(), "..", "code.lock"), String(pidLike("code")));
    for (const words of [
      ["clone", ID],
      ["rename", ID, "x", "--yes"],
      ["delete", ID, "--yes"],
    ])
      expect(json(...words), words[0]).toMatchObject({ code: 5, error: { code: "vscode-running" } });
    expect(lookAtUser(user())).toEqual(before);
    expect(copiesBeside(user())).toEqual([]);
    expect(json("rename", ID, "x", "--dry-run", "--ignore-lock").risks).toEqual([
      expect.stringContaining(`process ${pidLike("code")} (code) seems to have what is changed here open`),
    ]);
    writeFileSync(join(user(), "..", "code.lock"), "999999999");
    expect(json("clone", ID).code).toBe(0);
  });

  it.each<[string, string | Uint8Array | undefined, string]>([
    ["a browser that keeps the list", undefined, "not-supported"],
    [
      "a list that VS Code would throw away",
      '{"version":1,"entries":{"x":{"title":"no id"}}}',
      "list-damaged",
    ],
    ["a list of a version that never was", '{"version":0,"entries":{}}', "list-damaged"],
    ["a list of a newer version", '{"version":2,"entries":{}}', "format-newer"],
    ["a file that is no database", Buffer.from("not a database, but long enough to be one"), "list-damaged"],
    ["chats that VS Code has yet to move", "legacy", "not-supported"],
  ])("is not written to with %s", (_, list, code) => {
    rmSync(store("state.vscdb"));
    if (list === "legacy") put("state.vscdb", toKeyValueDb("ItemTable", { "interactive.sessions": "[]" }));
    else if (typeof list === "string") put("state.vscdb", toKeyValueDb("ItemTable", { [INDEX_KEY]: list }));
    else if (list) put("state.vscdb", list);
    const bytes = existsSync(store("state.vscdb")) && readFileSync(store("state.vscdb"));
    for (const words of [
      ["clone", ID],
      ["rename", ID, "x", "--yes"],
      ["delete", ID, "--yes"],
    ])
      expect(json(...words).error, words[0]).toMatchObject({ code, hint: expect.stringMatching(/./) });
    expect(existsSync(store("state.vscdb")) && readFileSync(store("state.vscdb"))).toEqual(bytes);
    expect(copiesBeside(user())).toEqual([]);
  });
});
