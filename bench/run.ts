/** `npm run bench`: makes its logs, measures in one run, prints ratios beside their goals, writes bench/results.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTexts, makeHome } from "./corpus/homes.ts";
import { measureDocument } from "./groups/document.ts";
import { measureIndex } from "./groups/index.ts";
import { measureMemory } from "./groups/memory.ts";
import { measureRefresh } from "./groups/refresh.ts";
import { measureSearch } from "./groups/search.ts";
import { measureStartUp } from "./groups/start-up.ts";
import { createTable } from "./table.ts";

const folder = mkdtempSync(join(tmpdir(), "rethread-bench-"));
const table = createTable(console.log);
try {
  const texts = createTexts(1);
  measureMemory(table, folder, texts);
  measureDocument(table, folder, texts);
  const cli = makeHome(texts, join(folder, "thousand"), "copilot-cli", 1000);
  const claude = makeHome(texts, folder, "claude-code", 300);
  const many = makeHome(texts, join(folder, "many"), "copilot-cli", 10_000);
  measureIndex(table, folder, { cli, claude, many });
  measureSearch(table, folder, many, texts);
  measureStartUp(table, folder, many);
  await measureRefresh(table, folder, many);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

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
process.exitCode = table.rows.every((row) => row.met) ? 0 : 1;
