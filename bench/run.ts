/** `npm run bench`: makes its logs, measures in one run, prints ratios beside their goals, writes bench/results.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildTasks } from "./built.ts";
import { createTexts, makeHome } from "./corpus/homes.ts";
import type { Texts } from "./corpus/text.ts";
import { measureChronicle } from "./groups/chronicle.ts";
import { measureClone } from "./groups/clone.ts";
import { measureDocument } from "./groups/document.ts";
import { measureEdit } from "./groups/edit.ts";
import { measureGrowth } from "./groups/growth.ts";
import { measureHub } from "./groups/hub.ts";
import { measureIndex, storeOf } from "./groups/index.ts";
import { measureMemory } from "./groups/memory.ts";
import { measureQuality } from "./groups/quality.ts";
import { measureRecall } from "./groups/recall.ts";
import { measureRefresh } from "./groups/refresh.ts";
import { measureReindex } from "./groups/reindex.ts";
import { measureSearch } from "./groups/search.ts";
import { measureSecrets } from "./groups/secrets.ts";
import { measureStartUp } from "./groups/start-up.ts";
import { measureWatch } from "./groups/watch.ts";
import { measureWeb } from "./groups/web.ts";
import { createTable, useTasks } from "./table.ts";

/** `npm run bench -- memory search` measures only these, and leaves the file as it is. */
const only = process.argv.slice(2);
const wants = (group: string): boolean => only.length === 0 || only.includes(group);

const folder = mkdtempSync(join(tmpdir(), "rethread-bench-"));
const table = createTable(console.log);
try {
  useTasks(await buildTasks(join(folder, "tasks")));
  const texts = createTexts(1);
  if (wants("memory")) measureMemory(table, folder, texts);
  if (wants("document")) measureDocument(table, folder, texts);
  if (wants("edit")) measureEdit(table, folder, texts);
  if (wants("clone")) measureClone(table, folder, texts);
  if (wants("quality")) await measureQuality(table, folder);
  if (wants("chronicle")) measureChronicle(table, folder, texts);
  if (wants("secrets")) await measureSecrets(table);
  if (wants("hub")) await measureHub(table);
  if (wants("recall")) await measureRecall(table, folder);
  if (wants("reindex"))
    await measureReindex(table, folder, makeHome(texts, join(folder, "theirs"), "copilot-cli", 1000), 8);
  // These take minutes, and are measured when they are asked for.
  if (only.includes("reindex-large"))
    await measureReindex(table, folder, makeHome(texts, join(folder, "theirs"), "copilot-cli", 2800), 60);
  if (only.includes("growth")) await measureGrowth(table, folder, texts);
  if (["index", "search", "start-up", "refresh", "watch", "web"].some(wants)) await measureStore(texts);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

if (only.length === 0) writeResults();
process.exitCode = table.rows.every((row) => row.met) ? 0 : 1;

/** All of these need homes that take a while to make and to index. */
async function measureStore(texts: Texts): Promise<void> {
  const cli = makeHome(texts, join(folder, "thousand"), "copilot-cli", 1000);
  const claude = makeHome(texts, folder, "claude-code", 300);
  const many = makeHome(texts, join(folder, "many"), "copilot-cli", 10_000);
  measureIndex(table, folder, { cli, claude, many });
  if (wants("search")) measureSearch(table, folder, many, texts);
  if (wants("start-up")) measureStartUp(table, folder, many);
  if (wants("refresh")) await measureRefresh(table, folder, many);
  if (wants("watch")) {
    await measureWatch(table, join(folder, "thousand-store"), cli);
    await measureWatch(table, storeOf(folder), many);
  }
  if (wants("web")) await measureWeb(table, folder, many, texts);
}

function writeResults(): void {
  const lines = table.rows.map(
    (row) => `| ${row.what} | ${row.measured} | ${row.goal} | ${row.met ? "met" : "**missed**"} |`,
  );
  const why = readFileSync(join(import.meta.dirname, "missed.md"), "utf8");
  writeFileSync(
    join(import.meta.dirname, "results.md"),
    `# What \`npm run bench\` measured last

Node ${process.version}, ${process.platform} ${process.arch}. Ratios and limits; seconds are not comparable between machines.

| what | measured | goal | |
|---|---|---|---|
${lines.join("\n")}

${why}`,
  );
}
