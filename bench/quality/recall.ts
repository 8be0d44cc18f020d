/**
 * What a model gets back when it wants to recall something: the question is asked as it is, once, and the answer must
 * stand in what fits into the budget. Right answers are known from how the corpus was made.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import { type CountTokens, loadTokenizer } from "../../src/app/tokens.ts";
import { demoVars, rootIn } from "../../src/demo/places.ts";
import { cutTo } from "../../src/mcp/answer.ts";
import { callTool } from "../../src/mcp/call-tool.ts";
import { wordsOf } from "../../src/mcp/excerpt.ts";
import { openMcpParts } from "../../src/mcp/parts.ts";
import search from "../../src/mcp/tools/search.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Activity } from "./activities.ts";
import type { Component } from "./component.ts";
import { DATA } from "./components/data.ts";
import { DELIVERY } from "./components/delivery.ts";
import { SCREENS } from "./components/screens.ts";
import { SERVICES } from "./components/services.ts";
import { NOW } from "./corpus.ts";
import { MULTILINGUAL } from "./multilingual.ts";
import { QUESTIONS, type Question } from "./questions.ts";

export interface RecallQuestion {
  readonly kind: string;
  readonly text: string;
  /** What the history says; any of these answers it. */
  readonly answers: readonly string[];
}

/** The sentences that say what was found out or done, by the turn that says them where it matters. */
const SAYS: Record<Activity, (component: Component, turn: number | undefined) => readonly string[]> = {
  fix({ bug }, turn) {
    const byTurn = [[bug.cause], [bug.cure], [bug.detail[1]], [`#${bug.pr}`, `pull/${bug.pr}`]];
    return turn === undefined ? [bug.cause, bug.cure] : (byTurn[turn] ?? []);
  },
  feature: ({ wish }) => [wish.made],
  speed: ({ slow }) => [slow.cause, slow.cure],
  upgrade: ({ upgrade }) => [upgrade.broke, upgrade.cure],
  tests: ({ name }) => [
    `I added tests for empty input, for the limits and for a failing dependency of the ${name}`,
  ],
  rename: ({ names, files }) => [`\`${names[1]}\` moved to ${files[2]}`],
  explain: ({ name, does }) => [`The ${name} ${does}`],
  review: ({ name }) => [`Three remarks on the ${name}`],
};

export function recallQuestions(questions: readonly Question[] = QUESTIONS): RecallQuestion[] {
  const components = new Map(
    [...SERVICES, ...DATA, ...SCREENS, ...DELIVERY].map((component) => [component.name, component]),
  );
  const answersIn = (key: string, turn: number | undefined): readonly string[] => {
    const [name = "", activity = ""] = key.replace(/ 2$/, "").split("/");
    const component = components.get(name);
    if (component) return SAYS[activity as Activity](component, turn);
    const told = MULTILINGUAL.find((each) => each.key === key);
    return (
      told?.turns.slice(turn ?? 0, turn === undefined ? undefined : turn + 1).map(([, said]) => said) ?? []
    );
  };
  return questions.map(({ kind, text, answers, turn }) => ({
    kind,
    text,
    answers: answers.flatMap((key) => answersIn(key, turn)),
  }));
}

/** Line breaks and the escapes of JSON do not matter. */
const plainly = (text: string): string =>
  text
    .replaceAll(/\\+n|\\+t/g, " ")
    .replaceAll(/\\+"/g, '"')
    .replaceAll(/\s+/g, " ");

export const isAnswered = (text: string, { answers }: RecallQuestion): boolean => {
  const told = plainly(text);
  return answers.some((answer) => told.includes(plainly(answer)));
};

export type Recall = (question: RecallQuestion, budget: number) => Promise<string>;

/** One call of the tool that a model would call first. `folder` holds the corpus and its store. */
export async function openToolRecall(folder: string): Promise<Recall> {
  const config = toConfig(
    {},
    {
      vars: { ...demoVars(folder), RETHREAD_HOME: folder },
      platform: process.platform,
      homeDir: folder,
      folder,
      stdout: {},
      stderr: {},
      self: [process.execPath, join(import.meta.dirname, "../../src/cli/main.ts")],
      now: () => NOW,
    },
  );
  const parts = await openMcpParts(await createApp(config), config, false);
  return async ({ text }, budget) => (await callTool(parts, search, { query: text, budget }, {})).text;
}

/** What one has without it: the lines of the logs that have all telling words of the question, else any of them. */
export async function openGrepRecall(folder: string): Promise<Recall> {
  const count: CountTokens = await loadTokenizer();
  const logs = SOURCES.flatMap(({ id }) => {
    const root = rootIn(folder, id);
    return globSync("**/*.{jsonl,json}", { cwd: root }).map((path) => join(root, path));
  }).sort();
  const grep = (pattern: string, input?: string): string =>
    spawnSync("grep", ["-ihE", pattern, ...(input === undefined ? logs : [])], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      ...(input !== undefined && { input }),
    }).stdout;
  return async ({ text }, budget) => {
    const words = wordsOf(text).filter((word) => word.length > 2);
    const escaped = words.map((word) => word.replaceAll(/[^\p{L}\p{N}_]/gu, "."));
    const [first = text, ...rest] = escaped;
    const all = rest.reduce((lines, word) => (lines === "" ? "" : grep(word, lines)), grep(first));
    return cutTo(all === "" ? grep(escaped.join("|")) : all, budget, count);
  };
}

export async function shareAnswered(
  questions: readonly RecallQuestion[],
  recall: Recall,
  budget: number,
): Promise<{ share: number; missed: RecallQuestion[] }> {
  const missed: RecallQuestion[] = [];
  for (const question of questions) {
    const text = await recall(question, budget);
    if (!isAnswered(text, question)) missed.push(question);
  }
  return { share: 1 - missed.length / questions.length, missed };
}
