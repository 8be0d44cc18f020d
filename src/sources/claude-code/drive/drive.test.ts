import { describe, expect, it } from "vitest";
import type { StartMode } from "../../../model/chat.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { commandLine } from "./command-line.ts";
import { driver, readAbilities } from "./index.ts";
import { createStream } from "./stream.ts";
import { capture, sessions } from "./transcripts.ts";

const NEW = { version: "2.1.325", takesId: true, tellsEvents: true, streams: true, resumes: true };
const OLD = { version: "0.2.9", takesId: false, tellsEvents: false, streams: false, resumes: true };
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

it("knows what a program can do from its version and its help", () => {
  const help =
    '-r, --resume [value]\n--session-id <uuid>\n--output-format <format> "stream-json"\n--include-partial-messages';
  expect(readAbilities("2.1.325 (Claude Code)", help)).toEqual(NEW);
  expect(readAbilities("0.2.9 (Claude Code)", "--resume [id] --output-format <text|json>")).toEqual(OLD);
});

describe("the command line", () => {
  it.each<[StartMode, string[]]>([
    [{ start: "named", id: "1" }, ["--session-id=1"]],
    [{ start: "resume", id: "2" }, ["--resume=2"]],
    [{ start: "continue" }, ["--continue"]],
    [{ start: "unnamed" }, []],
    [{ start: "alone" }, []],
  ])("of %j", (mode, words) => {
    const rest = ["--output-format=stream-json", "--verbose", "--include-partial-messages"];
    expect(commandLine(mode, { text: "--help", allowsTools: true }, NEW)).toEqual({
      words: ["--print", ...words, "--dangerously-skip-permissions", ...rest],
      input: "--help",
    });
  });

  it("names the model, denies tools, and asks an older program for nothing that it does not know", () => {
    const message = { text: "Do it", model: "opus", allowsTools: false };
    expect(commandLine({ start: "unnamed" }, message, OLD).words).toEqual(["--print", "--model=opus"]);
  });
});

describe("the stream", () => {
  const read = (...records: object[]) => {
    const stream = createStream();
    return records.flatMap((record) => stream(JSON.stringify(record)));
  };
  const piece = (event: object, parent: string | null = null) => ({
    type: "stream_event",
    event,
    parent_tool_use_id: parent,
  });
  const begins = (message: string) => piece({ type: "message_start", message: { id: message } });
  const says = (text: string, parent: string | null = null) =>
    piece({ type: "content_block_delta", delta: { type: "text_delta", text } }, parent);
  const whole = (message: string, block: object, more: object = {}) => ({
    type: "assistant",
    message: { id: message, content: [block] },
    parent_tool_use_id: null,
    ...more,
  });

  it("gives the pieces of a message, and not the whole again", () => {
    const text = whole("m", { type: "text", text: "Hello" });
    const thinks = piece({ type: "content_block_delta", delta: { type: "thinking_delta", thinking: "hm" } });
    expect(read(begins("m"), thinks, says("Hel"), says("lo"), text)).toEqual([
      { kind: "thinking", text: "hm" },
      { kind: "text", message: "m", text: "Hel" },
      { kind: "text", message: "m", text: "lo" },
    ]);
    expect(read(text)).toEqual([{ kind: "text", message: "m", text: "Hello" }]);
  });

  it("tells of tools what they are about to do, and why they failed", () => {
    const result = (is_error: boolean) => ({
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "c", content: "denied", is_error }] },
    });
    const call = {
      type: "tool_use",
      id: "c",
      name: "Edit",
      input: { file_path: "/w/a.ts", old_string: "x" },
    };
    expect(read(whole("m", call), result(true), result(false))).toEqual([
      { kind: "tool", call: "c", name: "Edit", state: "began", says: "/w/a.ts" },
      { kind: "tool", call: "c", name: "Edit", state: "failed", says: "denied" },
      { kind: "tool", call: "c", name: "Edit", state: "done" },
    ]);
  });

  it("leaves out what a sub-agent says, but not what it does", () => {
    const inner = { parent_tool_use_id: "t" };
    expect(
      read(
        says("inner", "t"),
        whole("a", { type: "text", text: "inner" }, inner),
        whole("a", { type: "tool_use", id: "g", name: "Grep", input: { pattern: "x" } }, inner),
      ),
    ).toEqual([{ kind: "tool", call: "g", name: "Grep", state: "began", says: "x" }]);
  });

  it("ends with the session and what it cost, the cache included", () => {
    const usage = {
      input_tokens: 1,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 300,
      output_tokens: 5,
    };
    const result = { type: "result", session_id: "s", is_error: false, usage, result: "Hi" };
    const end = { ...result, total_cost_usd: 0.01, duration_api_ms: 95 };
    expect(read(begins("m"), says("Hi"), end, end)).toEqual([
      { kind: "text", message: "m", text: "Hi" },
      {
        kind: "end",
        cliSession: "s",
        usage: { inputTokens: 321, outputTokens: 5, costUsd: 0.01, apiMs: 95 },
      },
    ]);
    // Where nothing was said before, the answer is only there.
    expect(read({ type: "result", session_id: "../up", result: "Context: 3%" })).toEqual([
      { kind: "text", message: "", text: "Context: 3%" },
      { kind: "end", cliSession: "", usage: {} },
    ]);
  });

  it("tells once what went wrong", () => {
    const error = whole("m", { type: "text", text: "API Error: 400" }, { error: "unknown" });
    const failed = { type: "result", session_id: "s", is_error: true, result: "API Error: 400" };
    const notice = { kind: "notice", text: "API Error: 400", isError: true };
    const end = { kind: "end", cliSession: "s", isFailed: true, usage: {} };
    expect(read(error, failed)).toEqual([notice, end]);
    expect(read({ ...failed, errors: ["Too many turns"] })).toEqual([
      { ...notice, text: "Too many turns" },
      end,
    ]);
  });

  it("is not confused by lines that are none", () => {
    const stream = createStream();
    const lines = [
      "",
      "Hello",
      "{",
      "[]",
      "null",
      '{"type":7}',
      '{"type":"assistant"}',
      '{"type":"__proto__"}',
    ];
    const odd = ['{"type":"stream_event","event":3}', '{"type":"user","message":{"content":[7,null]}}'];
    for (const line of [...lines, ...odd]) expect(stream(line)).toEqual([]);
  });
});

describe("transcripts", () => {
  const row = JSON.stringify({ type: "user", uuid: "u", timestamp: "2026-11-16T10:00:00.000Z" });
  const cost = (totalCostUSD: number, totalAPIDuration: number): string =>
    JSON.stringify({ type: "cost-state", totalCostUSD, totalAPIDuration });
  const before = `${row}\n${cost(0.1, 10)}\n`;
  const fs = createMemoryFs({
    [`/h/projects/-w/${id(1)}.jsonl`]: `${before}${cost(0.3, 25)}\n`,
    [`/h/projects/-elsewhere/${id(2)}.jsonl`]: '{"type":"queue-operation"}\n',
    "/h/projects/-w/notes.jsonl": row,
  });

  it("are found in any project, and will be in that of their folder", async () => {
    expect(await sessions(fs, "/h")).toEqual(new Set([id(1), id(2)]));
    expect(await driver.logPath(fs, "/h", id(2), "/w")).toBe(`/h/projects/-elsewhere/${id(2)}.jsonl`);
    expect(await driver.logPath(fs, "/h", id(3), "/w")).toBe(`/h/projects/-w/${id(3)}.jsonl`);
    expect(await driver.logPath(fs, "/nowhere", id(1), "/w")).toBe(`/nowhere/projects/-w/${id(1)}.jsonl`);
  });

  it("have something to resume once a prompt is in them", async () => {
    expect(await driver.logEnd(fs, "/h", id(1))).toBe((await fs.stat(`/h/projects/-w/${id(1)}.jsonl`)).size);
    expect(await driver.logEnd(fs, "/h", id(2))).toBe(0);
    expect(await driver.logEnd(fs, "/h", id(3))).toBe(0);
  });

  it("tell what a run cost by the totals before and after it", async () => {
    expect(await driver.spentSince(fs, "/h", id(1), before.length)).toEqual({ costUsd: 0.2, apiMs: 15 });
    expect(await driver.spentSince(fs, "/h", id(1), 0)).toEqual({ costUsd: 0.3, apiMs: 25 });
    expect(await driver.spentSince(fs, "/h", id(2), 0)).toEqual({});
  });

  it("are the ones that were just made where only one is new in the folder", async () => {
    expect(await capture(fs, "/h", { folder: "/w", known: new Set() })).toBe(id(1));
    expect(await capture(fs, "/h", { folder: "/w", known: new Set([id(1)]) })).toBeUndefined();
    const two = createMemoryFs({
      [`/h/projects/-w/${id(1)}.jsonl`]: row,
      [`/h/projects/-w/${id(2)}.jsonl`]: row,
    });
    expect(await capture(two, "/h", { folder: "/w", known: new Set() })).toBeUndefined();
  });
});

it("understands complaints", () => {
  expect(driver.explain(`No conversation found with session ID: ${id(1)}`)).toBe("gone");
  expect(driver.explain("\nNot logged in · Please run /login")).toBe("logged-out");
  expect(driver.explain("API Error: 529")).toBe("other");
});
