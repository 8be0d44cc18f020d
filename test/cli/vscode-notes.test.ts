/** What VS Code notes beside the words of a chat: in full pages, in JSON, found by search, and left out where it names people. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Part } from "../../src/model/session/turns.ts";
import { log, sessionOf, turn } from "../vscode-log.ts";
import { createHome, type Home, linesOf } from "./home.ts";

const ID = "11111111-aaaa-4bbb-8ccc-000000000001";
const uri = (path: string, scheme = "file"): object => ({ $mid: 1, path, scheme });
const tool = (toolCallId: string, more: object): object => ({
  kind: "toolInvocationSerialized",
  toolCallId,
  toolId: "made_up",
  isComplete: true,
  invocationMessage: "Working",
  ...more,
});
const REQUEST = turn(
  "Plan it",
  [
    tool("c1", {
      toolId: "manage_todo_list",
      isConfirmed: { type: 1 },
      source: { type: "internal", label: "Built-In" },
      toolSpecificData: {
        kind: "todoList",
        todoList: [
          { id: "1", title: "Draft the gazetteer", description: "with hills", status: "completed" },
          { id: "2", title: "Print it", description: "", status: "in-progress" },
          { id: "3", title: "Bind it", status: "not-started" },
        ],
      },
    }),
    tool("c2", {
      isConfirmed: { type: 4 },
      source: { type: "mcp", label: "Cartographer", serverLabel: "carto" },
    }),
    { value: "Done." },
  ],
  {
    contentReferences: [
      { kind: "reference", reference: uri("/srv/shop/src/atlas.ts") },
      { kind: "reference", reference: { variableName: "selection", value: { uri: uri("/srv/shop/b.ts") } } },
      { kind: "reference", reference: { uri: uri("/srv/shop/c.ts"), range: {} } },
    ],
    codeCitations: [
      {
        kind: "codeCitation",
        value: uri("/acme/maps", "https"),
        license: "Zlib",
        snippet: "projectMercator()",
      },
    ],
    followups: [{ kind: "reply", message: "Should I also fold the map?", agentId: "a" }],
    result: { details: "Claude Opus 4.5 (Preview) • 3x", metadata: {} },
    agent: {
      id: "github.copilot.editsAgent",
      name: "agent",
      fullName: "GitHub Copilot",
      extensionId: { value: "GitHub.copilot-chat", _lower: "github.copilot-chat" },
      extensionVersion: "0.33.5",
      metadata: {},
    },
  },
);
let home: Home;
let store: string;
const json = (...words: string[]) => JSON.parse(home.rethread(...words, "--json").stdout);
/** One line a note, without its place. */
const notes = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === "note" ? [[part.about, part.items]] : []));

beforeAll(() => {
  home = createHome();
  store = join(home.path, ".config/Code/User/workspaceStorage", "aa".repeat(16));
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(store, name)), { recursive: true });
    writeFileSync(join(store, name), text);
  };
  const state = {
    version: 2,
    initialFileContents: [["file:///srv/shop/src/atlas.ts", "0beec7b"]],
    timeline: { operations: [] },
    recentSnapshot: {
      entries: [
        {
          resource: "file:///srv/shop/src/atlas.ts",
          originalHash: "0beec7b",
          currentHash: "2aae6c3",
          state: 1,
          telemetryInfo: { requestId: "request_Plan it" },
        },
      ],
    },
  };
  put("workspace.json", '{"folder":"file:///srv/shop"}');
  put(
    `chatSessions/${ID}.jsonl`,
    log({ kind: 0, v: { ...sessionOf(REQUEST), requesterUsername: "mapmaker" } }),
  );
  put(`chatEditingSessions/${ID}/state.json`, JSON.stringify(state));
  put(`chatEditingSessions/${ID}/contents/0beec7b`, "foo\n");
  put(`chatEditingSessions/${ID}/contents/2aae6c3`, "foo\nbar\n");
});
afterAll(() => home.remove());

it("gives programs all of it", () => {
  const { session, turns } = json("show", ID);
  expect(session).toMatchObject({ userName: "mapmaker", agentName: "GitHub Copilot", producer: "0.33.5" });
  const kept = join(store, "chatEditingSessions", ID, "contents");
  const state = { kind: "file-state", name: "/srv/shop/src/atlas.ts" };
  const record = "request_Plan it";
  expect(session.sidecars).toEqual([
    { ...state, path: join(kept, "0beec7b"), bytes: 4, detail: "before the chat" },
    { ...state, path: join(kept, "0beec7b"), bytes: 4, detail: "before the edits", record },
    { ...state, path: join(kept, "2aae6c3"), bytes: 8, detail: "after the edits, kept", record },
  ]);
  const [{ parts }] = turns;
  expect(parts.filter((part: Part) => part.kind === "tool")).toMatchObject([
    { provider: { kind: "built-in", name: "Built-In" }, approval: "not-needed" },
    { provider: { kind: "mcp", name: "Cartographer" }, approval: "user" },
  ]);
  expect(notes(parts)).toEqual([
    [
      "tasks",
      [
        { text: "Draft the gazetteer", detail: "with hills", status: "done" },
        { text: "Print it", status: "active" },
        { text: "Bind it", status: "open" },
      ],
    ],
    [
      "references",
      [
        { text: "atlas.ts", path: "/srv/shop/src/atlas.ts" },
        { text: "selection", path: "/srv/shop/b.ts" },
        { text: "c.ts", path: "/srv/shop/c.ts" },
      ],
    ],
    ["citations", [{ text: "Zlib", path: "https:///acme/maps", detail: "projectMercator()" }]],
    ["followups", [{ text: "Should I also fold the map?" }]],
    ["details", [{ text: "Claude Opus 4.5 (Preview) • 3x" }]],
    ["agent", [{ text: "GitHub Copilot", detail: "GitHub.copilot-chat 0.33.5" }]],
  ]);
});

/** Words of each of them. */
const WORDS = [
  "file-state · /srv/shop/src/atlas.ts · before the chat",
  "tasks, 1 of 3 done",
  "✓ Draft the gazetteer: with hills",
  "· Bind it",
  "Cartographer (mcp), approved by the user",
  "selection (b.ts)",
  "code citations: Zlib (https:///acme/maps): projectMercator()",
  "suggested next: Should I also fold the map?",
  "answered by: Claude Opus 4.5 (Preview) • 3x",
  "agent: GitHub Copilot: GitHub.copilot-chat 0.33.5",
];

it("shows all of it in full, and little more than the words otherwise", () => {
  const full = linesOf(home.rethread("show", ID, "--full")).join("\n");
  for (const words of [...WORDS, "mapmaker and GitHub Copilot"]) expect(full).toContain(words);
  const short = linesOf(home.rethread("show", ID)).join("\n");
  for (const words of WORDS) expect(short).not.toContain(words);
  expect(short).toContain("3 kept file states");
  expect(full).toMatch(/\nalso has {3}3 kept file states\n +file-state · /);
});

it("is in exported pages, without the name of the person when they are redacted", () => {
  const page = home.rethread("export", ID, "--format", "md", "--full").stdout;
  expect(page).toContain("Draft the gazetteer");
  expect(page).toContain("mapmaker");
  expect(home.rethread("export", ID, "--format", "html").stdout).toContain("<li>✓ Draft the gazetteer");
  for (const format of ["md", "json", "html"])
    expect(home.rethread("export", ID, "--format", format, "--redact").stdout).not.toContain("mapmaker");
});

it.each([
  "gazetteer hills",
  "cartographer",
  "atlas",
  "projectMercator",
  "fold the map",
  "preview 3x",
  "mapmaker",
])("is found by %s", (words) => {
  const { hits, partial } = json("search", words);
  expect({ partial, ids: hits.map((hit: { session: { id: string } }) => hit.session.id) }).toMatchObject({
    partial: false,
    ids: expect.arrayContaining([ID]),
  });
});
