/** Every operation answers what its schema says, takes nothing else than its schema says, and can be reached. */

import { globSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/contract.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { AppError } from "../../src/model/errors.ts";
import { toOutcomeJson, unwritten, written } from "../../src/operations/changes/apply.ts";
import { clone } from "../../src/operations/changes/clone.ts";
import { rewind } from "../../src/operations/changes/rewind.ts";
import { loadOperations, type OperationName } from "../../src/operations/index.ts";
import type { AnyOperation } from "../../src/operations/operation.ts";
import { openOperations } from "../../src/operations/outside.ts";
import { sessionDocument } from "../../src/operations/questions/show.ts";
import { jsonPage } from "../../src/present/json/page.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { builtSelf } from "../built.ts";
import { HUB_ANSWERS, SCRIPTED_TOKEN, type ScriptedHub, scriptedHub } from "../hub/scripted-hub.ts";
import { SCRIPTED_COPILOT } from "../scripted-copilot.ts";

const NOW = new Date("2026-11-15T12:00:00.000Z");
const operations = await loadOperations();
const byName = new Map(operations.map((operation) => [operation.name, operation]));
let folder: string;
let app: App;
let hub: ScriptedHub;
/** Of each source, the session with the most turns. */
let longest: readonly string[];
/** One with a checkpoint. */
let compacted: string;
/** The longest that can be changed. */
let cli: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-operations-")));
  writeFileSync(join(folder, "copilot"), SCRIPTED_COPILOT, { mode: 0o755 });
  hub = await scriptedHub(HUB_ANSWERS);
  const config = toConfig(
    { demo: "on" },
    {
      vars: {
        RETHREAD_HOME: join(folder, "data"),
        PATH: `${folder}:${process.env.PATH}`,
        RETHREAD_HUB_URL: hub.url,
        RETHREAD_HUB_TOKEN: SCRIPTED_TOKEN,
      },
      platform: process.platform,
      homeDir: join(folder, "home"),
      folder,
      stdout: {},
      stderr: {},
      self: builtSelf(),
      now: () => NOW,
    },
  );
  app = await createApp(config);
  const { sessions } = await app.list({});
  longest = SOURCES.flatMap(({ id }) => {
    const own = sessions.filter(({ source, vanishedAt }) => source === id && vanishedAt === undefined);
    const [first] = own.toSorted((a, b) => b.turns - a.turns);
    return first ? [`${first.source}:${first.id}`] : [];
  });
  const { rows } = await app.sql({ sql: "SELECT session_id FROM checkpoints LIMIT 1" });
  cli = longest.find((name) => name.startsWith("copilot-cli:")) ?? "";
  compacted = String(rows[0]?.[0]);
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A plan as a caller from outside makes it. */
const planned = async (name: OperationName, input: object): Promise<{ fingerprint: string }> => {
  const operation = byName.get(name);
  if (operation?.kind !== "change") throw new Error(`${name} makes no plan`);
  return (await operation.run(app, operation.input(z).parse(input))) as { fingerprint: string };
};

/** A write that history has afterwards. */
const forked = async (): Promise<string> => {
  const { fingerprint } = await planned("fork", { session: cli, at: 0 });
  return (await (await app.edit()).apply(fingerprint)).operation;
};

const bundled = async (out: string): Promise<string> => {
  await app.exportBundle({ names: [cli], where: {}, out, force: true, madeBy: "a test" });
  return out;
};

/** A conversation in which something was said. */
const begun = async (): Promise<string> => {
  const bridge = await app.chat();
  const { id } = await bridge.begin({ workspace: folder });
  for await (const _ of bridge.send(id, "Hello"));
  return id;
};

let migrations = 0;

let items = 0;
const newItem = () => ({ repository: "acme/shop", branch: "main", name: `item-${items++}`, content: "Text" });

type Examples = readonly Readonly<Record<string, unknown>>[];

/** Inputs as JSON, at least one for each operation: a new operation does not compile here without any. */
const EXAMPLES: Readonly<Record<OperationName, () => Examples | Promise<Examples>>> = {
  overview: () => [{}, { sources: ["copilot-cli"] }],
  list: () => [
    {},
    { since: "2026-10-01T00:00:00Z", limit: 2 },
    { facets: true, text: "login", problems: false, limit: 1 },
    { facets: true, exact: true, branch: "main", copies: true, problems: true },
  ],
  search: () => [
    { text: "test" },
    { text: "test", facets: true, sources: ["vscode"], exact: true },
    { text: "the", session: cli, limit: 3 },
    { text: "the tset zzzyx", role: "tool", until: "2026-11-15T12:00:00+01:00" },
  ],
  where: () => [
    { file: "src", limit: 3 },
    { ref: "#1" },
    { error: "Error: expected\nnothing" },
    { text: "the", limit: 2 },
  ],
  show: () => [...longest, compacted].map((session) => ({ session })).concat({ session: cli }),
  outline: () => [...longest, compacted].map((session) => ({ session })),
  brief: () => [...longest.map((session) => ({ session })), { session: compacted, redact: true }],
  turns: () => [
    ...[...longest, compacted].map((session) => ({ session })),
    { session: cli, from: 1, to: 2, textLimit: 10, whole: true },
  ],
  record: () => longest.map((session) => ({ session, line: 1 })),
  "changed-files": () => [...longest, compacted].map((session) => ({ session })),
  async image() {
    const { sessions } = await app.list({});
    const [found] = sessions.filter(({ title }) => title === "Flaky login test in CI");
    const { turns } = await app.turns(found?.id ?? "", { to: 0 });
    return [{ session: found?.id, image: turns[0]?.attachments[0]?.image?.id }];
  },
  find: () => [
    ...longest.map((session) => ({ session, text: "the" })),
    { session: cli, text: "zzz not there", limit: 1 },
  ],
  page: () => [{ session: cli, redact: true }],
  "last-prompt": () => longest.map((name) => ({ source: name.split(":")[0], id: name.split(":")[1] })),
  context: () => longest.map((session) => ({ session })),
  lens: () => [
    ...longest.flatMap((session) => [{ session }, { session, budget: 500 }]),
    { session: compacted, budget: 300, changedOnly: true },
  ],
  checkpoints: () => [...longest, compacted].map((session) => ({ session })),
  checkpoint: () => [{ session: compacted }, { session: compacted, number: 1 }],
  blame: async () => {
    const [first] = (await app.files()).files;
    return [{ file: first?.path }, { file: first?.path, line: 1, why: true }];
  },
  files: () => [{}, { text: "src/", limit: 3 }, { folder: "/nowhere" }],
  diff: () => [{ a: longest[0], b: longest[1] }],
  tree: () => [{}, { session: longest[0] }],
  workspaces: () => [{}, { sources: ["vscode"] }],
  stats: () => [{}, { since: "2026-10-01T00:00:00Z" }],
  "stats-by": () => ["day", "repository", "model", "tool", "file"].map((by) => ({ by, limit: 3 })),
  "chronicle-standup": () => [
    {},
    { since: "2026-10-01T00:00:00Z", repository: "storefront" },
    { since: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00Z", git: false },
  ],
  "chronicle-tips": () => [{}, { since: "2026-10-01T00:00:00Z", repository: "storefront" }],
  "chronicle-improve": () => [{}, { since: "2026-08-20T00:00:00Z", files: ["CLAUDE.md"] }, { findings: [] }],
  sql: () => [
    { sql: "SELECT 1, 'a', NULL, 1.5", limit: 10, timeoutMs: 20_000 },
    { sql: "SELECT source, session, turn FROM turn_overview", limit: 3, places: true },
  ],
  schema: () => [{}],
  doctor: () => [{}, { sources: ["vscode"] }],
  examine: () => [{}, { sources: ["vscode"] }],
  config: () => [{}, { name: "archive" }],
  "config-set": () => [{ name: "backupDays", value: "90" }],
  sources: () => [{}],
  tags: () => [{}, { session: cli }],
  tag: () => [
    { sessions: [cli, ...longest], add: ["Review", "a b"] },
    { sessions: [cli], remove: ["review"] },
  ],
  "folder-matches": () => [{}, { folder: "/srv/nowhere", limit: 2 }],
  launch: () => longest.map((session) => ({ session })),
  chats: () => [{}],
  chat: async () => [{ id: await begun() }],
  "chat-rename": async () => [{ id: await begun(), title: "Renamed" }],
  "chat-delete": async () => [{ id: await begun() }],
  "chat-restore": async () => {
    const id = await begun();
    await (await app.chat()).keeping.delete(id);
    return [{ id }];
  },
  async history() {
    await forked();
    return [{}];
  },
  "verify-backups": () => [{}],
  "repair-backups": () => [{}],
  confirm: () => [{ operation: "all" }],
  prune: () => [{}],
  "board-list": () => [{}, { all: true }, { repository: "lumen-shop/storefront", branch: "main" }],
  "board-get": () => [
    { repository: "lumen-shop/storefront" },
    { repository: "storefront", name: "money-in-cents", source: "user" },
  ],
  "board-add": () => [
    newItem(),
    { ...newItem(), description: "A line", source: "agent" },
    { ...newItem(), dryRun: true },
  ],
  "board-edit": async () => {
    const { repository, name } = newItem();
    await (await app.board()).add({ repository, name, content: "a" });
    return [{ repository, name, content: "b", description: "c" }];
  },
  "board-prune": () => [
    { all: true, unread: true, before: "2020-01-01T00:00:00Z" },
    { repository: "lumen-shop/storefront", name: "*", dryRun: true },
  ],
  "board-consolidate": () => [
    { all: true, since: "2020-01-01T00:00:00Z" },
    { repository: "lumen-shop/storefront", since: "2020-01-01T00:00:00Z", apply: true },
    { repository: "lumen-shop/storefront", since: "2020-01-01T00:00:00Z" },
  ],
  "board-undo": async () => {
    const { repository, name } = newItem();
    const { operation } = await (await app.board()).add({ repository, name, content: "a" });
    return [{ operation }];
  },
  clone: () => [
    { session: cli },
    { session: cli, dropOldest: { percent: 50 }, tools: { truncate: 100 }, summarize: true, to: folder },
    { session: cli, budget: 1000, dropThinking: true, name: "Smaller" },
  ],
  fork: () => [{ session: cli, at: 0 }, { session: cli }],
  rewind: () => [{ session: cli, to: 0 }],
  compact: () => [
    { session: cli, keep: 1 },
    { session: cli, append: true, ignoreLock: true },
  ],
  "checkpoint-create": () => [{ session: cli, title: "So far" }],
  move: () => [{ sessions: [cli], to: join(folder, "elsewhere"), text: true }],
  rename: () => [{ session: cli, name: "Another" }],
  delete: () => [{ session: cli }],
  rescue: async () => (await app.damaged()).map((session) => ({ session })),
  "rescue-all": () => [{ source: "vscode" }],
  handoff: () => [
    { session: cli, to: "vscode", workspace: folder },
    { session: compacted, to: "claude-code", workspace: folder, name: "Elsewhere" },
  ],
  "handoff-brief": () => [{ session: cli }, { session: compacted, budget: 300, redact: true }],
  import: async () => [{ file: await bundled("import.tar.gz"), newId: true, to: folder }],
  improve: () => [
    {},
    { repository: "storefront", files: [".github/copilot-instructions.md"] },
    { findings: [] },
  ],
  "mcp-install": () => [{ agent: "copilot-cli" }, { agent: "claude-code", allowWrite: true }],
  "mcp-uninstall": () => [{ agent: "vscode" }],
  undo: async () => [{ operation: await forked() }, {}],
  "backup-copy": async () => {
    const { fingerprint } = await planned("rename", { session: cli, name: "Renamed" });
    return [{ operation: (await (await app.edit()).apply(fingerprint)).operation }];
  },
  "preview-vendor-rows": async () => [await only("fork", { session: cli })],
  blockers: () => [{ paths: [join(folder, "state.vscdb")] }],
  jobs: () => [{}],
  "job-start": () => [
    {
      changes: [{ operation: "rename", input: { session: "no such session", name: "x" } }],
      command: "rethread",
    },
  ],
  "job-cancel": async () => {
    const changes = [{ operation: "delete", input: { session: cli } }];
    const { id } = (await app.jobs()).files.create({ changes, command: "rethread" }, folder);
    return [{ job: id }];
  },
  "plan-together": async () => {
    const vscode = longest.find((name) => name.startsWith("vscode:"));
    const one = await planned("rename", { session: cli, name: "One" });
    const two = await planned("rename", { session: vscode, name: "Two" });
    return [{ fingerprints: [one.fingerprint, two.fingerprint] }];
  },
  apply: async () => [
    await only("fork", { session: longest.find((name) => name.startsWith("vscode:")), at: 0 }),
    await only("rewind", { session: cli, to: 1 }),
    await only("rescue", { session: (await app.damaged())[0] }),
  ],
  migrate: () => [{ to: "home.tar.gz" }],
  "apply-migration": async () => [await only("migrate", { to: `moved-${migrations++}` })],
  index: () => [{}, { sources: ["copilot-cli"], rebuild: true }],
  watch: () => [{}],
  "index-state": () => [{}],
  "index-copilot": () => [{ dryRun: true }, {}],
  "restore-copilot": () => [{ file: globSync(`${folder}/**/*.db`).find((path) => path.includes("backup")) }],
  export: () => [
    { sessions: [cli], format: "md", out: "one.md", redact: true },
    { limit: 3, format: "html", out: "pages" },
  ],
  "export-bundle": () => [{ sessions: [cli], out: "bundle.tar.gz" }],
  "export-transcript": () => [{ sessions: [cli], format: "copilot", out: "transcript.jsonl", redact: true }],
  "secrets-scan": () => [{}, { sessions: [cli] }, { sources: ["vscode"], since: "2026-10-01T00:00:00Z" }],
  "secrets-scrub": () =>
    longest.filter((name) => !name.startsWith("claude")).map((name) => ({ sessions: [name] })),
  "sync-status": () => [{}],
  "sync-preview": () => [{}, { repository: "storefront", since: "2026-10-01T00:00:00Z" }],
  "sync-push": () => [{ consents: true }, { sessions: [cli] }],
  "sync-watch": async () => {
    // Something to send at once.
    await forked();
    return [{}];
  },
  "sync-rules": () => [
    { effect: "deny", repositories: ["acme/*"], folders: ["/srv/notes"], sessions: [cli] },
    { effect: "forget", repositories: ["acme/*"], folders: ["/srv/notes"], sessions: [cli] },
  ],
  "sync-pull": () => [{}, { dryRun: true }],
  "sync-delete": () => [{ sessions: [cli] }, { sessions: [cli], dryRun: true }],
  "sync-share": () => [{}, { repositories: ["acme/shop"], team: "platform", dryRun: true }],
  "hub-login": () => [{ url: hub.url, token: SCRIPTED_TOKEN }],
  "hub-logout": () => [{}],
  "hub-key": () => [{ action: "new" }, { action: "show" }],
  "hub-search": () => [
    { text: "login" },
    {
      text: "login",
      sources: ["vscode"],
      people: ["robin"],
      team: "platform",
      since: "2026-10-01T00:00:00Z",
    },
  ],
  "hub-sql": () => [{ sql: "SELECT 1 AS a", limit: 3 }],
  "hub-schema": () => [{}],
  "hub-whoami": () => [{}],
  "chat-send": () => [{ message: "Hello", workspace: folder }],
};

const only = async (name: OperationName, input: object): Promise<{ fingerprint: string }> => {
  const { fingerprint } = await planned(name, input);
  return { fingerprint };
};

/** What an aborted call does instead of rejecting. */
const ENDS: Readonly<Partial<Record<OperationName, string>>> = {
  index: "says what is left to do",
  watch: "ends, as it would at any time",
  chats: "lists a folder, which takes no time",
  chat: "reads one file, which takes no time",
  "chat-rename": "writes one file, which takes no time",
  "chat-delete": "moves one file, which takes no time",
  "chat-restore": "moves one file, which takes no time",
  jobs: "lists a folder, which takes no time",
  "sync-watch": "ends, as it would at any time",
  "chat-send": "ends with an answer that is marked as cancelled",
};

/** For pages, which show a part of a session at a time; the command shows it whole. */
const WITHOUT_COMMAND: readonly OperationName[] = [
  "record",
  "changed-files",
  "image",
  "find",
  "lens",
  "examine",
  "sources",
  "index-state",
];

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What a caller from outside gets. */
async function ask(operation: AnyOperation, json: unknown): Promise<unknown[]> {
  const input = operation.input(z).parse(json);
  if (operation.kind !== "stream") return [asJson(operation.toJson(await operation.run(app, input), app))];
  const items: unknown[] = [];
  const stop = new AbortController();
  const take = (item: unknown): void => {
    items.push(asJson(operation.toJson(item, app)));
    // It never ends by itself.
    if (operation.name.endsWith("watch")) stop.abort();
  };
  await operation.run(app, input, take, { signal: stop.signal });
  expect(items.length).toBeGreaterThan(0);
  return items;
}

describe.each(operations.map((operation) => ({ name: operation.name as OperationName, operation })))(
  "$name",
  ({ name, operation }) => {
    it("answers what its schema says, field by field", async () => {
      const examples = await EXAMPLES[name]();
      expect(examples.length).toBeGreaterThan(0);
      // What the schema does not know, parsing leaves out.
      for (const example of examples)
        for (const answer of await ask(operation, example))
          expect(operation.output(z).parse(answer), JSON.stringify(example)).toEqual(answer);
    });

    it("takes nothing else than its schema says, and names the field", () => {
      const schema = operation.input(z);
      const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
      for (const field of [...Object.keys(properties), "nonsense"]) {
        const { error } = schema.safeParse({ [field]: [[]] });
        expect(error && z.prettifyError(error), field).toContain(field);
      }
    });

    it.skipIf(name in ENDS)("stops when its signal says so", async () => {
      const [example] = await EXAMPLES[name]();
      const input = operation.input(z).parse(example);
      const call = { signal: AbortSignal.abort() };
      const answer =
        operation.kind === "stream"
          ? operation.run(app, input, () => undefined, call)
          : operation.run(app, input, call);
      await expect(answer).rejects.toMatchObject({ code: "aborted" });
    });

    it("says in one line what it is for", () => {
      expect(operation.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
    });
  },
);

describe("the table of operations", () => {
  it("has each under its own name", () => {
    expect(operations.map(({ name }) => name)).toEqual(Object.keys(EXAMPLES));
  });

  it("has all that commands use, and beyond that only what pages ask", async () => {
    const used = (await loadCommands()).flatMap((command) => command.operations);
    for (const operation of used) expect(byName.get(operation.name)).toBe(operation);
    const others = operations.filter((operation) => !used.includes(operation));
    expect(others.map(({ name }) => name)).toEqual(WITHOUT_COMMAND);
  });

  it("is behind every command but those that only a terminal has", async () => {
    const commands = await loadCommands();
    const others = commands.filter((command) => command.operations.length === 0);
    expect(others.map(({ name }) => name)).toEqual(["demo", "completion", "help"]);
  });
});

describe("operations for callers from outside", () => {
  it("have JSON schemas, and answer in JSON", async () => {
    const open = await openOperations();
    expect(open.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
    for (const { name, input } of open) expect(input, name).toMatchObject({ type: "object" });
    const list = open.find(({ name }) => name === "list");
    expect(list?.input).toMatchObject({ properties: { since: { type: "string", format: "date-time" } } });
    expect(await list?.run(app, { limit: 1 })).toMatchObject({ sessions: [{ source: expect.any(String) }] });
    const items: unknown[] = [];
    const show = open.find(({ name }) => name === "show");
    await show?.run(app, { session: cli, turn: 0 }, { onItem: (item) => void items.push(item) });
    expect(items).toMatchObject([{ type: "head" }, { type: "turn", turn: { index: 0 } }]);
  });

  it.each(["show", "chat-send"])("report that nobody takes the items of %s", async (name) => {
    const stream = (await openOperations()).find((each) => each.name === name);
    const input = name === "show" ? { session: cli } : { message: "Hello", workspace: folder };
    const onItem = () => Promise.reject(new Error("the connection is closed"));
    await expect(stream?.run(app, input, { onItem })).rejects.toThrow("the connection is closed");
  });

  it.each([
    ["list", { limit: 0 }, "limit"],
    ["list", { since: "7d" }, "since"],
    ["list", { nonsense: true }, "nonsense"],
    ["context", {}, "session"],
    ["clone", { session: "x", tools: { oldest: 101 } }, "tools"],
    // A command of the caller's choice runs only for somebody at this machine.
    ["compact", { session: "x", with: "touch /tmp/owned" }, "with"],
    ["clone", { session: "x", with: "copilot" }, "with"],
    ["checkpoint-create", { session: "x", with: "copilot" }, "with"],
  ])("%s refuses %j and names the field", async (name, input, field) => {
    const open = (await openOperations()).find((each) => each.name === name);
    const failed = await open?.run(app, input).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(AppError);
    expect(failed).toMatchObject({ code: "usage", message: expect.stringContaining(field) });
  });

  it("carry out a plan by its fingerprint, once, and none that they are handed", async () => {
    const open = new Map((await openOperations()).map((each) => [each.name, each]));
    const plan = await open.get("fork")?.run(app, { session: cli, at: 0 });
    const { fingerprint } = plan as { fingerprint: string };
    expect(await open.get("apply")?.run(app, { fingerprint })).toMatchObject({ plan: { kind: "fork" } });
    await expect(open.get("apply")?.run(app, { fingerprint })).rejects.toMatchObject({
      code: "plan-not-found",
    });
    await expect(open.get("apply")?.run(app, plan)).rejects.toMatchObject({ code: "usage" });
  });
});

describe("what commands print that is made of several answers", () => {
  it("is a session as one document", async () => {
    for (const name of [...longest, compacted]) {
      let text = "";
      const page = jsonPage((piece) => {
        text += piece;
      }, app);
      await app.show(name, {}, page);
      page.end();
      const { schemaVersion: _, ...document } = JSON.parse(text);
      expect(sessionDocument(z).parse(document)).toEqual(document);
    }
  });

  it("is a plan with what became of it", async () => {
    const smaller = await clone.run(app, { session: cli, dropOldest: { count: 1 }, summarize: true });
    const shorter = await rewind.run(app, { session: cli, to: 0 });
    for (const [plan, schema] of [
      [smaller, written(clone.output)],
      [shorter, written(rewind.output)],
    ] as const) {
      const outcome = asJson(toOutcomeJson(unwritten(plan, []), app));
      expect(schema(z).parse(outcome)).toEqual(outcome);
    }
  });
});
