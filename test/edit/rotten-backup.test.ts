/** Blocks that are already in the vault and went bad: no write relies on them. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
});
afterEach(() => home.remove());

const blocks = (): string[] =>
  readdirSync(join(home.data, "vault"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const flip = (path: string): void =>
  writeFileSync(
    path,
    readFileSync(path).map((byte, at, { length }) => (at === length >> 1 ? byte ^ 1 : byte)),
  );

it("lets a delete be undone although every block that it shares with an earlier backup was bad", async () => {
  const before = lookAtAll(home.copilot);
  const edit = home.edit();
  const first = await edit.apply(await edit.planDelete(ID));
  await edit.apply(await edit.planUndo(first.operation));
  expect(blocks().length).toBeGreaterThan(5);
  for (const [number, path] of blocks().entries()) {
    if (number % 3 === 0) flip(path);
    else if (number % 3 === 1) writeFileSync(path, "");
    else rmSync(path);
  }
  const { operation } = await edit.apply(await edit.planDelete(ID));
  await edit.apply(await edit.planUndo(operation));
  expect(lookAtAll(home.copilot)).toEqual(before);
  expect(await edit.verify({ repair: false })).toMatchObject({ bad: [], strays: [], state: [] });
});

it("says which write cannot be undone, repairs from what is there, and keeps the rest as it is", async () => {
  const edit = home.edit();
  const { operation } = await edit.apply(await edit.planRename(ID, "Barn"));
  const [block = "", ...others] = blocks();
  expect(others).toEqual([]);
  flip(block);
  const bad = {
    path: block,
    needs: [{ path: home.file("workspace.yaml"), session: { source: "copilot-cli", id: ID } }],
  };
  expect((await edit.verify({ repair: true })).bad).toMatchObject([{ ...bad, isRepaired: false }]);
  const undo = await edit.planUndo(operation);
  await expect(edit.apply(undo)).rejects.toMatchObject({ code: "vault-damaged" });
  flip(block);
  await edit.apply(undo);
  flip(block);
  // Undone, so the file has those bytes again.
  expect((await edit.verify({ repair: true })).bad).toMatchObject([{ ...bad, isRepaired: true }]);
  expect((await edit.verify({ repair: false })).bad).toEqual([]);
});
