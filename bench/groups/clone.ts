/** A clone of a large VS Code session, planned, backed up, written and read back, against parsing and writing its JSON. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import type { Texts } from "../corpus/text.ts";
import { makeVscode, makeVscodeDocument } from "../corpus/vscode.ts";
import { type Cost, runTask, type Table } from "../table.ts";

const MB = 50;
const EMPTY_LIST = { "chat.ChatSessionStore.index": '{"version":1,"entries":{}}' };

export function measureClone(table: Table, folder: string, texts: Texts): void {
  const measure = (form: string, make: (root: string) => string): void => {
    const home = join(folder, `clone-${form}`);
    const root = join(home, "User");
    const file = make(root);
    const clone = (tokens: "counted" | "uncounted"): Cost => {
      // Alone in its store: the form of the clone is that of the others, and the largest of them is not looked for.
      for (const name of readdirSync(dirname(file)))
        if (join(dirname(file), name) !== file) rmSync(join(dirname(file), name));
      writeFileSync(join(dirname(dirname(file)), "state.vscdb"), toKeyValueDb("ItemTable", EMPTY_LIST));
      return runTask("clone.ts", ["vscode", root, join(home, tokens), tokens]);
    };
    const plain = clone("uncounted");
    const yardstick = runTask("rewrite.ts", [file, join(home, "rewritten")]);
    const counted = clone("counted");
    const what = `clone of a ${MB} MB VS Code ${form}`;
    const against = "CPU against JSON.parse and JSON.stringify of it";
    table.number(`${what}, tokens aside: ${against}`, plain.cpu / yardstick.cpu, "most", 3);
    table.number(`${what}: ${against}`, counted.cpu / yardstick.cpu, "most", 4);
    table.number(`${what}: memory, times its size`, counted.peakMb / MB, "most", 8);
  };
  measure("log", (root) => makeVscode(texts, root, { bytes: MB << 20, seed: 7 }).path);
  measure("document", (root) => makeVscodeDocument(texts, root, MB << 20));
}
