/** kill -9 at every moment of every operation: afterwards each session is the old one or the new one, to the byte. */
import { afterEach, expect, it } from "vitest";
import type { EditHome } from "./home.ts";
import { CASES, homeFor, killCopilot, operationOf } from "./killing.ts";

let home: EditHome;
afterEach(() => home.remove());

it.each(CASES)(
  "kill -9 leaves the old or the new state of a $name, with $disks",
  async (each) => {
    home = homeFor(each);
    const plan = await operationOf(each.name)(home.edit(), home);
    const moments = await killCopilot(home, plan);
    console.log(`${each.name}, ${each.disks}: killed at ${moments} moments`);
    expect(moments).toBeGreaterThan(10);
  },
  600_000,
);
