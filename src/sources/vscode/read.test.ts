import { describe, expect, it } from "vitest";
import type { Problem } from "../../model/problem.ts";
import type { Artifact, Event, Session } from "../../model/session.ts";
import { toTurns } from "../../model/turns.ts";
import { createMemoryFs } from "../../platform/memory-fs.ts";
import type { ReadOptions } from "../source.ts";
import { read } from "./read.ts";

const STORE = "/User/workspaceStorage/w";
const PATH = `${STORE}/chatSessions/s.jsonl`;
const START = Date.UTC(2026, 5, 3, 9);

const message = (text: string): object => ({
  text,
  parts: [{ kind: "text", text, range: { start: 0, endExclusive: text.length } }],
});
const turn = (text: string, response: unknown[], more: object = {}): object => ({
  requestId: `request_${text}`,
  timestamp: START,
  message: message(text),
  response,
  modelState: { value: 1, completedAt: START + 5000 },
  ...more,
});
const sessionOf = (...requests: unknown[]): Record<string, unknown> => ({
  version: 3,
  sessionId: "s",
  creationDate: START,
  responderUsername: "GitHub Copilot",
  customTitle: "Made up",
  requests,
});
const log = (...records: unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

async function readFiles(
  files: Record<string, string>,
  options?: ReadOptions,
  more: Partial<Artifact> = {},
): Promise<{ session: Session; events: Event[]; problems: Problem[]; codes: string[] }> {
  const path = more.path ?? PATH;
  const fingerprint = { size: files[path]?.length ?? 0, mtimeMs: 0, ino: 1 };
  const events: Event[] = [];
  const problems: Problem[] = [];
  const session = await read(
    createMemoryFs(files),
    { source: "vscode", id: "s", root: "/User", path, fingerprint, ...more },
    { event: (event) => void events.push(event), problem: (problem) => void problems.push(problem) },
    options,
  );
  return { session, events, problems, codes: problems.map((problem) => problem.code) };
}
const readTurns = (...turns: unknown[]) => readFiles({ [PATH]: log({ kind: 0, v: sessionOf(...turns) }) });
const bare = (events: readonly Event[]): object[] =>
  events.map(({ origin: _origin, time: _time, id: _id, ...event }) => event);

describe("the head", () => {
  it("tells title, dates, repository, branch, models and workspace", async () => {
    const told = {
      ...sessionOf(turn("a", [{ value: "b" }], { modelId: "copilot/gpt-5" })),
      repoData: { remoteUrl: "git@github.com:acme/shop.git", localBranch: "main" },
    };
    const text = log({ kind: 0, v: told });
    const { session } = await readFiles({
      [PATH]: text,
      [`${STORE}/workspace.json`]: '{"folder":"file:///srv/my%20shop"}',
    });
    expect(session).toEqual({
      source: "vscode",
      id: "s",
      title: "Made up",
      workspace: "/srv/my shop",
      repository: "acme/shop",
      branch: "main",
      createdAt: "2026-06-03T09:00:00.000Z",
      updatedAt: "2026-06-03T09:00:05.000Z",
      turns: 1,
      problems: 0,
      models: ["gpt-5"],
      path: PATH,
      bytes: text.length,
    });
  });

  it("takes the title from the list of sessions, then from the first prompt", async () => {
    const { customTitle: _title, ...untitled } = sessionOf(turn("First line\nsecond", []));
    const files = { [PATH]: log({ kind: 0, v: untitled }) };
    const listed = { state: "listed", title: "From the list" } as const;
    expect((await readFiles(files, {}, { listed })).session.title).toBe("From the list");
    expect((await readFiles(files)).session.title).toBe("First line");
  });
});

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

describe("damage", () => {
  it("keeps the turns before a torn line and tells its number", async () => {
    const { session, problems } = await readFiles({
      [PATH]: `${log({ kind: 0, v: sessionOf(turn("a", [])) })}{"kind":2,"k":["requ`,
    });
    expect(session).toMatchObject({ turns: 1, problems: 1 });
    expect(problems).toEqual([
      {
        code: "record-torn",
        source: "vscode",
        session: "s",
        path: PATH,
        line: 2,
        message: "the last line stops in the middle of a record",
        fix: "rethread show vscode:s",
      },
    ]);
  });

  it("warns of a last line without its line feed, which the next save would spoil", async () => {
    const { codes, session } = await readFiles({
      [PATH]: JSON.stringify({ kind: 0, v: sessionOf(turn("a", [])) }),
    });
    expect(codes).toEqual(["record-unended"]);
    expect(session.turns).toBe(1);
  });

  it("reads what is left of an emptied session from the transcript", async () => {
    const from = `${STORE}/GitHub.copilot-chat/transcripts/s.jsonl`;
    const said = {
      type: "user.message",
      data: { content: "hello" },
      id: "1",
      timestamp: "2026-06-03T09:00:00.000Z",
    };
    const { events, codes, session } = await readFiles({
      [PATH]: log({ kind: 0, v: sessionOf() }),
      [from]: log(said),
    });
    expect(codes).toEqual(["session-emptied"]);
    expect(session.turns).toBe(1);
    expect(events).toEqual([
      {
        kind: "prompt",
        text: "hello",
        id: "1",
        time: said.timestamp,
        origin: { file: from, line: 1, start: 0, end: log(said).length - 1 },
      },
    ]);
  });

  it("reads the document that a broken log hides", async () => {
    const twin = PATH.replace(".jsonl", ".json");
    const { events, codes } = await readFiles({
      [PATH]: "nonsense\n",
      [twin]: JSON.stringify(sessionOf(turn("old", []))),
    });
    expect(codes).toEqual(["record-unreadable"]);
    expect(events[0]).toMatchObject({ kind: "prompt", text: "old", origin: { file: twin } });
  });

  it("calls a chat in which nothing was said empty, not emptied", async () => {
    const { customTitle: _title, ...untitled } = sessionOf();
    expect((await readFiles({ [PATH]: log({ kind: 0, v: untitled }) })).codes).toEqual(["session-empty"]);
  });

  it("reports a file that is gone", async () => {
    const { session, problems } = await readFiles({});
    expect(session).toMatchObject({ id: "s", title: "Untitled chat", turns: 0, problems: 1 });
    expect(problems).toMatchObject([{ code: "session-unreadable", path: PATH }]);
  });

  it("reports an editing session that cannot be read, and reads the rest", async () => {
    const state = `${STORE}/chatEditingSessions/s/state.json`;
    const { problems, session } = await readFiles({
      [PATH]: log({ kind: 0, v: sessionOf(turn("a", [])) }),
      [state]: '{"version":',
    });
    expect(session.turns).toBe(1);
    expect(problems).toMatchObject([{ code: "sidecar-unreadable", path: state }]);
  });
});
