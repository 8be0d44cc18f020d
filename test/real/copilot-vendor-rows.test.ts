/** The rows in Copilot CLI's own store after our writes, judged by the real program: its reindex has nothing to add to them. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { rebuildVendorStore } from "../../src/indexer/vendor-store.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { openEditing } from "./copilot-editing.ts";
import { reindex, storeOf } from "./copilot-index-home.ts";
import { scripted } from "./scripted-model.ts";

const ID = "aaaaaaaa-0000-4000-8000-00000000f001";
let copilot: Copilot;
let edit: EditCore;

/** Titles of checkpoints it overwrites with nothing; the session's row gets the hour of its own work. */
const COMPARED = {
  turns: "*",
  session_files: "*",
  session_refs: "*",
  checkpoints: "session_id, checkpoint_number, overview, history, work_done",
  search_index: "session_id, source_type, source_id, content",
  assistant_usage_events: "*",
};
function inStore<T>(work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(storeOf(copilot));
  try {
    return work(db);
  } finally {
    db.close();
  }
}
const rows = (tables: Record<string, string>) =>
  inStore((db) =>
    Object.fromEntries(
      Object.entries(tables).map(([name, columns]) => {
        const owner = name === "sessions" ? "id" : "session_id";
        return [
          name,
          db.prepare(`SELECT ${columns} FROM ${name} WHERE ${owner} = ? ORDER BY 1, 2, 3`).all(ID),
        ];
      }),
    ),
  );
const derived = () => rows(COMPARED);
const everything = () =>
  rows({ sessions: "*", ...Object.fromEntries(Object.keys(COMPARED).map((name) => [name, "rowid, *"])) });

function check(): void {
  inStore((db) => {
    expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    db.exec("INSERT INTO search_index (search_index) VALUES ('integrity-check')");
  });
}

beforeAll(async () => {
  copilot = await startCopilot();
  const headless = await copilot.headless();
  await headless.create(ID);
  const create = { name: "create", input: { path: join(copilot.workspace, "a.txt"), file_text: "hello\n" } };
  await headless.say(ID, scripted("Make a file", { calls: [create] }, { say: "Made." }));
  await headless.call("session.history.compact", { sessionId: ID });
  await headless.say(ID, "Second");
  const other = { name: "create", input: { path: join(copilot.workspace, "b.txt"), file_text: "hello\n" } };
  await headless.say(ID, scripted("Make another", { calls: [other] }, { say: "Made, too." }));
  await headless.close();
  const { catalog, edit: app } = openEditing(copilot);
  edit = app;
  const [place] = catalog.vendorStores;
  if (!place) throw new Error("Copilot CLI has a store of its own");
  await rebuildVendorStore(catalog, place, { dryRun: false, backUp: async () => "" });
}, 120_000);
afterAll(() => copilot?.close());

it("are what its reindex would write after a rewind and a rename, and come back when these are undone", async () => {
  const before = everything();
  expect(before.assistant_usage_events?.length).toBeGreaterThan(2);
  const rewound = await edit.apply(await edit.planRewind(ID, 0));
  expect(rewound.ownRows).toMatchObject([
    { tables: { turns: { removed: 2 }, session_files: { removed: 1 } } },
  ]);
  await edit.apply(await edit.planRename(ID, "Named by us"));
  const ours = derived();
  expect(await reindex(copilot)).toMatch(/Reindex complete/);
  expect(derived()).toEqual(ours);
  expect(ours.assistant_usage_events?.length).toBe(before.assistant_usage_events?.length);
  check();

  await edit.apply(await edit.planUndo());
  await edit.apply(await edit.planUndo());
  expect(everything()).toEqual(before);
  check();
});

it("are what its reindex would write after a compaction in place, and come back when that is undone", async () => {
  const before = everything();
  const { ownRows } = await edit.apply(await edit.planCompact(ID, { keep: 1 }));
  expect(ownRows).toMatchObject([{ tables: { turns: { removed: 2 }, checkpoints: { added: 1 } } }]);
  const ours = derived();
  expect(await reindex(copilot)).toMatch(/Reindex complete/);
  expect(derived()).toEqual(ours);
  check();
  await edit.apply(await edit.planUndo());
  expect(everything()).toEqual(before);
  check();
});

it("are gone after a delete, and its reindex finds none; undone, all are there and it goes on with the session", async () => {
  const before = everything();
  await edit.apply(await edit.planDelete(ID));
  await reindex(copilot);
  expect(Object.values(everything()).every((each) => each.length === 0)).toBe(true);
  check();
  await edit.apply(await edit.planUndo());
  expect(everything()).toEqual(before);
  check();
  const { code } = await copilot.prompt(ID, "Fourth");
  expect(code).toBe(0);
  expect(derived().assistant_usage_events?.length).toBeGreaterThan(
    before.assistant_usage_events?.length ?? 0,
  );
  check();
});
