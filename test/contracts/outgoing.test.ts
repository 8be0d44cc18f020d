/** The files of every source as they leave the machine: without their secrets, and otherwise byte for byte the same. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import { createOutgoingRedactor, type OutgoingRedactor } from "../../src/model/redact/outgoing.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { SOURCES } from "../../src/sources/registry.ts";

const KEY = new Uint8Array(32);
const TOKEN = `ghp_${"q1W2e3R4t5Y6u7I8o9P0".repeat(2).slice(0, 36)}`;
const MARK = createOutgoingRedactor({ key: KEY }).text(TOKEN);

const home = realpathSync(mkdtempSync(join(tmpdir(), "rethread-outgoing-")));
beforeAll(async () => {
  await createDemo({ fs: localFs, sources: SOURCES, home, now: new Date("2026-11-15T12:00:00.000Z") });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const mannerOf = (path: string): "jsonl" | "json" | "text" =>
  path.endsWith(".jsonl") ? "jsonl" : path.endsWith(".json") ? "json" : "text";

/** Every text file below a folder; pieces that are no UTF-8 are no text. */
const filesIn = (folder: string): { path: string; text: string }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))
    .filter(({ text }) => !text.includes("\0"));

function redactFile(redactor: OutgoingRedactor, path: string, text: string): string {
  const manner = mannerOf(path);
  redactor.learn(text, manner);
  if (manner !== "jsonl") return manner === "json" ? redactor.json(text) : redactor.text(text);
  return text
    .split("\n")
    .map((line) => redactor.line(line))
    .join("\n");
}

/** With a token at the beginning of the longest text of each record that has words in it. */
function plant(line: string): string | undefined {
  const texts = [...line.matchAll(/:"((?:[^"\\]|\\.)*)"/g)].filter(([, text = ""]) => text.includes(" "));
  const longest = texts.toSorted((a, b) => b[0].length - a[0].length)[0];
  return longest && `${line.slice(0, longest.index + 2)}${TOKEN} ${line.slice(longest.index + 2)}`;
}

const folders = [
  ["the fixtures", () => resolve(import.meta.dirname, "../fixtures")],
  ["the demo", () => join(home, "demo")],
] as const;

describe.each(folders)("%s", (_, folder) => {
  it("leave as they are, since they hold no secret", () => {
    const files = filesIn(folder());
    expect(files.length).toBeGreaterThan(50);
    for (const { path, text } of files)
      expect(redactFile(createOutgoingRedactor({ key: KEY }), path, text) === text, path).toBe(true);
  });

  it("differ only where a secret was planted in a record", () => {
    let planted = 0;
    for (const { path, text } of filesIn(folder()).filter((file) => file.path.endsWith(".jsonl"))) {
      const redactor = createOutgoingRedactor({ key: KEY });
      for (const line of text.split("\n")) {
        const changed = plant(line);
        if (changed === undefined) continue;
        planted++;
        expect(
          redactor.line(changed) === changed.replaceAll(TOKEN, MARK),
          `${path}: ${line.slice(0, 200)}`,
        ).toBe(true);
      }
    }
    expect(planted).toBeGreaterThan(100);
  });
});
