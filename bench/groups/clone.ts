/** A clone of a large VS Code session, planned, backed up, written and read back, against parsing and writing its JSON. */
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toKeyValueDb } from "../../src/platform/key-value-db.ts";
import type { Texts } from "../corpus/text.ts";
import { makeVscode, makeVscodeDocument } from "../corpus/vscode.ts";
import { runTask, type Table } from "../table.ts";

const LARGE = 50;
/** Counting tokens takes so long that less of them must do; the share is the same. */
const SMALL = 4;
const EMPTY_LIST = { "chat.ChatSessionStore.index": '{"version":1,"entries":{}}' };

export function measureClone(table: Table, folder: string, texts: Texts): void {
  const measure = (form: string, make: (root: string, bytes: number) => string): void => {
    const clone = (mb: number, tokens: "counted" | "uncounted") => {
      const home = join(folder, `clone-${form}-${tokens}`);
      const root = join(home, "User");
      const file = make(root, mb << 20);
      // Alone in its store, so that the clone has the same form.
      for (const name of readdirSync(dirname(file)))
        if (join(dirname(file), name) !== file) rmSync(join(dirname(file), name));
      writeFileSync(join(dirname(dirname(file)), "state.vscdb"), toKeyValueDb("ItemTable", EMPTY_LIST));
      const ours = runTask("clone.ts", ["vscode", root, join(home, "ours"), tokens]);
      const yardstick = runTask("rewrite.ts", [file, join(home, "rewritten")]);
      return { cpu: ours.cpu / yardstick.cpu, memory: ours.peakMb / (statSync(file).size / (1 << 20)) };
    };
    const against = "CPU against JSON.parse and JSON.stringify of it";
    const plain = clone(LARGE, "uncounted");
    table.number(`clone of a ${LARGE} MB VS Code ${form}, tokens aside: ${against}`, plain.cpu, "most", 3);
    table.number(`clone of a ${LARGE} MB VS Code ${form}: memory, times its size`, plain.memory, "most", 8);
    const counted = clone(SMALL, "counted");
    table.number(`the same of ${SMALL} MB with its tokens: ${against}`, counted.cpu, "most", 3);
  };
  measure("log", (root, bytes) => makeVscode(texts, root, { bytes, seed: 7 }).path);
  measure("document", (root, bytes) => makeVscodeDocument(texts, root, bytes));
}
