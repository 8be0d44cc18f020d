import { describe, expect, it } from "vitest";
import { contextOfState, message, sessionOf, turn } from "../../../../../test/vscode-log.ts";
import type { Reduction } from "../../../../model/reduce/reduction.ts";
import type { ContextMessage } from "../../../../model/session/context.ts";
import { asArray, type JsonObject } from "../../../log/jsonl.ts";
import { reduceSession } from "./reduce.ts";

const LONG = "one line of output\n".repeat(300);
const count = (text: string): number => Math.ceil(text.length / 4);
const reduce = (state: JsonObject, reduction: Reduction) =>
  reduceSession(state, { reduction, count, name: "vscode:s", renew: (id) => `${id}+` });
const turnsOf = (state: JsonObject): JsonObject[] => asArray(state.requests) as JsonObject[];

const call = (id: string, name = "run_in_terminal", input: object = { command: "make" }): object => ({
  id,
  name,
  arguments: JSON.stringify(input),
});
const round = (id: string, response: string, calls: object[] = [], more: object = {}): object => ({
  id,
  response,
  toolCalls: calls,
  ...more,
});
const gave = (value: string): object => ({ $mid: 20, content: [{ $mid: 21, value }] });
const part = (toolCallId: string, more: object = {}): object => ({
  kind: "toolInvocationSerialized",
  toolId: "run_in_terminal",
  toolCallId,
  ...more,
});
const kept = (rounds: object[], results: object, more: object = {}): object => ({
  result: { metadata: { toolCallRounds: rounds, toolCallResults: results, responseId: "m", ...more } },
  responseId: "response_a",
});
/** What is told to the model, in short. */
const told = async (state: JsonObject): Promise<string[]> =>
  (await contextOfState(state)).map(
    ({ role, text, toolCalls = [], thinking }: ContextMessage) =>
      `${role}: ${[thinking && `(${thinking})`, text, ...toolCalls.map(({ id }) => `<${id}>`)].filter(Boolean).join(" ")}`,
  );

const WORK = sessionOf(
  turn(
    "Build it",
    [
      { kind: "thinking", value: "Hm." },
      { value: "I look." },
      part("c1", {
        toolSpecificData: { kind: "terminal", terminalCommandOutput: { text: LONG, lineCount: 300 } },
      }),
      part("inner", { subAgentInvocationId: "c1" }),
      part("c2"),
      part("own", { toolId: "shown_only" }),
      { kind: "textEditGroup", uri: { path: "/a.ts" }, edits: [] },
      { value: "Built." },
    ],
    kept(
      [
        round("a", "I look.", [call("c1__vscode-1")], {
          thinking: { id: "t", text: "Hm." },
          statefulMarker: "x",
        }),
        round("b", "", [call("c2", "create_file", { filePath: "/a.ts", content: LONG })]),
        round("c", "Built."),
      ],
      { "c1__vscode-1": gave(LONG), c2: gave("Created"), unknown: gave("of no call") },
    ),
  ),
  turn("Thanks", [{ value: "You are welcome." }], { requestId: "request_b" }),
);

describe("without tools", () => {
  it("has all texts, no call and no result, and shows none", async () => {
    const { state, ledger } = reduce(WORK, { tools: "drop" });
    expect(await told(state)).toEqual([
      "user: Build it",
      "assistant: (Hm.) I look.",
      "assistant: Built.",
      "user: Thanks",
      "assistant: You are welcome.",
    ]);
    expect(turnsOf(state)[0]).toEqual({
      ...turnsOf(WORK)[0],
      requestId: "request_Build it+",
      response: [
        { kind: "thinking", value: "Hm." },
        { value: "I look." },
        { kind: "textEditGroup", uri: { path: "/a.ts" }, edits: [] },
        { value: "Built." },
      ],
      ...kept(
        [round("a", "I look.", [], { thinking: { id: "t", text: "Hm." } }), round("c", "Built.")],
        {},
        { responseId: "m+" },
      ),
      responseId: "response_a+",
    });
    expect(turnsOf(state)[1]).toBe(turnsOf(WORK)[1]);
    expect(ledger).toEqual({
      turns: { kept: 2, cut: 0, dropped: 0 },
      toolCalls: { kept: 0, cut: 0, dropped: 3 },
      texts: { kept: 5, cut: 0, dropped: 0 },
      thoughts: { kept: 1, cut: 0, dropped: 0 },
    });
  });

  it("tells the model no more than before where a turn consisted of calls alone", async () => {
    const rounds = [round("a", "", [call("c1")])];
    const only = sessionOf(
      turn("Go", [{ value: "Shown, but never told" }, part("c1")], kept(rounds, { c1: gave("x") })),
    );
    expect(await told(reduce(only, { tools: "drop" }).state)).toEqual(["user: Go"]);
  });

  it("loses the oldest alone, with what their sub-agents showed", async () => {
    const { state, ledger } = reduce(WORK, { tools: { oldest: 40 } });
    expect(await told(state)).toContain("assistant: <c2>");
    expect(ledger.toolCalls).toEqual({ kept: 2, cut: 0, dropped: 1 });
    const shown = asArray(turnsOf(state)[0]?.response) as JsonObject[];
    expect(shown.flatMap(({ toolCallId }) => toolCallId ?? [])).toEqual(["c2", "own"]);
  });
});

it("cuts what calls were given and gave, in both places, and says how to get it back", async () => {
  const { state, ledger } = reduce(WORK, { tools: { truncate: 300 } });
  const short = `${LONG.slice(0, 200)}\n[… 5400 characters left out; all of it: rethread show vscode:s --turn 0 --full …]\n${LONG.slice(-100)}`;
  const messages = await contextOfState(state);
  expect(messages.find(({ role }) => role === "tool")?.text).toBe(short);
  expect(messages[3]?.toolCalls?.[0]?.arguments).toEqual({ filePath: "/a.ts", content: short });
  expect(asArray(turnsOf(state)[0]?.response)[2]).toMatchObject({
    toolSpecificData: { terminalCommandOutput: { text: short, lineCount: 300 } },
  });
  expect(ledger.toolCalls).toEqual({ kept: 1, cut: 2, dropped: 0 });
});

it("makes one text of a long result's texts, and keeps what is none beside it", () => {
  const picture = { $mid: 24, mimeType: "image/png", data: { $base64: "AAAA" } };
  const tree = { $mid: 23, value: { node: { children: [{ text: LONG }] } } };
  const results = { c1: { $mid: 20, content: [{ $mid: 21, value: "Seen:" }, picture, tree], future: 1 } };
  const state = sessionOf(turn("Go", [], kept([round("a", "", [call("c1")])], results)));
  const [reduced] = turnsOf(reduce(state, { tools: { truncate: 30 } }).state) as {
    result: { metadata: JsonObject };
  }[];
  expect(reduced?.result.metadata.toolCallResults).toEqual({
    c1: {
      $mid: 20,
      content: [{ $mid: 21, value: expect.stringMatching(/^Seen:one line of out\n\[… .*\n.*\n$/s) }, picture],
      future: 1,
    },
  });
});

it("leaves out thoughts, also those that are only shown", async () => {
  const shown = turn("And now?", [{ kind: "thinking", value: "Well." }, { value: "Done." }]);
  const { state, ledger } = reduce({ ...WORK, requests: [...turnsOf(WORK), shown] }, { dropThinking: true });
  expect(JSON.stringify(state)).not.toMatch(/Hm\.|Well\./);
  expect(ledger.thoughts).toEqual({ kept: 0, cut: 0, dropped: 2 });
  expect(await told(state)).toContain("assistant: I look. <c1>");
});

it("begins with a later turn, and gives up what that tells of the turns before", async () => {
  const limited = turn(
    "Go",
    [],
    kept([round("a", "Much to do.", [call("late")])], {}, { maxToolCallsExceeded: true }),
  );
  const next = turn(
    "Yes",
    [part("late"), { value: "Done." }],
    kept([round("b", "Done.")], { late: gave("made") }),
  );
  const { state } = reduce(sessionOf(limited, next), { dropOldest: { count: 1 } });
  expect(turnsOf(state)).toHaveLength(1);
  expect(JSON.stringify(state)).not.toContain('"late"');
  expect(() => reduce(sessionOf(limited, next), { dropOldest: { percent: 100 } })).toThrow(
    "one must be kept",
  );
});

describe("within a budget", () => {
  const filler = (index: number, more: object = {}): object =>
    turn(`Request ${index}`, [{ value: LONG }], { requestId: `request_${index}`, ...more });

  it("counts a call that was cut and then dropped as dropped", () => {
    const calls = [0, 1, 2, 3, 4].map((at) =>
      filler(at, kept([round(`r${at}`, "Look.", [call(`c${at}`)])], { [`c${at}`]: gave(LONG) })),
    );
    const { ledger } = reduce(sessionOf(...calls), { budget: 20 });
    expect(ledger.toolCalls).toEqual({ kept: 0, cut: 0, dropped: 5 });
  });

  it("brings results along whose turn goes", async () => {
    const edit = call("late", "create_file", { filePath: "/a.ts", content: "x" });
    const first = turn("Go", [], kept([round("a", "", [edit])], {}, { maxToolCallsExceeded: true }));
    const next = filler(1, kept([round("b", LONG)], { late: gave("made") }));
    const session = sessionOf(first, next, ...[2, 3, 4, 5].map((index) => filler(index)));
    const { state } = reduce(session, { budget: 4800 });
    expect(await told(state)).toEqual(
      expect.arrayContaining(["user: Go", "assistant: <late>", "tool: made"]),
    );
    expect((await told(state)).join()).not.toContain("Request 1");
  });

  it("keeps the summary that stands for all before it, and what only its user still sees", async () => {
    const covered = [0, 1].map((index) => filler(index));
    const summary = { summary: { toolCallRoundId: "request_1", text: `So far: ${LONG}` } };
    const carrier = filler(2, kept([round("x", "Next.")], {}, summary));
    const session = sessionOf(...covered, carrier, ...[3, 4, 5, 6].map((index) => filler(index)));
    const { state, ledger } = reduce(session, { budget: 900 });
    const [first, ...rest] = await told(state);
    expect(first).toMatch(
      /^user: <conversation-summary>\nSo far: one line.*left out.*<\/conversation-summary>$/s,
    );
    expect(rest.at(-2)).toBe("user: Request 6");
    expect(
      turnsOf(state)
        .slice(0, 2)
        .map(({ response }) => response),
    ).toEqual([[{ value: LONG }], [{ value: LONG }]]);
    expect(ledger.turns.dropped).toBeGreaterThan(0);
  });

  it("names a turn in its summary by the id that it has now", async () => {
    const covered = turn(
      "Look",
      [part("c1", { toolSpecificData: { kind: "terminal" } }), { value: "Seen." }],
      { requestId: "request_0" },
    );
    const carrier = filler(
      1,
      kept([round("x", "Next.")], {}, { summary: { toolCallRoundId: "request_0", text: "So far." } }),
    );
    const { state } = reduce(sessionOf(covered, carrier), { tools: "drop" });
    expect(await told(state)).toEqual(await told(sessionOf(covered, carrier)));
    expect(turnsOf(state)[0]).toMatchObject({ requestId: "request_0+" });
  });

  it("shows no less of an answer than the model gets", () => {
    const rounds = [round("a", LONG, [call("c1")]), round("b", "x".repeat(2000))];
    const two = turn(
      "Two",
      [{ value: LONG }, part("c1"), { value: "x".repeat(2000) }],
      kept(rounds, { c1: gave("y") }),
    );
    const { state } = reduce(sessionOf(filler(0), two, ...[2, 3, 4].map((at) => filler(at))), {
      budget: 6500,
    });
    const [, reduced] = turnsOf(state) as {
      response: { value: string }[];
      result: { metadata: JsonObject };
    }[];
    expect(reduced?.result.metadata.toolCallRounds).toMatchObject([
      { response: expect.stringContaining("5400 characters left out") },
      { response: "x".repeat(2000) },
    ]);
    expect(reduced?.response).toEqual([
      { value: expect.stringContaining("3700 characters left out") },
      { value: "x".repeat(2000) },
    ]);
  });

  it("makes one text of texts and links between them where that is too long", () => {
    const link = { kind: "inlineReference", inlineReference: { $mid: 1, path: "/srv/a.ts", scheme: "file" } };
    const split = filler(1, { response: [{ value: LONG, supportHtml: true }, link, { value: LONG }] });
    const { state, ledger } = reduce(sessionOf(filler(0), split, ...[2, 3, 4].map((at) => filler(at))), {
      budget: 6000,
    });
    expect(turnsOf(state)[1]?.response).toEqual([
      { value: expect.stringMatching(/^one line.*10504 characters left out.*output\n$/s), supportHtml: true },
    ]);
    expect(ledger.texts).toEqual({ kept: 8, cut: 2, dropped: 0 });
  });

  it("cuts the prompt that the model gets, and the one that is shown only where that is the same", async () => {
    const rendered = turn("Short", [], {
      result: { metadata: { renderedUserMessage: [{ type: 1, text: LONG }] } },
    });
    const plain = { ...turn("x", []), message: message(LONG) };
    const { state } = reduce(sessionOf(rendered, plain), { budget: 10 });
    const [first, second] = turnsOf(state) as { message: { text: string; parts: unknown[] } }[];
    expect(first?.message).toEqual(message("Short"));
    expect(second?.message.text).toContain("characters left out");
    expect(second?.message.parts).toMatchObject([
      {
        kind: "text",
        text: second?.message.text,
        range: { start: 0, endExclusive: second?.message.text.length },
      },
    ]);
    expect((await told(state)).every((line) => line.includes("left out"))).toBe(true);
  });
});
