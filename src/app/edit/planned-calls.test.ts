import { expect, it } from "vitest";
import { createKeptPlans } from "./kept-plans.ts";
import { createPlannedCalls } from "./planned-calls.ts";

/** Calls over cores that only count how many of them are open. */
function useCalls() {
  const state = { open: 0, isBroken: false };
  const calls = createPlannedCalls(
    async () => {
      if (state.isBroken) throw new Error("cannot open");
      state.open += 1;
      let isOpen = true;
      return {
        close: () => {
          if (isOpen) state.open -= 1;
          isOpen = false;
        },
      };
    },
    createKeptPlans<{ name: string }>(() => new Date(0)),
  );
  return { state, calls };
}

it("keeps what a plan is made from open until it is applied", async () => {
  const { state, calls } = useCalls();
  const { fingerprint } = await calls.plan({}, async () => ({ name: "one" }));
  expect(state.open).toBe(1);
  expect(await calls.apply(fingerprint, {}, async (_core, { name }) => [name, state.open])).toEqual([
    "one",
    2,
  ]);
  expect(state.open).toBe(0);
});

it("leaves nothing open where planning, opening or writing fails, or the caller has gone", async () => {
  const { state, calls } = useCalls();
  const fail = async () => Promise.reject(new Error("no"));
  await expect(calls.plan({}, fail)).rejects.toThrow("no");
  const aborting = new AbortController();
  const gone = calls.plan({ signal: aborting.signal }, async () => {
    aborting.abort();
    return { name: "unwanted" };
  });
  await expect(gone).rejects.toMatchObject({ code: "aborted" });
  expect(state.open).toBe(0);

  const plans = [1, 2, 3].map(() => calls.plan({}, async () => ({ name: "kept" })));
  const [first, second, third] = (await Promise.all(plans)).map(({ fingerprint }) => fingerprint);
  await expect(calls.apply(first ?? "", {}, fail)).rejects.toThrow("no");
  state.isBroken = true;
  await expect(calls.apply(second ?? "", {}, async () => "written")).rejects.toThrow("cannot open");
  await expect(calls.replace(third ?? "", {}, async (_core, plan) => plan)).rejects.toThrow("cannot open");
  expect(state.open).toBe(0);
});

it("closes what the plans are made from that nobody applied, replaced ones included", async () => {
  const { state, calls } = useCalls();
  const { fingerprint } = await calls.plan({}, async () => ({ name: "one" }));
  const replaced = await calls.replace(fingerprint, {}, async () => ({ name: "two" }));
  expect(calls.look(replaced.fingerprint)).toEqual({ name: "two" });
  expect(() => calls.look(fingerprint)).toThrow("No plan");
  calls.close();
  expect(state.open).toBe(0);
});
