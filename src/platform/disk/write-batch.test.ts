import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWriteBatch } from "./write-batch.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-batch-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

it("shows no file before it is whole, then all of them, for their owner alone", async () => {
  const batch = createWriteBatch();
  batch.add(at("a"), Buffer.from("one"), at("tmp-1"));
  batch.add(at("b"), Buffer.from("two"), at("tmp-2"));
  expect({ size: batch.size, a: existsSync(at("a")) }).toEqual({ size: 2, a: false });
  await batch.settle();
  expect({ size: batch.size, names: readdirSync(folder).sort() }).toEqual({ size: 0, names: ["a", "b"] });
  expect([readFileSync(at("b"), "utf8"), statSync(at("b")).mode & 0o777]).toEqual(["two", 0o600]);
});

it("leaves nothing behind when one cannot be written, or when it is given up", () => {
  const batch = createWriteBatch();
  batch.add(at("a"), Buffer.from("one"), at("tmp-1"));
  expect(() => batch.add(at("b"), Buffer.from("two"), at("no/such/folder"))).toThrow("ENOENT");
  expect({ size: batch.size, names: readdirSync(folder) }).toEqual({ size: 0, names: [] });
  batch.add(at("a"), Buffer.from("one"), at("tmp-1"));
  batch.abandon();
  expect(readdirSync(folder)).toEqual([]);
});
