import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AppError } from "../../model/errors.ts";
import { toErrorData } from "./error-data.ts";
import type { FromWorker, Task, ToWorker } from "./messages.ts";
import { startWorker, type Worker, type WorkerHabits } from "./worker.ts";

const TASK: Task = { does: "operation", name: "lens", input: {} };
let sent: ToWorker[];
let did: string[];
let say: (message: FromWorker) => void;
let end: (how: string) => void;

function start(habits: Partial<WorkerHabits> = {}): Worker {
  [sent, did] = [[], []];
  const ended = Promise.withResolvers<string>();
  end = ended.resolve;
  return startWorker(
    (message) => {
      say = message;
      return {
        send: (each) => void sent.push(each as ToWorker),
        ended: ended.promise,
        letGo() {
          did.push("let go");
          end("exit code 0");
        },
        kill() {
          did.push("killed");
          end("SIGKILL");
        },
      };
    },
    { idleMs: 10_000, onAbort: "leave", ...habits },
  );
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

it("gives each its own answer, in whatever order they come", async () => {
  const worker = start();
  const [first, second] = [worker.run(TASK, {}), worker.run(TASK, { freshness: "stored" })];
  expect(sent).toEqual([
    { type: "run", id: 1, task: TASK },
    { type: "run", id: 2, task: TASK, freshness: "stored" },
  ]);
  expect(worker.load).toBe(2);
  say({ type: "piece", id: 2, text: '{"a":' });
  say({ type: "piece", id: 1, text: "{}" });
  say({ type: "piece", id: 2, text: "1}" });
  say({ type: "answer", id: 2 });
  say({ type: "answer", id: 1 });
  expect([await first, await second]).toEqual([["{}"], ['{"a":', "1}"]]);
  expect(worker.load).toBe(0);
});

it("tells what went wrong as it was told there", async () => {
  const worker = start();
  const advice = { say: "Look", remedy: { action: "doctor" } } as const;
  const asked = worker.run(TASK, {});
  const error = new AppError("session-not-found", "No session", advice);
  say({ type: "failure", id: 1, error: toErrorData(error) });
  await expect(asked).rejects.toMatchObject({ code: "session-not-found", message: "No session", advice });
  const other = worker.run(TASK, {});
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  say({ type: "failure", id: 2, error: toErrorData(full) });
  await expect(other).rejects.toMatchObject({ code: "ENOSPC", message: "no space", stack: full.stack });
});

it("ends when nobody has asked for a while, and takes nothing more then", async () => {
  const worker = start();
  const first = worker.run(TASK, {});
  vi.advanceTimersByTime(60_000); // it works
  say({ type: "answer", id: 1 });
  await first;
  vi.advanceTimersByTime(9000);
  const second = worker.run(TASK, {});
  vi.advanceTimersByTime(9000);
  say({ type: "answer", id: 2 });
  await second;
  expect([did, worker.isLeaving]).toEqual([[], false]);
  vi.advanceTimersByTime(10_000);
  expect([did, worker.isLeaving]).toEqual([["let go"], true]);
  await worker.ended;
});

it("does not end while it has plans that could be carried out", async () => {
  const worker = start({ onAbort: "wait" });
  const first = worker.run(TASK, {});
  say({ type: "answer", id: 1, keepsUntil: 60_000 });
  await first;
  vi.advanceTimersByTime(59_000);
  expect(did).toEqual([]);
  const second = worker.run(TASK, {});
  say({ type: "answer", id: 2 }); // the plan was carried out
  await second;
  vi.advanceTimersByTime(10_000);
  expect(did).toEqual(["let go"]);
});

it("is killed once nobody waits for it any more, but not while somebody asks again", async () => {
  const worker = start();
  const control = new AbortController();
  const given = worker.run(TASK, { signal: control.signal });
  control.abort();
  await expect(given).rejects.toMatchObject({ code: "aborted" });
  expect(sent.at(-1)).toEqual({ type: "stop", id: 1 });
  expect(worker.load).toBe(1); // it still works on that
  vi.advanceTimersByTime(1500);
  const next = worker.run(TASK, {});
  vi.advanceTimersByTime(60_000);
  expect(did).toEqual([]);
  say({ type: "answer", id: 2 });
  await next;
  vi.advanceTimersByTime(2000);
  expect([did, worker.isLeaving]).toEqual([["killed"], true]);
});

it("is not killed when it has answered after all", async () => {
  const worker = start();
  const control = new AbortController();
  const given = worker.run(TASK, { signal: control.signal });
  control.abort();
  await expect(given).rejects.toMatchObject({ code: "aborted" });
  say({ type: "failure", id: 1, error: { message: "stopped" } });
  vi.advanceTimersByTime(9000);
  expect(did).toEqual([]);
});

it("waits for what a worker has done until then, where that counts", async () => {
  const worker = start({ onAbort: "wait" });
  const control = new AbortController();
  const progress: unknown[] = [];
  const asked = worker.run(TASK, { signal: control.signal, onProgress: (each) => progress.push(each) });
  say({ type: "progress", id: 1, progress: { done: 1, total: 2 } });
  control.abort();
  expect(sent.at(-1)).toEqual({ type: "stop", id: 1 });
  vi.advanceTimersByTime(60_000);
  expect(did).toEqual([]);
  say({ type: "piece", id: 1, text: "{}" });
  say({ type: "answer", id: 1 });
  expect([await asked, progress]).toEqual([["{}"], [{ done: 1, total: 2 }]]);
});

it("says so when it ends in the middle of something", async () => {
  const worker = start();
  const asked = worker.run(TASK, {});
  end("SIGKILL");
  await expect(asked).rejects.toMatchObject({
    code: "system-failed",
    message: expect.stringContaining("SIGKILL"),
  });
  expect(worker.isLeaving).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it("is closed at once, unless it must complete something", async () => {
  const quick = start();
  const asked = quick.run(TASK, {});
  const refused = expect(asked).rejects.toMatchObject({ code: "system-failed" });
  await quick.close();
  expect(did).toEqual(["killed"]);
  await refused;
  const careful = start({ onAbort: "wait" });
  await careful.close();
  expect(did).toEqual(["let go"]);
});
