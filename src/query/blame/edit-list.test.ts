import { expect, it } from "vitest";
import type { FileEdit } from "../../model/session/file-edit.ts";
import { createEditList } from "./edit-list.ts";

const write = (text: string, before?: string): { edit: FileEdit } => ({
  edit: { does: "write", path: "/a", text, ...(before !== undefined && { before }) },
});

it("lets go of the oldest changes when all would be too many, and counts them", () => {
  const list = createEditList<{ edit: FileEdit }>(1000, 1000);
  for (let at = 0; at < 100; at++) list.push(write(`${at}`.padEnd(100, "x")));
  const kept = list.items();
  expect(kept.length).toBeLessThanOrEqual(10);
  expect(kept.length + list.leftOut()).toBe(100);
  expect(kept.at(-1)).toEqual(write("99".padEnd(100, "x")));
});

it("keeps the last change, however large it is", () => {
  const list = createEditList<{ edit: FileEdit }>(10, 10);
  for (const text of ["a", "b".repeat(100)]) list.push(write(text));
  expect([list.items(), list.leftOut()]).toEqual([[write("b".repeat(100))], 1]);
});

it("does without files as they were before, once they are too many", () => {
  const list = createEditList<{ edit: FileEdit }>(10_000, 250);
  for (let at = 0; at < 3; at++) list.push(write("new", "old".repeat(30)));
  expect(list.items().map(({ edit }) => edit.before?.length)).toEqual([90, 90, undefined]);
});
