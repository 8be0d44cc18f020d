/** The homes that the groups measure on, made once for all of them. */
import { join } from "node:path";
import { makeClaude } from "./claude-code.ts";
import { makeCopilot } from "./copilot-cli.ts";
import { type Made, type Make, sessionSize } from "./log.ts";
import { createRandom, createTexts, type Texts } from "./text.ts";
import { makeVscode } from "./vscode.ts";

export interface Home {
  readonly source: string;
  readonly root: string;
  readonly sessions: number;
  readonly turns: number;
  readonly bytes: number;
  readonly logs: readonly string[];
  /** Words that stand in so many sessions and nowhere else. */
  readonly needles: Readonly<Record<string, number>>;
}

export const MAKERS: readonly { source: string; folder: string; make: Make }[] = [
  { source: "copilot-cli", folder: "copilot", make: makeCopilot },
  { source: "claude-code", folder: "claude", make: makeClaude },
  { source: "vscode", folder: "vscode/User", make: makeVscode },
];

/** One session in a thousand, in a hundred and in ten says a word of its own. */
const NEEDLES = { qzneedlerare: 1000, qzneedlemid: 100, qzneedleoften: 10 };

export function makeHome(texts: Texts, folder: string, source: string, sessions: number): Home {
  const maker = MAKERS.find((candidate) => candidate.source === source);
  if (!maker) throw new Error(`no maker of ${source}`);
  const root = join(folder, maker.folder);
  const random = createRandom(sessions);
  const needles: Record<string, number> = {};
  const made: Made[] = [];
  for (let i = 0; i < sessions; i++) {
    const needle = Object.entries(NEEDLES).find(([, every]) => i % every === 0)?.[0];
    if (needle !== undefined) needles[needle] = (needles[needle] ?? 0) + 1;
    const shape = { seed: i + 1, bytes: sessionSize(random), ...(needle !== undefined && { needle }) };
    made.push(maker.make(texts, root, shape));
  }
  const sum = (of: (log: Made) => number): number => made.reduce((total, log) => total + of(log), 0);
  return {
    source,
    root,
    sessions,
    turns: sum((log) => log.turns),
    bytes: sum((log) => log.bytes),
    logs: made.map((log) => log.path),
    needles,
  };
}

export { createTexts };
