import { describe, expect, it } from "vitest";
import { catalogOf, fakeSource } from "../../test/cli/fake-source.ts";
import type { ContextMessage } from "../model/session/context.ts";
import { contextOf, countContext } from "./context.ts";

const MESSAGES: ContextMessage[] = [
  { role: "user", text: "<reminder>be kind</reminder>", madeUp: true },
  { role: "user", text: "fix it" },
  {
    role: "assistant",
    text: "on it",
    thinking: "hm",
    toolCalls: [{ id: "c1", name: "bash", arguments: { command: "ls" } }],
  },
  { role: "tool", text: "a.txt b.txt", toolCallId: "c1" },
  { role: "tool", text: "?", toolCallId: "lost" },
];
/** A tokenizer for which every character is a token. */
const byCharacter = (text: string): number => text.length;

describe("countContext", () => {
  const counted = countContext(MESSAGES, byCharacter);

  it("counts each message with its thinking and its calls", () => {
    expect(counted.messages.map((message) => message.tokens)).toEqual([
      28,
      6,
      5 + 2 + 'bash {"command":"ls"}'.length,
      11,
      1,
    ]);
  });

  it("adds up: messages, roles and shares give the same whole", () => {
    const { user, assistant, tool } = counted.byRole;
    expect([user + assistant + tool, counted.shares.reduce((sum, share) => sum + share.tokens, 0)]).toEqual([
      counted.tokens,
      counted.tokens,
    ]);
  });

  it("says where the tokens go, largest first, tool results by tool", () => {
    expect(counted.shares).toEqual([
      { kind: "made-up", tokens: 28, count: 1 },
      { kind: "tool-calls", tokens: 21, count: 1 },
      { kind: "tool-results", tool: "bash", tokens: 11, count: 1 },
      { kind: "prompts", tokens: 6, count: 1 },
      { kind: "answers", tokens: 5, count: 1 },
      { kind: "thinking", tokens: 2, count: 1 },
      { kind: "tool-results", tool: "unknown tool", tokens: 1, count: 1 },
    ]);
  });
});

describe("contextOf", () => {
  it("gives the messages of the session named, counted by a real tokenizer", async () => {
    const report = await contextOf(
      catalogOf(fakeSource([{ id: "a", context: [{ role: "user", text: "hello world" }] }])),
      "a",
    );
    expect(report).toMatchObject({
      session: { id: "a" },
      messages: [{ role: "user", text: "hello world", tokens: 2 }],
      tokens: 2,
    });
  });
});
