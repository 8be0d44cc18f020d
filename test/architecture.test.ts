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
  present: ["model", "app"],
  cli: ["model", "app", "present"],
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

/** The rooms that a file imports from. The package's own description lies outside of them. */
const roomsOf = (file: string): string[] =>
  importsOf(file)
    .filter((path) => path.startsWith(".") && !path.endsWith("/package.json"))
    .map((path) => roomOf(relative(src, resolve(src, dirname(file), path))));

describe("the rooms", () => {
  it("has files to check", () => {
    expect(files.length).toBeGreaterThan(500);
    expect(importsOf("cli/main.ts").length).toBeGreaterThan(1);
  });

  it("import only what lies to their left", () => {
    const crossing = files
      .filter((file) => roomOf(file) !== "index")
      .flatMap((file) => roomsOf(file).map((room) => [file, roomOf(file), room] as const))
      .filter(([, own, room]) => room !== own && !MAY_IMPORT[own]?.includes(room));
    expect(crossing).toEqual([]);
  });

  it("leave the machine to platform", () => {
    const touching = files.filter(
      (file) => roomOf(file) !== "platform" && importsOf(file).some((path) => MACHINE.test(path)),
    );
    expect(touching).toEqual([]);
  });

  it("leave the environment to one file each", () => {
    const reading = files.filter(
      (file) =>
        !READS_ENVIRONMENT.includes(file) &&
        /process\.env|os\.homedir|homedir\(/.test(readFileSync(join(src, file), "utf8")),
    );
    expect(reading).toEqual([]);
  });

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
