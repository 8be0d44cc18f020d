import { expect, it } from "vitest";
import { AppError } from "../../model/errors.ts";
import { createHubLog, type LogFormat, wordsOf } from "./log.ts";

const ANSWERED = {
  method: "GET",
  route: "/api/hub/me",
  status: 200,
  startedAt: performance.now(),
  remote: "127.0.0.1",
  user: "robin",
};

function logged(format: LogFormat) {
  const lines: string[] = [];
  let time = Date.parse("2026-11-18T10:00:00Z");
  const log = createHubLog({ format, now: () => new Date(time), write: (line) => void lines.push(line) });
  const pass = (ms: number): void => {
    time += ms;
  };
  return { log, lines, pass };
}

it("writes a line for each request, as text or as JSON", () => {
  const text = logged("text");
  text.log.request(ANSWERED);
  text.log.request({ ...ANSWERED, route: undefined, status: 401, code: "not-signed-in", user: undefined });
  expect(text.lines[0]).toMatch(/^2026-11-18T10:00:00\.000Z GET \/api\/hub\/me 200 [\d.]+ ms robin$/);
  expect(text.lines[1]).toMatch(/^2026-11-18T10:00:00\.000Z GET - 401 not-signed-in [\d.]+ ms$/);
  const json = logged("json");
  json.log.request({ ...ANSWERED, status: 503 });
  expect(JSON.parse(json.lines[0] ?? "")).toMatchObject({
    event: "request",
    level: "error",
    status: 503,
    user: "robin",
  });
  const off = logged("off");
  off.log.request(ANSWERED);
  off.log.event("error", "defect", "words");
  expect(off.lines).toEqual([]);
});

it("says the same once in half a minute, in one line", () => {
  const { log, lines, pass } = logged("text");
  for (let at = 0; at < 5; at++) log.event("error", "database", "it is\n  away");
  expect(lines).toEqual(["2026-11-18T10:00:00.000Z error database it is away"]);
  log.event("warn", "other", "it is\n  away");
  pass(31_000);
  log.event("error", "database", "it is\n  away");
  expect(lines).toHaveLength(3);
});

it("tells of an error what happened, and nothing of what was read", () => {
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      return error;
    }
  };
  expect(wordsOf(parse("hunter2 is my password"))).toBe("SyntaxError");
  expect(wordsOf(new AppError("usage", "The body is not valid JSON", ""))).toBe(
    "usage: The body is not valid JSON",
  );
  expect(wordsOf(Object.assign(new Error("relation does not exist"), { code: "42P01" }))).toBe(
    "Error 42P01: relation does not exist",
  );
  expect(wordsOf("odd")).toBe("odd");
});
