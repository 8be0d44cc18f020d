import fc from "fast-check";
import { expect, it } from "vitest";
import type { Origin } from "../../../model/session/session.ts";
import type { Path } from "./json-outline.ts";
import { createOrigins } from "./origins.ts";
import { apply, type Change } from "./parsed-session.ts";

type Applied = { readonly change: Change; readonly from: number; readonly count: number };

/** The same by looking at every change, the last one first. */
function bySearch(applied: readonly Applied[], path: Path): Origin | undefined {
  for (const { change, from, count } of applied.toReversed()) {
    const { origin } = change;
    const isCovered = change.path.every((step, i) => i >= path.length || step === path[i]);
    if (!isCovered || (change.effect === "delete" && path.length > 0)) continue;
    const rest = path.slice(change.path.length);
    if (change.effect === "set") return { ...origin, at: [...origin.at, ...rest] };
    if (rest.length === 0) return origin;
    const index = (rest[0] as number) - from;
    if (index >= 0 && index < count) return { ...origin, at: [...origin.at, index, ...rest.slice(1)] };
  }
  return undefined;
}

const changeOf = (
  line: number,
  effect: Change["effect"],
  path: Path,
  value: unknown,
  keep?: number,
): Change => ({
  effect,
  path,
  held: { value },
  origin: { line, start: 0, end: 1, at: ["v"] },
  ...(keep !== undefined && { keep }),
});

const pathArb = fc.constantFrom<Path[]>(
  [],
  ["response"],
  ["response", 0],
  ["response", 1],
  ["state"],
  ["a", "list"],
);
const PATHS: readonly Path[] = [
  [],
  ["response"],
  ["response", 0],
  ["response", 2, "x"],
  ["response", 5],
  ["state"],
  ["a", "list", 1],
];
const stepArb = fc.tuple(
  fc.constantFrom<Change["effect"]>("set", "push", "push", "push", "delete"),
  pathArb,
  fc.integer({ min: 0, max: 3 }),
  fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
);

it("finds for any changes what a search through all of them finds", () => {
  fc.assert(
    fc.property(fc.array(stepArb, { maxLength: 25 }), (steps) => {
      const origins = createOrigins();
      const applied: Applied[] = [];
      const root: Record<string, unknown> = { turn: undefined };
      const first = changeOf(1, "set", [], undefined);
      const turn = { response: [{ x: 1 }, { x: 2 }], a: { list: [] as number[] } };
      const all = [
        { change: first, value: turn as unknown },
        ...steps.map(([effect, path, size, keep], i) => {
          const value = effect === "push" ? Array.from({ length: size }, () => ({ x: i })) : { list: [i] };
          return { change: changeOf(i + 2, effect, path, value, keep), value };
        }),
      ];
      for (const { change, value } of all) {
        const outcome = apply(root, ["turn", ...change.path], change, structuredClone(value));
        if (typeof outcome === "string") continue;
        origins.add(change, outcome);
        applied.push({ change, ...outcome });
      }
      // Nobody asks for elements that are not there.
      const isThere = (path: Path): boolean => {
        let at: unknown = root.turn;
        for (const step of path) at = (at as Record<string, unknown> | undefined)?.[step];
        return at !== undefined;
      };
      for (const path of PATHS.filter(isThere))
        expect(origins.of(path), JSON.stringify(path)).toEqual(bySearch(applied, path));
    }),
    { numRuns: 500 },
  );
});

it("finds each of many thousand pieces without looking at all of them", () => {
  const origins = createOrigins();
  origins.add(changeOf(1, "set", [], {}), { from: 0, count: 0 });
  const pieces = 20_000;
  for (let i = 0; i < pieces; i++)
    origins.add(changeOf(i + 2, "push", ["response"], [i]), { from: i, count: 1 });
  for (let i = 0; i < pieces; i++) expect(origins.of(["response", i]).line === i + 2).toBe(true);
});
