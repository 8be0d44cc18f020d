/** VS Code's older form, a whole session in one JSON document, against parsing it in one piece. */
import { join } from "node:path";
import type { Texts } from "../corpus/text.ts";
import { makeVscodeDocument } from "../corpus/vscode.ts";
import { median, runTask, type Table } from "../table.ts";

const SIZE = 20 << 20;

export function measureDocument(table: Table, folder: string, texts: Texts): void {
  const root = join(folder, "document", "User");
  const document = makeVscodeDocument(texts, root, SIZE);
  const rounds = Array.from({ length: 3 }, () => ({
    ours: runTask("read.ts", ["vscode", root]),
    whole: runTask("parse-document.ts", [document]),
  }));
  const ratio = (key: "cpu" | "peakMb"): number =>
    median(rounds.map(({ ours, whole }) => whole[key] / ours[key]));
  table.number("20 MB VS Code document: speed against one JSON.parse", ratio("cpu"), "least", 2.4);
  table.number("20 MB VS Code document: memory against one JSON.parse", 1 / ratio("peakMb"), "most", 0.6);
}
