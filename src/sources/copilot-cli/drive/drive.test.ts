import { describe, expect, it } from "vitest";
import type { StartMode } from "../../../model/chat.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { captureSession } from "./capture.ts";
import { commandLine } from "./command-line.ts";
import { readAbilities } from "./index.ts";
import { createStream } from "./stream.ts";

const NEW = {
  version: "1.0.102",
  takesId: true,
  tellsEvents: true,
  streams: true,
  resumes: true,
};
const OLD = { version: "0.0.330", takesId: false, tellsEvents: false, streams: false, resumes: true };

describe("what a program can do", () => {
  it("is read from its version and its help", () => {
    const help =
      "  -r, --resume [<value>]\n      --session-id <id>\n      --stream <mode>\n      --output-format <format>\n";
    expect(readAbilities("GitHub Copilot CLI 1.0.102.\nRun 'copilot update'", help)).toEqual(NEW);
  });

  it("is little where the help says little", () => {
    expect(readAbilities("0.0.330", "  --resume [id]  resume\n  --no-session-id-here  none")).toEqual(OLD);
    expect(readAbilities("", "").version).toBe("");
  });
});

describe("the command line", () => {
  const words = (mode: StartMode, can = NEW) =>
    commandLine(mode, { text: "Do it", allowsTools: true }, can).words;
  const REST = ["--prompt=Do it", "-s", "--allow-all-tools", "--output-format=json", "--stream=on"];

  it.each<[StartMode, string[]]>([
    [{ start: "named", id: "1" }, ["--session-id=1"]],
    [{ start: "resume", id: "2" }, ["--resume=2"]],
    [{ start: "continue" }, ["--continue"]],
    [{ start: "unnamed" }, []],
    [{ start: "alone" }, []],
  ])("of %j", (mode, first) => {
    expect(words(mode)).toEqual([...first, ...REST]);
  });

  it("asks an older program for nothing that it does not know", () => {
    expect(words({ start: "unnamed" }, OLD)).toEqual(["--prompt=Do it", "-s", "--allow-all-tools"]);
  });

  it("takes a message for a message, whatever it begins with, and names the model", () => {
    const message = { text: "--help", model: "some-model", allowsTools: false };
    expect(commandLine({ start: "unnamed" }, message, OLD)).toEqual({
      words: ["--prompt=--help", "-s", "--model=some-model"],
    });
  });

  it("leaves a message to the input that is too long for a word", () => {
    const text = "é".repeat(20_000);
    expect(commandLine({ start: "resume", id: "2" }, { text, allowsTools: false }, OLD)).toEqual({
      words: ["--resume=2", "-s"],
      input: text,
    });
  });
});

describe("the stream", () => {
  const read = (...records: object[]) => {
    const stream = createStream();
    return records.flatMap((record) => stream(JSON.stringify(record)));
  };
  const says = (messageId: string, deltaContent: string) => ({
    type: "assistant.message_delta",
    data: { messageId, deltaContent },
  });

  it("gives the pieces of a message, and not the whole again", () => {
    const whole = { type: "assistant.message", data: { messageId: "a", content: "Hello" } };
    expect(read(says("a", "Hel"), says("a", "lo"), whole)).toEqual([
      { kind: "text", message: "a", text: "Hel" },
      { kind: "text", message: "a", text: "lo" },
    ]);
    expect(read(whole)).toEqual([{ kind: "text", message: "a", text: "Hello" }]);
  });

  it("tells of tools what they are about to do, and why they failed", () => {
    const start = {
      toolCallId: "c",
      toolName: "bash",
      arguments: { command: "npm test", description: "test" },
    };
    const failed = { toolCallId: "c", success: false, error: { message: "denied" } };
    expect(
      read(
        { type: "tool.execution_start", data: start },
        { type: "tool.execution_complete", data: failed },
        { type: "tool.execution_complete", data: { toolCallId: "c", success: true } },
      ),
    ).toEqual([
      { kind: "tool", call: "c", name: "bash", state: "began", says: "npm test" },
      { kind: "tool", call: "c", name: "bash", state: "failed", says: "denied" },
      { kind: "tool", call: "c", name: "bash", state: "done" },
    ]);
  });

  it("leaves out what a sub-agent says, but not what it does", () => {
    const start = { type: "tool.execution_start", agentId: "x", data: { toolCallId: "c", toolName: "grep" } };
    expect(read({ ...says("a", "inner"), agentId: "x" }, start)).toMatchObject([
      { kind: "tool", name: "grep" },
    ]);
  });

  it("ends with the session and what it cost", () => {
    const usage = { premiumRequests: 1, totalApiDurationMs: 95 };
    expect(
      read(
        { type: "assistant.usage", data: { inputTokens: 12, outputTokens: 5 } },
        { type: "session.error", data: { message: "no model" } },
        { type: "result", sessionId: "s", exitCode: 0, usage },
      ),
    ).toEqual([
      { kind: "usage", usage: { inputTokens: 12, outputTokens: 5 } },
      { kind: "notice", text: "no model", isError: true },
      { kind: "end", cliSession: "s", usage: { premiumRequests: 1, apiMs: 95 } },
    ]);
  });

  it("is not confused by lines that are none", () => {
    const stream = createStream();
    for (const line of [
      "",
      "Hello",
      "{",
      "[]",
      "null",
      '{"type":7}',
      '{"type":"assistant.message"}',
      '{"type":"tool.execution_start","data":3}',
      '{"type":"constructor"}',
      '{"type":"__proto__","data":{}}',
      '{"type":"hasOwnProperty"}',
    ])
      expect(() => stream(line)).not.toThrow();
    expect(stream('{"type":"assistant.message_delta","data":{"deltaCon')).toEqual([]);
  });
});

describe("the session that was just made", () => {
  const SINCE = new Date("2026-11-16T10:00:00.000Z");
  const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const capture = (
    sessions: Record<string, { cwd: string; created: string } | undefined>,
    known: string[] = [],
  ) => {
    const files: Record<string, string> = {};
    for (const [name, session] of Object.entries(sessions)) {
      files[`/h/session-state/${name}/events.jsonl`] = "{}\n";
      if (session)
        files[`/h/session-state/${name}/workspace.yaml`] =
          `cwd: ${session.cwd}\ncreated_at: ${session.created}\n`;
    }
    const isSame = async (one: string, other: string) => one === other;
    return captureSession(createMemoryFs(files), "/h", {
      folder: "/w",
      since: SINCE,
      known: new Set(known),
      isSame,
    });
  };
  const made = (cwd: string, seconds: number) => ({
    cwd,
    created: new Date(SINCE.getTime() + seconds * 1000).toISOString(),
  });

  it("is the one of the same folder", async () => {
    expect(await capture({ [id(1)]: made("/other", 1), [id(2)]: made("/w", 1) })).toBe(id(2));
  });

  it("is none when there are two, or when it is too old or too young", async () => {
    expect(await capture({ [id(1)]: made("/w", 1), [id(2)]: made("/w", 2) })).toBeUndefined();
    expect(await capture({ [id(1)]: made("/w", -10) })).toBeUndefined();
    expect(await capture({ [id(1)]: made("/w", 61) })).toBeUndefined();
  });

  it("is none that was known before, that has no metadata, or that is not called as one", async () => {
    expect(await capture({ [id(1)]: made("/w", 1), [id(2)]: made("/w", 1) }, [id(1)])).toBe(id(2));
    expect(await capture({ [id(1)]: undefined, notes: made("/w", 1) })).toBeUndefined();
  });

  it("is looked for where nothing is without complaint", async () => {
    expect(await capture({})).toBeUndefined();
  });
});
