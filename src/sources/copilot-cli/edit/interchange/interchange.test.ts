/** Transcripts, line by line; test/real/copilot-import.test.ts compares them with the real program's own import. */
import { describe, expect, it } from "vitest";
import type { ContextMessage } from "../../../../model/session/context.ts";
import type { Session } from "../../../../model/session/session.ts";
import { createMemoryFs } from "../../../../platform/fs/memory.ts";
import { interchange } from "./interchange.ts";
import { readInterchange } from "./read.ts";
import { toTitle, writeInterchange } from "./write.ts";

const REQUEST = { id: "11111111-aaaa-4bbb-8ccc-000000000001", now: new Date(0), workspace: "/srv/here" };
const TIME = "2026-01-02T03:04:05.000Z";
const HEADER = { type: "session", version: 1, externalId: "x", createdAt: TIME };
const message = (id: string, role: string, text: string) => ({
  type: "message",
  id,
  timestamp: TIME,
  role,
  content: [{ type: "text", text }],
});
const call = (id: string) => ({ type: "tool-call", id, timestamp: TIME, name: "bash" });
const result = (id: string, toolCallId: string) => ({
  type: "tool-result",
  id,
  timestamp: TIME,
  toolCallId,
  success: true,
  content: "ok",
});

async function read(...records: object[]) {
  const fs = createMemoryFs();
  await fs.mkdir("/in");
  await fs.write("/in/t.jsonl", records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const { log, texts } = await readInterchange(fs, "/in/t.jsonl", REQUEST);
  return { events: [...log.lines].map((line) => JSON.parse(line)), texts };
}
const refusal = (...records: object[]): Promise<string> =>
  read(...records).then(
    () => "taken",
    (error) => `${error.code}: ${error.message}`,
  );

describe("reading a transcript", () => {
  it("gives each call to the answer before it, and keeps every time", async () => {
    const { events, texts } = await read(
      HEADER,
      message("m1", "user", "go"),
      message("m2", "assistant", ""),
      call("c1"),
      call("c2"),
      result("r2", "c2"),
      result("r1", "c1"),
    );
    expect(events.map(({ type }) => type)).toEqual([
      "session.start",
      "user.message",
      "assistant.message",
      "tool.execution_start",
      "tool.execution_start",
      "tool.execution_complete",
      "tool.execution_complete",
    ]);
    expect(new Set(events.map(({ timestamp }) => timestamp))).toEqual(new Set([TIME]));
    expect(events.map(({ parentId }) => parentId)).toEqual([
      null,
      ...events.slice(0, -1).map(({ id }) => id),
    ]);
    const [first, second] = events[2].data.toolRequests.map(
      (each: { toolCallId: string }) => each.toolCallId,
    );
    expect(events.slice(5).map(({ data }) => data.toolCallId)).toEqual([second, first]);
    expect(texts[0]?.text).toContain("cwd: /srv/here\n");
    expect(texts[0]?.text).toContain("user_named: false\n");
  });

  it("makes the same session of the same transcript and id", async () => {
    const records = [HEADER, message("m1", "user", "go")];
    expect(await read(...records)).toEqual(await read(...records));
  });

  it("refuses what the program refuses, and names every line", async () => {
    const ask = message("m1", "user", "go");
    const answer = message("m2", "assistant", "yes");
    expect(await refusal()).toContain("transcript-invalid: /in/t.jsonl has no records");
    expect(await refusal(HEADER, { ...ask, role: "system" }, { ...answer, content: [] })).toContain(
      "line 2: Message role must be user or assistant.; line 3: Message content must be a non-empty array.",
    );
    const cases: [string, object[]][] = [
      ["line 3: Record id duplicates line 2.", [ask, ask]],
      ["line 3: Tool calls require a preceding assistant message", [ask, call("c1")]],
      ["line 3: Tool result references unknown or later tool call 'c1'", [answer, result("r1", "c1")]],
      [
        "line 5: Tool results must appear before the next message",
        [answer, call("c1"), ask, result("r1", "c1")],
      ],
      [
        "line 5: Tool call 'c1' already has a result.",
        [answer, call("c1"), result("r1", "c1"), result("r2", "c1")],
      ],
      [
        "line 4: Failed tool results require an error",
        [answer, call("c1"), { ...result("r1", "c1"), success: false }],
      ],
      ["line 2: Session record timestamp must be ISO 8601.", [{ ...ask, timestamp: "today" }]],
      ["line 2: Unsupported session record type 'thought'.", [{ ...ask, type: "thought" }]],
    ];
    for (const [sentence, records] of cases) expect(await refusal(HEADER, ...records)).toContain(sentence);
    expect(await refusal({ ...HEADER, version: 2 }, ask)).toContain(
      "line 1: Session interchange version must be 1.",
    );
    expect(await refusal({ ...HEADER, title: 'a "b"' }, ask)).toContain("line 1: The title");
  });
});

describe("writing a transcript", () => {
  const write = (messages: ContextMessage[], failed: string[] = []): Record<string, unknown>[] =>
    [
      ...writeInterchange({
        session: { source: "copilot-cli", id: "one", title: "Title", createdAt: TIME } as Session,
        messages,
        timeOf: () => undefined,
        hasFailed: (id) => failed.includes(id),
      }),
    ].map((line) => JSON.parse(line));

  it("gives records of all kinds ids of their own, also where calls share one", () => {
    const calls = [{ id: "message-0", name: "bash", arguments: {} }];
    const records = write([
      { role: "assistant", text: "", toolCalls: calls },
      { role: "tool", text: "one", toolCallId: "message-0" },
      { role: "assistant", text: "", toolCalls: calls },
      { role: "tool", text: "two", toolCallId: "message-0" },
    ]).slice(1);
    const ids = records.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(records.map(({ toolCallId }) => toolCallId)).toEqual([
      undefined,
      undefined,
      ids[1],
      undefined,
      undefined,
      ids[4],
    ]);
  });

  it("tells a failure by its message, unless there is none to tell", () => {
    const toolCalls = ["a", "b"].map((id) => ({ id, name: "bash", arguments: {} }));
    const records = write(
      [
        { role: "assistant", text: "", toolCalls },
        { role: "tool", text: "no such file", toolCallId: "a" },
        { role: "tool", text: " ", toolCallId: "b" },
      ],
      ["a", "b"],
    );
    expect(records.slice(-2)).toMatchObject([
      { success: false, error: { message: "no such file" } },
      { success: true, content: " " },
    ]);
  });

  it("is read back as the messages it was written from", async () => {
    const records = write([
      { role: "user", text: "<time>\n\ngo" },
      { role: "assistant", text: "Going.", toolCalls: [{ id: "a", name: "bash", arguments: { n: 1 } }] },
      { role: "tool", text: "done", toolCallId: "a" },
    ]);
    expect(interchange.isOne(`${JSON.stringify(records[0])}\n`)).toBe(true);
    const { events } = await read(...records);
    expect(events.slice(1).map(({ data }) => data.content ?? data.result?.content ?? data.toolName)).toEqual([
      "<time>\n\ngo",
      "Going.",
      "bash",
      "done",
    ]);
  });

  it("makes a title that the program allows", () => {
    expect(toTitle(' Say "one"\nand more ')).toBe("Say one and more");
    expect(toTitle("x".repeat(200))).toHaveLength(100);
  });
});
