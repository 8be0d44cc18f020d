/** Which room may import which, checked for every file; and who alone may touch the machine. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const MAY_IMPORT: Record<string, readonly string[]> = {
  model: [],
  platform: ["model"],
  sources: ["model", "platform"],
  bundle: ["model", "platform"],
  store: ["model", "platform"],
  indexer: ["model", "sources", "store"],
  query: ["model", "sources", "store"],
  edit: ["model", "platform", "sources", "store", "bundle"],
  bridge: ["model", "platform", "sources"],
  demo: ["model", "platform", "sources"],
  app: ["model", "platform", "sources", "store", "bundle", "indexer", "query", "edit", "bridge", "demo"],
  cli: ["model", "app"],
};
/** These touch disk, processes and databases, and only `platform` may. */
const MACHINE = /^node:(fs|sqlite|child_process|net|http)/;
/** Reading the environment is the business of one file each. */
const READS_ENVIRONMENT = ["app/config.ts", "cli/main.ts"];

const src = resolve(import.meta.dirname, "../src");
const files = globSync("**/*.ts", { cwd: src })
  .filter((file) => !file.endsWith(".test.ts"))
  .sort();

const importsOf = (file: string): string[] => {
  const text = readFileSync(join(src, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
};
const roomOf = (file: string): string => (file.includes("/") ? (file.split("/")[0] ?? "") : "index");

describe("the rooms", () => {
  it("has files to check", () => {
    expect(files.length).toBeGreaterThan(15);
  });

  it.each(files)("%s imports only what lies to its left", (file) => {
    const room = roomOf(file);
    if (room === "index") return;
    const allowed = MAY_IMPORT[room];
    expect(allowed, `no row in the import table for ${room}/`).toBeDefined();
    const foreign = importsOf(file)
      // The package's own description lies outside the rooms.
      .filter((path) => path.startsWith(".") && !path.endsWith("/package.json"))
      .map((path) => roomOf(relative(src, resolve(src, dirname(file), path))))
      .filter((target) => target !== room && !allowed?.includes(target));
    expect(foreign).toEqual([]);
  });

  it.each(files.filter((file) => roomOf(file) !== "platform"))(
    "%s leaves the machine to platform",
    (file) => {
      expect(importsOf(file).filter((path) => MACHINE.test(path))).toEqual([]);
    },
  );

  it.each(files.filter((file) => !READS_ENVIRONMENT.includes(file)))(
    "%s reads no environment variable",
    (file) => {
      expect(readFileSync(join(src, file), "utf8")).not.toMatch(/process\.env|os\.homedir|homedir\(/);
    },
  );

  it("keeps one source from importing another", () => {
    const crossing = files
      .filter((file) => /^sources\/[^/]+\//.test(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => path.startsWith("."))
          .map((path) => relative(src, resolve(src, dirname(file), path)))
          .filter((target) => /^sources\/[^/]+\//.test(target) && target.split("/")[1] !== file.split("/")[1])
          .map((target) => `${file} -> ${target}`),
      );
    expect(crossing).toEqual([]);
  });
});
