/** How fast whole homes are indexed, against the least that anyone must do: JSON.parse of every line. */
import { rmSync } from "node:fs";
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

const parseHome = (home: Home): number => runTask("parse.ts", [home.root]).cpu;

export function measureIndex(
  table: Table,
  folder: string,
  homes: Record<"cli" | "claude" | "many", Home>,
): void {
  const { cli, claude, many } = homes;
  const store = join(folder, "store");
  const sizes = { bare: [] as number[], usual: [] as number[] };
  const indexCli = (kind: "bare" | "usual", head: number): number => {
    const cost = indexHome(cli, store, head);
    sizes[kind].push(cost.storeBytes / cli.bytes);
    return cost.cpu;
  };
  const costs = interleaved(3, {
    parse: () => parseHome(cli),
    bare: () => indexCli("bare", HEAD.none),
    usual: () => indexCli("usual", HEAD.usual),
    first: () => indexHome(cli, store, HEAD.usual, "first").cpu,
    parseClaude: () => parseHome(claude),
    claude: () => indexHome(claude, store, HEAD.usual).cpu,
  });
  const against = "speed against JSON.parse of every line";
  table.number(
    `index ${cli.sessions} Copilot CLI sessions, messages and identifier parts: ${against}`,
    costs.parse / costs.bare,
    "least",
    0.9,
  );
  table.number(
    `the same with 256 characters of every tool output: ${against}`,
    costs.parse / costs.usual,
    "least",
    0.65,
  );
  table.number(`the same where there is no store yet: ${against}`, costs.parse / costs.first, "least", 0.65);
  table.number(
    `index ${claude.sessions} Claude Code sessions: ${against}`,
    costs.parseClaude / costs.claude,
    "least",
    0.7,
  );
  table.number("store of messages only, share of the logs' bytes", median(sizes.bare), "most", 0.09);
  table.number("store with tool outputs, share of the logs' bytes", median(sizes.usual), "most", 0.13);
  rmSync(store, { recursive: true });

  const large = parseHome(many) / indexHome(many, storeOf(folder), HEAD.usual).cpu;
  table.number(`the ${many.sessions} sessions against JSON.parse of every line`, large, "least", 0.65);
  // Both against the yardstick of the moment: a neighbour who came in between would make one of them look slow.
  table.number(
    `bytes a second at ${many.sessions} sessions against ${cli.sessions}`,
    large / (costs.parse / costs.usual),
    "least",
    0.9,
  );
}

/** The store of the many sessions, which the groups behind this one ask. */
export const storeOf = (folder: string): string => join(folder, "many-store");
