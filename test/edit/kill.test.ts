/** kill -9 at every moment of every operation: afterwards each session is the old one or the new one, to the byte. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { EditHome } from "./home.ts";
import type { KilledChild } from "./killed-child.ts";
import { CASES, homeFor, killEverywhere, operationOf, prepareChild } from "./killing.ts";

let child: KilledChild;
let home: EditHome;
beforeAll(async () => {
  child = await prepareChild();
});
afterEach(() => home.remove());
afterAll(() => child.remove());

it.each(CASES)(
  "kill -9 leaves the old or the new state of a $name, with $disks",
  async (each) => {
    home = homeFor(each);
    const kills = await killEverywhere(child, home, {
      plan: (edit) => operationOf(each.name)(edit, home),
      reset: async (edit) => edit.apply(await edit.planUndo()),
    });
    console.log(`${each.name}, ${each.disks}: ${kills} kills survived`);
    expect(kills).toBeGreaterThan(10);
  },
  600_000,
);
