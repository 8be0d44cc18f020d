/** `rethread context`, as a person or a program runs it. */
import { describe, expect, it } from "vitest";
import { FLAKY, useReadingHome } from "./reading-home.ts";

const { home, json } = useReadingHome();

describe("context", () => {
  it("gives the messages and their tokens in the shape that programs rely on", () => {
    const context = json("context", "login");
    expect(context.messages.map((each: { role: string }) => each.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(context.messages[1]).toMatchObject({
      text: "Let me look.",
      toolCalls: [{ id: "c1", name: "bash", arguments: { command: "npm test" } }],
      toolCallId: null,
    });
    expect(context.messages[2]).toMatchObject({
      text: "2 passed",
      toolCalls: [],
      toolCallId: "c1",
      tokens: 2,
    });
    const sum = context.messages.reduce((total: number, each: { tokens: number }) => total + each.tokens, 0);
    expect(context.tokens).toBe(sum);
  });

  it("says what is damaged, since the program may drop it or refuse the session", () => {
    expect(json("context", "login").problems).toEqual([]);
    expect(json("context", "flaky").problems).toMatchObject([
      { code: "record-torn", line: 3, session: FLAKY },
    ]);
    expect(home.rethread("context", "flaky").stdout).toMatch(/The session is damaged[^•]*• record-torn /);
  });

  it("prints a table and where the tokens go, or every message whole", () => {
    const { stdout } = home.rethread("context", "login");
    expect(stdout).toMatch(/2 {2}tool +2 {2}2 passed/);
    expect(stdout).toContain("On resume the model receives 5 messages");
    expect(stdout).toMatch(/bash results +2 +█/);
    expect(home.rethread("context", "login", "--full").stdout).toMatch(
      /── 2 tool · 2 tokens · c1 \n2 passed\n/,
    );
  });
});
