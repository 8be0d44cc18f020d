import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFailingFs, type Fate } from "../../../../test/failing-fs.ts";
import { createMemoryFs, type MemoryFs } from "../../../platform/memory-fs.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { type EventWriterOptions, UnwrittenEvents, type WriteFailure } from "./contract.ts";
import type { NewEvent } from "./event.ts";
import { createEventWriter } from "./writer.ts";

const FOLDER = "/app/sessions/one";
const PATH = `${FOLDER}/events.jsonl`;
const say = (content: string): NewEvent => ({ type: "user.message", data: { content } });
const resume: NewEvent = {
  type: "session.resume",
  data: { resumeTime: "2026-01-02T03:04:05.000Z", eventCount: 1 },
};
const shutdown: NewEvent = {
  type: "session.shutdown",
  data: {
    shutdownType: "routine",
    totalApiDurationMs: 0,
    sessionStartTime: 0,
    codeChanges: {},
    modelMetrics: {},
  },
};

let memory: MemoryFs;
let failures: WriteFailure[];
beforeEach(() => {
  vi.useFakeTimers();
  memory = createMemoryFs();
  failures = [];
});
afterEach(() => vi.useRealTimers());

const open = (fs: SessionFs = memory, more: Partial<EventWriterOptions> = {}) =>
  createEventWriter({ fs, folder: FOLDER, onFailure: (failure) => failures.push(failure), ...more });
const logText = (): string => memory.files.get(PATH)?.bytes.toString() ?? "";
const logged = () =>
  logText()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const contents = (): string[] => logged().map(({ data, type }) => data.content ?? type);

/** Every line hangs on the one before it. */
const expectChain = (): void => {
  const lines = logged();
  expect(lines.map(({ parentId }) => parentId)).toEqual([null, ...lines.slice(0, -1).map(({ id }) => id)]);
};

describe("when events are written", () => {
  it("waits for a pause, and writes what came until then at once", async () => {
    const { fs, appends } = createFailingFs(memory);
    const writer = await open(fs);
    for (const text of ["a", "b", "c"]) {
      await writer.write(say(text));
      await vi.advanceTimersByTimeAsync(60);
    }
    expect([contents(), appends(), writer.pending()]).toEqual([[], 0, 3]);
    await vi.advanceTimersByTimeAsync(40);
    expect([contents(), appends(), writer.pending()]).toEqual([["a", "b", "c"], 1, 0]);
    expectChain();
  });

  it("waits no longer than a second, even without a pause", async () => {
    const writer = await open();
    for (let at = 0; at < 1000; at += 50) {
      await writer.write(say(`${at}`));
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(contents()).toHaveLength(20);
  });

  it("writes nothing for a session that is only opened and closed again", async () => {
    const start = { sessionId: "s", version: 1, producer: "app", copilotVersion: "1", startTime: "t" };
    const writer = await open();
    for (const event of [{ type: "session.start", data: start }, resume, shutdown]) await writer.write(event);
    await vi.advanceTimersByTimeAsync(5000);
    await writer.flush();
    await writer.close();
    expect([...memory.files.keys(), await memory.exists(FOLDER)]).toEqual([false]);
  });

  it("writes how a session was opened and ended as soon as something happens in it", async () => {
    const writer = await open();
    await writer.write(resume);
    await vi.advanceTimersByTimeAsync(5000);
    await writer.write(say("a"));
    await writer.flush();
    await writer.write(shutdown);
    await writer.close();
    expect(contents()).toEqual(["session.resume", "a", "session.shutdown"]);
  });

  it("makes a log that only its owner may read", async () => {
    const writer = await open();
    await writer.write(say("a"));
    await writer.close();
    expect(memory.files.get(PATH)?.mode).toBe(0o600);
  });

  it("takes nothing after it was closed, and closes once", async () => {
    const writer = await open();
    await writer.write(say("a"));
    await Promise.all([writer.close(), writer.close()]);
    await expect(writer.write(say("b"))).rejects.toMatchObject({ code: "usage" });
    expect(contents()).toEqual(["a"]);
  });

  it("gathers what comes while it writes, however fast that is, and takes up to a megabyte at once", async () => {
    const { fs, appends } = createFailingFs(memory);
    const writer = await open(fs);
    const events = 20_000;
    const done = (async () => {
      for (let at = 0; at < events; at++) await writer.write(say("x".repeat(400)));
      await writer.close();
    })();
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    const bytes = memory.files.get(PATH)?.bytes.length ?? 0;
    expect(logged()).toHaveLength(events);
    expect(appends()).toBeLessThan((bytes / (1 << 20)) * 2);
  });

  it("flushes what came between the end of a write and the next", async () => {
    const writer = await open();
    await writer.write(say("a"));
    const first = writer.flush().then(async () => {
      await writer.write(say("b"));
      await writer.flush();
    });
    await Promise.all([first, writer.flush()]);
    expect(contents()).toEqual(["a", "b"]);
  });
});

describe("when writing fails", () => {
  it("tells so, keeps the order, and tries again after pauses that grow", async () => {
    const { fs } = createFailingFs(memory, [0, 0, 0]);
    const writer = await open(fs);
    await writer.write(say("a"));
    await vi.advanceTimersByTimeAsync(100);
    await writer.write(say("b"));
    expect(failures).toEqual([
      { error: expect.objectContaining({ code: "ENOSPC" }), pending: 1, retryInMs: 100 },
    ]);
    await vi.advanceTimersByTimeAsync(100);
    await vi.advanceTimersByTimeAsync(199);
    expect(failures.map(({ pending, retryInMs }) => [pending, retryInMs])).toEqual([
      [1, 100],
      [2, 200],
    ]);
    await vi.advanceTimersByTimeAsync(1);
    expect(failures.at(-1)?.retryInMs).toBe(400);
    await vi.advanceTimersByTimeAsync(400);
    expect([contents(), failures.length]).toEqual([["a", "b"], 3]);
  });

  it.each([0.3, 0.7, 1])("goes on where the failed write stopped (%f of it)", async (share) => {
    const { fs } = createFailingFs(memory, [share, share]);
    const writer = await open(fs);
    for (const text of ["a", "b", "c"]) await writer.write(say(text));
    await expect(writer.flush()).rejects.toMatchObject({ code: "ENOSPC" });
    await writer.write(say("d"));
    await vi.advanceTimersByTimeAsync(500);
    await writer.close();
    expect(contents()).toEqual(["a", "b", "c", "d"]);
    expectChain();
  });

  it("keeps what it has apart from what somebody else wrote meanwhile", async () => {
    const writer = await open();
    await writer.write(say("a"));
    await writer.flush();
    await memory.append(PATH, '{"type":"app.note","data":{},"id":"x"}');
    await writer.write(say("b"));
    await writer.close();
    expect(contents()).toEqual(["a", "app.note", "b"]);
  });

  it("lets writers wait while too much is pending, and go on when it has been written", async () => {
    const failing = createFailingFs(memory, [0]);
    const writer = await open(failing.fs, { maxPendingBytes: 1000 });
    const steps: string[] = [];
    void writer.write(say("x".repeat(2000))).then(() => steps.push("room"));
    void writer.write(say("after")).then(() => steps.push("room"));
    await vi.advanceTimersByTimeAsync(99);
    expect([steps, failures.length]).toEqual([[], 1]); // tried at once
    await vi.advanceTimersByTimeAsync(1);
    expect(steps).toEqual(["room", "room"]);
    expect(contents().at(-1)).toBe("after");
  });

  it("tries until the time to close is up, then rejects with the events that are not written", async () => {
    const { fs } = createFailingFs(memory, Array<Fate>(99).fill(0));
    const writer = await open(fs);
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
    expect(failures.length).toBeGreaterThan(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("lets a flush fail with the close that gave up on it", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const fs: SessionFs = { ...memory, append: () => promise };
    const writer = await open(fs);
    await writer.write(say("a"));
    const flushed = expect(writer.flush()).rejects.toThrow("late");
    const closed = expect(writer.close(1000)).rejects.toBeInstanceOf(UnwrittenEvents);
    await vi.advanceTimersByTimeAsync(1000);
    await closed;
    reject(new Error("late"));
    await flushed;
    await expect(writer.flush()).rejects.toBeInstanceOf(UnwrittenEvents);
    expect([failures, vi.getTimerCount()]).toEqual([[], 0]);
  });

  it("does not wait for ever for a file system that never answers", async () => {
    const { fs } = createFailingFs(memory, ["hangs"]);
    const writer = await open(fs, { maxPendingBytes: 1 });
    const waiting = writer.write(say("a"));
    const end = expect(writer.close(1000)).rejects.toThrow("does not answer");
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all([end, waiting]);
  });

  it("says what is wrong when the log cannot be opened", async () => {
    const fs: SessionFs = {
      ...memory,
      stat: async () => {
        throw Object.assign(new Error("EACCES: permission denied, stat"), { code: "EACCES" });
      },
    };
    await expect(open(fs)).rejects.toMatchObject({
      code: "unreadable",
      message: `${PATH} cannot be opened: permission denied`,
    });
  });
});

describe("a log that is there already", () => {
  const put = async (log: string): Promise<void> => {
    await memory.mkdir(FOLDER);
    await memory.write(PATH, log, 0o640);
  };
  const line = (id: string, text: string): string =>
    JSON.stringify({
      type: "user.message",
      data: { content: text },
      id,
      timestamp: "2026-01-02T03:04:05Z",
      parentId: null,
    });
  const [one, two] = ["11111111-0000-4000-8000-000000000000", "22222222-0000-4000-8000-000000000000"];

  it("is gone on with at its last line", async () => {
    await put(`${line(one, "a")}\n${line(two, "b")}\n`);
    const writer = await open();
    await writer.write(say("c"));
    await writer.close();
    expect([contents(), logged().at(-1).parentId, writer.torn]).toEqual([["a", "b", "c"], two, undefined]);
  });

  it("is healed where a crash left half a record, which is given back, and nothing else is touched", async () => {
    const long = line(one, "é".repeat(100_000));
    const half = line(two, "b").slice(0, 50);
    await put(`${long}\n${half}`);
    const writer = await open();
    expect(writer.torn).toBe(half);
    expect(logText()).toBe(`${long}\n`);
    expect(memory.files.get(PATH)?.mode).toBe(0o640);
    expect([...memory.files.keys()]).toEqual([PATH]);
    await writer.write(say("c"));
    await writer.close();
    expect(logged().map(({ parentId }) => parentId)).toEqual([null, one]);
  });

  it.each<[string, string, string | undefined]>([
    ["lacks only its last line feed", line(one, "a"), undefined],
    ["ends with NUL bytes", `${line(one, "a")}\n\0\0\0`, "\0\0\0"],
    ["is half a record and nothing else", line(one, "a").slice(0, 20), line(one, "a").slice(0, 20)],
    ["has damage before its end", `${line(one, "a")}\n{"half\n`, undefined],
  ])("goes on when it %s", async (_what, log, torn) => {
    await put(log);
    const writer = await open();
    await writer.write(say("b"));
    await writer.close();
    expect(writer.torn).toBe(torn);
    const lines = logText()
      .split("\n")
      .filter((text) => !text.startsWith('{"half'));
    expect(lines.at(-2)).toContain('"content":"b"');
    for (const text of lines.slice(0, -1)) expect(() => JSON.parse(text)).not.toThrow();
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
          memory = createMemoryFs();
          const failing = createFailingFs(memory, [...fates]);
          let writer = await open(failing.fs, { delayMs: 50 });
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
              writer = await open(failing.fs, { delayMs: 50 });
              expect(contents().slice(0, mustBeThere.length)).toEqual(mustBeThere);
              accepted = accepted.slice(0, contents().length);
            }
          }
          failing.fates = [];
          const end = writer.close(60_000);
          await vi.advanceTimersByTimeAsync(60_000);
          await end;
          expect(contents()).toEqual(accepted);
          if (accepted.length > 0) expectChain();
        },
      ),
      { numRuns: 150 },
    );
  });
});
