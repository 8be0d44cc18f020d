/** How fast whole homes are indexed, against the least that anyone must do: JSON.parse of every line. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../corpus/homes.ts";
import { type Cost, interleaved, median, runTask, type Table } from "../table.ts";

/** Characters of each tool output that are searchable. */
const HEAD = { none: 0, usual: 256 };

export function indexHome(home: Home, store: string, head: number): Cost {
  rmSync(store, { recursive: true, force: true });
  const cost = runTask("index.ts", [home.source, home.root, store, String(head)]);
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
  const sizes: number[] = [];
  const costs = interleaved(3, {
    parse: () => parseHome(cli),
    bare: () => indexHome(cli, store, HEAD.none).cpu,
    usual: () => {
      const cost = indexHome(cli, store, HEAD.usual);
      sizes.push(cost.storeBytes / cli.bytes);
      return cost.cpu;
    },
    parseClaude: () => parseHome(claude),
    claude: () => indexHome(claude, store, HEAD.usual).cpu,
  });
  const against = "speed against JSON.parse of every line";
  table.number(
    `index ${cli.sessions} Copilot CLI sessions, messages only: ${against}`,
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
  table.number(
    `index ${claude.sessions} Claude Code sessions: ${against}`,
    costs.parseClaude / costs.claude,
    "least",
    0.7,
  );
  table.number("store with tool outputs, share of the logs' bytes", median(sizes), "most", 0.13);
  rmSync(store, { recursive: true });

  const large = indexHome(many, storeOf(folder), HEAD.usual);
  const rate = (home: Home, cpu: number): number => home.bytes / cpu;
  table.number(
    `bytes a second at ${many.sessions} sessions against ${cli.sessions}`,
    rate(many, large.cpu) / rate(cli, costs.usual),
    "least",
    0.9,
  );
  table.number(
    `the ${many.sessions} sessions against JSON.parse of every line`,
    parseHome(many) / large.cpu,
    "least",
    0.65,
  );
}

/** The store of the many sessions, which the groups behind this one ask. */
export const storeOf = (folder: string): string => join(folder, "many-store");
