/** kill -9 at every moment of undos: afterwards the operation is done or undone, to the byte. */
import { afterEach, expect, it } from "vitest";
import type { EditHome } from "./home.ts";
import { homeFor, killCopilot, operationOf, UNDO_CASES } from "./killing.ts";

let home: EditHome;
afterEach(() => home.remove());

it.each(UNDO_CASES)(
  "kill -9 leaves a $name done or undone, with $disks",
  async (each) => {
    home = homeFor(each);
    const edit = home.edit();
    await edit.apply(await operationOf(each.name)(edit, home));
    const moments = await killCopilot(home, await edit.planUndo());
    console.log(`undo of ${each.name}, ${each.disks}: killed at ${moments} moments`);
    expect(moments).toBeGreaterThan(10);
  },
  600_000,
);
