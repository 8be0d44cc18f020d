/** kill -9 at every moment of every operation: afterwards each session is the old one or the new one, to the byte. */
import { expect, it } from "vitest";
import { CASES, homeFor, killCopilot, operationOf, useKilledChild } from "./killing.ts";

const used = useKilledChild();

it.each(CASES)(
  "kill -9 leaves the old or the new state of a $name, with $disks",
  async (each) => {
    used.home = homeFor(each);
    const plan = await operationOf(each.name)(used.home.edit(), used.home);
    const moments = await killCopilot(used.child, used.home, plan);
    console.log(`${each.name}, ${each.disks}: killed at ${moments} moments`);
    expect(moments).toBeGreaterThan(10);
  },
  600_000,
);
