import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Artifact } from "../../model/session/session.ts";
import { createRemembered } from "./remembered.ts";

const session = (id: string, mtimeMs = 1): Artifact => ({
  source: "copilot-cli",
  id,
  root: "/home",
  path: `/home/${id}`,
  fingerprint: { size: 1, mtimeMs, ino: 1 },
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("knows a session until it changes", () => {
  const remembered = createRemembered<string>();
  remembered.set(session("a"), "read");
  expect(remembered.get(session("a"))).toBe("read");
  expect(remembered.get(session("a", 2))).toBeUndefined();
  expect(remembered.artifactOf("copilot-cli:a")).toEqual(session("a"));
});

it("forgets a session that nobody asked for in a minute", () => {
  const remembered = createRemembered<string>();
  remembered.set(session("a"), "read");
  vi.advanceTimersByTime(50_000);
  expect(remembered.get(session("a"))).toBe("read");
  vi.advanceTimersByTime(50_000);
  expect(remembered.get(session("a"))).toBe("read");
  vi.advanceTimersByTime(61_000);
  expect(remembered.artifactOf("copilot-cli:a")).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

it("forgets those first that were not asked for longest", () => {
  const remembered = createRemembered<string>();
  for (const id of ["a", "b", "c", "d"]) remembered.set(session(id), id);
  remembered.get(session("a"));
  remembered.set(session("e"), "e");
  expect(["a", "b", "c", "d", "e"].filter((id) => remembered.get(session(id)))).toEqual(["a", "c", "d", "e"]);
});

it("holds no more than a bounded size, and nothing larger than that", () => {
  const remembered = createRemembered<string>();
  for (const id of ["a", "b"]) {
    remembered.set(session(id), id);
    remembered.weigh(session(id), 150 << 20);
  }
  expect(["a", "b"].filter((id) => remembered.get(session(id)))).toEqual(["b"]);
  remembered.weigh(session("b"), 1 << 30);
  expect(remembered.get(session("b"))).toBeUndefined();
});

it("drops what could not be read, but nothing that came after it", () => {
  const remembered = createRemembered<string>();
  remembered.set(session("a", 2), "newer");
  remembered.drop(session("a", 1));
  expect(remembered.get(session("a", 2))).toBe("newer");
  remembered.drop(session("a", 2));
  expect(remembered.get(session("a", 2))).toBeUndefined();
});
