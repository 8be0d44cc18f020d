import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../log/jsonl.ts";
import { pairCalls } from "./pair-calls.ts";
import type { ModelCall } from "./tools.ts";

const call = (id: string, result?: string): ModelCall => ({ id, name: "t", input: {}, result, at: [] });
const part = (toolCallId: string, more: JsonObject = {}): JsonObject => ({ toolCallId, ...more });

describe("pairing what VS Code shows with what the model called", () => {
  it("goes by id, with or without VS Code's suffix", () => {
    const [a, b] = [part("call_1"), part("call_2")];
    const [one, two] = [call("call_1__vscode-17"), call("call_2")];
    expect(pairCalls([a, b], [two, one])).toEqual({
      of: new Map([
        [a, one],
        [b, two],
      ]),
      hidden: [],
    });
  });

  it("goes by order where ids never agree, if there are as many of both", () => {
    const [a, b] = [part("uuid-1"), part("uuid-2")];
    const [one, two] = [call("x"), call("y")];
    expect(pairCalls([a, b], [one, two]).of).toEqual(
      new Map([
        [a, one],
        [b, two],
      ]),
    );
  });

  it("leaves calls alone that VS Code does not show, and those of a sub-agent", () => {
    const shown = part("uuid-1", { subAgentInvocationId: "p" });
    const [one, two] = [call("x"), call("y")];
    expect(pairCalls([shown], [one, two])).toEqual({ of: new Map(), hidden: [one, two] });
  });

  it("goes by what the calls are about, then by their tools, where VS Code shows fewer or more than there were", () => {
    const made = (id: string, name: string, input: object): ModelCall => ({ ...call(id), name, input });
    const calls = [
      made("toolu_1", "read_file", { filePath: "/srv/app/a b.ts" }),
      made("toolu_2", "read_file", { filePath: "/srv/app/c.ts" }),
      made("toolu_3", "manage_todo_list", { operation: "write" }),
      made("toolu_4", "run_in_terminal", { command: "npm test" }),
      made("toolu_5", "grep_search", { query: "x" }),
    ];
    const message = (value: string) => ({ invocationMessage: { value } });
    const [read, ran, searched, other] = [
      part("uuid-1", { toolId: "copilot_readFile", ...message("Reading [](file:///srv/app/c.ts#1-9)") }),
      part("uuid-2", {
        toolId: "run_in_terminal",
        toolSpecificData: { kind: "terminal", commandLine: { original: "npm test" } },
      }),
      part("uuid-3", { toolId: "copilot_findTextInFiles", ...message("Searched text") }),
      part("uuid-4", { toolId: "someone_elses" }),
    ];
    const paired = pairCalls([read, ran, searched], calls);
    expect([read, ran, searched].map((each) => paired.of.get(each)?.id)).toEqual([
      "toolu_2",
      "toolu_4",
      "toolu_5",
    ]);
    expect(paired.hidden.map(({ id }) => id)).toEqual(["toolu_1", "toolu_3"]);
    const spaced = { ...read, ...message("Reading [](file:///srv/app/a%20b.ts)") };
    expect(pairCalls([spaced], calls).of.get(spaced)?.id).toBe("toolu_1");
    const windows = [
      made("1", "read_file", { filePath: "x" }),
      made("2", "read_file", { filePath: "c:\\w\\d.ts" }),
    ];
    const drive = { ...read, ...message("Reading [](file:///c%3A/w/d.ts)") };
    expect(pairCalls([drive], windows).of.get(drive)?.id).toBe("2");
    // A call of which the model's data knows nothing stays on its own.
    expect(pairCalls([read, other, ran], calls.slice(1, 4)).of.get(other)?.id).toBe("toolu_3");
    expect(pairCalls([read, other, ran], [calls[1], calls[3]] as ModelCall[]).of.has(other)).toBe(false);
  });
});
