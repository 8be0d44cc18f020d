/** The rules of a resume, each alone; test/real/copilot-corpus.test.ts holds them all against the real program. */
import { describe, expect, it } from "vitest";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { context } from "./context.ts";

const PATH = "/copilot/session-state/s/events.jsonl";
const artifact = {
  source: "copilot-cli",
  id: "s",
  root: "/copilot",
  path: PATH,
  fingerprint: { size: 0, mtimeMs: 0, ino: 0 },
};

const record = (type: string, data: object, more: object = {}): string =>
  JSON.stringify({
    type,
    data,
    ...more,
    id: "00000000-0000-4000-8000-000000000000",
    timestamp: "2026-01-02T03:04:05.000Z",
    parentId: null,
  });
const user = (content: string, data: object = {}, more: object = {}): string =>
  record("user.message", { content, ...data }, more);
const answer = (content: string, ...ids: string[]): string =>
  record("assistant.message", {
    messageId: "m",
    content,
    toolRequests: ids.map((toolCallId) => ({ toolCallId, name: "bash", arguments: "{}" })),
  });
const result = (toolCallId: string, content: string): string =>
  record("tool.execution_complete", { toolCallId, success: true, result: { content } });

/** Role and text of each message, and the ids that tie results to calls. */
async function sent(lines: readonly string[], files: Record<string, string> = {}): Promise<string[]> {
  const fs = createMemoryFs({ [PATH]: lines.map((line) => `${line}\n`).join(""), ...files });
  return (await context(fs, artifact)).map(({ role, text, toolCalls, toolCallId }) =>
    [role, toolCallId, text, toolCalls?.map(({ id }) => id).join()].filter(Boolean).join(" | "),
  );
}
const INTERRUPTED = "The execution of this tool, or a previous tool was interrupted.";

describe("what Copilot CLI sends on resume", () => {
  it("puts results behind their calls in call order, wherever they were recorded", async () => {
    expect(
      await sent([user("Go"), answer("", "a", "b"), user("On"), result("b", "2"), result("a", "1")]),
    ).toEqual(["user | Go", "assistant | a,b", "tool | a | 1", "tool | b | 2", "user | On"]);
  });

  it("drops results without a call, and stands in for results that never came", async () => {
    const lines = [user("Go"), result("x", "orphan"), answer("", "a"), answer("later")];
    expect(await sent(lines)).toEqual([
      "user | Go",
      "assistant | a",
      `tool | a | ${INTERRUPTED}`,
      "assistant | later",
    ]);
  });

  it("tells the model of calls that a killed process left open", async () => {
    const messages = await sent([user("Go"), answer("", "a")]);
    expect(messages.at(-1)).toMatch(
      /^tool \| a \| Tool execution was interrupted before a result was recorded\./,
    );
  });

  it("tells so of all answers in a row that have no result", async () => {
    const killed = async (...lines: string[]): Promise<string[]> =>
      (await sent([user("Go"), ...lines])).filter((line) => line.includes("before a result was recorded"));
    const row = await killed(answer("", "a"), result("x", "orphan"), answer("", "b", "c"), result("c", "3"));
    expect(row.map((line) => line.slice(0, 8))).toEqual(["tool | a", "tool | b"]);
    const late = await killed(answer("", "a"), answer("", "b"), answer("", "c"), result("b", "late"));
    expect(late.map((line) => line.slice(0, 8))).toEqual(["tool | c"]);
    expect(await killed(answer("", "a"), answer("", "b"), answer("plain"))).toEqual([]);
  });

  it("does not warn of an interrupted look at a file, which leaves nothing half done", async () => {
    const look = { toolCallId: "v", name: "view", arguments: {} };
    const lines = [user("Go"), record("assistant.message", { content: "", toolRequests: [look] })];
    expect((await sent(lines)).at(-1)).toBe(`tool | v | ${INTERRUPTED}`);
  });

  it("gives a grammar-based tool text, whatever the log holds", async () => {
    const given = ["*** Begin Patch", { a: 1 }, null, undefined];
    const toolRequests = given.map((it) => ({
      toolCallId: "t",
      name: "patch",
      type: "custom",
      arguments: it,
    }));
    const log = `${record("assistant.message", { content: "", toolRequests })}\n`;
    const [message] = await context(createMemoryFs({ [PATH]: log }), artifact);
    expect(message?.toolCalls?.map((call) => call.arguments)).toEqual([
      { input: "*** Begin Patch" },
      { input: '{"a":1}' },
      { input: "null" },
      { input: "" },
    ]);
  });

  it("gives up open calls for good when the session is opened again", async () => {
    const resumed = record("session.resume", { resumeTime: "2026-01-02T03:04:05.000Z", eventCount: 2 });
    const lines = [user("Go"), answer("", "a"), resumed, result("a", "too late")];
    expect((await sent(lines)).at(-1)).toBe(`tool | a | ${INTERRUPTED}`);
  });

  it("renames a call id that is used again", async () => {
    const lines = [answer("", "t1"), result("t1", "one"), answer("", "t1"), result("t1", "two")];
    expect(await sent(lines)).toEqual([
      "assistant | t1",
      "tool | t1 | one",
      "assistant | call_3f772d076e6bf3437501e1b219a93db0",
      "tool | call_3f772d076e6bf3437501e1b219a93db0 | two",
    ]);
  });

  it("finds no more results for an id once one answer used it twice", async () => {
    const lines = [answer("", "t"), result("t", "one"), answer("", "t", "t"), result("t", "two")];
    const told = [...lines, answer("", "t"), result("t", "three"), answer("End")];
    expect((await sent(told)).filter((line) => line.startsWith("tool"))).toEqual([
      "tool | t | one",
      "tool | t | two",
      `tool | t | ${INTERRUPTED}`,
      `tool | t | ${INTERRUPTED}`,
    ]);
  });

  it("replaces what was compacted by the prompts and the summary, and keeps what came meanwhile", async () => {
    const lines = [
      user("First", { transformedContent: "<now>First" }),
      answer("One"),
      record("session.compaction_start", {}),
      user("Second"),
      record("session.compaction_complete", { success: true, summaryContent: "SUMMARY" }),
    ];
    expect(await sent(lines)).toEqual([
      "user | Some of the conversation history has been summarized to free up context.\n\nYou were originally given instructions from a user over one or more turns. Here were the user messages:\n<user_message>\nFirst\n</user_message>\n<user_message>\nSecond\n</user_message>\n\nHere is a summary of the prior context:\n<summary>\nSUMMARY\n</summary>\n",
      "user | Second",
    ]);
  });

  it("forgets everything before a clearing, and begins with the message it was given", async () => {
    const cleared = record("session.context_cleared", { messagesCleared: 1, initialMessage: "Anew" });
    expect(await sent([user("Old"), cleared, user("New")])).toEqual(["user | Anew", "user | New"]);
    expect(await sent([user("Old"), cleared, user("Anew")])).toEqual(["user | Anew"]);
  });

  it("forgets the message a clearing wanted first when the work is stopped", async () => {
    const cleared = record("session.context_cleared", { messagesCleared: 1, initialMessage: "Anew" });
    const stopped = record("abort", { reason: "user_initiated" });
    expect(await sent([user("Old"), cleared, answer("Yes")])).toEqual(["assistant | Yes", "user | Anew"]);
    expect(await sent([user("Old"), cleared, answer("Yes"), stopped])).toEqual(["assistant | Yes"]);
  });

  it("does not hear what a turn still says after its context was cleared under it", async () => {
    const cleared = record("session.context_cleared", { messagesCleared: 1 });
    const lines = [user("Old"), answer("", "a"), cleared, answer("unheard")];
    expect(await sent([...lines, result("a", "1"), answer("heard")])).toEqual(["assistant | heard"]);
    expect(await sent([...lines, user("New"), answer("heard")])).toEqual(["user | New", "assistant | heard"]);
  });

  it("keeps an answer from before a compaction only for results that came during it", async () => {
    const start = record("session.compaction_start", {});
    const done = record("session.compaction_complete", { success: true, summaryContent: "SUMMARY" });
    const roles = async (...lines: string[]): Promise<string[]> =>
      (await sent([user("Go"), answer("", "a"), start, ...lines])).map(
        (line) => line.split(" | ", 1)[0] ?? "",
      );
    expect(await roles(user("On"), result("a", "1"), done)).toEqual(["user", "assistant", "tool", "user"]);
    expect(await roles(done, result("a", "1"))).toEqual(["user"]);
  });

  it("leaves out sub-agents", async () => {
    const lines = [
      user("Go"),
      user("Sub", {}, { agentId: "a" }),
      user("Sub", { parentToolCallId: "t" }),
      answer("Done"),
    ];
    expect(await sent(lines)).toEqual(["user | Go", "assistant | Done"]);
  });

  it("looks at attached files as they are now, unless the log kept what they were like", async () => {
    const file = (path: string, more: object = {}) => ({ type: "file", path, displayName: path, ...more });
    const now = user("Now", { attachments: [file("/srv/a.txt"), file("/srv/gone.txt"), file("/srv")] });
    const then = user("Then", {
      attachments: [file("/srv/a.txt", { taggedFilesEntry: "* /srv/a.txt (7 lines)" })],
    });
    expect(await sent([now, then], { "/srv/a.txt": "1\n2\n" })).toEqual([
      "user | Now\n\n\n\n<tagged_files>\n* /srv/a.txt (3 lines)\n* /srv/gone.txt (error: Error: ENOENT: no such file or directory, stat '/srv/gone.txt')\n* /srv (1 items)\n</tagged_files>",
      "user | Then\n\n\n\n<tagged_files>\n* /srv/a.txt (7 lines)\n</tagged_files>",
    ]);
  });

  it("tells made-up words from typed ones, and gives each message its record", async () => {
    const notice = record("system.notification", {
      content: "Shell 1 ended",
      kind: { type: "shell_completed", shellId: "1" },
    });
    const messages = await context(createMemoryFs({ [PATH]: `${user("Go")}\n${notice}\n` }), artifact);
    const first = Buffer.byteLength(user("Go"));
    expect(messages).toEqual([
      { role: "user", text: "Go", origin: { line: 1, start: 0, end: first } },
      {
        role: "user",
        text: "Shell 1 ended",
        madeUp: true,
        origin: { line: 2, start: first + 1, end: first + 1 + Buffer.byteLength(notice) },
      },
    ]);
  });

  it("says so when the log cannot be read", async () => {
    await expect(context(createMemoryFs(), artifact)).rejects.toMatchObject({
      code: "unreadable",
      message: "The log of session s cannot be read: no such file or directory",
    });
  });

  it("drops what the program drops: lines that are not JSON, not UTF-8, not known", async () => {
    const torn = user("torn").slice(0, -5);
    const log = Buffer.concat([
      Buffer.from(`${user("Go")}\n%%\n${record("from.the.future", {})}\n`),
      Buffer.from(`${user("ÿ")}\n`, "latin1"),
      Buffer.from(torn),
    ]);
    expect(await context(createMemoryFs({ [PATH]: log }), artifact)).toHaveLength(1);
  });
});
