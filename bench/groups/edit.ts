/** Changes of a Copilot CLI session of 100 MB, planned, backed up, written and read back: memory, and time against reading and copying it. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeCopilot } from "../corpus/copilot-cli.ts";
import type { Texts } from "../corpus/text.ts";
import { runTask, type Table } from "../table.ts";

const SIZE = 100 << 20;
const MOST_MB = 300;
/** Readings of the log that an operation may cost: where things stand in it, as it is, as it will be, and as it is then. */
const MOST_READINGS = 12;

export function measureEdit(table: Table, folder: string, texts: Texts): void {
  const root = join(folder, "edit");
  const { path } = makeCopilot(texts, root, { bytes: SIZE, seed: 11 });
  for (const operation of ["clone", "fork", "rewind"]) {
    const read = runTask("read.ts", ["copilot-cli", root]);
    const changed = runTask("edit.ts", [operation, root, join(folder, `edit-${operation}`)]);
    const copied = runTask("copy.ts", [path, join(folder, "copied")]);
    const what = `${operation} of a 100 MB session`;
    table.number(`${what}, peak memory`, changed.peakMb, "most", MOST_MB, " MB");
    table.number(`${what}, CPU against reading it once`, changed.cpu / read.cpu, "most", MOST_READINGS);
    console.log(
      `${what}: ${changed.cpu.toFixed(1)} s of CPU, ${(changed.cpu / copied.cpu).toFixed(0)} times that of copying it`,
    );
  }
  rmSync(root, { recursive: true });
}
