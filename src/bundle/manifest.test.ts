import { expect, it, vi } from "vitest";
import type { AppError } from "../model/errors.ts";
import { parseManifest } from "./manifest.ts";
import { ENTRY } from "./manifest-schema.ts";

const FILE = { kind: "file", path: "log", mode: 0o100644, mtimeMs: 1.5, size: 0, sha256: "0".repeat(64) };
const PART = { source: "copilot-cli", id: "one", folder: "copilot-cli/one", entries: [FILE] };
const WHOLE = {
  format: "rethread-bundle",
  version: 1,
  kind: "sessions",
  madeAt: "2026-11-15T12:00:00.000Z",
  madeBy: "rethread 0.0.0",
  parts: [PART],
};
const parse = (more: object, part?: object) =>
  parseManifest(JSON.stringify({ ...WHOLE, ...(part && { parts: [{ ...PART, ...part }] }), ...more }));
const refusal = (more: object, part?: object): Pick<AppError, "code" | "message"> => {
  try {
    parse(more, part);
    throw new Error("it was taken");
  } catch (error) {
    return error as AppError;
  }
};
const inEntry = (more: object) => [{}, { entries: [FILE, { ...FILE, path: "other", ...more }] }] as const;

it("is what was written, but for members that nobody knows, a title that is none, and the kind of a file in its mode", () => {
  const file = { ...FILE, mode: 0o644 };
  expect(parse({ colour: 1 }, { title: 3, colour: 2, entries: [{ ...FILE, colour: 3 }] })).toEqual({
    ...WHOLE,
    parts: [{ ...PART, entries: [file] }],
  });
  const home = { source: "copilot-cli", folder: "home", entries: [], sessions: 3 };
  const rows = { "session.db": { turns: 5, ["__proto__"]: 1 } };
  expect(parse({ kind: "home", parts: [{ ...home, rows }] }).parts).toEqual([{ ...home, rows }]);
});

it.each([
  ["is missing", "in its manifest, madeBy is missing", { madeBy: undefined }],
  ["is none", 'in its manifest, kind is neither "sessions" nor "home"', { kind: "one" }],
  ["is no list", "in its manifest, parts is not a list", { parts: {} }],
  ["is no object", "in its manifest, parts[0] is not an object", { parts: [7] }],
  ["is no text", "in its manifest, parts[0].folder is not a text", {}, { folder: 7 }],
  [
    "is no size",
    "in its manifest, parts[0].entries[1].size is not a whole number",
    ...inEntry({ size: 0.5 }),
  ],
  ["is below zero", "in its manifest, parts[0].entries[1].mode is less than 0", ...inEntry({ mode: -1 })],
  [
    "is no time",
    "in its manifest, parts[0].entries[1].mtimeMs is a time that no date can be",
    ...inEntry({ mtimeMs: 1e300 }),
  ],
  ["is no hash", "in its manifest, parts[0].entries[1].sha256 is not a hash", ...inEntry({ sha256: "00" })],
  ["says nothing", "its manifest does not say what it is", { format: "zip" }],
])("names the field that %s, and what is expected", (_, why, more, part?: object) => {
  expect(refusal(more, part)).toMatchObject({
    code: "bundle-damaged",
    message: `The bundle is damaged: ${why}; nothing was written`,
  });
});

it.each([
  ['"../x" is a path that leads outside', {}, { folder: "../x" }],
  ['"a b" is not a source', {}, { source: "a b" }],
  ['".hidden" is not an id', {}, { id: ".hidden" }],
  ['"other" is neither a file nor a folder', ...inEntry({ kind: "link" })],
  ['"/etc" is a path that leads outside', ...inEntry({ path: "/etc", size: -1 })],
])("calls by its name what is unsafe: %s", (why, more, part) => {
  expect(refusal(more, part)).toMatchObject({
    code: "bundle-unsafe",
    message: `The bundle is refused: ${why}; nothing was written`,
  });
});

it("stops at the first of many mistakes", () => {
  const checked = vi.spyOn(ENTRY, "safeParse");
  const entries = [FILE, ...Array.from({ length: 1000 }, () => ({ ...FILE, mode: "rw" }))];
  expect(refusal({}, { entries }).message).toContain("parts[0].entries[1].mode is not a whole number");
  expect(checked).toHaveBeenCalledTimes(2);
});
