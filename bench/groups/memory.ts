/** Logs of 500 MB with a line of 60 MB: how much memory reading takes, and whether every turn is there. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { MAKERS } from "../corpus/homes.ts";
import type { Texts } from "../corpus/text.ts";
import { runTask, type Table } from "../table.ts";

const MB = 1 << 20;
/** Copilot CLI's log is read in one pass; the others must be understood as a whole before the first event. */
const LIMITS: Record<string, number> = { "copilot-cli": 150, "claude-code": 300, vscode: 220 };

export function measureMemory(table: Table, folder: string, texts: Texts): void {
  for (const { source, folder: name, make } of MAKERS) {
    const root = join(folder, "huge", name);
    const made = make(texts, root, { seed: 1, bytes: 500 * MB, longLine: 60 * MB });
    const read = runTask("read.ts", [source, root]);
    const what = `${source}: 500 MB log with a 60 MB line`;
    table.number(`${what}, peak memory`, read.peakMb, "most", LIMITS[source] ?? 0, " MB");
    table.equal(`${what}, turns found`, read.turns, made.turns);
    rmSync(root, { recursive: true });
  }
}
