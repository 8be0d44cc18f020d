/** Pages for people who carry the work on name files; every one of them must be there. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const PAGES = globSync(["docs/architecture.md", "CONTRIBUTING.md", "src/**/*.md"], { cwd: root }).sort();

/** Paths in code marks. A name alone stands for a file in the folder that the sentence is about, which no test can know. */
const pathsIn = (page: string): string[] => {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g)]
    .map((match) => match[1] ?? "")
    .filter((path) => /\.(ts|md)$|\/$/.test(path) || path.startsWith("src/"));
};

it("has pages to check", () => {
  expect(PAGES).toContain(join("docs", "architecture.md"));
  expect(pathsIn("docs/architecture.md").length).toBeGreaterThan(40);
});

it.each(PAGES)("%s names no file that is not there", (page) => {
  const isBeside = page.startsWith("src");
  const isThere = (path: string): boolean =>
    existsSync(join(root, path)) || (isBeside && existsSync(join(dirname(join(root, page)), path)));
  // What a vendor keeps is named there, too; only TypeScript is surely ours.
  const wanted = pathsIn(page).filter(
    (path) => /^(src|web|test|docs|bench)\//.test(path) || (isBeside && path.endsWith(".ts")),
  );
  expect(wanted.filter((path) => !isThere(path))).toEqual([]);
});

it("numbers the decisions without gaps, each in its name and its heading", () => {
  const names = globSync("*.md", { cwd: join(root, "docs/decisions") }).sort();
  const numbers = names.map((name) => name.slice(0, 4));
  expect(numbers).toEqual(names.map((_, at) => String(at + 1).padStart(4, "0")));
  const headings = names.map((name) => readFileSync(join(root, "docs/decisions", name), "utf8").slice(2, 7));
  expect(headings).toEqual(numbers.map((number) => `${number} `));
});
