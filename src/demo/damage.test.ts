import { expect, it } from "vitest";
import { halfSave, harm, tear } from "./damage.ts";

const LOG = `${["one", "two", "three", "four", "a long last line"].map((line) => `{"line":"${line}"}`).join("\n")}\n`;

it("tears the log in the middle of a line and loses what would have followed", () => {
  expect(tear(Buffer.from(LOG)).toString()).toBe(`${LOG.slice(0, LOG.lastIndexOf("{"))}{"line":"a lon`);
});

it("begins a record once more and leaves it unfinished", () => {
  expect(halfSave(Buffer.from(LOG)).toString()).toBe(`${LOG}{"line":`);
});

it("harms the conversation, which is the largest file, and nothing beside it", () => {
  const images = [
    { path: "list.db", content: { table: "Items", rows: { key: LOG.repeat(2) } } },
    { path: "log.jsonl", content: LOG, mode: 0o600, mtime: "2026-01-01T00:00:00.000Z" },
    { path: "notes.md", content: "short" },
  ];
  expect(harm(images, "half-saved")).toEqual([
    images[0],
    { ...images[1], content: halfSave(Buffer.from(LOG)) },
    images[2],
  ]);
  expect(harm(images, "lost")).toEqual([images[0], images[2]]);
});
