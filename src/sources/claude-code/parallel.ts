/** Parallel calls: the rows of a reply, and the results of its calls, that do not lie on the way back from the leaf. */
import type { Row } from "./rows.ts";

/**
 * The calls of a reply are chained one after the other, and each result hangs on its own call, so only one result lies
 * on the chain. The stray rows of a reply and the results of its calls are put behind it, results in file order.
 */
export function withParallelRows(all: readonly Row[], chain: readonly Row[]): readonly Row[] {
  const onChain = new Set(chain);
  const strays = all.filter((row) => !onChain.has(row));
  const early = resultsBeforeCalls(chain);
  if (strays.length === 0 && early.size === 0) return chain;

  const strayParts = Map.groupBy(strays, (row) => row.messageId);
  const strayAnswers = answersIn(strays);
  const answers = answersIn(chain);
  const ends = new Map(chain.map((row) => [row.messageId ?? row.uuid, row]));
  const calls = Map.groupBy(chain, (row) => row.messageId ?? row.uuid);
  const out = new Set<Row>();
  for (const row of chain) {
    if (!early.has(row)) out.add(row);
    const reply = row.messageId ?? row.uuid;
    if (row.kind !== "assistant" || ends.get(reply) !== row) continue;
    const parts = row.messageId === undefined ? [] : (strayParts.get(row.messageId) ?? []);
    for (const part of parts) out.add(part);
    const results = [...(calls.get(reply) ?? []), ...parts]
      .flatMap((part) => part.calls)
      .flatMap((call) => answers.get(call) ?? strayAnswers.get(call)?.slice(-1) ?? []);
    if (results.every((result) => onChain.has(result) && !early.has(result))) continue;
    for (const result of results.toSorted((a, b) => a.start - b.start)) out.add(result);
  }
  return [...out];
}

/** Results that stand on the chain before their calls, and have to wait for them. */
function resultsBeforeCalls(chain: readonly Row[]): ReadonlySet<Row> {
  const toCome = new Set(chain.flatMap((row) => row.calls));
  const early = new Set<Row>();
  for (const row of chain) {
    for (const call of row.calls) toCome.delete(call);
    if (row.answers.some((call) => toCome.has(call))) early.add(row);
  }
  return early;
}

function answersIn(rows: Iterable<Row>): ReadonlyMap<string, Row[]> {
  const answers = new Map<string, Row[]>();
  for (const row of rows) {
    for (const call of row.answers) {
      const known = answers.get(call);
      if (known) known.push(row);
      else answers.set(call, [row]);
    }
  }
  return answers;
}
