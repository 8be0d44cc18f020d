/** Logs of 500 MB with a line of 60 MB: how much memory reading takes, and whether every turn is there. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { MAKERS } from "../corpus/homes.ts";
import type { Texts } from "../corpus/text.ts";
import { runTask, type Table } from "../table.ts";

const MB = 1 << 20;
const LIMIT = 150;
const SHOW_LIMIT = 200;
/** Claude Code's rows form a tree that must be known before the first event, so many small ones are the hard case. */
const LARGEST: Record<string, number> = { "claude-code": 6000 };

export function measureMemory(table: Table, folder: string, texts: Texts): void {
  for (const { source, folder: name, make } of MAKERS) {
    const root = join(folder, "huge", name);
    const largest = LARGEST[source];
    const shape = { seed: 1, bytes: 500 * MB, longLine: 60 * MB, ...(largest !== undefined && { largest }) };
    const made = make(texts, root, shape);
    const read = runTask("read.ts", [source, root]);
    const what = `${source}: 500 MB log with a 60 MB line`;
    table.number(`${what}, peak memory`, read.peakMb, "most", LIMIT, " MB");
    table.equal(`${what}, turns found`, read.turns, made.turns);
    const shown = runTask("show.ts", [source, root]);
    table.number(`${source}: show of it, peak memory`, shown.peakMb, "most", SHOW_LIMIT, " MB");
    rmSync(root, { recursive: true });
  }
}
