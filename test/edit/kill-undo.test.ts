/** kill -9 at every moment of undos: afterwards the operation is done or undone, to the byte. */
import { expect, it } from "vitest";
import { homeFor, killCopilot, operationOf, UNDO_CASES, useKilledChild } from "./killing.ts";

const used = useKilledChild();

it.each(UNDO_CASES)(
  "kill -9 leaves a $name done or undone, with $disks",
  async (each) => {
    used.home = homeFor(each);
    const edit = used.home.edit();
    await edit.apply(await operationOf(each.name)(edit, used.home));
    const moments = await killCopilot(used.child, used.home, await edit.planUndo());
    console.log(`undo of ${each.name}, ${each.disks}: killed at ${moments} moments`);
    expect(moments).toBeGreaterThan(10);
  },
  600_000,
);
