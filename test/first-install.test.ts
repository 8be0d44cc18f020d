/**
 * `npm install` in a fresh clone is quiet with Node 20. The project brings the Node that it runs on, so what npm itself
 * runs on matters little: `devEngines` says so of our own package, and package-lock.json leaves out the `engines` of
 * others that demand more.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, "..", name), "utf8"));

interface Locked {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
}

/** Of ranges such as `^20.19.0 || >=22.12.0`. */
const admits20 = (range: string): boolean =>
  range.split("||").some((part) => {
    const [, operator, major] = /^(>=|\^)? ?(\d+)/.exec(part.trim()) ?? [];
    return operator === ">=" ? Number(major) <= 20 : Number(major) === 20;
  });

it("brings the Node it needs, and can be installed with an older one", () => {
  const { engines, devEngines, devDependencies } = read("package.json");
  expect(engines).toEqual({ node: ">=24" });
  expect(devEngines.runtime).toEqual({ name: "node", version: ">=20", onFail: "warn" });
  expect(devDependencies.node).toMatch(/^24\./);
});

it("has no package of which npm warns; else take its `engines` out of package-lock.json", () => {
  const packages = Object.entries<Locked>(read("package-lock.json").packages);
  expect(packages.length).toBeGreaterThan(50);
  const wanting = packages.filter(
    ([name, { engines, optional }]) => name !== "" && !optional && !admits20(engines?.node ?? ">=0"),
  );
  expect(wanting).toEqual([]);
});
