/** The findings of a soak run as a page of Markdown. */
import { cpus, totalmem } from "node:os";
import type { Broken } from "./faults.ts";
import type { SoakOptions } from "./options.ts";
import type { Pushed } from "./pushing.ts";
import type { Asked } from "./questions.ts";
import type { SameRows } from "./same-rows.ts";
import type { Sizes } from "./sizes.ts";
import type { Verified } from "./verify.ts";

/** What it took to do something so many times. */
export interface Effort {
  readonly count: number;
  readonly seconds: number;
  /** Seconds of processor time. */
  readonly databaseCpu: number;
  readonly serverCpu: number;
  /** Of the largest process. */
  readonly serverMb: number;
}

export interface Findings {
  readonly options: SoakOptions;
  readonly seconds: number;
  readonly peaceful: Pushed;
  readonly ingest: Effort;
  readonly backfill: Effort;
  readonly broken: Broken;
  readonly late: Effort;
  readonly asked: readonly Asked[];
  readonly sizes: Sizes;
  readonly verified: Verified;
  readonly same: readonly SameRows[];
}

const MB = 1e6;
const number = (value: number, digits = 0): string =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

export function toReport(findings: Findings): { readonly text: string; readonly isGood: boolean } {
  const { options, verified, same, broken } = findings;
  const isSame = same.every(({ ours, cleanly }) => JSON.stringify(ours) === JSON.stringify(cleanly));
  const isGood = verified.faults.length === 0 && isSame && same.length === options.compared;
  const lines = [
    "# The hub under load",
    "",
    `Written by \`npm run soak -- ${wordsOf(options)}\` on ${cpus().length} cores (${cpus()[0]?.model.trim()}) with ${number(totalmem() / 2 ** 30)} GB of memory, all of it on one machine: the clients, the hub's servers and PostgreSQL 18. It took ${number(findings.seconds / 60)} minutes. PostgreSQL writes to the disk before it acknowledges (\`fsync\` and \`synchronous_commit\` are on).`,
    "",
    ...rates(findings),
    ...questions(findings),
    ...sizes(findings),
    "## What was broken, and what was there afterwards",
    "",
    `While ${number(broken.pushed.sent.length)} sessions were pushed by ${options.clients} clients: the server was killed ${broken.kills.server} times, the database ${broken.kills.database} times, a worker ${broken.kills.worker} times (SIGKILL each). The network cut ${number(broken.network.cutInRequest)} requests in their middle and ${number(broken.network.cutInAnswer)} before their answer, held up ${number(broken.network.delayed)}, sent ${number(broken.network.doubled)} twice at once and ${number(broken.network.late)} again later, when others had come in between. The clients repeated ${number(broken.pushed.requests - broken.pushed.pushes)} requests.`,
    "",
    `- Every acknowledged event is there once: ${number(verified.events)} events and ${number(verified.bytes)} bytes of ${number(verified.sessions)} sessions, the bytes and the SHA-256 of each file compared with what was sent. Faults: ${verified.faults.length}.`,
    ...verified.faults.map((fault) => `  - ${fault}`),
    `- Nothing is there by halves: of ${verified.abandonedThere + verified.abandonedNot} pushes that failed and were never repeated, ${verified.abandonedThere} are there as a whole and ${verified.abandonedNot} not at all.`,
    `- Derived rows are those of a hub on which nothing went wrong: ${number(same.reduce((sum, each) => sum + each.sessions, 0))} sessions of ${same.length} people, all tables compared by hash: ${isSame ? "the same" : "**not the same**"}.`,
    ...same.flatMap(differences),
    "",
  ];
  return { text: lines.join("\n"), isGood };
}

const wordsOf = (options: SoakOptions): string =>
  options.sessions >= 100_000
    ? "--full"
    : `--sessions ${options.sessions} --turns ${options.turns} --clients ${options.clients}`;

function rates({ options, peaceful, ingest, backfill, broken, late }: Findings): string[] {
  const core = ingest.databaseCpu + ingest.serverCpu;
  const perCore = (count: number): string => number(count / core, 1);
  const { latencies } = peaceful;
  const derived = backfill.count + late.count;
  const derivedCpu = backfill.databaseCpu + backfill.serverCpu;
  return [
    "## Rates",
    "",
    `${number(ingest.count)} sessions (${number(peaceful.turns)} turns, ${number(peaceful.events)} events, ${number(peaceful.bytes / MB)} MB, ${number(peaceful.wireBytes / MB)} MB as sent) were pushed by ${options.clients} clients at once in ${number(peaceful.pushes)} requests; ${number(derived)} sessions got their rows, ${number(broken.pushed.sent.length)} of them among the faults below.`,
    "",
    "| | sessions/s | per core | events/s per core | MB/s per core | CPU of a session: server, database |",
    "|---|---|---|---|---|---|",
    `| push | ${number(ingest.count / ingest.seconds)} | ${perCore(ingest.count)} | ${perCore(peaceful.events)} | ${perCore(peaceful.bytes / MB)} | ${milli(ingest.serverCpu, ingest.count)}, ${milli(ingest.databaseCpu, ingest.count)} |`,
    `| rows (backfill) | ${number(backfill.count / backfill.seconds)} | ${number(backfill.count / derivedCpu, 1)} | ${number(peaceful.events / derivedCpu, 1)} | ${number(peaceful.bytes / MB / derivedCpu, 1)} | ${milli(backfill.serverCpu, backfill.count)}, ${milli(backfill.databaseCpu, backfill.count)} |`,
    "",
    `"Per core" is per second of processor time of the server and the database together; the clients, on the same cores, come on top, so sessions a second are fewer than two cores could take. A push took ${number(quantile(latencies, 0.5))} ms (p50), ${number(quantile(latencies, 0.95))} ms (p95) and ${number(quantile(latencies, 0.99))} ms (p99) with ${options.clients} clients in line. The server took ${number(ingest.serverMb)} MB of memory, a worker ${number(backfill.serverMb)} MB.`,
    "",
  ];
}

const milli = (seconds: number, count: number): string => `${number((seconds * 1000) / count, 1)} ms`;

export function questions({
  asked,
  sizes: { sessions, turns },
}: Pick<Findings, "asked" | "sizes">): string[] {
  return [
    "## Questions",
    "",
    `Asked over HTTP one after the other, by people who each see nearly everything of ${number(sessions)} sessions with ${number(turns)} turns.`,
    "",
    "| question | asked | answers on average | p50 | p95 | slowest |",
    "|---|---|---|---|---|---|",
    ...asked.map(({ kind, times, hits, failures }) =>
      times.length === 0
        ? `| ${kind} | | | not answered: ${failures[0] ?? "not asked"} | | |`
        : `| ${kind} | ${times.length}${failures.length > 0 ? ` (${failures.length} failed: ${failures[0]})` : ""} | ${number(hits, 1)} | ${number(quantile(times, 0.5), 1)} ms | ${number(quantile(times, 0.95), 1)} ms | ${number(Math.max(...times), 1)} ms |`,
    ),
    "",
  ];
}

function sizes({ sizes: found, peaceful, broken }: Findings): string[] {
  const pushed = peaceful.bytes + broken.pushed.bytes;
  const per = (bytes: number): string =>
    `${number(bytes / MB)} MB | ${number(bytes / found.sessions)} | ${number(bytes / found.turns)} | ${number((100 * bytes) / pushed, 1)} %`;
  return [
    "## Sizes",
    "",
    `Of ${number(found.sessions)} sessions with ${number(found.turns)} turns, whose files have ${number(pushed / MB)} MB (${number(pushed / found.turns)} bytes a turn).`,
    "",
    "| | in all | bytes a session | bytes a turn | of the files |",
    "|---|---|---|---|---|",
    `| raw files, compressed | ${per(found.raw)} |`,
    `| their indexes | ${per(found.rawIndexes)} |`,
    `| derived rows | ${per(found.derived)} |`,
    `| their indexes | ${per(found.derivedIndexes)} |`,
    `| of these: words and names (GIN) | ${per(found.searchIndexes)} |`,
    `| the queue | ${per(found.queue)} |`,
    `| the database | ${per(found.database)} |`,
    "",
    `The largest tables: ${found.tables
      .slice(0, 6)
      .map(
        ({ name, table, indexes }) =>
          `\`${name}\` ${number(table / MB)} MB and ${number(indexes / MB)} MB of indexes`,
      )
      .join(", ")}.`,
    "",
  ];
}

function differences({ ours, cleanly }: SameRows): string[] {
  return Object.entries(ours)
    .filter(([table, hash]) => cleanly[table] !== hash)
    .map(([table, hash]) => `  - ${table}: ${hash}, and cleanly ${cleanly[table]}`);
}
