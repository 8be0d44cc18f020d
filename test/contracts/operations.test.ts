/** Every operation answers what its schema says, takes nothing else than its schema says, and can be reached. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/contract.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { loadOperations, type OperationName } from "../../src/operations/index.ts";
import type { AnyOperation } from "../../src/operations/operation.ts";
import { SOURCES } from "../../src/sources/registry.ts";

const NOW = new Date("2026-11-15T12:00:00.000Z");
const operations = await loadOperations();
const byName = new Map(operations.map((operation) => [operation.name, operation]));
let folder: string;
let app: App;
/** Of each source, the session with the most turns. */
let longest: readonly string[];
/** One with a checkpoint. */
let compacted: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-operations-")));
  const config = toConfig(
    { demo: "on" },
    {
      vars: { RETHREAD_HOME: join(folder, "data"), PATH: process.env.PATH },
      platform: process.platform,
      homeDir: join(folder, "home"),
      folder,
      stdout: {},
      stderr: {},
      self: [process.execPath, join(import.meta.dirname, "../../src/cli/main.ts")],
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
  compacted = String(rows[0]?.[0]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Inputs as JSON, at least one for each operation: a new operation does not compile here without any. */
const EXAMPLES: Readonly<Record<OperationName, () => readonly Readonly<Record<string, unknown>>[]>> = {
  overview: () => [{}, { sources: ["copilot-cli"] }],
  list: () => [{}, { since: "2026-10-01T00:00:00Z", limit: 2 }],
  search: () => [
    { text: "test" },
    { text: "the tset zzzyx", role: "tool", until: "2026-11-15T12:00:00+01:00" },
  ],
  context: () => longest.map((session) => ({ session })),
  checkpoints: () => longest.map((session) => ({ session })),
  checkpoint: () => [{ session: compacted }, { session: compacted, number: 1 }],
  diff: () => [{ a: longest[0], b: longest[1] }],
  tree: () => [{}, { session: longest[0] }],
  stats: () => [{}, { since: "2026-10-01T00:00:00Z" }],
  "stats-by": () => ["day", "repository", "model", "tool", "file"].map((by) => ({ by, limit: 3 })),
  sql: () => [{ sql: "SELECT 1, 'a', NULL, 1.5", limit: 10, timeoutMs: 20_000 }],
  schema: () => [{}],
  doctor: () => [{}, { sources: ["vscode"] }],
  launch: () => longest.map((session) => ({ session })),
  chats: () => [{}],
  history: () => [{}],
  "verify-backups": () => [{}],
  "repair-backups": () => [{}],
  confirm: () => [{ operation: "all" }],
  prune: () => [{}],
};

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What a caller from outside gets. */
async function ask(operation: AnyOperation, json: unknown): Promise<unknown[]> {
  const input = operation.input(z).parse(json);
  if (operation.kind !== "stream") return [asJson(operation.toJson(await operation.run(app, input), app))];
  const items: unknown[] = [];
  await operation.run(app, input, (item) => void items.push(asJson(operation.toJson(item, app))));
  return items;
}

describe.each(operations.map((operation) => ({ name: operation.name as OperationName, operation })))(
  "$name",
  ({ name, operation }) => {
    it("answers what its schema says, field by field", async () => {
      const examples = EXAMPLES[name]();
      expect(examples.length).toBeGreaterThan(0);
      // What the schema does not know, parsing leaves out.
      for (const example of examples)
        for (const answer of await ask(operation, example))
          expect(operation.output(z).parse(answer), JSON.stringify(example)).toEqual(answer);
    });

    it("takes nothing else than its schema says, and names the field", () => {
      const schema = operation.input(z);
      const { properties = {} } = z.toJSONSchema(schema, { io: "input" });
      const [example = {}] = EXAMPLES[name]();
      for (const field of [...Object.keys(properties), "nonsense"]) {
        const { error } = schema.safeParse({ ...example, [field]: [[]] });
        expect(error && z.prettifyError(error), field).toContain(field);
      }
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

  it("has all that commands use, and nothing that no command uses", async () => {
    const used = (await loadCommands()).flatMap((command) => command.operations ?? []);
    for (const operation of used) expect(byName.get(operation.name)).toBe(operation);
    expect(operations.filter((operation) => !used.includes(operation))).toEqual([]);
  });
});
