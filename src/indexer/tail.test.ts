import {
  appendFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../platform/fs/local.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { openCatalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { CHILD_TABLES } from "../store/session-writer.ts";
import { refresh } from "./refresh.ts";

const fixtures = (source: string) => resolve(import.meta.dirname, "../../test/fixtures", source);
const now = () => new Date("2026-11-15T12:00:00Z");

let folder: string;
let home: string;
let db: Database;
let bytes: number;

/** Counts the bytes that are read: the price of a refresh. */
const counting: SessionFs = {
  ...localFs,
  async *chunks(path, range) {
    for await (const chunk of localFs.chunks(path, range)) {
      bytes += chunk.length;
      yield chunk;
    }
  },
  async read(path, range) {
    const content = await localFs.read(path, range);
    bytes += content.length;
    return content;
  },
};
const catalog = () =>
  openCatalog(
    SOURCES.filter((source) => source.id !== "vscode"),
    {
      platform: "linux",
      homeDir: folder,
      vars: { COPILOT_HOME: home, CLAUDE_CONFIG_DIR: join(folder, "claude") },
    },
    counting,
  );
const index = (into = db) => refresh(catalog(), createSessionStore(into), { outputHead: 256, now });

/** How far a reading got is its own affair; what it made of the session must be the same. */
const TABLES = ["sessions", ...CHILD_TABLES].filter(
  (table) => !["fingerprints", "bookmarks"].includes(table),
);
/** Every row but for ids that count up, and the order in which rows came. */
const rowsOf = (from: Database) =>
  Object.fromEntries(
    TABLES.map((table) => [
      table,
      from
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row) => JSON.stringify({ ...row, ...(table === "sessions" ? { number: 0 } : { id: 0 }) }))
        .sort(),
    ]),
  );
/** Words and where they stand, as the full-text index has them. */
const wordsOf = (from: Database) => {
  from.exec("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 0)");
  return from.prepare("SELECT term, doc, cnt FROM search_words ORDER BY term").all();
};
const whole = async () => {
  const fresh = openStore({ folder: join(folder, `fresh-${Math.random()}`), now, notice: () => undefined });
  try {
    await index(fresh);
    return { rows: rowsOf(fresh), words: wordsOf(fresh) };
  } finally {
    fresh.close();
  }
};
const known = () => ({ rows: rowsOf(db), words: wordsOf(db) });

const ID = "0b6a0000-0000-4000-8000-000000000001";
const log = () => join(home, "session-state", ID, "events.jsonl");
const record = (type: string, data: object, step = 0): string =>
  `${JSON.stringify({
    type,
    data,
    id: `81aa0000-0000-4000-8000-${String(step).padStart(12, "0")}`,
    timestamp: new Date(Date.UTC(2026, 10, 15, 10, 0, step)).toISOString(),
    parentId: null,
  })}\n`;
const START = record("session.start", {
  sessionId: ID,
  version: 1,
  producer: "copilot-agent",
  copilotVersion: "1.0.102",
  startTime: "2026-11-15T10:00:00.000Z",
});
const turn = (text: string, step: number): string =>
  record("user.message", { content: text, attachments: [] }, step) +
  record(
    "assistant.message",
    { messageId: `m${step}`, content: `On ${text}.`, toolRequests: [], model: "gpt-5.4" },
    step + 1,
  );
const write = (text: string): void => {
  mkdirSync(dirname(log()), { recursive: true });
  writeFileSync(log(), text);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-tail-"));
  home = join(folder, "home");
  db = openStore({ folder, now, notice: () => undefined });
  bytes = 0;
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("reads only what was appended", async () => {
  write(
    START + Array.from({ length: 400 }, (_, i) => turn(`topic ${i} ${"word ".repeat(100)}`, i * 2)).join(""),
  );
  await index();
  const more = turn("the zeppelin", 900);
  appendFileSync(log(), more);
  bytes = 0;
  expect(await index()).toMatchObject({ indexed: 1, turns: 1, bytesRead: more.length });
  expect(bytes).toBeLessThanOrEqual(more.length + 8192);
  expect(known()).toEqual(await whole());
});

it.each<[string, (text: string) => string]>([
  [
    "was edited at its beginning, byte for byte, and went on",
    (text) => text.replace("topic 1", "subject") + turn("more", 90),
  ],
  ["was written anew, longer", (text) => text.replace("topic 1", "another topic") + turn("more", 90)],
  ["lost its last turns", (text) => text.split("\n").slice(0, 3).join("\n").concat("\n")],
  [
    "lost its last turns and got others",
    (text) => `${text.split("\n").slice(0, 3).join("\n")}\n${turn("x".repeat(9000), 91)}`,
  ],
  ["ends in the middle of a record", (text) => text + turn("half", 92).slice(0, 300)],
])("notices a log that %s", async (_case, change) => {
  const long = turn("x".repeat(9000), 7);
  write(START + turn("topic 1", 1) + turn("topic 2", 3) + turn("topic 3", 5) + long);
  await index();
  writeFileSync(log(), change(readFileSync(log(), "utf8")));
  await index();
  expect(known()).toEqual(await whole());
});

it("completes a record that was half there", async () => {
  const next = turn("the zeppelin", 7);
  write(START + turn("topic 1", 1) + next.slice(0, 250));
  await index();
  appendFileSync(log(), next.slice(250));
  await index();
  expect(known()).toEqual(await whole());
});

const claudeRow = (step: number, more: object): string =>
  `${JSON.stringify({
    parentUuid: step === 0 ? null : `c1a0de00-0000-4000-8000-${String(step - 1).padStart(12, "0")}`,
    isSidechain: false,
    uuid: `c1a0de00-0000-4000-8000-${String(step).padStart(12, "0")}`,
    timestamp: new Date(Date.UTC(2026, 10, 15, 10, 0, step)).toISOString(),
    cwd: "/srv/shop",
    sessionId: ID,
    version: "2.1.325",
    ...more,
  })}\n`;
const claudeTurn = (text: string, step: number): string =>
  claudeRow(step, { type: "user", message: { role: "user", content: text } }) +
  claudeRow(step + 1, {
    type: "assistant",
    message: {
      id: `msg_${step}`,
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [{ type: "text", text: `On ${text}.` }],
      usage: { input_tokens: 10, output_tokens: 5 },
    },
  });

it("reads only what was appended to a Claude Code transcript, first its shape, then its words", async () => {
  const path = join(folder, "claude", "projects", "-srv-shop", `${ID}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const turns = Array.from({ length: 400 }, (_, i) => claudeTurn(`topic ${i} ${"word ".repeat(60)}`, i * 2));
  writeFileSync(path, turns.join(""));
  await index();
  const more = claudeTurn("the zeppelin", 800);
  appendFileSync(path, more);
  bytes = 0;
  expect(await index()).toMatchObject({ indexed: 1, bytesRead: more.length });
  expect(bytes).toBeLessThanOrEqual(2 * more.length + 8192);
  expect(known()).toEqual(await whole());
});

it.each<[string, string]>([
  [
    "a row that hangs on an earlier one",
    claudeRow(5, { type: "user", message: { role: "user", content: "instead" } }),
  ],
  [
    "the rest of the last reply",
    claudeRow(6, {
      type: "assistant",
      message: { id: "msg_4", role: "assistant", content: [{ type: "text", text: "And more." }] },
    }),
  ],
  [
    "a mark on an earlier row",
    `${JSON.stringify({ type: "last-prompt", lastPrompt: "x", leafUuid: "c1a0de00-0000-4000-8000-000000000001", explicit: true, sessionId: ID })}\n`,
  ],
  [
    "a row of a side chain",
    claudeRow(6, { type: "user", isSidechain: true, message: { role: "user", content: "aside" } }),
  ],
  [
    "the result of a call that was answered before",
    claudeRow(6, {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_x", content: "?" }] },
    }),
  ],
])("reads a transcript from its beginning when it got %s", async (_case, more) => {
  const path = join(folder, "claude", "projects", "-srv-shop", `${ID}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, claudeTurn("one", 0) + claudeTurn("two", 2) + claudeTurn("three", 4));
  await index();
  appendFileSync(path, more);
  const { bytesRead } = await index();
  expect(bytesRead).toBeGreaterThan(1000);
  expect(known()).toEqual(await whole());
});

it.each([
  { source: "copilot-cli", root: "home", logs: "session-state/**/*.jsonl", least: 15 },
  { source: "claude-code", root: "claude", logs: "projects/*/*.jsonl", least: 8 },
])(
  "makes the same rows whenever a log is read, of every $source session there is",
  async ({ source, root, logs, least }) => {
    const from = fixtures(source);
    const into = join(folder, root);
    for (const name of readdirSync(from)) cpSync(join(from, name, "home"), into, { recursive: true });
    const contents = globSync(logs, { cwd: into }).map((path) => ({
      path: join(into, path),
      lines: readFileSync(join(into, path))
        .toString("latin1")
        .split(/(?<=\n)/),
    }));
    expect(contents.length).toBeGreaterThan(least);
    // Sessions that tell no time of their own are as old as their files.
    const age = (): void => {
      for (const { path } of contents) utimesSync(path, 0, 0);
    };
    age();
    const expected = await whole();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
        async (cuts) => {
          db.close();
          rmSync(join(folder, "tail"), { recursive: true, force: true });
          db = openStore({ folder: join(folder, "tail"), now, notice: () => undefined });
          for (const { path } of contents) writeFileSync(path, "");
          let before = 0;
          for (const place of [...cuts.toSorted((a, b) => a - b), 1]) {
            for (const { path, lines } of contents) {
              const added = lines.slice(Math.round(before * lines.length), Math.round(place * lines.length));
              appendFileSync(path, added.join(""), "latin1");
            }
            age();
            before = place;
            await index();
          }
          expect(rowsOf(db)).toEqual(expected.rows);
          expect(wordsOf(db)).toEqual(expected.words);
        },
      ),
      { numRuns: 15 },
    );
  },
);
