import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockFolderFor } from "./lock-folder.ts";
import { lockFor, takeWriteLock } from "./write-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-locks-test-"));
  for (const name of ["agent", "own", "one", "two"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]): string => join(folder, ...names);
const uid = process.geteuid?.();
const NAME = uid === undefined ? "rethread-locks" : `rethread-locks-${uid}`;
const find = (...places: string[]): string =>
  lockFolderFor(
    at("agent"),
    at("own"),
    places.map((place) => at(place)),
  ).slice(folder.length + 1);

it("is the same for all processes of a user, and only theirs", () => {
  expect([find("one", "two"), find("one", "two")]).toEqual([join("one", NAME), join("one", NAME)]);
  if (uid !== undefined) expect(statSync(at("one", NAME)).mode & 0o777).toBe(0o700);
  expect(existsSync(at("two", NAME))).toBe(false);
});

it("is never made in a place that is not there", () => {
  expect(find("missing", "two")).toBe(join("two", NAME));
  expect(readdirSync(folder)).not.toContain("missing");
});

it.runIf(uid !== undefined)("passes over what somebody else may have put there", () => {
  const traps: [string, () => void][] = [
    ["a link", () => symlinkSync(at("two"), at("one", NAME))],
    ["a link that leads nowhere", () => symlinkSync(at("nowhere"), at("one", NAME))],
    ["a file", () => writeFileSync(at("one", NAME), "")],
    [
      "a folder that all may write to",
      () => {
        mkdirSync(at("one", NAME));
        chmodSync(at("one", NAME), 0o777);
      },
    ],
  ];
  for (const [trap, set] of traps) {
    rmSync(at("one", NAME), { recursive: true, force: true });
    set();
    expect(find("one"), trap).toBe(join("own", "locks"));
    expect(find("one", "two"), trap).toBe(join("two", NAME));
    rmSync(at("two", NAME), { recursive: true });
  }
  expect(readdirSync(at("two"))).toEqual([]);
});

it.runIf(uid === 0)("is, for root, that of the owner of the agent's folder, who can use it, too", () => {
  chownSync(at("agent"), 54_321, 54_321);
  expect(find("one")).toBe(join("one", "rethread-locks-54321"));
  const { uid: owner, mode } = statSync(at("one", "rethread-locks-54321"));
  expect([owner, mode & 0o777]).toEqual([54_321, 0o700]);
  // What the owner could have put there does not lead root elsewhere.
  symlinkSync(at("made-by-root"), at("one", "rethread-locks-54321", "lock"));
  expect(() => takeWriteLock(at("one", "rethread-locks-54321", "lock"))).toThrow();
  expect(existsSync(at("made-by-root"))).toBe(false);
});

it("leads two data folders to one lock of an agent's folder", () => {
  const paths = ["a", "b"].map((own) => lockFor(at("agent", "not", "there"), at(own)));
  expect(paths[0]).toBe(paths[1]);
  const unlock = takeWriteLock(paths[0] ?? "");
  expect(takeWriteLock(paths[1] ?? "")).toBeUndefined();
  unlock?.();
});

it("refuses what is no lock, with a reason", () => {
  const odd: Record<string, () => void> = {
    folder: () => mkdirSync(at("own", "folder")),
    text: () =>
      writeFileSync(at("own", "text"), "this is not a database, as it is far too talkative\n".repeat(40)),
    link: () => symlinkSync(at("own", "text"), at("own", "link")),
  };
  for (const [name, make] of Object.entries(odd)) {
    make();
    expect(() => takeWriteLock(at("own", name)), name).toThrow(
      expect.objectContaining({
        code: "store-unusable",
        message: `${at("own", name)} is not a lock file`,
      }),
    );
  }
});
