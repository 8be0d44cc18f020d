import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, it } from "vitest";
import { localFs } from "../../../platform/fs/local.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { readSidecars } from "./sidecars.ts";

const FOLDER = "/copilot/session-state/one";
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function sidecarsOf(files: Record<string, string>) {
  const complaints: string[] = [];
  const named = Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text]);
  const found = await readSidecars(
    createMemoryFs(Object.fromEntries(named)),
    FOLDER,
    (path, why) => void complaints.push(`${path} ${why}`),
  );
  return { found, complaints };
}

it("finds the plan, checkpoints, kept files and research, and the states of files", async () => {
  const snapshots = [{ snapshotId: "s1", eventId: "e1", userMessage: "Fix it", files: { a: {}, b: {} } }];
  const { found, complaints } = await sidecarsOf({
    "plan.md": "# Plan",
    "checkpoints/index.md": "| # | Title | File |\n| 1 | Begun | 001-start.md |\n",
    "checkpoints/001-start.md": "<overview>",
    "files/notes.txt": "abc",
    "research/api.md": "",
    "rewind-file-snapshots/index.json": JSON.stringify({ schema: 1, snapshots }),
  });
  expect(complaints).toEqual([]);
  expect(found).toEqual([
    { kind: "plan", name: "plan.md", path: `${FOLDER}/plan.md`, bytes: 6 },
    {
      kind: "checkpoint",
      name: "001-start.md",
      path: `${FOLDER}/checkpoints/001-start.md`,
      bytes: 10,
      number: 1,
      detail: "Begun",
    },
    { kind: "file", name: "notes.txt", path: `${FOLDER}/files/notes.txt`, bytes: 3 },
    { kind: "research", name: "api.md", path: `${FOLDER}/research/api.md`, bytes: 0 },
    {
      kind: "snapshot",
      name: "Fix it",
      path: `${FOLDER}/rewind-file-snapshots/index.json`,
      detail: "2 files",
      record: "e1",
    },
  ]);
});

it("finds nothing in a bare folder, and says what it cannot read", async () => {
  expect(await sidecarsOf({ "events.jsonl": "" })).toEqual({ found: [], complaints: [] });
  const { complaints } = await sidecarsOf({ "rewind-file-snapshots/index.json": "{torn" });
  expect(complaints).toEqual([`${FOLDER}/rewind-file-snapshots/index.json not valid JSON`]);
});

it("counts the tasks in session.db, and reports one that is no database", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rethread-sidecars-"));
  folders.push(folder);
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(join(folder, "session.db"));
  db.exec(
    "CREATE TABLE todos (id TEXT, title TEXT, status TEXT); INSERT INTO todos VALUES ('1','a','done'),('2','b','pending'),('3','c','done')",
  );
  db.close();
  const complaints: string[] = [];
  const read = () => readSidecars(localFs, folder, (path) => void complaints.push(path));
  expect(await read()).toMatchObject([{ kind: "tasks", name: "session.db", detail: "2 done, 1 pending" }]);
  writeFileSync(join(folder, "session.db"), "no database ".repeat(100));
  expect(await read()).toMatchObject([{ kind: "tasks" }]);
  expect(complaints).toEqual([join(folder, "session.db")]);
});
