/** How fast whole homes are indexed, against the least that anyone must do: JSON.parse of every line. */
import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Home } from "../corpus/homes.ts";
import { type Cost, interleaved, median, runTask, type Table } from "../table.ts";

/** Characters of each tool output that are searchable. */
export const HEAD = { none: 0, usual: 256 };

export function indexHome(
  home: Home,
  store: string,
  head: number,
  how: "rebuild" | "first" = "rebuild",
): Cost {
  rmSync(store, { recursive: true, force: true });
  const cost = runTask("index.ts", [home.source, home.root, store, String(head), how]);
  if (cost.turns !== home.turns || cost.sessions !== home.sessions)
    throw new Error(`${home.source}: ${cost.turns} of ${home.turns} turns are in the store`);
  return cost;
}

const parseHome = (home: Home): Cost => runTask("parse.ts", [home.root]);

export function measureIndex(
  table: Table,
  folder: string,
  homes: Record<"cli" | "claude" | "many", Home>,
): void {
  const { cli, claude, many } = homes;
  const store = join(folder, "store");
  const found = new Map<string, Cost[]>();
  const note = (name: string, cost: Cost): number => {
    found.set(name, [...(found.get(name) ?? []), cost]);
    return cost.cpu;
  };
  interleaved(3, {
    parse: () => note("parse", parseHome(cli)),
    bare: () => note("bare", indexHome(cli, store, HEAD.none)),
    usual: () => note("usual", indexHome(cli, store, HEAD.usual)),
    first: () => note("first", indexHome(cli, store, HEAD.usual, "first")),
    parseClaude: () => note("parseClaude", parseHome(claude)),
    claude: () => note("claude", indexHome(claude, store, HEAD.usual)),
  });
  rmSync(store, { recursive: true });
  const middle = (name: string, of: (cost: Cost) => number): number =>
    median((found.get(name) ?? []).map(of));
  const speed = (name: string, yardstick: string, of: (cost: Cost) => number): number =>
    middle(yardstick, of) / middle(name, of);
  const against = `speed against JSON.parse of every line, ${availableParallelism()} cores`;
  const rows: [what: string, name: string, yardstick: string, wall: number, cpu: number][] = [
    [`index ${cli.sessions} Copilot CLI sessions, messages and identifier parts`, "bare", "parse", 0.9, 0.6],
    ["the same with 256 characters of every tool output", "usual", "parse", 0.8, 0.5],
    ["the same where there is no store yet", "first", "parse", 0.8, 0.5],
    [`index ${claude.sessions} Claude Code sessions`, "claude", "parseClaude", 0.6, 0.4],
  ];
  for (const [what, name, yardstick, wall, cpu] of rows) {
    const [seconds, time] = [({ seconds }: Cost) => seconds, (cost: Cost) => cost.cpu];
    table.number(`${what}: ${against}`, speed(name, yardstick, seconds), "least", wall);
    table.number(`${what}: the same in CPU time`, speed(name, yardstick, time), "least", cpu);
  }
  const share = (name: string): number => middle(name, ({ storeBytes }) => storeBytes / cli.bytes);
  table.number("store of messages only, share of the logs' bytes", share("bare"), "most", 0.09);
  table.number("store with tool outputs, share of the logs' bytes", share("usual"), "most", 0.13);

  const yardstick = parseHome(many).cpu;
  const large = indexHome(many, storeOf(folder), HEAD.usual);
  // Both against the yardstick of the moment: a neighbour who came in between would make one of them look slow.
  table.number(
    `bytes a second of CPU at ${many.sessions} sessions against ${cli.sessions}`,
    yardstick / large.cpu / speed("usual", "parse", (cost) => cost.cpu),
    "least",
    0.95,
  );
  table.number(`index ${many.sessions} sessions, peak memory`, large.peakMb, "most", 250, " MB");
}

/** The store of the many sessions, which the groups behind this one ask. */
export const storeOf = (folder: string): string => join(folder, "many-store");
