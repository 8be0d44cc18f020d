/** A rescue of VS Code's chats on a disk that fails, or in a process that is killed, at any moment: the old state or the new one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { unfinished } from "../../src/edit/apply/stage.ts";
import type { Disk } from "../../src/platform/disk/disk.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { idOf } from "../../src/sources/vscode/edit/copy/target.ts";
import { log, sessionOf, turn } from "../vscode-log.ts";
import { killEverywhere } from "./every-moment.ts";
import { watchedDisk } from "./killing-disk.ts";
import { quickDisk } from "./quick-disk.ts";
import { copiesBeside, INDEX_KEY, lookAtUser, openEditing, type VsCodeEditing } from "./vscode-home.ts";

let folder: string;
let editing: VsCodeEditing;
const user = (): string => join(folder, "User");
const data = (): string => join(folder, "data");

/**
 * Two workspaces: a torn chat, one that nobody can read, one that is not listed, one that is gone; and a damaged list. A
 * third one has a chat that follows its folder into the second.
 */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "rethread-vscode-rescue-"));
  const chat = log({ kind: 0, v: sessionOf(turn("Go", [{ value: "Gone." }])) });
  const entry = (sessionId: string) => ({
    sessionId,
    title: sessionId,
    lastMessageDate: 1,
    initialLocation: "panel",
  });
  const write = (workspace: string, chats: Record<string, string>, list: string): void => {
    const store = join(user(), "workspaceStorage", workspace);
    mkdirSync(join(store, "chatSessions"), { recursive: true });
    for (const [id, text] of Object.entries(chats))
      writeFileSync(join(store, "chatSessions", `${id}.jsonl`), text);
    writeFileSync(
      join(store, "state.vscdb"),
      toKeyValueDb("ItemTable", { [INDEX_KEY]: list, other: "kept" }),
    );
  };
  const entries = Object.fromEntries(["torn", "garbage", "ghost", "foreign"].map((id) => [id, entry(id)]));
  write(
    "one",
    { torn: `${chat}{"kind":1`, garbage: "\0\0", orphan: chat, foreign: chat },
    JSON.stringify({ version: 1, entries }),
  );
  const shop = join(folder, "shop");
  mkdirSync(shop);
  const two = await idOf(localFs, shop);
  write(two, { sound: chat }, "not a list");
  write("three", { left: chat }, JSON.stringify({ version: 1, entries: { left: entry("left") } }));
  for (const workspace of [two, "three"])
    writeFileSync(
      join(user(), "workspaceStorage", workspace, "workspace.json"),
      JSON.stringify({ folder: pathToFileURL(shop).href }),
    );
  editing = openEditing(user(), data());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const rescue = async (disk: Disk = quickDisk): Promise<unknown> => {
  const edit = editing.edit(disk);
  return edit.apply(await edit.planRescueAll("vscode"));
};
async function both(): Promise<{ before: unknown; after: unknown }> {
  const before = lookAtUser(user());
  await rescue();
  const after = lookAtUser(user());
  const edit = editing.edit();
  await edit.apply(await edit.planUndo());
  expect(lookAtUser(user())).toEqual(before);
  return { before, after };
}

it("comes to nothing when the disk fails, whenever that happens", async () => {
  const { before, after } = await both();
  const copies = copiesBeside(user());
  for (let failAt = 1; ; failAt += 3) {
    let hasFailed = false;
    const disk = watchedDisk(({ number, verb }) => {
      if (number !== failAt || verb === "remove") return;
      hasFailed = true;
      throw Object.assign(new Error("EIO: as asked"), { code: "EIO" });
    });
    const code = await rescue(disk).then(
      () => "done",
      (error: { code: string }) => error.code,
    );
    if (code === "done") break;
    if (!hasFailed) continue;
    expect(code, `at moment ${failAt}`).toBe("write-failed");
    expect(lookAtUser(user()), `at moment ${failAt}`).toEqual(before);
    expect(copiesBeside(user())).toEqual(copies);
    expect(unfinished(data())).toEqual([]);
  }
  expect(lookAtUser(user())).toEqual(after);
}, 120_000);

it("is the old state or the new one after kill -9, at every moment", async () => {
  const { after } = await both();
  const home = { user: user(), data: data(), catalog: editing.catalog };
  const plan = await editing.edit().planRescueAll("vscode");
  const kills = await killEverywhere(home, { plan, look: () => lookAtUser(user()), after });
  expect(kills).toBeGreaterThan(30);
}, 300_000);
