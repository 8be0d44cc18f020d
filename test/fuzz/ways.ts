/** Every way to call every command, made from the command table: once as it is, and once with each of its options. */
import { type ArgSpec, optionName } from "../../src/cli/args.ts";
import type { AnyCommand } from "../../src/cli/command.ts";
import { toCursor } from "../../src/model/session/session-order.ts";

/** What stands for a session, another one, a folder or file that is made for each home. */
export interface Scene {
  readonly session: string;
  readonly other: string;
  /** A folder that is there, and a path at which nothing is. */
  readonly folder: string;
  readonly fresh: string;
  readonly bundle: string;
  readonly archive: string;
}

export interface Way {
  readonly command: string;
  words(scene: Scene): string[];
}

type Sample = string | ((scene: Scene) => string);

/** By the name of a positional argument or option; `command.name` where it means something else there. */
const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
  session: [({ session }) => session],
  sessions: [({ session }) => session],
  a: [({ session }) => session],
  b: [({ other }) => other],
  words: ["the"],
  query: ["SELECT * FROM session_overview"],
  "help.action": ["user"],
  number: ["1"],
  "rename.name": ["Another name"],
  "config.name": ["backupDays"],
  "config.value": ["90"],
  "board.name": ["an-item"],
  "board.repo": ["acme/shop", "."],
  "board.source": ["user"],
  content: ["A text"],
  description: ["A line"],
  olderThan: ["1d"],
  name: ["A name"],
  file: ["src"],
  "chronicle.file": ["CLAUDE.md", "AGENTS.md,copilot"],
  only: ["1"],
  "import.file": [({ bundle }) => bundle],
  "blame.file": [({ bundle }) => bundle, ({ folder }) => `${folder}/none.ts:3`],
  lines: ["1-3", "x"],
  operation: ["0"],
  command: ["list"],
  source: ["copilot-cli", "vscode,claude-code"],
  workspace: ["/home", "."],
  repo: ["a"],
  branch: ["main"],
  since: ["2000-01-01"],
  until: ["9999-12-31"],
  tag: ["release"],
  tags: ["to review"],
  ref: ["pr:1"],
  tool: ["bash"],
  model: ["gpt"],
  limit: ["0", "2"],
  "list.cursor": [
    toCursor({ order: "active", value: "2026-01-01T00:00:00.000Z", id: "", source: "", path: "" }),
    "nonsense",
  ],
  "search.cursor": [toCursor({ order: "size", value: 1, id: "", source: "", path: "" }), "e30"],
  timeout: ["5"],
  turn: ["0", "3"],
  "export.out": [({ fresh }) => fresh, ({ fresh }) => `${fresh}.tar.gz`],
  "clone.to": [({ folder }) => folder],
  "rewind.to": ["0", "1"],
  "move.to": [({ folder }) => folder],
  "undo.to": [({ folder }) => folder],
  "import.to": [({ folder }) => folder],
  "sync.to": [({ folder }) => folder],
  "sync.names": ["acme/shop", ({ session }) => session],
  "sync.folder": [({ folder }) => folder],
  person: ["robin"],
  team: ["crew"],
  "migrate.to": [({ fresh }) => fresh, ({ fresh }) => `${fresh}.tar.gz`],
  "migrate.from": [({ archive }) => archive, ({ bundle }) => bundle],
  "move.from": ["/home"],
  "move.editor": ["code"],
  "handoff.to": ["copilot-cli", "vscode", "claude-code"],
  "move.map": ["/home=/srv", "C:\\work=/home"],
  tools: ["oldest:50%", "truncate:20"],
  dropOldest: ["50%", "1"],
  budget: ["1k", "50"],
  with: ["cat"],
  at: ["0", "1"],
  keep: ["0", "1"],
  title: ["A title"],
  rename: ["Another name"],
  confirm: ["all"],
  send: ["Hello"],
  copilot: [({ fresh }) => fresh],
  claude: [({ fresh }) => fresh],
  agent: ["copilot-cli", "claude-code", "nobody"],
  restore: [({ bundle }) => bundle],
};

/** Options that another one needs, or that would wait for somebody. */
const WITH: Readonly<Record<string, readonly string[]>> = {
  "clone --summarize": ["--drop-oldest", "1"],
  "clone --with": ["--drop-oldest", "1", "--summarize"],
  "rewind --files": ["--to", "0"],
  "rewind --outside": ["--to", "0", "--files"],
  "rewind --in-place": ["--to", "0"],
  "history --repair": ["--verify"],
  "undo --to": ["--as-copy"],
  "sql --schema": [],
  "export --force": ["--format", "html"],
  "index --restore": ["--copilot"],
  "index --dry-run": ["--copilot"],
  "index --ignore-lock": ["--copilot"],
  "checkpoint --title": [],
  "board --all": [],
};
/** What `chat` does without sending anything. */
const CHAT_ALONE: ReadonlySet<string> = new Set(["--send", "--list", "--rename", "--delete", "--restore"]);
const NEEDED: Readonly<Record<string, (scene: Scene, option: string) => readonly string[]>> = {
  rewind: (_, option) => (option === "--to" ? [] : ["--to", "0"]),
  move: ({ folder }, option) => (option === "--to" ? [] : ["--to", folder]),
  migrate: ({ fresh }, option) => (option === "--to" ? [] : ["--to", fresh]),
  chat: (_, option) => (CHAT_ALONE.has(option) ? [] : ["--send", "Hello"]),
  board: (_, option) => (option === "--repo" ? [] : ["--repo", "acme/shop"]),
};
/** Options that choose sessions by themselves, and commands that find what they are about. */
const CHOOSING: ReadonlySet<string> = new Set([
  "source",
  "workspace",
  "repo",
  "branch",
  "since",
  "until",
  "limit",
  "sort",
  "cursor",
  "all",
  "vscode",
  "from",
  "schema",
]);
const FINDING: ReadonlySet<string> = new Set(["undo"]);
/** Goes on until it is stopped, or starts a server of PostgreSQL, so it has tests of its own. */
export const ENDLESS: ReadonlySet<string> = new Set(["index --watch", "sync --watch", "serve", "mcp", "hub"]);
/** Without it nobody would answer. */
const AGREES = "yes";

export function waysOf(command: AnyCommand): Way[] {
  if (ENDLESS.has(command.name)) return [];
  const specs = Object.entries(command.args);
  const positionals = specs.filter(([, spec]) => spec.kind === "positional");
  const choices = positionals.reduce<Sample[][]>(
    (lists, [key, spec]) =>
      lists.flatMap((list) => samplesOf(command.name, key, spec).map((sample) => [...list, sample])),
    [[]],
  );
  // What may be left out is left out once.
  const shortest = positionals.filter(([, spec]) => spec.kind === "positional" && !spec.optional).length;
  const short = choices.map((list) => list.slice(0, shortest));
  const beginningsFor = (key: string): Sample[][] =>
    CHOOSING.has(key) || FINDING.has(command.name) ? short : choices;
  const agreed = AGREES in command.args ? [optionName(AGREES)] : [];
  const way = (beginning: readonly Sample[], option: string, values: readonly Sample[]): Way => ({
    command: command.name,
    words: (scene) => {
      const tell = (sample: Sample): string => (typeof sample === "string" ? sample : sample(scene));
      const words = [
        command.name,
        ...beginning.map(tell),
        ...(option === "" ? [] : [option, ...values.map(tell)]),
        ...(WITH[`${command.name} ${option}`] ?? NEEDED[command.name]?.(scene, option) ?? []),
      ];
      return option === "--dry-run" || option === optionName(AGREES) ? words : [...words, ...agreed];
    },
  });
  const options = specs.filter(
    ([key, spec]) => spec.kind !== "positional" && !ENDLESS.has(`${command.name} ${optionName(key)}`),
  );
  return [
    ...new Map(
      [
        ...[...choices, ...short].map((beginning) => way(beginning, "", [])),
        ...options.flatMap(([key, spec], index) =>
          samplesOf(command.name, key, spec).map((sample, number) => {
            const beginnings = beginningsFor(key);
            const beginning = beginnings[(index + number) % beginnings.length] ?? [];
            return way(beginning, optionName(key), sample === "" ? [] : [sample]);
          }),
        ),
      ].map((each) => [JSON.stringify(each.words(NAMED)), each] as const),
    ).values(),
  ];
}

const NAMED: Scene = { session: "s", other: "o", folder: "f", fresh: "n", bundle: "b", archive: "a" };

/** An empty sample stands for a flag. An argument that nobody has thought of fails here. */
function samplesOf(command: string, key: string, spec: ArgSpec): readonly Sample[] {
  if (spec.kind === "flag" || spec.kind === "mode") return [""];
  if ("choices" in spec && spec.choices) return spec.choices;
  const samples = SAMPLES[`${command}.${key}`] ?? SAMPLES[key];
  if (!samples) throw new Error(`ways.ts has no sample for ${command} ${key}: add one`);
  return samples;
}
