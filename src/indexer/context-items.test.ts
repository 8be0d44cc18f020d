/** The context board in our own store: copied when it changed, kept when it cannot be read, gone with its origin. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeCopilotStore } from "../../test/copilot-store.ts";
import { localFs } from "../platform/fs/local.ts";
import { openCatalog } from "../sources/catalog.ts";
import copilotCli from "../sources/copilot-cli/index.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { type BoardRow, changeBoard, countBoardUse } from "../store/state/board.ts";
import { createBoardMirror } from "../store/state/board-mirror.ts";
import { statePath } from "../store/state/open.ts";
import { findContextItems } from "./context-items.ts";
import { rebuild } from "./rebuild.ts";
import { refresh } from "./refresh.ts";

const options = { outputHead: 256, now: () => new Date("2026-11-15T12:00:00Z") };
let folder: string;
const vendorStore = (): string => join(folder, "home", "session-store.db");
const catalog = () =>
  openCatalog(
    [copilotCli],
    { platform: "linux", homeDir: folder, vars: { COPILOT_HOME: join(folder, "home") } },
    localFs,
  );
async function inStore<T>(
  work: (store: ReturnType<typeof createSessionStore>) => Promise<T> | T,
): Promise<T> {
  const db = openStore({ folder, now: options.now, notice: () => undefined });
  try {
    return await work(createSessionStore(db));
  } finally {
    db.close();
  }
}
const index = () => inStore((store) => refresh(catalog(), store, options));
const items = (): Promise<string[]> =>
  inStore(({ db }) =>
    db
      .prepare(
        "SELECT repository, branch, src, name, description, content, read_count, count, kept_by FROM dynamic_context_items ORDER BY name, kept_by",
      )
      .all()
      .map((row) => Object.values(row).join(" | ")),
  );
function inVendorStore(sql: string): void {
  const db = new DatabaseSync(vendorStore());
  db.exec(sql);
  db.close();
}
const note = (name: string, content: string): void =>
  inVendorStore(
    `INSERT OR REPLACE INTO dynamic_context_items VALUES ('lumen/shop', 'main', 'memory', '${name}', 'about it', '${content}', 3, 2)`,
  );

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-board-"));
  mkdirSync(join(folder, "home", "session-state"), { recursive: true });
  makeCopilotStore(vendorStore()).close();
  note("cents", "we count in cents");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CENTS = "lumen/shop | main | memory | cents | about it | we count in cents | 3 | 2 | copilot-cli";

it("is read when indexing, and again only when the store has changed", async () => {
  await index();
  expect(await items()).toEqual([CENTS]);
  expect(await inStore((store) => findContextItems(catalog(), store, ["copilot-cli"]))).toBeUndefined();
  note("deploy", "only on Tuesdays");
  inVendorStore("UPDATE dynamic_context_items SET count = 9 WHERE name = 'cents'");
  await index();
  expect(await items()).toEqual([
    CENTS.replace("| 2 |", "| 9 |"),
    "lumen/shop | main | memory | deploy | about it | only on Tuesdays | 3 | 2 | copilot-cli",
  ]);
  inVendorStore("DELETE FROM dynamic_context_items");
  await index();
  expect(await items()).toEqual([]);
});

it("is there after a rebuild, and stays while the store of Copilot CLI cannot be read", async () => {
  await rebuild(catalog(), folder, options);
  expect(await items()).toEqual([CENTS]);
  writeFileSync(vendorStore(), "no database");
  for (const companion of ["-wal", "-shm"]) rmSync(vendorStore() + companion, { force: true });
  await index();
  expect(await items()).toEqual([CENTS]);
  await rebuild(catalog(), folder, options);
  expect(await items()).toEqual([CENTS]);
});

it("goes with the store, also in a rebuild, and is left alone when other sources are indexed", async () => {
  await index();
  for (const companion of ["", "-wal", "-shm"]) rmSync(vendorStore() + companion, { force: true });
  await inStore((store) => refresh(catalog(), store, { ...options, sources: ["claude-code"] }));
  expect(await items()).toEqual([CENTS]);
  await rebuild(catalog(), folder, options);
  expect(await items()).toEqual([]);
});

describe("our own items", () => {
  const row: BoardRow = {
    repository: "lumen/shop",
    branch: "main",
    name: "cents",
    source: "user",
    description: "about it",
    content: "we count in cents",
    readCount: 0,
    useCount: 0,
    createdAt: "2026-11-15T12:00:00.000Z",
    updatedAt: "2026-11-15T12:00:00.000Z",
    evidence: [],
    facts: [],
  };
  const OWN = "lumen/shop | main | user | cents | about it | we count in cents | 0 | 0 | rethread";
  const withOwn = () => ({ ...options, ownItems: createBoardMirror(folder, options.now) });
  const indexWithOwn = () => inStore((store) => refresh(catalog(), store, withOwn()));
  const put = (...rows: BoardRow[]) => changeBoard(folder, options.now, () => ({ kind: "add", put: rows }));

  it("stand beside those of the same name that another program keeps, with their counts", async () => {
    put(row);
    await indexWithOwn();
    expect(await items()).toEqual([CENTS, OWN]);
    countBoardUse(folder, options.now, [row], "read");
    changeBoard(folder, options.now, () => ({
      kind: "prune",
      put: [{ ...row, name: "gone", removedAt: "x" }],
    }));
    await indexWithOwn();
    expect(await items()).toEqual([CENTS, OWN.replace("| 0 | 0 |", "| 1 | 0 |")]);
  });

  it("are copied only when one of them has changed", async () => {
    put(row);
    await indexWithOwn();
    let read = 0;
    const counting = createBoardMirror(folder, options.now);
    const ownItems = {
      ...counting,
      all: () => {
        read++;
        return counting.all();
      },
    };
    await inStore((store) => refresh(catalog(), store, { ...options, ownItems }));
    expect(read).toBe(0);
    put({ ...row, content: "other" });
    await inStore((store) => refresh(catalog(), store, { ...options, ownItems }));
    expect(read).toBe(1);
  });

  it("survive a rebuild and the deletion of the store, and a state.db that cannot be read now", async () => {
    put(row);
    await rebuild(catalog(), folder, withOwn());
    expect(await items()).toEqual([CENTS, OWN]);
    for (const companion of ["", "-wal", "-shm"])
      rmSync(join(folder, `session-store.db${companion}`), { force: true });
    await indexWithOwn();
    expect(await items()).toEqual([CENTS, OWN]);
    writeFileSync(statePath(folder), "no database");
    await indexWithOwn();
    await rebuild(catalog(), folder, withOwn());
    expect(await items()).toEqual([CENTS, OWN]);
    rmSync(statePath(folder));
    await indexWithOwn();
    expect(await items()).toEqual([CENTS]);
  });
});
