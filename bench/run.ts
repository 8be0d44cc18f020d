/** `npm run bench`: makes its logs, measures in one run, prints ratios and limits beside their goals, writes bench/results.md. */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type LogShape,
  type MadeLog,
  writeClaudeSession,
  writeCopilotSession,
  writeVscodeSession,
} from "./corpus.ts";

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly met: boolean;
}

interface Cost {
  readonly cpu: number;
  readonly peakMb: number;
  readonly turns: number;
  readonly sessions: number;
}

const MB = 1 << 20;
const ROUNDS = 3;
const here = import.meta.dirname;
const work = mkdtempSync(join(tmpdir(), "rethread-bench-"));

function run(task: string, ...args: string[]): Cost {
  const child = spawnSync(process.execPath, [join(here, "tasks", task), ...args], { encoding: "utf8" });
  if (child.status !== 0) throw new Error(`${task} failed: ${child.stderr}`);
  return JSON.parse(child.stdout) as Cost;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Runs the two in turns, so that a busy neighbour slows both. */
function interleaved(ours: () => Cost, yardstick: () => Cost): { ours: number; yardstick: number } {
  const pairs = Array.from({ length: ROUNDS }, () => [ours().cpu, yardstick().cpu] as const);
  return { ours: median(pairs.map((pair) => pair[0])), yardstick: median(pairs.map((pair) => pair[1])) };
}

const rows: Row[] = [];
const add = (what: string, measured: string, goal: string, met: boolean): void => {
  rows.push({ what, measured, goal, met });
  console.log(`${met ? "met   " : "MISSED"}  ${what}: ${measured} (goal ${goal})`);
};

const makers: [string, string, (root: string, shape: LogShape) => MadeLog][] = [
  ["copilot-cli", "copilot", writeCopilotSession],
  ["claude-code", "claude", writeClaudeSession],
  ["vscode", "vscode/User", writeVscodeSession],
];

try {
  for (const [source, folder, make] of makers) {
    const root = join(work, "huge", folder);
    const made = make(root, { seed: 1, bytes: 500 * MB, longLine: 60 * MB });
    const cost = run("read.ts", source, root);
    const name = `${source}: ${Math.round(made.bytes / MB)} MB log with a 60 MB line`;
    add(`${name}, peak memory`, `${Math.round(cost.peakMb)} MB`, "< 300 MB", cost.peakMb < 300);
    add(`${name}, turns found`, `${cost.turns} of ${made.turns}`, "all", cost.turns === made.turns);
    rmSync(root, { recursive: true, force: true });
  }

  for (const [source, folder, make] of makers) {
    const root = join(work, "many", folder);
    const made = Array.from({ length: 300 }, (_, i) =>
      make(root, { seed: i + 1, bytes: 60_000 + (i % 10) * 60_000 }),
    );
    const turns = made.reduce((sum, log) => sum + log.turns, 0);
    const files = globSync("**/*.jsonl", { cwd: root }).map((file) => join(root, file));
    const { ours, yardstick } = interleaved(
      () => {
        const cost = run("read.ts", source, root);
        if (cost.turns !== turns || cost.sessions !== files.length)
          throw new Error(`${source}: not every turn was found`);
        return cost;
      },
      () => run("parse.ts", ...files),
    );
    const ratio = yardstick / ours;
    add(
      `${source}: reading ${files.length} sessions, speed against JSON.parse of every line`,
      ratio.toFixed(2),
      ">= 0.70",
      ratio >= 0.7,
    );
  }

  const home = join(work, "ten-thousand");
  for (let i = 0; i < 10_000; i++) writeCopilotSession(home, { seed: i + 1, bytes: 1 });
  const all = run("read.ts", "copilot-cli", home);
  add(
    "copilot-cli: 10,000 sessions read",
    `${all.sessions} sessions, ${Math.round(all.peakMb)} MB peak, ${all.cpu.toFixed(1)} s CPU`,
    "all, < 300 MB",
    all.sessions === 10_000 && all.peakMb < 300,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

const table = [
  "| what | measured | goal | |",
  "|---|---|---|---|",
  ...rows.map((row) => `| ${row.what} | ${row.measured} | ${row.goal} | ${row.met ? "met" : "**missed**"} |`),
];
writeFileSync(
  join(here, "results.md"),
  `# What \`npm run bench\` measured last\n\nNode ${process.version}, ${process.platform} ${process.arch}. Ratios and limits; seconds are not comparable between machines.\n\n${table.join("\n")}\n`,
);
process.exitCode = rows.every((row) => row.met) ? 0 : 1;
