/** Where a session was handed over from, as it says itself: what we recorded may be gone, or on another machine. */
import { expect, it } from "vitest";
import { toFamilies } from "../../src/model/session/lineage.ts";
import { readHead } from "../../src/query/heads.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { toConversation } from "./conversations.ts";
import { CORNERS } from "./corners.ts";
import { createMachine, handOver, type Place, settle } from "./machine.ts";

const PAIRS = SOURCES.flatMap(({ id: from }) =>
  SOURCES.flatMap(({ id: to }) => (from === to ? [] : [[from, to] as const])),
);
const SEEDS = ["parallel calls", "compacted"].flatMap((name) => CORNERS[name] ?? []);
const headOf = async ({ catalog, artifact }: Place) => (await readHead(catalog, artifact)).session;

it.each(PAIRS)("names the session of %s in %s, and the family is found by that", async (from, to) => {
  expect(SEEDS).toHaveLength(2);
  for (const seed of SEEDS) {
    const machine = await createMachine();
    const own = await machine.handoff(from);
    if (!own) throw new Error("no such program");
    const original = await settle(machine, from, toConversation(seed, from, own, "/srv/work"));
    const handed = await handOver(original, to);
    // Made as a handoff, too, but by nobody.
    const { handedFrom: _, ...first } = await headOf(original);
    const { id, title } = first;
    const head = await headOf(handed);
    expect([head.handedFrom, head.parent]).toEqual([{ source: from, id, title }, undefined]);
    const [family] = toFamilies([first, head], []);
    expect(family).toMatchObject({
      key: { source: from, id },
      children: [{ session: head, kind: "handoff" }],
    });
    // Without the original, its title is still known.
    expect(toFamilies([head], [])).toMatchObject([{ key: { source: from, id }, title }]);
  }
});
