import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../log/jsonl.ts";
import { toolResultText } from "../format/text.ts";
import { type ModelCall, outcomeOf, shownInput, toInput } from "./tools.ts";

const call = (id: string, result?: string): ModelCall => ({ id, name: "t", input: {}, result, at: [] });
const part = (toolCallId: string, more: JsonObject = {}): JsonObject => ({
  toolCallId,
  isComplete: true,
  ...more,
});

describe("the outcome of a call", () => {
  it.each<[string, JsonObject, string | undefined, object]>([
    [
      "the model's result comes first",
      { toolSpecificData: { output: "shown" } },
      "told",
      { status: "ok", text: "told" },
    ],
    ["denied", { isConfirmed: { type: 0 } }, undefined, { status: "interrupted", text: "" }],
    ["denied, before 1.104", { isConfirmed: false }, "no", { status: "interrupted", text: "no" }],
    ["not finished", { isComplete: false }, undefined, { status: "interrupted", text: "" }],
    [
      "cancelled",
      {},
      "The user cancelled the tool call.",
      { status: "interrupted", text: "The user cancelled the tool call." },
    ],
    [
      "a tool that threw",
      {},
      "ERROR while calling tool: no",
      { status: "failed", text: "ERROR while calling tool: no" },
    ],
    [
      "an error in the details",
      { resultDetails: { isError: true, output: [{ isText: true, value: "bad" }] } },
      undefined,
      { status: "failed", text: "bad" },
    ],
    [
      "a command that failed",
      {
        toolSpecificData: {
          kind: "terminal",
          terminalCommandOutput: { text: "no" },
          terminalCommandState: { exitCode: 2 },
        },
      },
      undefined,
      { status: "failed", text: "no" },
    ],
    [
      "found places",
      {
        resultDetails: [
          { path: "/a", scheme: "file" },
          { uri: { path: "/b" }, range: {} },
        ],
      },
      undefined,
      { status: "ok", text: "/a\n/b" },
    ],
    [
      "data",
      { resultDetails: { output: { type: "data", mimeType: "image/png" } } },
      undefined,
      { status: "ok", text: "[image/png]" },
    ],
  ])("%s", (_name, more, result, expected) => {
    expect(outcomeOf(part("c", more), result === undefined ? undefined : call("c", result))).toEqual(
      expected,
    );
  });
});

describe("the input of a call", () => {
  it.each<[string, JsonObject, unknown]>([
    [
      "a command as the user changed it",
      { toolSpecificData: { kind: "terminal", commandLine: { original: "a", userEdited: "b" } } },
      { command: "b" },
    ],
    ["raw input", { toolSpecificData: { kind: "input", rawInput: { x: 1 } } }, { x: 1 }],
    ["a simple tool", { toolSpecificData: { kind: "simpleToolInvocation", input: "plain" } }, "plain"],
    ["details", { resultDetails: { input: '{"q":1}' } }, { q: 1 }],
    ["nothing", {}, {}],
  ])("from %s", (_name, more, expected) => {
    expect(shownInput(part("c", more))).toEqual(expected);
  });

  it("is shown as it stands when it is not JSON", () => {
    expect(toInput('{"torn')).toBe('{"torn');
    expect(toInput("")).toEqual({});
  });
});

describe("the text of a result", () => {
  it("joins texts, rendered prompts and data", () => {
    const tree = {
      node: {
        type: 1,
        children: [
          { type: 2, text: "a" },
          { type: 2, text: "b", lineBreakBefore: true },
        ],
      },
    };
    const content = [
      { $mid: 21, value: "t:" },
      { $mid: 23, value: tree },
      { $mid: 24, mimeType: "image/png", data: {} },
    ];
    expect(toolResultText({ $mid: 20, content })).toBe("t:a\nb[image/png]");
  });

  it("is nothing when there is no result", () => {
    expect(toolResultText(undefined)).toBeUndefined();
    expect(toolResultText({ content: "x" })).toBeUndefined();
  });
});
