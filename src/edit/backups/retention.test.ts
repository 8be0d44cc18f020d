import { describe, expect, it } from "vitest";
import type { Entry } from "../../model/plan.ts";
import type { BackupFacts } from "../../store/state/backups.ts";
import { chooseReleases, findConfirmed, spaceOf } from "./retention.ts";

const write = (operation: string, more: Partial<BackupFacts> = {}): BackupFacts => ({
  operation,
  state: "committed",
  beganAt: "2026-11-01T00:00:00.000Z",
  outcomes: [],
  files: 1,
  bytes: 100,
  blocks: [{ hash: operation, size: 10 }],
  rowBytes: 0,
  ...more,
});
const CONFIRMED = { confirmedAt: "2026-11-01T00:00:00.000Z" };
const NOW = new Date("2026-11-15T00:00:00Z");
const file = (size: number, ino = 1): Entry => ({
  kind: "file",
  path: "/log",
  mode: 0o600,
  mtimeMs: 0,
  size,
  ino,
});
const left = (size: number, ino = 1) => ({ outcomes: [{ path: "/log", size, ino }] });

describe("a backup", () => {
  it("stays as long as its write is not confirmed, however old and large it is", () => {
    const writes = [write("a"), write("b", { state: "pending" })];
    expect(chooseReleases(writes, { days: 0, bytes: 0 }, NOW)).toEqual([]);
  });

  it("goes when it is confirmed and older than is set; that of a write that was undone or failed needs no word", () => {
    const writes = [
      write("a", CONFIRMED),
      write("b", { state: "reverted" }),
      write("c", { ...CONFIRMED, beganAt: "2026-11-14T00:00:00.000Z" }),
    ];
    expect(chooseReleases(writes, { days: 10, bytes: 1000 }, NOW)).toEqual(["a", "b"]);
  });

  it("goes earlier when all take more than is set, the oldest first, until they do not", () => {
    const writes = [write("a"), write("b", CONFIRMED), write("c", CONFIRMED), write("d", CONFIRMED)];
    expect(chooseReleases(writes, { days: 90, bytes: 25 }, NOW)).toEqual(["b", "c"]);
    expect(chooseReleases(writes, { days: 90, bytes: 25 }, NOW, 1)).toEqual(["b"]);
  });

  it("frees nothing of what others share, and is no backup once it is gone", () => {
    const shared = { blocks: [{ hash: "x", size: 10 }], ...CONFIRMED };
    const writes = [write("a", shared), write("b", shared), write("c", { ...CONFIRMED, releasedAt: "2026" })];
    expect(spaceOf(writes)).toBe(10);
    expect(chooseReleases(writes, { days: 90, bytes: 5 }, NOW)).toEqual(["a", "b"]);
  });

  it("does not go because the clock was set back", () => {
    expect(chooseReleases([write("a", CONFIRMED)], { days: 0, bytes: 1000 }, new Date(0))).toEqual([]);
  });
});

describe("a write is confirmed", () => {
  it("when the very file that it left was appended to", () => {
    expect(findConfirmed([write("a", left(100))], () => file(120))).toEqual(["a"]);
    for (const found of [file(100), file(80), file(120, 2), undefined])
      expect(findConfirmed([write("a", left(100))], () => found)).toEqual([]);
  });

  it("by what became of the last write to the session, which stands for those before", () => {
    const writes = [
      write("a", left(100)),
      write("b", left(50)),
      write("c", { state: "reverted", ...left(10) }),
    ];
    expect(findConfirmed(writes, () => file(60))).toEqual(["a", "b"]);
    // Longer than the first one left it, but that was us.
    expect(findConfirmed([write("a", left(100)), write("b", left(200))], () => file(200))).toEqual([]);
  });

  it("only when all its sessions were gone on with, and never for one that was taken away", () => {
    const both = [
      { path: "/log", size: 1, ino: 1 },
      { path: "/other", size: 1, ino: 2 },
    ];
    const look = (path: string): Entry | undefined => (path === "/log" ? file(9) : file(1, 2));
    expect(findConfirmed([write("a", { outcomes: both })], look)).toEqual([]);
    expect(findConfirmed([write("a", { outcomes: [{ path: "/log" }] })], () => file(9))).toEqual([]);
  });
});
