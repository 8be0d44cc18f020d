/** A small version of `npm run bench -- recall`: what a model wants to recall is in the first answer that it gets. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCorpus } from "../../bench/quality/corpus.ts";
import { indexCorpus } from "../../bench/quality/home.ts";
import { QUESTIONS } from "../../bench/quality/questions.ts";
import {
  isAnswered,
  openGrepRecall,
  openToolRecall,
  recallQuestions,
  shareAnswered,
} from "../../bench/quality/recall.ts";

/** Every fourth conversation, and those that the questions are about. */
const corpus = createCorpus();
const wanted = QUESTIONS.filter((_, at) => at % 2 === 0);
const asked = new Set(wanted.flatMap(({ answers }) => answers));
const entries = corpus.filter(({ key }, at) => at % 4 === 0 || asked.has(key));
const questions = recallQuestions(wanted);

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rethread-recall-"));
  await indexCorpus(entries, folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("has questions of every kind, and an answer to each", () => {
  expect(questions.length).toBeGreaterThanOrEqual(40);
  expect(questions.filter(({ answers }) => answers.length === 0)).toEqual([]);
  expect(new Set(questions.map(({ kind }) => kind)).size).toBeGreaterThan(10);
  const [question] = questions;
  expect(isAnswered("nothing of that", question ?? { kind: "", text: "", answers: [] })).toBe(false);
});

it("answers nine of ten within 2,000 tokens, and far more than grep over the logs does", async () => {
  const tool = await shareAnswered(questions, await openToolRecall(folder), 2000);
  expect(tool.share, tool.missed.map(({ text }) => text).join("; ")).toBeGreaterThanOrEqual(0.9);
  const grep = await shareAnswered(questions, await openGrepRecall(folder), 2000);
  expect(tool.share).toBeGreaterThan(1.5 * grep.share);
});
