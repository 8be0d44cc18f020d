/** Rescue of VS Code's chats as a person uses it: found by doctor, shown, agreed to, done, undone. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../../src/platform/fs/local.ts";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { readValues } from "../../src/platform/sqlite/key-values.ts";
import { idOf } from "../../src/sources/vscode/edit/copy/target.ts";
import { lookAtAll } from "../edit/home.ts";
import { pidLike } from "../lookalike.ts";
import { log, sessionOf, turn } from "../vscode-log.ts";
import { createHome, type Home } from "./home.ts";

const TORN = "aaaaaaaa-0000-4000-8000-000000000001";
const ORPHAN = "bbbbbbbb-0000-4000-8000-000000000002";
const GHOST = "cccccccc-0000-4000-8000-000000000003";
const INDEX = "chat.ChatSessionStore.index";
let home: Home;

const user = (): string => join(home.path, ".config", "Code", "User");
const folder = (): string => join(user(), "workspaceStorage", "0123456789abcdef0123456789abcdef");
const database = (): string => join(folder(), "state.vscdb");
const entries = (): object =>
  JSON.parse(String(readValues(database(), "ItemTable", [INDEX]).get(INDEX))).entries;
const entry = (sessionId: string, title: string): object => ({
  sessionId,
  title,
  lastMessageDate: 1_780_000_000_000,
  initialLocation: "panel",
  isEmpty: false,
});
const json = (...words: string[]) => {
  const { stdout, code } = home.again(...words, "--json");
  return { code, ...JSON.parse(stdout) };
};

/** One chat is torn, one is not listed, and one is listed but gone. */
beforeEach(() => {
  home = createHome();
  const chat = (sessionId: string, customTitle: string): string =>
    log({
      kind: 0,
      v: { ...sessionOf(turn("paint the shed", [{ value: "Painted." }])), sessionId, customTitle },
    });
  mkdirSync(join(folder(), "chatSessions"), { recursive: true });
  writeFileSync(join(folder(), "workspace.json"), JSON.stringify({ folder: `file://${home.path}` }));
  writeFileSync(join(folder(), "chatSessions", `${TORN}.jsonl`), `${chat(TORN, "Torn")}{"kind":2,"k":["requ`);
  writeFileSync(join(folder(), "chatSessions", `${ORPHAN}.jsonl`), chat(ORPHAN, "Unlisted"));
  const list = { version: 1, entries: { [TORN]: entry(TORN, "Torn"), [GHOST]: entry(GHOST, "Gone") } };
  writeFileSync(database(), toKeyValueDb("ItemTable", { [INDEX]: JSON.stringify(list), other: "kept" }));
});
afterEach(() => home.remove());

it("is what doctor advises, and then doctor is content", () => {
  expect(json("doctor").problems).toMatchObject([
    { code: "record-torn", session: TORN, fix: `rethread rescue vscode:${TORN}` },
    { code: "session-orphaned", session: ORPHAN, fix: `rethread rescue vscode:${ORPHAN}` },
    { code: "session-ghost", session: GHOST, fix: "rethread rescue --vscode" },
  ]);
  const answer = json("rescue", "--vscode", "--yes");
  expect(answer).toMatchObject({
    code: 0,
    failures: [],
    rescues: [
      {
        operation: expect.stringMatching(/^[0-9a-f]{8}$/),
        plan: { kind: "rescue", steps: [{ does: "replace" }, { does: "set", path: database(), entries: 2 }] },
        losses: ["Torn, line 2: the last line stops in the middle of a record"],
        repairs: [
          { title: "Torn", line: 2, lost: true, workspace: home.path },
          { title: "Gone", what: "listed, but nothing is left of it: removed from the list" },
          { title: "Unlisted", what: "not in the list: added" },
        ],
      },
    ],
  });
  expect(Object.keys(entries())).toEqual([TORN, ORPHAN]);
  expect(readValues(database(), "ItemTable", ["other"]).get("other")).toBe("kept");
  expect(json("doctor").problems).toEqual([]);
  expect(home.again("rescue", "--vscode").stdout).toBe("Nothing is wrong with the chats of VS Code\n");
});

it("is offered by doctor, which shows all of it at a glance", () => {
  const { stdout, code } = home.with({ COLUMNS: "80" }).again("doctor", "--vscode");
  expect(code).toBe(1);
  expect(stdout).toBe(`WORKSPACE  CHATS  DAMAGED  UNLISTED  GONE
~              2        1         1     1

1 workspace has problems, of 2 chats in 1 workspace.
  see what can be repaired: rethread rescue --vscode --dry-run
  see each problem and where it is: rethread doctor --source vscode
`);
  expect(json("doctor").workspaces).toEqual([
    {
      workspace: home.path,
      sessionCount: 2,
      sessions: 2,
      problems: { "record-torn": 1, "session-orphaned": 1, "session-ghost": 1 },
    },
  ]);
  expect(json("rescue", "--vscode", "--yes").code).toBe(0);
  expect(home.again("doctor", "--vscode").stdout).toBe("Nothing is wrong with 2 chats in 1 workspace.\n");
});

it("shows what it would do, writes nothing unasked, and is taken back by one undo", () => {
  const before = lookAtAll(user());
  const { stdout } = home.again("rescue", "--vscode", "--dry-run");
  expect(stdout).toMatch(/^Would rescue 3 sessions of GitHub Copilot Chat in VS Code\n {2}replace /);
  expect(stdout).toContain(`  ${home.path}\n    Gone\n      listed, but nothing is left of it`);
  expect(json("rescue", "--vscode")).toMatchObject({ code: 2, error: { code: "needs-yes" } });
  const asked = home.with({ FORCE_COLOR: "1" }).again("rescue", "--vscode").stderr;
  expect(asked).toContain("\u001b[36mreplace");
  expect(asked).not.toContain("␛");
  expect(lookAtAll(user())).toEqual(before);
  const list = entries();
  const { rescues } = json("rescue", "--vscode", "--yes");
  expect(json("undo", rescues[0].operation, "--yes").code).toBe(0);
  expect(entries()).toEqual(list);
  const torn = join("workspaceStorage", "0123456789abcdef0123456789abcdef", "chatSessions", `${TORN}.jsonl`);
  expect(lookAtAll(user())[torn]).toBe(before[torn]);
});

it("names no session where nothing is wrong", () => {
  json("rescue", "--vscode", "--yes");
  const [again] = json("rescue", "--vscode", "--dry-run").rescues;
  expect(again).toMatchObject({ operation: null, session: null, repairs: [] });
});

it("repairs one chat alone", () => {
  expect(json("rescue", `vscode:${ORPHAN}`, "--yes").code).toBe(0);
  expect(Object.keys(entries())).toEqual([TORN, GHOST, ORPHAN]);
  expect(json("rescue", `vscode:${TORN}`, "--yes").code).toBe(0);
  expect(readFileSync(join(folder(), "chatSessions", `${TORN}.jsonl`), "utf8")).toMatch(
    /^\{"kind":0,.*\}\n$/,
  );
  expect(json("doctor").problems).toMatchObject([{ code: "session-ghost" }]);
});

it("is refused while VS Code runs, and leaves nothing behind", () => {
  writeFileSync(join(user(), "..", "code.lock"), String(pidLike("code")));
  const before = lookAtAll(user());
  expect(json("rescue", "--vscode", "--yes")).toMatchObject({ code: 5, error: { code: "vscode-running" } });
  expect(lookAtAll(user())).toEqual(before);
});

it("waits in a process of its own when asked to, which undo ends", () => {
  const lock = join(user(), "..", "code.lock");
  writeFileSync(lock, String(pidLike("code")));
  const before = lookAtAll(user());
  const words = ["rescue", "--vscode", "--when-closed", "--background"];
  expect(json("rescue", "--vscode", "--yes").error.hint).toContain("add --when-closed");
  expect(json(...words).error.code).toBe("needs-yes");
  expect(json("rescue", "--vscode", "--background", "--yes").error.code).toBe("usage");
  expect(json(...words, "--yes", "--ignore-lock").error.code).toBe("usage");
  const { code, job, state } = json(...words, "--yes");
  expect({ code, state }).toEqual({ code: 0, state: "waiting" });
  const line = `rethread ${words.join(" ")} --yes --json`;
  expect(json("history").jobs).toMatchObject([{ job, state: "waiting", command: line }]);
  expect(home.again("history").stdout).toContain(`${job}  now   waiting`);
  expect(home.again("undo", job).stdout).toBe(`Cancelled ${job}: nothing is written\n`);
  expect(json("history").jobs).toMatchObject([{ job, state: "cancelled", operations: [] }]);
  expect(lookAtAll(user())).toEqual(before);
  rmSync(lock);
  // Where nothing is in the way, nothing is waited for.
  expect(json("rescue", "--vscode", "--when-closed", "--yes").code).toBe(0);
});

it("puts right the chats of windows without a folder, and leaves old ones to VS Code that it has yet to move", () => {
  const shared = join(user(), "globalStorage");
  const id = "dddddddd-0000-4000-8000-000000000004";
  const chat = readFileSync(join(folder(), "chatSessions", `${ORPHAN}.jsonl`), "utf8").replaceAll(ORPHAN, id);
  mkdirSync(join(shared, "emptyWindowChatSessions"), { recursive: true });
  writeFileSync(join(shared, "emptyWindowChatSessions", `${id}.jsonl`), chat);
  const rows = (more: object) => toKeyValueDb("ItemTable", { other: "kept", ...more });
  writeFileSync(join(shared, "state.vscdb"), rows({ "interactive.sessions": "[]" }));
  const listOf = () => readValues(join(shared, "state.vscdb"), "ItemTable", [INDEX]).get(INDEX);
  expect(json("rescue", "--vscode", "--yes").rescues[0].losses.at(-1)).toMatch(
    /^chats in .* of an early VS Code/,
  );
  expect(listOf()).toBe(null);
  writeFileSync(join(shared, "state.vscdb"), rows({}));
  const { rescues } = json("rescue", "--vscode", "--yes");
  expect(JSON.parse(String(listOf()))).toMatchObject({
    version: 1,
    entries: { [id]: { title: "Unlisted" } },
  });
  expect(json("undo", rescues[0].operation, "--yes").code).toBe(0);
  expect(listOf()).toBe(null);
});

it("brings back a chat that is gone from the copy in the archive", () => {
  const archiving = home.with({ RETHREAD_ARCHIVE: "true" });
  expect(json("rescue", "--vscode", "--yes").code).toBe(0);
  expect(archiving.again("index").code).toBe(0);
  const path = join(folder(), "chatSessions", `${ORPHAN}.jsonl`);
  rmSync(path);
  expect(JSON.parse(archiving.again("rescue", "--vscode", "--yes", "--json").stdout)).toMatchObject({
    rescues: [{ repairs: [{ path, what: "listed, but gone: restored from rethread's own copy of it" }] }],
  });
  expect(json("show", `vscode:${ORPHAN}`).turns).toMatchObject([
    { user: "paint the shed", assistant: "Painted." },
  ]);
});

it("makes a database anew that a crash left without content", () => {
  writeFileSync(database(), "");
  expect(json("clone", `vscode:${ORPHAN}`).error).toMatchObject({
    code: "list-damaged",
    hint: "Repair it: rethread rescue --vscode",
  });
  expect(json("rescue", "--vscode", "--yes").code).toBe(0);
  expect(Object.keys(entries()).sort()).toEqual([TORN, ORPHAN]);
  expect(json("undo", "--yes").code).toBe(0);
  expect(readFileSync(database(), "utf8")).toBe("");
});

const setList = (as: string): void => {
  const db = new DatabaseSync(database());
  db.exec(`UPDATE ItemTable SET value = ${as}`);
  db.close();
};

it("repairs a list that is stored as bytes instead of text, as every other command advises", () => {
  setList("CAST(value AS BLOB)");
  expect(json("clone", `vscode:${ORPHAN}`).error).toMatchObject({
    code: "list-damaged",
    hint: "Repair it: rethread rescue --vscode",
  });
  expect(json("rescue", "--vscode", "--yes").code).toBe(0);
  expect(Object.keys(entries()).sort()).toEqual([TORN, ORPHAN]);
  // No chat changes now.
  setList("CAST(value AS BLOB)");
  expect(home.again("rescue", "--vscode", "--dry-run").stdout).toMatch(
    /^Would rescue the list of sessions of GitHub Copilot Chat in VS Code\n/,
  );
  const done = home.again("rescue", "--vscode", "--yes").stdout;
  expect(done).toMatch(/^Rescued the list of sessions of GitHub Copilot Chat in VS Code\n/);
});

it("says what to do about a list that is no text, which could not be put back as it was", () => {
  setList("CAST(CAST(value AS BLOB) || x'ff' AS TEXT)");
  const before = lookAtAll(user());
  const { code, hint } = json("clone", `vscode:${ORPHAN}`).error;
  expect([code, hint]).toEqual([
    "list-damaged",
    expect.stringMatching(/^Open that folder in VS Code once, .*: rethread rescue --vscode$/),
  ]);
  expect(json("rescue", "--vscode", "--dry-run").losses).toContainEqual(
    expect.stringContaining("which is not stored as text: open that folder in VS Code once"),
  );
  expect(lookAtAll(user())).toEqual(before);
});

it("brings back the chats of a folder that was created again, or names the command that does", async () => {
  const shop = join(home.path, "shop");
  mkdirSync(shop);
  const used = join(dirname(folder()), await idOf(localFs, shop));
  mkdirSync(used);
  for (const store of [folder(), used])
    writeFileSync(join(store, "workspace.json"), JSON.stringify({ folder: `file://${shop}` }));
  const list = { version: 1, entries: { new: entry("new", "New") } };
  writeFileSync(join(used, "state.vscdb"), toKeyValueDb("ItemTable", { [INDEX]: JSON.stringify(list) }));
  mkdirSync(join(used, "chatSessions"));
  const chat = log({ kind: 0, v: { ...sessionOf(turn("a", [{ value: "b" }])), sessionId: "new" } });
  writeFileSync(join(used, "chatSessions", "new.jsonl"), chat);
  const fix = "rethread rescue --vscode";
  const remedy = { action: "rescue", args: { vscode: true } };
  const replaced = (): object[] =>
    json("doctor").problems.filter(({ code }: { code: string }) => code === "workspace-replaced");
  expect(replaced()).toMatchObject([
    { session: TORN, fix, remedy },
    { session: ORPHAN, fix, remedy },
  ]);
  expect(json("resume", ORPHAN)).toMatchObject({
    code: 4,
    error: { code: "workspace-replaced", hint: `Bring them there: ${fix}`, remedy },
  });

  const { stdout } = home.again("rescue", "--vscode", "--dry-run");
  expect(stdout).toContain(`2 chats of ${shop} follow it, because`);
  expect(json("rescue", "--vscode", "--dry-run", "--no-adopt")).toHaveProperty("adoptions", []);
  expect(json("rescue", "--vscode", "--yes")).toMatchObject({
    code: 0,
    adoptions: [{ from: shop, to: shop, sessionCount: 2, fix: null }],
  });
  expect(replaced()).toEqual([]);
  expect(json("undo", "--yes").code).toBe(0);

  // One is torn, and repaired where it is first.
  expect(json("rescue", "--vscode", "--yes", "--no-adopt").code).toBe(0);
  const moved = json("move", "--from", shop, "--to", shop, "--yes");
  expect(moved.sessions).toHaveLength(2);
  expect(moved.losses).toContain("1 session, which is there already");
  expect(replaced()).toEqual([]);
});
