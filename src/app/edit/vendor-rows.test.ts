import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeCopilotStore } from "../../../test/copilot-store.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "../../../test/edit/home.ts";
import { NOW } from "../../../test/edit/source-homes.ts";
import { apply } from "../../edit/apply/apply.ts";
import { rebuildVendorStore } from "../../indexer/vendor-store.ts";
import { findVendorStore, followSession } from "../../indexer/vendor-store-follow.ts";
import type { EditPlan } from "../../model/plan.ts";
import { localDisk } from "../../platform/disk/disk.ts";
import { localFs } from "../../platform/fs/local.ts";
import { openFollowups } from "../../store/state/followups.ts";
import { hasFollowups } from "../../store/state/followups-due.ts";
import type { EditCore } from "./core.ts";
import { runFollowups } from "./vendor-rows.ts";

const OTHER = "99999999-aaaa-4bbb-8ccc-000000000009";
const TABLES = [
  "sessions",
  "turns",
  "checkpoints",
  "session_files",
  "session_refs",
  "search_index",
  "assistant_usage_events",
  "forge_trajectory_events",
];
let home: EditHome;
const storePath = (): string => join(home.copilot, "session-store.db");
const now = () => NOW;

function inStore<T>(work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(storePath());
  try {
    return work(db);
  } finally {
    db.close();
  }
}
/** Every row of every table, with the number of the row. */
const allRows = (condition = "true") =>
  inStore((db) =>
    Object.fromEntries(
      TABLES.map((name) => [
        name,
        db.prepare(`SELECT rowid, * FROM ${name} WHERE ${condition} ORDER BY 1`).all(),
      ]),
    ),
  );
const count = (table: string, id = ID): number =>
  inStore((db) =>
    Number(
      db
        .prepare(`SELECT count(*) AS n FROM ${table} WHERE ${table === "sessions" ? "id" : "session_id"} = ?`)
        .get(id)?.n,
    ),
  );
const counts = (id = ID) => Object.fromEntries(TABLES.map((table) => [table, count(table, id)]));
const rebuild = async () => {
  const [place] = home.catalog.vendorStores;
  if (!place) throw new Error("Copilot CLI has a store of its own");
  return rebuildVendorStore(home.catalog, place, { dryRun: false, backUp: async () => "" });
};
const followupsDue = (): number => {
  const followups = openFollowups(home.data, now);
  const { length } = followups.due();
  followups.close();
  return length;
};

beforeEach(async () => {
  home = createEditHome();
  makeCopilotStore(storePath()).close();
  await rebuild();
  // What only the program writes, and another session around it; times and a host that no log tells.
  inStore((db) =>
    db.exec(`
      UPDATE sessions SET host_type = 'github', updated_at = '2026-11-02T00:00:00Z';
      UPDATE turns SET timestamp = '2026-11-01T11:11:11Z' WHERE turn_index = 1;
      INSERT INTO session_files (session_id, file_path, tool_name, turn_index) VALUES ('${ID}', '/a.ts', 'edit', 2);
      INSERT INTO session_refs (session_id, ref_type, ref_value, turn_index) VALUES ('${ID}', 'pr', '7', 2);
      INSERT INTO sessions (id, summary) VALUES ('${OTHER}', 'Another');
      INSERT INTO turns (session_id, turn_index, user_message) VALUES ('${OTHER}', 0, 'Elsewhere');
      INSERT INTO search_index (content, session_id, source_type, source_id) VALUES ('Elsewhere', '${OTHER}', 'turn', '${OTHER}:turn:0');
      INSERT INTO assistant_usage_events (session_id, turn_index, model) VALUES ('${ID}', 0, 'm'), ('${OTHER}', 0, 'm'), ('${ID}', 2, 'm');
      INSERT INTO forge_trajectory_events (session_id, event_type) VALUES ('${ID}', 'kept');
    `),
  );
});
afterEach(() => home.remove());

const PLANS: Record<string, (edit: EditCore) => Promise<EditPlan>> = {
  rewind: (edit) => edit.planRewind(ID, 0),
  compaction: (edit) => edit.planCompact(ID, { keep: 1 }),
  checkpoint: (edit) => edit.planCheckpoint(ID, {}),
  move: (edit) => edit.planMove({ session: ID, to: "/srv/shops", text: true }),
  rename: (edit) => edit.planRename(ID, "Another name"),
  rescue: (edit) => edit.planRescue(ID),
  delete: (edit) => edit.planDelete(ID),
};

it("counts as changed by an undo what its write had changed, and no more", async () => {
  const edit = home.edit();
  const { operation, ownRows } = await edit.apply(await edit.planRename(ID, "Another name"));
  const turned = Object.entries(ownRows[0]?.tables ?? {}).map(([name, { added, updated, removed }]) => [
    name,
    { added: removed, updated, removed: added },
  ]);
  const undone = (await edit.apply(await edit.planUndo(operation))).ownRows;
  expect(undone[0]?.tables).toEqual(Object.fromEntries(turned));
});

describe.each(Object.entries(PLANS))(
  "the rows that Copilot CLI has of a session after a %s",
  (_, makePlan) => {
    it("are those of its files, and after undoing it every one of them is as it was", async () => {
      const before = allRows();
      const edit = home.edit();
      const plan = await makePlan(edit);
      const previewed = await edit.previewVendorRows(plan);
      expect(allRows()).toEqual(before);
      const done = await edit.apply(plan);
      expect(done.ownRows).toEqual(previewed);
      const after = allRows();
      expect(after).not.toEqual(before);
      expect(count("turns", OTHER)).toBe(1);
      expect(hasFollowups(home.data)).toBe(false);

      const undo = await edit.planUndo(done.operation);
      const back = await edit.previewVendorRows(undo);
      expect((await edit.apply(undo)).ownRows).toEqual(back);
      expect(allRows()).toEqual(before);
    });

    it("are right although the process died before it came to them, and once more while it did", async () => {
      const before = allRows();
      const edit = home.edit();
      const writeContext = { home: home.data, now, fs: localFs, disk: localDisk };
      const plan = await makePlan(edit);
      await apply(writeContext, home.catalog, "0p1", plan);
      expect(allRows()).toEqual(before);
      expect([hasFollowups(home.data), followupsDue()]).toEqual([true, 1]);

      // Done, but the process dies before it has noted that.
      const followups = openFollowups(home.data, now);
      const [followup] = followups.due();
      const place = await findVendorStore(home.catalog, plan.session);
      if (!followup || !place) throw new Error("nothing to do");
      await followSession(home.catalog, place, plan.session, {
        keep: (rows) => followups.keep(followup, rows),
        patienceMs: 0,
      });
      followups.close();
      const after = allRows();
      expect(after).not.toEqual(before);

      await runFollowups(home.catalog, home.data, now, "passer");
      expect(allRows()).toEqual(after);
      expect([hasFollowups(home.data), followupsDue()]).toEqual([false, 0]);
      await edit.apply(await edit.planUndo("0p1"));
      expect(allRows()).toEqual(before);
    });

    it("follow later when another program has the database, and the write does not wait for that", async () => {
      const before = allRows();
      const edit = home.edit();
      const other = new DatabaseSync(storePath());
      other.exec("BEGIN IMMEDIATE");
      const { operation, ownRows } = await edit.apply(await makePlan(edit));
      expect(ownRows).toEqual([
        {
          label: "GitHub Copilot CLI",
          path: storePath(),
          tables: {},
          trouble: {
            say: `its rows cannot be updated now: ${storePath()} is in use by another program, most likely Copilot CLI. The next rethread command tries again, or run`,
            remedy: { action: "index", args: { copilot: true } },
          },
        },
      ]);
      other.exec("ROLLBACK");
      other.close();
      expect([hasFollowups(home.data), followupsDue()]).toEqual([true, 1]);
      await runFollowups(home.catalog, home.data, now, "passer");
      expect([hasFollowups(home.data), followupsDue()]).toEqual([false, 0]);
      expect(allRows()).not.toEqual(before);
      await edit.apply(await edit.planUndo(operation));
      expect(allRows()).toEqual(before);
    });
  },
);

describe("a rewind", () => {
  it("takes rows beyond the cut away, and leaves what was spent", async () => {
    const edit = home.edit();
    const { ownRows } = await edit.apply(await edit.planRewind(ID, 0));
    expect(counts()).toEqual({
      sessions: 1,
      turns: 1,
      checkpoints: 0,
      session_files: 0,
      session_refs: 0,
      search_index: 2, // the turn, and the file that the session made
      assistant_usage_events: 2,
      forge_trajectory_events: 1,
    });
    expect(ownRows[0]?.tables.turns).toEqual({ added: 0, updated: 0, removed: 2 });
  });

  it("is undone in the rows, too, when the session was renamed meanwhile, and keeps the name", async () => {
    const edit = home.edit();
    const { operation } = await edit.apply(await edit.planRewind(ID, 1));
    await edit.apply(await edit.planRename(ID, "Named since"));
    await edit.apply(await edit.planUndo(operation));
    expect(inStore((db) => db.prepare("SELECT summary FROM sessions WHERE id = ?").get(ID))).toEqual({
      summary: "Named since",
    });
    expect(counts()).toMatchObject({ turns: 3, checkpoints: 1, search_index: 5 });
  });
});

describe("a delete", () => {
  it("leaves no row in any table", async () => {
    const edit = home.edit();
    await edit.apply(await edit.planDelete(ID));
    expect(Object.values(counts()).every((each) => each === 0)).toBe(true);
    expect(counts(OTHER)).toMatchObject({
      sessions: 1,
      turns: 1,
      search_index: 1,
      assistant_usage_events: 1,
    });
  });

  it("is undone although other rows took the numbers of those that went", async () => {
    const edit = home.edit();
    const before = counts();
    const { operation } = await edit.apply(await edit.planDelete(ID));
    inStore((db) =>
      db.exec(
        `INSERT INTO search_index (rowid, content, session_id, source_type, source_id) VALUES (1, 'x', '${OTHER}', 'turn', '${OTHER}:turn:1');
         INSERT INTO turns (id, session_id, turn_index) VALUES (1, '${OTHER}', 1);`,
      ),
    );
    await edit.apply(await edit.planUndo(operation));
    expect(counts()).toEqual(before);
    expect(counts(OTHER)).toMatchObject({ turns: 2, search_index: 2 });
  });
});

describe("a write", () => {
  it("makes no database, and has nothing to do where there is none", async () => {
    home.remove();
    home = createEditHome();
    const edit = home.edit();
    const plan = await edit.planDelete(ID);
    expect(await edit.previewVendorRows(plan)).toEqual([]);
    expect((await edit.apply(plan)).ownRows).toEqual([]);
    expect(Object.keys(lookAtAll(home.copilot))).not.toContain("session-store.db");
    expect(hasFollowups(home.data)).toBe(false);
  });

  it("leaves a database alone that it does not know, says so, and does not try again", async () => {
    inStore((db) => db.exec("UPDATE schema_version SET version = 9"));
    const before = allRows();
    const edit = home.edit();
    const plan = await edit.planRename(ID, "Other");
    const trouble = `its rows were not changed: ${storePath()} has version 9, and Rethread only knows version 8; nothing was changed`;
    expect(await edit.previewVendorRows(plan)).toMatchObject([{ tables: {}, trouble }]);
    expect((await edit.apply(plan)).ownRows).toMatchObject([{ tables: {}, trouble }]);
    expect(readFileSync(home.file("workspace.yaml"), "utf8")).toContain("name: Other\n");
    expect(allRows()).toEqual(before);
    expect(hasFollowups(home.data)).toBe(false);
  });

  it("leaves a damaged one alone", async () => {
    writeFileSync(storePath(), "no database at all ".repeat(100));
    const edit = home.edit();
    const { ownRows } = await edit.apply(await edit.planRename(ID, "Other"));
    expect(ownRows).toMatchObject([{ trouble: `its rows were not changed: ${storePath()} is damaged` }]);
  });

  it("adds no rows of a session that the program has none of", async () => {
    const edit = home.edit();
    const { plan } = await edit.apply(await edit.planClone(ID, {}));
    await edit.apply(await edit.planRename(plan.session.id, "Named"));
    expect(count("sessions", plan.session.id)).toBe(0);
  });

  it("takes the rows of a clone away when that is undone", async () => {
    const edit = home.edit();
    const { operation, plan } = await edit.apply(await edit.planClone(ID, {}));
    await rebuild();
    expect(count("sessions", plan.session.id)).toBe(1);
    await edit.apply(await edit.planUndo(operation));
    expect(count("sessions", plan.session.id)).toBe(0);
    expect(count("turns", plan.session.id)).toBe(0);
  });
});
