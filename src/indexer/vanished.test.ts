import { expect, it } from "vitest";
import type { Problem } from "../model/problem.ts";
import type { Artifact } from "../model/session/session.ts";
import { judgeAbsent } from "./vanished.ts";

const SOURCES = [
  { source: "copilot-cli", roots: ["/a", "/b"] },
  { source: "vscode", roots: ["/a"] },
];
const here = (root: string, more: Partial<Artifact> = {}): Artifact => ({
  source: "copilot-cli",
  id: "x",
  root,
  path: `${root}/x`,
  fingerprint: { size: 0, mtimeMs: 0, ino: 0 },
  ...more,
});
const unreadable = (code: Problem["code"], path: string): Problem => ({
  code,
  source: "copilot-cli",
  path,
  message: "permission denied",
});
const fates = (
  artifacts: Artifact[],
  paths: string[],
  problems: Problem[] = [],
  policy: "keep" | "remove" = "remove",
) => {
  const fateOf = judgeAbsent({ artifacts, problems }, SOURCES, policy);
  return paths.map((path) => fateOf({ source: "copilot-cli", path }));
};

it("keeps or removes what is gone, as told", () => {
  expect(fates([here("/a")], ["/a/y"])).toEqual(["remove"]);
  expect(fates([here("/a")], ["/a/y"], [], "keep")).toEqual(["keep"]);
});

it("keeps the sessions of a root that is missing or empty as a whole, whatever was told", () => {
  expect(fates([here("/b")], ["/a/y", "/b/y"])).toEqual(["keep", "remove"]);
  // Another program's sessions below the same folder prove nothing, and neither does a copy in the vault.
  expect(fates([here("/a", { source: "vscode" })], ["/a/y"])).toEqual(["keep"]);
  expect(fates([here("/a", { vanishedAt: "2026-11-01" })], ["/a/y"])).toEqual(["keep"]);
});

it("keeps the sessions of a root that nobody looks at any more", () => {
  expect(fates([here("/a")], ["/elsewhere/y", "/ab/y"])).toEqual(["keep", "keep"]);
});

it("says nothing about what it may not look at", () => {
  const problems = [unreadable("folder-unreadable", "/a/shut"), unreadable("session-unreadable", "/a/z")];
  const paths = ["/a/shut/y/log", "/a/z", "/a/shutter/y"];
  expect(fates([here("/a")], paths, problems)).toEqual(["leave", "leave", "remove"]);
  expect(fates([here("/a")], paths, problems, "keep")).toEqual(["leave", "leave", "keep"]);
});
