/** How many secrets are found before they leave the machine, and how often others are taken for one: our table and a library's. */
import { createOutgoingRedactor, type OutgoingRedactor } from "../../src/model/redact/outgoing.ts";
import { type CleanText, readCleanTexts } from "../../test/leaks/clean.ts";
import { type Case, isLeft, makeCases, type Recall, recallOf } from "../../test/leaks/corpus.ts";
import { maskRecord, maskText } from "../quality/secretlint.ts";
import type { Table } from "../table.ts";

const SEED = 2;
const EACH = 30;
const MB = 1e6;
const create = (): OutgoingRedactor => createOutgoingRedactor({ key: new Uint8Array(32) });

export async function measureSecrets(table: Table): Promise<void> {
  for (const isHeldBack of [false, true]) await measureHalf(table, isHeldBack);
  await measureAlarms(table);
}

async function measureHalf(table: Table, isHeldBack: boolean): Promise<void> {
  const cases = makeCases(SEED, EACH, isHeldBack);
  const ours = new Map<Case, string>();
  const both = new Set<Case>();
  const theirs = new Set<Case>();
  for (const each of cases) {
    const redacted = redact(each);
    ours.set(each, redacted);
    const mask = async (text: string): Promise<string> =>
      each.manner === "jsonl" ? await maskRecord(text) : (await maskText(text)).text;
    if (!isLeft(await mask(each.text), each.secret)) theirs.add(each);
    if (!isLeft(await mask(redacted), each.secret)) both.add(each);
  }
  const recall = recallOf(cases, (each) => !isLeft(ours.get(each) ?? "", each.secret));
  const library = recallOf(cases, (each) => theirs.has(each));
  const union = recallOf(cases, (each) => both.has(each));
  const over = `${cases.length} secrets of ${recall.byKind.size} kinds in ${isHeldBack ? "places held back" : "known places"}`;
  table.number(`secrets, ${over}: share found`, share(recall), "least", 0.99);
  table.number("secrets, the same: in the worst kind", Math.min(...perKind(recall)), "least", 0.95);
  table.number("secrets, the same: what the library adds to it", share(union) - share(recall), "most", 0.002);
  console.log(
    `        the library alone finds ${share(library).toFixed(3)}, both ${share(union).toFixed(4)}`,
  );
  for (const [kind, row] of recall.byKind)
    if (row.found < row.cases) console.log(`        ${kind}: ${row.found} of ${row.cases}`);
}

function redact({ text, manner }: Case): string {
  const redactor = create();
  redactor.learn(text, manner);
  return manner === "jsonl" ? redactor.line(text) : redactor.text(text);
}

const share = ({ found, cases }: Recall): number => found / cases;
const perKind = ({ byKind }: Recall): number[] =>
  [...byKind.values()].map(({ found, cases }) => found / cases);

async function measureAlarms(table: Table): Promise<void> {
  const texts: CleanText[] = [...readCleanTexts()];
  const size = texts.reduce((sum, { text }) => sum + text.length, 0) / MB;
  const ours = countAlarms(texts);
  const before = process.cpuUsage();
  for (const { text } of texts) create().text(text);
  const cost = spent(before);
  const start = process.cpuUsage();
  let theirs = 0;
  for (const { text } of texts) theirs += (await maskText(text)).alarms;
  const theirCost = spent(start);
  const over = `${size.toFixed(0)} MB of clean text`;
  table.number(`secrets, ${over}: false alarms per MB`, ours / size, "most", 0.1);
  console.log(`        the library: ${(theirs / size).toFixed(2)} per MB`);
  table.number(`secrets, ${over}: CPU against the library's`, cost / theirCost, "most", 2.5);
}

const spent = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return user + system;
};

function countAlarms(texts: readonly CleanText[]): number {
  let alarms = 0;
  for (const { text } of texts) {
    const redactor = create();
    redactor.text(text);
    for (const { places } of redactor.report()) alarms += places;
  }
  return alarms;
}
