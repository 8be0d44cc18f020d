/** The copy of the store without secrets follows the store, session by session. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRedactor, type Redactor } from "../../model/redact/redact.ts";
import { toolText } from "../../model/session/turn-text.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";
import { openStore } from "../open.ts";
import { createSessionStore } from "../session-store.ts";
import { copyRedacted } from "./copy.ts";

const TOKEN = ["ghp", "a7Rt2Yx9kQ3Zt7Wc5RvD1nYf8LsGh2JpTe6U"].join("_");
const PASSWORD = "Zq8vT2mLx9Kd4Rw7";
const HEAD = 256;

let folder: string;
let from: Database;
let to: Database;
const open = (name: string): Database =>
  openStore({ folder: join(folder, name), now: () => new Date(), notice: () => undefined });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-copy-"));
  from = open("whole");
  to = open("redacted");
});
afterEach(() => {
  from.close();
  to.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Told {
  readonly prompts: readonly string[];
  readonly more?: string;
  readonly title?: string;
  readonly label?: string;
  readonly paths?: readonly string[];
  readonly at?: number;
}

function tell(id: string, { prompts, more = "", title = id, label, paths = [], at = 1 }: Told): void {
  const store = createSessionStore(from);
  store.begin();
  const rows = store.replace(id);
  for (const [index, user] of prompts.entries()) rows.turn({ index, user, more, response: "Done." });
  if (label !== undefined)
    rows.toolCall({ turn: 0, name: "bash", status: "ok", label, resultSize: 1, subAgent: false });
  for (const path of paths)
    rows.file({ path, tool: "edit", action: "edited", evidence: "tool", turn: 0, at: undefined });
  store.finish(id, {
    session: {
      ...{ source: "copilot-cli", id, title, turns: prompts.length, problems: 0, models: [] },
      ...{ path: `/home/${id}`, bytes: 10, updatedAt: "2026-11-14T00:00:00Z" },
    },
    problems: [],
    mark: { fingerprint: { size: at, mtimeMs: at, ino: 1 } },
  });
  store.commit();
}

const copy = (redactor: Redactor = createRedactor(), version = "1") =>
  copyRedacted(from, to, { redactor, version, outputHead: HEAD, patienceMs: 5000 });

const all = (sql: string, db = to): unknown[] => db.prepare(sql).all().flatMap(Object.values);
const prompts = (): unknown[] => all("SELECT user_message FROM turns ORDER BY session_id, turn_index");
const found = (words: string): unknown[] =>
  all(`SELECT DISTINCT session_id FROM search_index WHERE search_index MATCH '"${words}"' ORDER BY 1`);
const expectSound = (): void =>
  to.exec("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 1)");

it("has the same rows, without secrets, and follows what is changed and removed", async () => {
  tell("one", { prompts: [`Deploy with ${TOKEN}`, "And test"], paths: ["/srv/a.ts"] });
  tell("two", { prompts: ["Nothing to hide"] });
  await copy();
  expect(prompts()).toEqual(["Deploy with [redacted: github token]", "And test", "Nothing to hide"]);
  expect([found("deploy"), found("a7Rt2Yx9kQ3Zt7Wc5RvD1nYf8LsGh2JpTe6U"), found("a ts")]).toEqual([
    ["one"],
    [],
    ["one"],
  ]);
  expect(all("SELECT words FROM sessions ORDER BY id")).toEqual([
    "one\ndeploy with [redacted: github token]",
    "two\nnothing to hide",
  ]);
  tell("one", { prompts: ["Now something else"], at: 2 });
  createSessionStore(from).begin();
  createSessionStore(from).remove("two");
  createSessionStore(from).commit();
  await copy();
  expect(prompts()).toEqual(["Now something else"]);
  expect([found("deploy"), found("hide"), found("something else")]).toEqual([[], [], ["one"]]);
  expectSound();
});

it("copies nothing again that has not changed, and everything for another version", async () => {
  tell("one", { prompts: ["Hello"] });
  await copy();
  to.exec("UPDATE turns SET user_message = 'mine'");
  await copy();
  expect(prompts()).toEqual(["mine"]);
  to.exec("UPDATE turns SET user_message = 'Hello'");
  await copy(createRedactor(), "2");
  expect(prompts()).toEqual(["Hello"]);
  expectSound();
});

it("takes a secret out of sessions that were copied before anything named it", async () => {
  tell("one", { prompts: [`Is ${PASSWORD} right?`] });
  await copy();
  expect(found(PASSWORD)).toEqual(["one"]);
  tell("two", { prompts: [`No: ${PASSWORD}`, `DB_PASSWORD=${PASSWORD}`] });
  await copy();
  expect(prompts()).toEqual([
    "Is [redacted: password] right?",
    "No: [redacted: password]",
    "DB_PASSWORD=[redacted: password]",
  ]);
  expect(found(PASSWORD)).toEqual([]);
  expectSound();
});

it("finds a secret that is glued to other letters, in every table", async () => {
  tell("one", { prompts: [`Is pre${PASSWORD}post right?`], paths: [`/srv/${PASSWORD}_x/a.ts`] });
  tell("three", { prompts: ["Hello"], label: `login --as x_${PASSWORD}y` });
  await copy();
  tell("two", { prompts: [`DB_PASSWORD=${PASSWORD}`] });
  await copy();
  expect(prompts()).toEqual([
    "Is pre[redacted: password]post right?",
    "Hello",
    "DB_PASSWORD=[redacted: password]",
  ]);
  expect(
    [
      "title FROM sessions",
      "label FROM tool_calls",
      "file_path FROM session_files",
      "content FROM search_texts",
    ]
      .flatMap((what) => all(`SELECT ${what}`))
      .join(" "),
  ).not.toContain(PASSWORD);
  expectSound();
});

/** A session that names a secret is in place, and nothing was looked for yet. */
async function stopAfterNaming(): Promise<void> {
  tell("one", { prompts: [`Is ${PASSWORD} right?`] });
  await copy();
  tell("two", { prompts: [`DB_PASSWORD=${PASSWORD}`] });
  const stop = new AbortController();
  const stopped = copyRedacted(from, to, {
    ...{ redactor: createRedactor(), version: "1", outputHead: HEAD, patienceMs: 5000, signal: stop.signal },
    onProgress: ({ done, total }) => void (done === total && stop.abort()),
  });
  expect(await stopped).toBe(false);
  expect(all("SELECT count(*) FROM sessions")).toEqual([2]);
}

it("takes a secret out that was named just before it was stopped", async () => {
  await stopAfterNaming();
  await copy();
  expect(prompts()).toEqual(["Is [redacted: password] right?", "DB_PASSWORD=[redacted: password]"]);
  expectSound();
});

it("leaves sessions out that have a named secret, where there is no time to copy them", async () => {
  await stopAfterNaming();
  const hurried = { version: "1", outputHead: HEAD, patienceMs: 5000, withinMs: 0 };
  expect(await copyRedacted(from, to, { redactor: createRedactor(), ...hurried })).toBe(false);
  expect(prompts()).toEqual(["DB_PASSWORD=[redacted: password]"]);
  expect(await copy()).toBe(true);
  expect(prompts().length).toBe(2);
  expectSound();
});

it("learns what another process has copied in the meantime", async () => {
  const [mine, theirs] = [createRedactor(), createRedactor()];
  tell("one", { prompts: ["Hello"] });
  await copy(mine);
  tell("two", { prompts: [`DB_PASSWORD=${PASSWORD}`] });
  await copy(theirs);
  await copy(mine);
  expect(mine.text(`say ${PASSWORD}`)).not.toContain(PASSWORD);
});

it("lets the next process know what a session named outside its turns", async () => {
  tell("one", { prompts: ["Hello"], label: `DB_PASSWORD=${PASSWORD} psql` });
  await copy();
  tell("two", { prompts: [`It was ${PASSWORD}, I think`] });
  await copy(createRedactor());
  expect(prompts()[1]).toBe("It was [redacted: password], I think");
});

it("lets the next process know what a session named", async () => {
  tell("one", { prompts: [`DB_PASSWORD=${PASSWORD}`] });
  await copy();
  tell("two", { prompts: [`It was ${PASSWORD}, I think`] });
  const next = createRedactor();
  await copy(next);
  expect(prompts()[1]).toBe("It was [redacted: password], I think");
  expect(next.text(`say ${PASSWORD}`)).not.toContain(PASSWORD);
});

it("has no half of a secret where a text was cut before", async () => {
  const half = TOKEN.slice(0, 20);
  tell("one", {
    prompts: [`Use the key ${TOKEN} for it`],
    title: `Use the key ${half}`,
    label: `${"x".repeat(199 - half.length)} ${half}`,
    more: toolText(`${"y".repeat(HEAD - 1 - half.length)} ${half}`),
  });
  await copy();
  const [title, label, more] = [
    all("SELECT title FROM sessions"),
    all("SELECT label FROM tool_calls"),
    all("SELECT more FROM turns"),
  ].map(String);
  for (const text of [title, label, more, String(all("SELECT content FROM search_texts"))])
    expect(text).not.toContain(half.slice(0, 9));
  expect(title).toMatch(/^Use the key/);
  expect(label).toMatch(/^x+ $/);
});

it("keeps one of two rows that are the same without their secrets", async () => {
  const other = TOKEN.replace("a7Rt", "b8Su");
  tell("one", { prompts: ["Hello"], paths: [`/srv/${TOKEN}.json`, `/srv/${other}.json`] });
  await copy();
  expect(all("SELECT file_path FROM session_files")).toEqual(["/srv/[redacted: github token].json"]);
});

it("stays whole when two processes copy at once", async () => {
  for (let at = 0; at < 60; at++) tell(`s${at}`, { prompts: [`Number ${at} with ${TOKEN}`, "again"] });
  const [mine, theirs] = [to, open("redacted")];
  const both = [mine, theirs].map((db) =>
    copyRedacted(from, db, { redactor: createRedactor(), version: "1", outputHead: HEAD, patienceMs: 5000 }),
  );
  expect(await Promise.all(both)).toEqual([true, true]);
  theirs.close();
  expect(all("SELECT count(*) FROM turns")).toEqual([120]);
  expect(all("SELECT count(*) FROM search_index WHERE search_index MATCH 'number'")).toEqual([60]);
  expectSound();
});

it("stops when it is told to, and goes on the next time", async () => {
  for (let at = 0; at < 5; at++) tell(`s${at}`, { prompts: [`Number ${at}`] });
  const signal = AbortSignal.abort();
  const options = { redactor: createRedactor(), version: "1", outputHead: HEAD, patienceMs: 5000, signal };
  expect(await copyRedacted(from, to, options)).toBe(false);
  expect(await copy()).toBe(true);
  expect(prompts().length).toBe(5);
});
