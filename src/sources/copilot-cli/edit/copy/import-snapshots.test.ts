/** Recorded file states from elsewhere: what the program writes comes along as it is, and nothing that it would not write. */
import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { localFs } from "../../../../platform/fs/local.ts";
import type { IncomingFile } from "../../../requests.ts";
import { checkSnapshots } from "./import-snapshots.ts";

const HOME = "/home/dev";
const OLD = hash("sha256", "old");
const hex = (text: string) => ({ encoding: "unix-bytes", data: Buffer.from(text).toString("hex") });
const at = (path: string) => ({ resolvedPath: path, encodedPath: hex(path) });
const content = (path: string) => ({
  kind: "content",
  contentHash: OLD,
  backupFile: OLD,
  mode: 33188,
  ...at(path),
});
const fileAt = (path: string) => ({ path, preimage: content(path), postimage: { kind: "absent" } });
const link = (path: string, leadsTo: string) => ({
  path,
  preimage: { kind: "symlink", target: "a", resolved: { contentHash: OLD, backupFile: OLD, ...at(leadsTo) } },
  postimage: { kind: "absent" },
});

type Files = Record<string, unknown>;
const indexOf = (files: Files, more: object = {}) => ({
  schema: 1,
  snapshots: [{ snapshotId: "s", eventId: "e", files, backupFiles: [OLD], fileCount: 9 }],
  ...more,
});

async function check(index: unknown, others: Record<string, string> = {}, folders = ["/work/shop"]) {
  const texts: Record<string, string> = {
    "events.jsonl": "{}",
    "rewind-file-snapshots/index.json": typeof index === "string" ? index : JSON.stringify(index),
    "rewind-file-snapshots/tracking.json": '{"schema":1,"tracking":true}',
    [`rewind-file-snapshots/backups/${OLD}`]: "old",
    ...others,
  };
  const files = Object.entries(texts).map(
    ([path, text]): IncomingFile => ({
      path,
      mode: 0o600,
      mtimeMs: 0,
      size: text.length,
      pieces: [{ text }],
      sha256: hash("sha256", text),
    }),
  );
  const checked = await checkSnapshots(localFs, files, {
    folders,
    userHome: HOME,
    read: async (path) => texts[path],
  });
  const kept = checked.files.find(({ path }) => path.endsWith("index.json"));
  const [piece] = kept?.pieces ?? [];
  const text = piece && "text" in piece ? piece.text : undefined;
  return {
    ...checked,
    isSame: checked.files.length === files.length && checked.files.every((file) => files.includes(file)),
    names: checked.files.map(({ path }) => path.replace("rewind-file-snapshots/", "")),
    index: text === undefined ? undefined : JSON.parse(text),
  };
}

it("comes along to the byte where it is what the program writes", async () => {
  const files = {
    a: fileAt("/work/shop/a"),
    b: link("/work/shop/link", "/work/shop/a"),
    c: { ...fileAt("/work/shop/c"), preimage: { kind: "skipped", reason: "too-large" } },
  };
  expect(await check(indexOf(files))).toMatchObject({ isSame: true, losses: [] });
  const windows = { ...fileAt("C:\\work\\a"), preimage: { kind: "absent" } };
  expect(await check(indexOf({ windows }), {}, ["c:\\work"])).toMatchObject({ isSame: true });
  expect(await check(indexOf({}), {})).toMatchObject({ isSame: true });
});

const [SHOP, BASHRC] = ["/work/shop/a", `${HOME}/.bashrc`];
it.each<[string, Record<string, unknown>]>([
  ["a path outside", fileAt(BASHRC)],
  ["a path whose record leads outside", { ...fileAt(SHOP), preimage: content(BASHRC) }],
  ["a link whose record leads outside", link(SHOP, BASHRC)],
])("leaves out and names %s", async (_, file) => {
  const { index, losses, names } = await check(indexOf({ file, good: fileAt("/work/shop/b") }));
  expect(losses).toEqual([`recorded states of files outside the session's folder: ${file.path}`]);
  expect(Object.keys(index.snapshots[0].files)).toEqual(["good"]);
  expect(index.snapshots[0]).toMatchObject({ fileCount: 1, backupFiles: [OLD] });
  expect(names).toContain(`backups/${OLD}`);
});

it("leaves out everything that claims to be in somebody's home as a whole", async () => {
  const { index, losses, names } = await check(indexOf({ file: fileAt(BASHRC) }), {}, [HOME, "/"]);
  expect(losses).toEqual([`recorded states of files outside the session's folder: ${BASHRC}`]);
  expect(index.snapshots[0]).toMatchObject({ files: {}, fileCount: 0, backupFiles: [] });
  expect(names).not.toContain(`backups/${OLD}`);
});

it.each<[string, unknown]>([
  ["a path that is not whole", fileAt("shop/a")],
  ["a path that climbs", fileAt("/work/shop/../../etc/passwd")],
  ["a path with a NUL", fileAt("/work/shop/a\0b")],
  ["another path in bytes", { ...fileAt(SHOP), encodedPath: hex(BASHRC) }],
  ["another place in bytes", { ...fileAt(SHOP), preimage: { ...content(SHOP), encodedPath: hex(BASHRC) } }],
  ["kept bytes by a path", { ...fileAt(SHOP), preimage: { ...content(SHOP), backupFile: "../../x" } }],
  ["a hash that is none", { ...fileAt(SHOP), preimage: { ...content(SHOP), contentHash: "aaaa" } }],
  ["a state of no kind", { ...fileAt(SHOP), preimage: {} }],
  ["no state", { path: SHOP }],
  ["no object", "file"],
])("leaves out and counts %s", async (_, file) => {
  const { index, losses } = await check(indexOf({ file, good: fileAt("/work/shop/b") }));
  expect(losses).toEqual(["1 recorded file states, which are not as Copilot CLI writes them"]);
  expect(Object.keys(index.snapshots[0].files)).toEqual(["good"]);
});

it.each<[string, unknown]>([
  ["is no JSON", "{"],
  ["is a list", []],
  ["is of another version", indexOf({ a: fileAt(SHOP) }, { schema: 2 })],
  ["tells no version", { snapshots: [] }],
])("leaves all of it out where the table %s", async (_, index) => {
  expect(await check(index)).toMatchObject({
    names: ["events.jsonl"],
    losses: ["recorded file states, whose format is not known"],
  });
});

it("leaves out kept bytes that are not what their names say, and what has no place there", async () => {
  const { losses, names } = await check(indexOf({ a: fileAt(SHOP) }), {
    [`rewind-file-snapshots/backups/${"0".repeat(64)}`]: "old",
    "rewind-file-snapshots/backups/run.sh": "#!/bin/sh",
    "rewind-file-snapshots/tracking.json": "yes",
  });
  expect(names).toEqual(["events.jsonl", "index.json", `backups/${OLD}`]);
  expect(losses).toEqual([
    expect.stringMatching(
      /^files of the recorded states whose content does not match their names: .*tracking/,
    ),
  ]);
});

it("concerns nothing else", async () => {
  const log = { path: "events.jsonl", mode: 0o600, mtimeMs: 0, size: 0, pieces: [] };
  const files = [log, { ...log, path: "rewind-file-snapshots.md" }];
  expect(
    (await checkSnapshots(localFs, files, { folders: [], userHome: HOME, read: async () => undefined }))
      .files,
  ).toBe(files);
});
