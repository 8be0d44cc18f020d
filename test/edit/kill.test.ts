/** kill -9 at every moment of every operation: afterwards each session is the old one or the new one, to the byte. */
import { expect, it } from "vitest";
import { CASES, homeFor, killEverywhere, operationOf, useKilledChild } from "./killing.ts";

const used = useKilledChild();

it.each(CASES)(
  "kill -9 leaves the old or the new state of a $name, with $disks",
  async (each) => {
    used.home = homeFor(each);
    const kills = await killEverywhere(used.child, used.home, {
      plan: (edit) => operationOf(each.name)(edit, used.home),
      reset: async (edit) => edit.apply(await edit.planUndo()),
    });
    console.log(`${each.name}, ${each.disks}: ${kills} kills survived`);
    expect(kills).toBeGreaterThan(10);
  },
  600_000,
);
