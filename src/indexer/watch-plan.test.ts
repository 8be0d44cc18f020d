import { describe, expect, it } from "vitest";
import type { Artifact } from "../model/session/session.ts";
import { concernedBy, dueAt, foldersToWatch, isSame, sweepAfter, toKnown } from "./watch-plan.ts";

const artifact = (path: string, mtimeMs = 1): Artifact => ({
  source: "copilot-cli",
  id: path,
  root: "/home",
  path,
  fingerprint: { size: 1, mtimeMs, ino: 1 },
});

describe("whom an event is about", () => {
  const own = artifact("/state/one/events.jsonl");
  const shared = artifact("/projects/x/two.jsonl");
  const known = toKnown({ artifacts: [own, shared], problems: [] }, ({ path }) =>
    path === own.path ? "/state/one" : undefined,
  );
  it.each([
    ["a log", "/projects/x", "two.jsonl", shared],
    ["whatever lies in a session's own folder", "/state/one", "workspace.yaml", own],
    ["something in that folder, of which the name is not told", "/state/one", undefined, own],
    ["a new file beside others", "/projects/x", "three.jsonl", undefined],
    ["a new folder", "/state", "two", undefined],
  ])("%s", (_case, folder, name, about) => {
    expect(concernedBy(known, folder, name)).toBe(about);
  });
});

it("sees that a session is back of which only a copy was left", () => {
  const copy = { ...artifact("/state/one/events.jsonl"), vanishedAt: "2026-11-01" };
  expect([isSame(copy, copy), isSame(artifact(copy.path), copy)]).toEqual([true, false]);
});

describe("what is watched", () => {
  it("is where sessions appear, what appeared, and where somebody wrote last, each once", () => {
    const artifacts = [artifact("/b/old", 1), artifact("/a/new", 3), artifact("/a/middle", 2)];
    expect(foldersToWatch(["/in", "/a"], ["/in/x"], artifacts)).toEqual(["/in", "/a", "/in/x", "/b"]);
  });
  it("is not all of it, however many sessions there are", () => {
    const artifacts = Array.from({ length: 5000 }, (_, i) => artifact(`/state/${i}/events.jsonl`, i));
    const folders = foldersToWatch(["/state"], ["/state/new"], artifacts);
    expect(folders.length).toBeLessThan(200);
    expect(folders).toEqual(expect.arrayContaining(["/state", "/state/new", "/state/4999", "/state/4900"]));
    expect(folders).not.toContain("/state/1");
  });
  it("is not what is gone", () => {
    expect(foldersToWatch([], [], [{ ...artifact("/a/x"), vanishedAt: "2026-01-01" }])).toEqual([]);
  });
});

describe("when to act", () => {
  const idle = { ended: -1e9, took: 0 };
  it("waits for a pause, but not for a writer that never pauses", () => {
    expect(dueAt({ first: 1000, last: 1000, ...idle })).toBe(1100);
    expect(dueAt({ first: 1000, last: 1150, ...idle })).toBe(1250);
    expect(dueAt({ first: 1000, last: 9000, ...idle })).toBe(1300);
  });
  it("rests after a long round", () => {
    expect(dueAt({ first: 1000, last: 1000, ended: 990, took: 500 })).toBe(2990);
    expect(dueAt({ first: 1000, last: 1000, ended: 990, took: 60_000 })).toBe(10_990);
  });
  it("looks at everything every few seconds, and less often where that takes long", () => {
    expect([sweepAfter(5), sweepAfter(100), sweepAfter(1000)]).toEqual([3000, 15_000, 30_000]);
  });
});
