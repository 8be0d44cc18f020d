import { expect, it } from "vitest";
import { relocateAny } from "../../model/values/relocate.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { findMoves } from "../vscode/edit/move/text.ts";
import { choosePaths } from "./copied-paths.ts";

const OLD = String.raw`c:\old shop`;
const NEW = String.raw`c:\new shop`;
/** One place in every spelling that sessions have, and one that is only in the old folder. */
const HELD = JSON.stringify({
  a: { $mid: 1, scheme: "file", path: "/c:/old shop/a.ts", fsPath: String.raw`c:\old shop\a.ts` },
  b: { $mid: 1, scheme: "file", path: "/C:/old shop/a.ts", external: "file:///c%3A/old%20shop/a.ts" },
  c: { filePath: String.raw`C:\old shop\a.ts` },
  d: { uri: "file:///c%3A/old%20shop/a.ts" },
  e: { filePath: String.raw`c:\old shop\gone.ts` },
  f: { uri: "file:///c%3A/old%20shop/gone.ts" },
});

it("finds files of Windows in every spelling of their paths and addresses", async () => {
  const fs = createMemoryFs({ "c:/new shop/a.ts": "" });
  const none = () => ({ toolCalls: 0, attachments: 0, others: 0, mentions: 0 });
  const find = (relocation: Parameters<typeof findMoves>[1], counts = none()) =>
    findMoves(Buffer.from(HELD), relocation, false, counts);
  const chosen = await choosePaths(fs, { from: OLD, to: NEW }, "existing", async (each) => find(each));
  const count = chosen.count();
  const counts = none();
  const edits = find(count.relocation, counts);
  expect(counts.others).toBe(4);
  expect(count.kept()).toBe(2);
  expect(edits.map(({ text }) => JSON.parse(text))).toEqual([
    "/c:/new shop/a.ts",
    String.raw`c:\new shop\a.ts`,
    "/c:/new shop/a.ts",
    "file:///c%3A/new%20shop/a.ts",
    String.raw`c:\new shop\a.ts`,
    "file:///c%3A/new%20shop/a.ts",
  ]);
});

it("asks only for what lies below the old folder", async () => {
  const asked: string[] = [];
  const fs = { ...createMemoryFs({}), exists: async (path: string) => asked.push(path) > 0 };
  const paths = ["/old/a.ts", "/old/../b.ts", "/older/c.ts", "file:///old/d%20e.ts", "/new/f.ts"];
  await choosePaths(fs, { from: "/old", to: "/new" }, "existing", async (each) => {
    for (const path of paths) relocateAny(path, each);
  });
  expect(asked).toEqual(["/new/a.ts", "/new/d e.ts"]);
});
