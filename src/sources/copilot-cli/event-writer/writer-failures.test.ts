import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { eventLog, PATH, say } from "../../../../test/event-log.ts";
import { createFailingFs, type Fate } from "../../../../test/failing-fs.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { UnwrittenEvents } from "./contract.ts";

const log = eventLog();

describe("when writing fails", () => {
  it("tells so, keeps the order, and tries again after pauses that grow", async () => {
    const { fs } = createFailingFs(log.memory, [0, 0, 0]);
    const writer = await log.open(fs);
    await writer.write(say("a"));
    await vi.advanceTimersByTimeAsync(100);
    await writer.write(say("b"));
    expect(log.failures).toEqual([
      { error: expect.objectContaining({ code: "ENOSPC" }), pending: 1, retryInMs: 100 },
    ]);
    await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(199);
    expect(log.failures.map(({ pending, retryInMs }) => [pending, retryInMs])).toEqual([
      [1, 100],
      [2, 200],
    ]);
    await vi.advanceTimersByTimeAsync(1);
    expect(log.failures.at(-1)?.retryInMs).toBe(400);
    await vi.advanceTimersByTimeAsync(400);
    expect([log.contents(), log.failures.length]).toEqual([["a", "b"], 3]);
  });

  it.each([0.3, 0.7, 1])("goes on where the failed write stopped (%f of it)", async (share) => {
    const { fs } = createFailingFs(log.memory, [share, share]);
    const writer = await log.open(fs);
    for (const text of ["a", "b", "c"]) await writer.write(say(text));
    await expect(writer.flush()).rejects.toMatchObject({ code: "ENOSPC" });
    await writer.write(say("d"));
    await vi.advanceTimersByTimeAsync(500);
    await writer.close();
    expect(log.contents()).toEqual(["a", "b", "c", "d"]);
    log.expectChain();
  });

  it("keeps what it has apart from what somebody else wrote meanwhile", async () => {
    const writer = await log.open();
    await writer.write(say("a"));
    await writer.flush();
    await log.memory.append(PATH, '{"type":"app.note","data":{},"id":"x"}');
    await writer.write(say("b"));
    await writer.close();
    expect(log.contents()).toEqual(["a", "app.note", "b"]);
  });

  it("lets writers wait while too much is pending, and go on when it has been written", async () => {
    const failing = createFailingFs(log.memory, [0]);
    const writer = await log.open(failing.fs, { maxPendingBytes: 1000 });
    const steps: string[] = [];
    void writer.write(say("x".repeat(2000))).then(() => steps.push("room"));
    void writer.write(say("after")).then(() => steps.push("room"));
    await vi.advanceTimersByTimeAsync(99);
    expect([steps, log.failures.length]).toEqual([[], 1]); // tried at once
    await vi.advanceTimersByTimeAsync(1);
    expect(steps).toEqual(["room", "room"]);
    expect(log.contents().at(-1)).toBe("after");
  });

  it("tries until the time to close is up, then rejects with the events that are not written", async () => {
    const { fs } = createFailingFs(log.memory, Array<Fate>(99).fill(0));
    const writer = await log.open(fs);
    await writer.write({ ...say("a"), id: "12345678-0000-4000-8000-000000000000" });
    const end = expect(writer.close(1000)).rejects.toThrow(
      new UnwrittenEvents([], PATH, undefined).message.replace("0 events", "1 event").replace(/: .*/, ""),
    );
    await vi.advanceTimersByTimeAsync(1000);
    await end;
    const error: unknown = await writer.close().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnwrittenEvents);
    expect(error).toMatchObject({
      code: "write-failed",
      events: [{ type: "user.message", data: { content: "a" }, id: "12345678-0000-4000-8000-000000000000" }],
    });
    expect(log.failures.length).toBeGreaterThan(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("lets a flush fail with the close that gave up on it", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const fs: SessionFs = { ...log.memory, append: () => promise };
    const writer = await log.open(fs);
    await writer.write(say("a"));
    const flushed = expect(writer.flush()).rejects.toThrow("late");
    const closed = expect(writer.close(1000)).rejects.toBeInstanceOf(UnwrittenEvents);
    await vi.advanceTimersByTimeAsync(1000);
    await closed;
    reject(new Error("late"));
    await flushed;
    await expect(writer.flush()).rejects.toBeInstanceOf(UnwrittenEvents);
    expect([log.failures, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it("does not wait for ever for a file system that never answers", async () => {
    const { fs } = createFailingFs(log.memory, ["hangs"]);
    const writer = await log.open(fs, { maxPendingBytes: 1 });
    const waiting = writer.write(say("a"));
    const end = expect(writer.close(1000)).rejects.toThrow("does not answer");
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all([end, waiting]);
  });

  it("says what is wrong when the log cannot be opened", async () => {
    const fs: SessionFs = {
      ...log.memory,
      stat: async () => {
        throw Object.assign(new Error("EACCES: permission denied, stat"), { code: "EACCES" });
      },
    };
    await expect(log.open(fs)).rejects.toMatchObject({
      code: "unreadable",
      message: `${PATH} cannot be opened: permission denied`,
    });
  });
});

describe("whatever the file system does", () => {
  const fate = fc.oneof(fc.constant<Fate>("works"), fc.double({ min: 0, max: 1, noNaN: true }));
  const action = fc.oneof(
    fc.record({ do: fc.constant("write"), size: fc.integer({ min: 0, max: 300 }) }),
    fc.record({ do: fc.constant("wait"), size: fc.integer({ min: 0, max: 700 }) }),
    fc.record({ do: fc.constant("flush"), size: fc.constant(0) }),
    fc.record({ do: fc.constant("crash"), size: fc.constant(0) }),
  );

  it("writes every event once, in order and whole; a crash costs at most what was not written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 40 }),
        fc.array(fate, { maxLength: 25 }),
        async (actions, fates) => {
          log.memory = createMemoryFs();
          const failing = createFailingFs(log.memory, [...fates]);
          let writer = await log.open(failing.fs, { delayMs: 50 });
          let count = 0;
          /** What must be there, in this order, once all is written; a crash takes those away that were pending. */
          let accepted: string[] = [];
          for (const { do: what, size } of actions) {
            if (what === "write") {
              const text = `${count++}${"x".repeat(size)}`;
              void writer.write(say(text));
              accepted.push(text);
            } else if (what === "wait") await vi.advanceTimersByTimeAsync(size);
            else if (what === "flush")
              await writer.flush().catch(() => undefined); // seen by onFailure
            else {
              vi.clearAllTimers(); // the process is gone, and whatever it still had to write
              const mustBeThere = accepted.slice(0, accepted.length - writer.pending());
              writer = await log.open(failing.fs, { delayMs: 50 });
              expect(log.contents().slice(0, mustBeThere.length)).toEqual(mustBeThere);
              accepted = accepted.slice(0, log.contents().length);
            }
          }
          failing.fates = [];
          const end = writer.close(60_000);
          await vi.advanceTimersByTimeAsync(60_000);
          await end;
          expect(log.contents()).toEqual(accepted);
          if (accepted.length > 0) log.expectChain();
        },
      ),
      { numRuns: 150 },
    );
  });
});
