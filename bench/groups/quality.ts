/** How good the answers of a search are: judged questions over conversations whose subject is known. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { groupHits } from "../../src/query/search.ts";
import { storePath } from "../../src/store/open.ts";
import { search } from "../../src/store/search/search.ts";
import { createCorpus, NOW } from "../quality/corpus.ts";
import { indexCorpus } from "../quality/home.ts";
import { type Judgement, toQuality } from "../quality/judge.ts";
import { QUESTIONS, type Question } from "../quality/questions.ts";
import type { Table } from "../table.ts";

const SHOWN = 20;

export async function measureQuality(table: Table, folder: string): Promise<void> {
  const corpus = createCorpus();
  const home = join(folder, "quality");
  await indexCorpus(corpus, home);
  const keys = new Map(corpus.map((entry) => [entry.story.id, entry.key]));
  const db = new DatabaseSync(storePath(home), { readOnly: true });
  const judged = QUESTIONS.map((question) => judge(db, keys, question));
  db.close();

  const all = toQuality(judged);
  const over = `${all.questions} judged questions over ${corpus.length} sessions`;
  table.number(`search, ${over}: right session first (hit@1)`, all.hitAt1, "least", 0.85);
  table.number(`search, ${over}: among the first five (hit@5)`, all.hitAt5, "least", 0.95);
  table.number(`search, ${over}: mean reciprocal rank (MRR)`, all.mrr, "least", 0.9);
  const named = judged.filter((each) => each.rightTurn !== undefined);
  const right = named.filter((each) => each.rightTurn).length / named.length;
  table.number(`search, ${named.length} of them name a turn: that turn is shown first`, right, "least", 0.95);
  for (const [kind, list = []] of Map.groupBy(judged, (each) => each.kind)) {
    const { questions, hitAt5 } = toQuality(list);
    table.number(`search, ${questions} times ${kind}: among the first five`, hitAt5, "least", 0.8);
  }
}

function judge(db: DatabaseSync, keys: ReadonlyMap<string, string>, question: Question): Judgement {
  const { kind, text, answers, turn } = question;
  const { sessions } = groupHits(search(db, { text, filter: {}, limit: SHOWN, now: NOW }));
  const at = sessions.findIndex(({ session }) => answers.includes(keys.get(session.id) ?? ""));
  const best = sessions[at]?.hits.find((hit) => hit.turn !== undefined);
  return {
    kind,
    ...(at >= 0 && { rank: at + 1 }),
    ...(turn !== undefined && { rightTurn: best?.turn === turn }),
  };
}
