/** kill -9 at every moment of undos: afterwards the operation is done or undone, to the byte. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { EditApp } from "../../src/app/edit-contract.ts";
import type { EditHome } from "./home.ts";
import type { KilledChild } from "./killed-child.ts";
import { homeFor, killEverywhere, operationOf, prepareChild, UNDO_CASES } from "./killing.ts";

let child: KilledChild;
let home: EditHome;
beforeAll(async () => {
  child = await prepareChild();
});
afterEach(() => home.remove());
afterAll(() => child.remove());

it.each(UNDO_CASES)(
  "kill -9 leaves a $name done or undone, with $disks",
  async (each) => {
    home = homeFor(each);
    const perform = async (edit: EditApp) => edit.apply(await operationOf(each.name)(edit, home));
    await perform(home.edit());
    const kills = await killEverywhere(child, home, { plan: (edit) => edit.planUndo(), reset: perform });
    console.log(`undo of ${each.name}, ${each.disks}: ${kills} kills survived`);
    expect(kills).toBeGreaterThan(10);
  },
  600_000,
);
