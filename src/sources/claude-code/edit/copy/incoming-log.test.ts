import { expect, it } from "vitest";
import { createMemoryFs } from "../../../../platform/fs/memory.ts";
import { outputFolder } from "./incoming-log.ts";

const id = "11111111-1111-4111-8111-111111111111";
const folder = "/Users/Ada Lovelace/.claude/projects/-Users-Ada-Lovelace-shop";

it.each([
  [id, { toolUseResult: { persistedOutputPath: `${folder}/${id}/tool-results/b.txt` } }],
  [id, { content: `<persisted-output>\nFull output saved to: ${folder}/${id}/tool-results/b.txt\n\n1` }],
  ["old (copy", { content: `saved to: ${folder}/old (copy/tool-results/b.txt` }],
])("finds where outputs lay, whatever folders are called: %s %o", async (name, row) => {
  const text = `${JSON.stringify({ note: "/a/tool-results/" })}\n${JSON.stringify(row)}\n`;
  const file = { path: "p", mode: 0o600, mtimeMs: 0, size: text.length, pieces: [{ text }] };
  expect(await outputFolder(createMemoryFs({}), file, name)).toBe(`${folder}/${name}`);
});
