/** kill -9 at every moment of undos: afterwards the operation is done or undone, to the byte. */
import { expect, it } from "vitest";
import type { EditApp } from "../../src/app/edit-contract.ts";
import { homeFor, killEverywhere, operationOf, UNDO_CASES, useKilledChild } from "./killing.ts";

const used = useKilledChild();

it.each(UNDO_CASES)(
  "kill -9 leaves a $name done or undone, with $disks",
  async (each) => {
    used.home = homeFor(each);
    const perform = async (edit: EditApp) => edit.apply(await operationOf(each.name)(edit, used.home));
    await perform(used.home.edit());
    const kills = await killEverywhere(used.child, used.home, {
      plan: (edit) => edit.planUndo(),
      reset: perform,
    });
    console.log(`undo of ${each.name}, ${each.disks}: ${kills} kills survived`);
    expect(kills).toBeGreaterThan(10);
  },
  600_000,
);
