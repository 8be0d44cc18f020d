import { expect, it } from "vitest";
import { createGate } from "./gate.ts";

/** Work that ends when it is told to. */
function held(): { readonly work: () => Promise<string>; end(): void; readonly begun: () => boolean } {
  let end = (): void => undefined;
  let isBegun = false;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    async work() {
      isBegun = true;
      await ended;
      return "done";
    },
    end: () => end(),
    begun: () => isBegun,
  };
}
const OPTIONS = { most: 10, mostOfOne: 6, mostWaiting: 3, waitMs: 60_000, random: () => 0.5 };
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("lets in as much as fits, and the others in their order", async () => {
  const gate = createGate(OPTIONS);
  const [a, b, c, d] = [held(), held(), held(), held()];
  const all = [
    gate.during("one", 6, a.work),
    gate.during("two", 4, b.work),
    gate.during("three", 6, c.work),
    gate.during("four", 1, d.work),
  ];
  await tick();
  expect([a, b, c, d].map((each) => each.begun())).toEqual([true, true, false, false]);
  b.end();
  await tick();
  // What is small does not pass what has waited longer.
  expect([c, d].map((each) => each.begun())).toEqual([false, false]);
  a.end();
  await tick();
  expect([c, d].map((each) => each.begun())).toEqual([true, true]);
  c.end();
  d.end();
  expect(await Promise.all(all)).toEqual(all.map(() => "done"));
});

it("lets one account take no more than its share, and others pass it meanwhile", async () => {
  const gate = createGate(OPTIONS);
  const [a, b, c] = [held(), held(), held()];
  const all = [gate.during("one", 5, a.work), gate.during("one", 5, b.work), gate.during("two", 5, c.work)];
  await tick();
  expect([a, b, c].map((each) => each.begun())).toEqual([true, false, false]);
  const d = held();
  a.end();
  await tick();
  expect([b, c].map((each) => each.begun())).toEqual([true, true]);
  const more = gate.during("two", 3, d.work);
  b.end();
  await tick();
  expect(d.begun()).toBe(false);
  c.end();
  await tick();
  expect(d.begun()).toBe(true);
  d.end();
  await Promise.all([...all, more]);
});

it("asks to come back when too many wait, or one has waited long, and has room again after failures", async () => {
  const gate = createGate({ ...OPTIONS, waitMs: 1 });
  const a = held();
  const first = gate.during("one", 6, a.work);
  await expect(gate.during("one", 6, async () => "never")).rejects.toMatchObject({
    code: "too-many-requests",
    retryAfter: 3,
  });
  a.end();
  await first;
  await expect(gate.during("one", 6, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await gate.during("one", 99, async () => "larger than all still fits alone")).toContain("fits");
  const full = createGate({ ...OPTIONS, mostWaiting: 0 });
  const b = held();
  const inside = full.during("one", 6, b.work);
  await expect(full.during("one", 1, async () => "never")).rejects.toMatchObject({
    code: "too-many-requests",
  });
  b.end();
  await inside;
});
