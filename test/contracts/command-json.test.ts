/** What each command prints with `--json` is what its page documents: nothing more, and nothing less. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { shapesOf } from "../../src/cli/command.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { loadOperations } from "../../src/operations/index.ts";
import { runHere } from "../fuzz/in-process.ts";
import { HUB_ANSWERS, SCRIPTED_TOKEN, type ScriptedHub, scriptedHub } from "../hub/scripted-hub.ts";
import { SCRIPTED_COPILOT } from "../scripted-copilot.ts";

const commands = await loadCommands();
let home: string;
let hub: ScriptedHub;
/** The longest session of Copilot CLI, one of VS Code, and one of Copilot CLI with a checkpoint. */
let cli: string;
let chat: string;
let compacted: string;

const vars = () => ({
  HOME: home,
  RETHREAD_HOME: join(home, "data"),
  PATH: `${home}:${process.env.PATH}`,
  TZ: "UTC",
  RETHREAD_HUB_URL: hub.url,
  RETHREAD_HUB_TOKEN: SCRIPTED_TOKEN,
});

async function json(words: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await runHere([...words, "--json", "--demo"], vars());
  const answer = JSON.parse(stdout);
  expect(answer.error, `${words.join(" ")}: ${stderr}`).toBeUndefined();
  return answer;
}

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "rethread-json-")));
  writeFileSync(join(home, "copilot"), SCRIPTED_COPILOT, { mode: 0o755 });
  hub = await scriptedHub(HUB_ANSWERS);
  const { sessions } = (await json(["list"])) as {
    sessions: { source: string; id: string; turns: number }[];
  };
  const { rows } = (await json(["sql", "SELECT session_id FROM checkpoints LIMIT 1"])) as {
    rows: string[][];
  };
  compacted = String(rows[0]?.[0]);
  const longest = (source: string): string => {
    const own = sessions.filter((session) => session.source === source && !compacted.endsWith(session.id));
    return `${source}:${own.toSorted((a, b) => b.turns - a.turns)[0]?.id}`;
  };
  [cli, chat] = [longest("copilot-cli"), longest("vscode")];
});
afterAll(async () => {
  await hub.close();
  rmSync(home, { recursive: true, force: true });
});

/** In this order, as some need what others wrote; a new command has none yet, and fails. */
const EXAMPLES: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
  overview: () => [[]],
  list: () => [[], ["--workspace", "/nowhere"]],
  show: () => [[cli], [chat], [cli, "--turn", "0"]],
  search: () => [["test"], ["zzzyx"], ["--hub", "login"]],
  workspaces: () => [[]],
  tree: () => [[], [cli]],
  blame: () => {
    const money = join(home, "data/demo/work/storefront/src/money.ts");
    return [[], [money], [`${money}:13`, "--why"], [`${money}:16-17`]];
  },
  diff: () => [[cli, chat]],
  stats: () => [
    [],
    ["--since", "1d"],
    ["--by", "week"],
    ["--by", "file"],
    ["--by", "model"],
    ["--by", "tool"],
  ],
  chronicle: () => [
    ["standup"],
    ["standup", "--since", "90d", "--no-git"],
    ["tips"],
    ["improve"],
    ["improve", "--apply", "--repo", "storefront", "--only", "bf615b9d", "--dry-run"],
    ["improve", "--apply", "--yes"],
    ["reindex"],
  ],
  sql: () => [["SELECT 1 AS a"], ["--schema"], ["--hub", "SELECT 1 AS a"], ["--hub", "--schema"]],
  context: () => [[cli], [chat]],
  clone: () => [
    [cli, "--drop-oldest", "50%", "--summarize"],
    [chat, "--dry-run"],
  ],
  fork: () => [
    [cli, "--at", "0"],
    [chat, "--at", "0"],
  ],
  handoff: () => [
    [cli, "--to", "claude-code", "--dry-run"],
    [chat, "--to", "copilot-cli", "--dry-run"],
    [cli, "--as-brief"],
  ],
  rewind: () => [
    [cli, "--to", "1", "--yes"],
    [chat, "--to", "0", "--dry-run"],
  ],
  compact: () => [[cli, "--keep", "1", "--dry-run"]],
  checkpoint: () => [
    ["list", cli],
    ["list", compacted],
    ["show", compacted],
    ["create", cli, "--yes"],
  ],
  move: () => [[cli, "--to", join(home, "elsewhere"), "--dry-run"]],
  rename: () => [[cli, "Another", "--yes"]],
  delete: () => [[cli, "--dry-run"]],
  tag: () => [[cli, "one", "two"], [cli, "two", "--remove"], [], [cli]],
  rescue: () => [["--dry-run"], [cli, "--dry-run"], ["--vscode", "--dry-run"]],
  export: () => [
    [cli],
    [cli, "--out", "one.md"],
    [cli, "--out", "one.tar.gz"],
    [cli, "--format", "copilot", "--out", "one.jsonl"],
  ],
  import: () => [["one.tar.gz", "--new-id"]],
  undo: () => [["--yes"], ["--as-copy", "--dry-run"]],
  history: () => [[], ["--verify"], ["--confirm", "all"], ["--prune"]],
  board: () => [
    [],
    ["get", "money-in-cents", "--repo", "storefront"],
    ["get", "--repo", "lumen-shop/platform"],
    ["add", "a", "text", "--repo", "acme/shop"],
    ["edit", "a", "other", "--repo", "acme/shop"],
    ["prune", "a", "--repo", "acme/shop", "--yes"],
    ["prune", "a", "--repo", "acme/shop", "--dry-run"],
    ["consolidate", "--all", "--since", "2020-01-01"],
    ["undo"],
  ],
  index: () => [[], ["--copilot", "--dry-run"], ["--copilot"]],
  doctor: () => [[]],
  migrate: () => [
    ["--to", "home.tar.gz", "--dry-run"],
    ["--to", "copy.tar.gz"],
  ],
  resume: () => [[cli], [chat]],
  config: () => [[], ["get", "backupDays"]],
  chat: () => [["--send", "Hello"], ["--list"]],
  mcp: () => [
    ["install", "copilot-cli", "--dry-run"],
    ["install", "vscode", "--yes"],
    ["uninstall", "vscode", "--yes"],
  ],
  hub: () => [
    ["login", hub.url],
    ["whoami"],
    ["key", "new"],
    ["key", "show"],
    ["logout"],
    ["init", "--expires", "90d"],
    ["user", "add", "robin"],
    ["user", "rotate", "robin"],
    ["user", "list"],
    ["team", "add", "platform"],
    ["team", "join", "platform", "robin"],
    ["team", "list"],
    ["status"],
    ["reindex"],
    ["reindex", "robin"],
    ["backup", "hub.backup", "--portable"],
    ["user", "revoke", "robin"],
  ],
  secrets: () => [["scan"], ["scan", cli], ["scrub", cli, "--dry-run"], ["scrub", chat, "--yes"]],
  sync: () => [
    ["status"],
    ["--dry-run"],
    ["--yes"],
    ["status"],
    [],
    ["--pull"],
    ["deny", "acme/*", "--folder", "notes", "--session", cli],
    ["--delete", cli, "--dry-run"],
    ["--delete", cli, "--yes"],
  ],
  // What the other examples changed would be gone.
  demo: () => [["--yes"]],
  completion: () => [["bash"]],
  help: () => [[], ["list"]],
};

describe("--json", () => {
  // `serve` prints its line and stays: test/server/process.test.ts.
  const ending = commands.filter(({ name }) => name !== "serve");
  it.each(ending.map((command) => [command.name, command] as const))(
    "of %s prints what is documented",
    async (name, command) => {
      const examples = EXAMPLES[name]?.() ?? [];
      expect(examples.length, "examples").toBeGreaterThan(0);
      for (const words of examples) {
        const { schemaVersion, ...answer } = await json([name, ...words]);
        expect(schemaVersion).toBe(1);
        // Parsing leaves out what a schema does not know, and fails for what is missing.
        const parsed = shapesOf(command).map(({ schema }) => schema(z).safeParse(answer));
        // Any answer may have notices; some have a list of that name that is their own.
        const { notices: _, ...rest } = answer;
        const meant = [answer, rest].map((each) => JSON.stringify(sorted(each)));
        const fits = parsed.filter(({ data }) => meant.includes(JSON.stringify(sorted(data))));
        if (fits.length === 0)
          expect(
            parsed.map(({ data, error }) => error?.message ?? data),
            words.join(" "),
          ).toContainEqual(answer);
      }
    },
  );
});

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
}

/** Every object in an answer, with the place where it is. */
function* objectsIn(node: Node, at: string): Generator<[string, Node]> {
  if (node.properties) yield [at, node];
  for (const [name, inner] of Object.entries(node.properties ?? {})) yield* objectsIn(inner, `${at}.${name}`);
  for (const inner of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) yield* objectsIn(inner, at);
  if (node.items) yield* objectsIn(node.items, `${at}[]`);
}

describe("names in JSON", () => {
  const documented = async (): Promise<[string, Node][]> => {
    const outputs = [
      // What it has depends on the kind of the plan; commands print what their own change has.
      ...(await loadOperations())
        .filter(({ name }) => name !== "apply")
        .map(({ name, output }) => ({ name, output })),
      ...commands.flatMap((command) =>
        shapesOf(command)
          .map(({ schema }) => ({ name: `rethread ${command.name}`, output: schema }))
          .filter(
            ({ output }) =>
              !command.operations.some(
                (operation) => operation.name === "apply" && operation.output === output,
              ),
          ),
      ),
    ];
    return outputs.flatMap(({ name, output }) => [...objectsIn(z.toJSONSchema(output(z)) as Node, name)]);
  };

  it("that are documented as lists are there when the list is empty", async () => {
    // Where inside a record something stands is one path, which most need not have.
    const lists = (await documented()).filter(([at]) => !at.endsWith(".origin"));
    const missing = lists.flatMap(([at, { properties = {}, required = [] }]) =>
      Object.entries(properties).flatMap(([name, { type }]) =>
        type === "array" && !required.includes(name) ? [`${at}.${name}`] : [],
      ),
    );
    expect(missing).toEqual([]);
  });

  it("mean one thing: where sessions or problems is a number, sessionCount or problemCount is beside it", async () => {
    const wrong = (await documented()).flatMap(([at, { properties = {} }]) =>
      Object.entries({ sessions: "sessionCount", problems: "problemCount" }).flatMap(([name, count]) =>
        properties[name]?.type === "integer" && properties[count]?.type !== "integer"
          ? [`${at}.${name}`]
          : [],
      ),
    );
    expect(wrong).toEqual([]);
  });
});
