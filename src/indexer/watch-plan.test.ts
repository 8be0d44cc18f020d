import { describe, expect, it } from "vitest";
import type { Artifact } from "../model/session/session.ts";
import {
  asKnown,
  concernedBy,
  dueAt,
  foldersToWatch,
  isSame,
  looksBeside,
  sweepAfter,
  toKnown,
} from "./watch-plan.ts";

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
  const known = toKnown(
    { artifacts: [own, shared], problems: [] },
    ({ path }) => (path === own.path ? "/state/one" : undefined),
    ({ path }) => (path === own.path ? ["/state/one/files"] : []),
  );
  it.each([
    ["a log", "/projects/x", "two.jsonl", shared],
    ["whatever lies in a session's own folder", "/state/one", "workspace.yaml", own],
    ["something in that folder, of which the name is not told", "/state/one", undefined, own],
    ["a file beside its log", "/state/one/files", "notes.md", own],
    ["a folder whose name begins as a session's does", "/state/one-more", "events.jsonl", undefined],
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

it("tells of a session as it is now, once its folder was asked for", () => {
  const before = artifact("/state/one/events.jsonl");
  const known = toKnown({ artifacts: [before], problems: [] }, () => "/state/one");
  expect(concernedBy(known, "/state/one", "plan.md")).toBe(before);
  const now = artifact(before.path, 2);
  known.byPath.set(now.path, now);
  expect(concernedBy(known, "/state/one", "plan.md")).toBe(now);
});

it("takes the files beside a log for unchanged only while the log is", () => {
  const sidecars = { files: "{}", folders: "{}" };
  const kept = { ...artifact("/state/one/events.jsonl"), sidecars };
  const grown = { ...artifact("/state/two/events.jsonl"), sidecars };
  const known = toKnown({ artifacts: [kept, grown], problems: [] }, () => undefined);
  const artifacts = [artifact(kept.path), artifact(grown.path, 2), artifact("/state/new/events.jsonl")];
  expect(asKnown({ artifacts, problems: [] }, known).artifacts).toEqual([kept, artifacts[1], artifacts[2]]);
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
  it("looks at what lies beside the logs every time where that is cheap, else every fourth time", () => {
    const looks = (cpuMs: number) => [0, 1, 2, 3, 4, 5].map((sweep) => looksBeside(sweep, cpuMs));
    expect(looks(20)).toEqual([true, true, true, true, true, true]);
    expect(looks(200)).toEqual([true, false, false, false, true, false]);
  });
});
