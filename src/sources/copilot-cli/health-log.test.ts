import { expect, it } from "vitest";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { lookCloser } from "./health.ts";

const record = (type: string, content = "x"): string =>
  JSON.stringify({
    type,
    data: {
      content,
      sessionId: "s",
      version: 1,
      producer: "p",
      copilotVersion: "1",
      startTime: "2026-01-01T00:00:00Z",
    },
    id: "5e551011-aaaa-4bbb-8ccc-000000000001",
    timestamp: "2026-01-01T00:00:00Z",
    parentId: null,
  });
const START = record("session.start");
const PROMPT = record("user.message");
const look = async (text: string) =>
  (await lookCloser(createMemoryFs({ "/log": text }), "/log")).map(({ code, line }) => [code, line]);

it("has nothing to say of a sound log, whatever its lines tell of session.start", async () => {
  expect(await look(`${START}\n${PROMPT}\n${record("user.message", 'say "session.start"')}\n`)).toEqual([]);
  expect(await look("")).toEqual([]);
});

it("finds a byte order mark at the beginning and inside, and separators in texts, each kind once", async () => {
  expect(await look(`\ufeff${START}\n${PROMPT}\n`)).toEqual([["record-marked", 1]]);
  expect(await look(`${START}\n\ufeff${PROMPT}\n`)).toEqual([["record-marked", 2]]);
  const separated = record("user.message", "a\u2028b\u2029");
  expect(await look(`${START}\n${PROMPT}\n${separated}\n${separated}`)).toEqual([["record-marked", 3]]);
});

it("finds a session.start that is not in front; a second one does not count", async () => {
  expect(await look(`${PROMPT}\n${START}\n`)).toEqual([["session-start-late", 2]]);
  expect(await look(`\n${START}\n${PROMPT}\n${START}\n`)).toEqual([]);
});
