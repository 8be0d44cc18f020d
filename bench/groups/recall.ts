/** Does it help? Whether the first answer that a model gets holds what it wants to recall, against grep over the logs. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createCorpus } from "../quality/corpus.ts";
import { indexCorpus } from "../quality/home.ts";
import { openGrepRecall, openToolRecall, recallQuestions, shareAnswered } from "../quality/recall.ts";
import { isInstalled, type Table } from "../table.ts";

const BUDGET = 2000;

export async function measureRecall(table: Table, folder: string): Promise<void> {
  const home = join(folder, "recall");
  mkdirSync(home);
  const corpus = createCorpus();
  await indexCorpus(corpus, home);
  const questions = recallQuestions();
  const over = `${questions.length} questions over ${corpus.length} sessions`;
  const tool = await openToolRecall(home);
  const { share, missed } = await shareAnswered(questions, tool, BUDGET);
  table.number(`recall, ${over}: the answer is in ${BUDGET} tokens of mcp search`, share, "least", 0.9);
  for (const { kind, text } of missed) console.log(`        missed: ${text} (${kind})`);
  const small = await shareAnswered(questions, tool, BUDGET / 4);
  table.number(`recall, the same: in ${BUDGET / 4} tokens of mcp search`, small.share, "least", 0.85);
  const what = `recall, the same: in ${BUDGET} tokens of mcp search, against ${BUDGET} tokens of grep over the logs`;
  if (!isInstalled("grep")) {
    table.skipped(what, "grep is not installed", "≥ 1.5");
    return;
  }
  const grep = await shareAnswered(questions, await openGrepRecall(home), BUDGET);
  console.log(`        grep answers ${grep.share.toFixed(2)} of them`);
  table.number(what, share / grep.share, "least", 1.5);
}
