import { describe, expect, it, vi } from "vitest";
import { eventLog, FOLDER, PATH, say } from "../../../../test/event-log.ts";
import { createFailingFs } from "../../../../test/failing-fs.ts";
import type { NewEvent } from "./event.ts";

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

const log = eventLog();

describe("when events are written", () => {
  it("waits for a pause, and writes what came until then at once", async () => {
    const { fs, appends } = createFailingFs(log.memory);
    const writer = await log.open(fs);
    for (const text of ["a", "b", "c"]) {
      await writer.write(say(text));
      await vi.advanceTimersByTimeAsync(60);
    }
    expect([log.contents(), appends(), writer.pending()]).toEqual([[], 0, 3]);
    await vi.advanceTimersByTimeAsync(40);
    expect([log.contents(), appends(), writer.pending()]).toEqual([["a", "b", "c"], 1, 0]);
    log.expectChain();
  });

  it("waits no longer than a second, even without a pause", async () => {
    const writer = await log.open();
    for (let at = 0; at < 1000; at += 50) {
      await writer.write(say(`${at}`));
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(log.contents()).toHaveLength(20);
  });

  it("writes nothing for a session that is only opened and closed again", async () => {
    const start = { sessionId: "s", version: 1, producer: "app", copilotVersion: "1", startTime: "t" };
    const writer = await log.open();
    for (const event of [{ type: "session.start", data: start }, resume, shutdown]) await writer.write(event);
    await vi.advanceTimersByTimeAsync(5000);
    await writer.flush();
    await writer.close();
    expect([...log.memory.files.keys(), await log.memory.exists(FOLDER)]).toEqual([false]);
  });

  it("writes how a session was opened and ended as soon as something happens in it", async () => {
    const writer = await log.open();
    await writer.write(resume);
    await vi.advanceTimersByTimeAsync(5000);
    await writer.write(say("a"));
    await writer.flush();
    await writer.write(shutdown);
    await writer.close();
    expect(log.contents()).toEqual(["session.resume", "a", "session.shutdown"]);
  });

  it("makes a log that only its owner may read", async () => {
    const writer = await log.open();
    await writer.write(say("a"));
    await writer.close();
    expect(log.memory.files.get(PATH)?.mode).toBe(0o600);
  });

  it("takes nothing after it was closed, and closes once", async () => {
    const writer = await log.open();
    await writer.write(say("a"));
    await Promise.all([writer.close(), writer.close()]);
    await expect(writer.write(say("b"))).rejects.toMatchObject({ code: "usage" });
    expect(log.contents()).toEqual(["a"]);
  });

  it("gathers what comes while it writes, however fast that is, and takes up to a megabyte at once", async () => {
    vi.useRealTimers();
    const { fs, appends } = createFailingFs(log.memory);
    const writer = await log.open(fs);
    const events = 6000;
    for (let at = 0; at < events; at++) await writer.write(say("x".repeat(1200)));
    await writer.close();
    const bytes = log.memory.files.get(PATH)?.bytes.length ?? 0;
    expect(log.records()).toHaveLength(events);
    expect(appends()).toBeLessThan((bytes / (1 << 20)) * 2);
  });

  it("flushes what came between the end of a write and the next", async () => {
    const writer = await log.open();
    await writer.write(say("a"));
    const first = writer.flush().then(async () => {
      await writer.write(say("b"));
      await writer.flush();
    });
    await Promise.all([first, writer.flush()]);
    expect(log.contents()).toEqual(["a", "b"]);
  });
});

describe("a log that is there already", () => {
  const put = async (text: string): Promise<void> => {
    await log.memory.mkdir(FOLDER);
    await log.memory.write(PATH, text, 0o640);
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
    const writer = await log.open();
    await writer.write(say("c"));
    await writer.close();
    expect([log.contents(), log.records().at(-1)?.parentId, writer.torn]).toEqual([
      ["a", "b", "c"],
      two,
      undefined,
    ]);
  });

  it("is healed where a crash left half a record, which is given back, and nothing else is touched", async () => {
    const long = line(one, "é".repeat(100_000));
    const half = line(two, "b").slice(0, 50);
    await put(`${long}\n${half}`);
    const writer = await log.open();
    expect(writer.torn).toBe(half);
    expect(log.text()).toBe(`${long}\n`);
    expect(log.memory.files.get(PATH)?.mode).toBe(0o640);
    expect([...log.memory.files.keys()]).toEqual([PATH]);
    await writer.write(say("c"));
    await writer.close();
    expect(log.records().map(({ parentId }) => parentId)).toEqual([null, one]);
  });

  it.each<[string, string, string | undefined]>([
    ["lacks only its last line feed", line(one, "a"), undefined],
    ["ends with NUL bytes", `${line(one, "a")}\n\0\0\0`, "\0\0\0"],
    ["is half a record and nothing else", line(one, "a").slice(0, 20), line(one, "a").slice(0, 20)],
    ["has damage before its end", `${line(one, "a")}\n{"half\n`, undefined],
  ])("goes on when it %s", async (_what, text, torn) => {
    await put(text);
    const writer = await log.open();
    await writer.write(say("b"));
    await writer.close();
    expect(writer.torn).toBe(torn);
    const lines = log
      .text()
      .split("\n")
      .filter((it) => !it.startsWith('{"half'));
    expect(lines.at(-2)).toContain('"content":"b"');
    for (const it of lines.slice(0, -1)) expect(() => JSON.parse(it)).not.toThrow();
  });
});
