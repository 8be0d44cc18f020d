import { expect, it, vi } from "vitest";
import type { Call } from "../app/contract.ts";
import { STILL_COPYING, stillPending } from "../app/store/incomplete.ts";
import { AppError } from "../model/errors.ts";
import { createCatchingUp } from "./catching-up.ts";

/** An app whose refreshes end when the test says so. */
function slowApp() {
  const runs: { call: Call; end: (error?: unknown) => void }[] = [];
  const refresh = (call: Call = {}): Promise<void> =>
    new Promise((resolve, reject) => {
      runs.push({ call, end: (error) => (error === undefined ? resolve() : reject(error)) });
    });
  return { runs, refresh };
}
const FRESH = { isFresh: true, lacks: [] };
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("looks once for all who asked before it began, and once more for all who asked meanwhile", async () => {
  const app = slowApp();
  const { now } = createCatchingUp(app);
  const first = now({});
  const later = [now({}), now({}), now({})];
  expect(app.runs.length).toBe(1);
  app.runs[0]?.end();
  expect(await first).toEqual(FRESH);
  await soon();
  expect(app.runs.length).toBe(2);
  app.runs[1]?.end();
  expect(await Promise.all(later)).toEqual([FRESH, FRESH, FRESH]);
  const last = now({});
  expect(app.runs.length).toBe(3);
  app.runs[2]?.end();
  expect(await last).toEqual(FRESH);
});

it("lets go of who takes the question back, and goes on for the others", async () => {
  const app = slowApp();
  const { now, close } = createCatchingUp(app);
  const control = new AbortController();
  const heard: number[] = [];
  const [left, stays] = [
    now({ signal: control.signal }),
    now({ onProgress: ({ done }) => heard.push(done) }),
  ];
  control.abort();
  await expect(left).rejects.toMatchObject({ code: "aborted" });
  await expect(now({ signal: control.signal })).rejects.toMatchObject({ code: "aborted" });
  app.runs[0]?.end();
  await soon();
  app.runs[1]?.call.onProgress?.({ done: 1, total: 2 });
  app.runs[1]?.end();
  expect(await stays).toEqual(FRESH);
  expect(heard).toEqual([1]);
  close();
  expect(app.runs[1]?.call.signal?.aborted).toBe(true);
});

it("tells all who waited what the answer lacks, and nothing else that is noticed", async () => {
  const app = slowApp();
  const { now } = createCatchingUp(app);
  const heard: string[] = [];
  const [first, ...later] = [now({ onNotice: (sentence) => void heard.push(sentence) }), now({}), now({})];
  app.runs[0]?.call.onNotice?.(STILL_COPYING);
  app.runs[0]?.call.onNotice?.("Something else");
  app.runs[0]?.end();
  expect(await first).toEqual({ isFresh: true, lacks: [STILL_COPYING] });
  expect(heard).toEqual([STILL_COPYING, "Something else"]);
  await soon();
  app.runs[1]?.call.onNotice?.(stillPending(3, 1e6));
  app.runs[1]?.end();
  for (const each of later) expect((await each).lacks).toEqual([stillPending(3, 1e6)]);
});

it("says that it could not, and lets defects through", async () => {
  const app = slowApp();
  const { now } = createCatchingUp(app);
  const refused = now({});
  app.runs[0]?.end(new AppError("store-unusable", "No", "Yes"));
  expect(await refused).toEqual({ isFresh: false, lacks: [] });
  const broken = now({});
  app.runs[1]?.end(new Error("a defect"));
  await expect(broken).rejects.toThrow("a defect");
});

it("reads on after the answer, as long as something is left, until it is closed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const app = slowApp();
  const { now, close } = createCatchingUp(app);
  const end = async (run: number, isMore: boolean): Promise<void> => {
    if (isMore) app.runs[run]?.call.onNotice?.(stillPending(3, 1e6));
    app.runs[run]?.end();
    await soon();
    vi.advanceTimersByTime(1000);
  };
  const answer = now({});
  await end(0, true);
  expect((await answer).lacks).toHaveLength(1);
  expect(app.runs.length).toBe(2);
  // Who asks meanwhile gets an answer of its own.
  const asked = now({});
  await end(1, true);
  await end(2, false);
  expect(await asked).toEqual(FRESH);
  expect(app.runs.length).toBe(3);
  void now({});
  close();
  await end(3, true);
  expect(app.runs.length).toBe(4);
  vi.useRealTimers();
});
