import { describe, expect, it } from "vitest";
import { bare, log, PATH, readFiles, readTurns, sessionOf, turn } from "../../../../test/vscode-log.ts";
import { toTurns } from "../../../model/session/turns.ts";

describe("a turn", () => {
  it("joins texts and links of one sentence, and leaves out the fence around an edit", async () => {
    const uri = { $mid: 1, path: "/srv/a.ts", scheme: "file" };
    const { events } = await readTurns(
      turn("a", [
        { value: "See " },
        { kind: "inlineReference", inlineReference: uri },
        { value: "." },
        { value: "\n```\n" },
        { kind: "codeblockUri", uri, isEdit: true },
        {
          kind: "textEditGroup",
          uri,
          edits: [
            [
              {
                text: "x\ny\n",
                range: { startLineNumber: 1, startColumn: 1, endLineNumber: 2, endColumn: 1 },
              },
            ],
          ],
        },
        { value: "\n```\n" },
        "Done.",
      ]),
    );
    expect(bare(events)).toEqual([
      { kind: "prompt", text: "a" },
      { kind: "text", text: "See a.ts." },
      { kind: "edit", path: "/srv/a.ts", added: 2, removed: 1 },
      { kind: "text", text: "Done." },
    ]);
  });

  it("tells attachments, cancellation, errors and usage", async () => {
    const { events } = await readTurns(
      turn("a", [], {
        variableData: {
          variables: [
            { kind: "file", name: "a.ts", value: { $mid: 1, path: "/srv/a.ts", scheme: "file" } },
            { kind: "string", name: "note", value: "just text" },
          ],
        },
        modelState: { value: 2 },
        promptTokens: 10,
        completionTokens: 2,
      }),
      turn("b", [], { result: { errorDetails: { message: "Overloaded" }, metadata: { promptTokens: 7 } } }),
    );
    expect(bare(events)).toEqual([
      {
        kind: "prompt",
        text: "a",
        attachments: [
          { kind: "file", name: "a.ts", path: "/srv/a.ts" },
          { kind: "string", name: "note" },
        ],
      },
      { kind: "notice", level: "info", text: "The turn was cancelled." },
      { kind: "usage", input: 10, output: 2 },
      { kind: "prompt", text: "b" },
      { kind: "notice", level: "error", text: "Overloaded" },
      { kind: "usage", input: 7 },
    ]);
  });

  it("shows thinking and calls that only the model's data holds", async () => {
    const metadata = {
      toolCallRounds: [
        {
          id: "r1",
          response: "",
          thinking: { text: ["Hm", "m"] },
          toolCalls: [{ id: "call_1__vscode-1", name: "read_file", arguments: '{"filePath":"/a"}' }],
        },
      ],
      toolCallResults: { "call_1__vscode-1": { $mid: 20, content: [{ $mid: 21, value: "text" }] } },
    };
    const { events } = await readTurns(turn("a", [{ value: "ok" }], { result: { metadata } }));
    expect(bare(events)).toEqual([
      { kind: "prompt", text: "a" },
      { kind: "thinking", text: "Hmm" },
      { kind: "text", text: "ok" },
      { kind: "tool-call", callId: "call_1", name: "read_file", input: { filePath: "/a" } },
      { kind: "tool-result", callId: "call_1", status: "ok", text: "text" },
    ]);
  });

  it("tells each call once where VS Code's ids are not the model's and it shows fewer calls", async () => {
    const ran = (id: string, command: string): object => ({
      kind: "toolInvocationSerialized",
      toolCallId: id,
      toolId: "run_in_terminal",
      isComplete: true,
      invocationMessage: "Running",
      toolSpecificData: { kind: "terminal", commandLine: { original: command } },
    });
    const made = (id: string, name: string, input: object): object => ({
      id,
      name,
      arguments: JSON.stringify(input),
    });
    const metadata = {
      toolCallRounds: [
        {
          toolCalls: [
            made("toolu_1", "run_in_terminal", { command: "npm test" }),
            made("toolu_2", "manage_todo_list", { operation: "read" }),
            made("toolu_3", "run_in_terminal", { command: "git status" }),
          ],
        },
      ],
      toolCallResults: { toolu_3: { content: [{ $mid: 21, value: "clean" }] } },
    };
    const { events } = await readTurns(
      turn("a", [ran("6c1f", "git status"), ran("77aa", "npm test")], { result: { metadata } }),
    );
    const calls = events.filter(({ kind }) => kind === "tool-call");
    expect(calls).toMatchObject([
      { callId: "6c1f", name: "run_in_terminal", input: { command: "git status" } },
      { callId: "77aa", name: "run_in_terminal", input: { command: "npm test" } },
      { callId: "toolu_2", name: "manage_todo_list" },
    ]);
    expect(events.find(({ kind }) => kind === "tool-result")).toMatchObject({
      callId: "6c1f",
      text: "clean",
    });
  });

  describe("that reached the limit of calls", () => {
    const round = (...calls: string[]): object => ({
      id: `round_${calls[0] ?? "end"}`,
      response: "",
      toolCalls: calls.map((id) => ({ id, name: "run", arguments: '{"x":1}' })),
    });
    const result = (text: string): object => ({ content: [{ $mid: 21, value: text }] });
    const limited = turn("a", [{ value: "Working." }], {
      result: { metadata: { toolCallRounds: [round("c1__vscode-1", "c2")], maxToolCallsExceeded: true } },
    });
    const goesOn = (response: unknown[], results: object): object =>
      turn("go on", response, {
        result: { metadata: { toolCallRounds: [round("c3")], toolCallResults: results } },
      });
    const made = (callId: string): object => ({ kind: "tool-call", callId, name: "run", input: { x: 1 } });
    const answer = (callId: string, text: string): object => ({
      kind: "tool-result",
      callId,
      status: "ok",
      text,
    });

    it("has the results that the next turn tells, before its prompt", async () => {
      const results = { "c1__vscode-1": result("late"), c2: result("later"), c3: result("own") };
      const { events } = await readTurns(limited, goesOn([], results));
      expect(bare(events)).toEqual([
        { kind: "prompt", text: "a" },
        { kind: "text", text: "Working." },
        made("c1"),
        made("c2"),
        answer("c1", "late"),
        answer("c2", "later"),
        { kind: "prompt", text: "go on" },
        made("c3"),
        answer("c3", "own"),
      ]);
      const [first, second] = toTurns(events);
      expect(first?.parts.map((part) => part.kind === "tool" && part.status)).toEqual([false, "ok", "ok"]);
      expect(first?.endedAt).toBe("2026-06-03T09:00:05.000Z");
      expect(second?.parts).toHaveLength(1);
    });

    it("has its calls once, though the next turn shows them", async () => {
      const shown = (toolCallId: string, more: object = {}): object => ({
        kind: "toolInvocationSerialized",
        toolCallId,
        toolId: "run",
        isComplete: true,
        ...more,
      });
      const response = [
        { value: "First " },
        shown("c1"),
        shown("c2", { isConfirmed: { type: 0 } }),
        { value: "last." },
        shown("c3"),
      ];
      const { events } = await readTurns(
        limited,
        goesOn(response, { "c1__vscode-1": result("late"), c3: result("own") }),
      );
      expect(bare(events).slice(4)).toEqual([
        answer("c1", "late"),
        { kind: "tool-result", callId: "c2", status: "interrupted", text: "" },
        { kind: "prompt", text: "go on" },
        { kind: "text", text: "First " },
        { kind: "text", text: "last." },
        made("c3"),
        answer("c3", "own"),
      ]);
    });
  });

  it("puts the work of a sub-agent below the call that started it", async () => {
    const tool = (id: string, more: object = {}): object => ({
      kind: "toolInvocationSerialized",
      toolId: "t",
      toolCallId: id,
      isComplete: true,
      ...more,
    });
    const { events } = await readTurns(
      turn("a", [tool("parent"), tool("child", { subAgentInvocationId: "parent" })]),
    );
    expect(toTurns(events)[0]?.parts).toMatchObject([
      { kind: "tool", callId: "parent", children: [{ kind: "tool", callId: "child" }] },
    ]);
  });

  it("places a summary of earlier turns before the prompt it was made for", async () => {
    const round = (id: string): object => ({ id, response: "x", toolCalls: [] });
    const { events } = await readTurns(
      turn("a", [], { result: { metadata: { toolCallRounds: [round("r1")] } } }),
      turn("b", [], {
        result: {
          metadata: { toolCallRounds: [round("r2")], summary: { toolCallRoundId: "r1", text: "So far" } },
        },
      }),
    );
    expect(bare(events)).toEqual([
      { kind: "prompt", text: "a" },
      { kind: "compaction", summary: "So far" },
      { kind: "prompt", text: "b" },
    ]);
  });

  it("tells that an undone turn is hidden, and keeps it", async () => {
    const { events, session } = await readTurns(turn("a", [], { shouldBeRemovedOnSend: { requestId: "x" } }));
    expect(session.turns).toBe(1);
    expect(events[1]).toMatchObject({ kind: "notice", level: "info" });
  });

  it("cuts tool results to the limit and counts what is missing", async () => {
    const part = {
      kind: "toolInvocationSerialized",
      toolCallId: "c",
      toolId: "run_in_terminal",
      isComplete: true,
      toolSpecificData: {
        kind: "terminal",
        commandLine: { original: "ls" },
        terminalCommandOutput: { text: "abcdef" },
      },
    };
    const { events } = await readFiles(
      { [PATH]: log({ kind: 0, v: sessionOf(turn("a", [part])) }) },
      { textLimit: 4 },
    );
    expect(events.at(-1)).toMatchObject({ kind: "tool-result", text: "abcd", cut: 2, status: "ok" });
    expect(events.at(-2)).toMatchObject({ kind: "tool-call", input: { command: "ls" } });
  });

  it("reports a part of an unknown kind once", async () => {
    const { problems } = await readTurns(turn("a", [{ kind: "novelty" }, { kind: "novelty" }]));
    expect(problems).toEqual([
      {
        code: "record-unknown",
        source: "vscode",
        session: "s",
        path: PATH,
        line: 1,
        message: "parts of kind novelty are not known",
      },
    ]);
  });
});
