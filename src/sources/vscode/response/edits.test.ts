import { describe, expect, it } from "vitest";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { countLines, readEditingState } from "./edits.ts";

const range = (
  startLineNumber: number,
  startColumn: number,
  endLineNumber: number,
  endColumn: number,
): object => ({
  startLineNumber,
  startColumn,
  endLineNumber,
  endColumn,
});

describe("counting lines", () => {
  it.each<[string, object[], { added: number; removed: number }]>([
    ["an insertion", [{ text: "a\nb\n", range: range(3, 1, 3, 1) }], { added: 2, removed: 0 }],
    ["a change within a line", [{ text: "x", range: range(3, 2, 3, 5) }], { added: 1, removed: 1 }],
    ["whole lines", [{ text: "x\n", range: range(3, 1, 5, 1) }], { added: 1, removed: 2 }],
    [
      "a deletion up to the middle of a line",
      [{ text: "", range: range(3, 1, 4, 5) }],
      { added: 0, removed: 2 },
    ],
    ["nothing readable", [{}], { added: 0, removed: 0 }],
  ])("%s", (_name, edits, expected) => {
    expect(countLines(edits)).toEqual(expected);
  });
});

describe("an editing session", () => {
  const readState = (state: unknown, contents: Record<string, string> = {}) => {
    const text = typeof state === "string" ? state : JSON.stringify(state);
    return readEditingState(createMemoryFs({ "/e/state.json": text, ...contents }), "/e/state.json");
  };
  const uri = (path: string): object => ({ $mid: 1, path, scheme: "file" });

  it("adds up the edits of a turn by file", async () => {
    const edit = (path: string, requestId: string): object => ({
      type: "textEdit",
      uri: uri(path),
      requestId,
      edits: [{ text: "x\n", range: range(1, 1, 1, 1) }],
    });
    const create = { type: "create", uri: uri("/new"), requestId: "r1", initialContent: "1\n2\n" };
    const { byTurn, fault } = await readState({
      timeline: { operations: [edit("/a", "r1"), edit("/a", "r1"), edit("/a", "r2"), create] },
    });
    expect(fault).toBeUndefined();
    const parsed = [...byTurn].map(([turn, edits]) => [
      turn,
      edits.map(({ origin, ...rest }) => ({ ...rest, at: origin.at })),
    ]);
    expect(parsed).toEqual([
      [
        "r1",
        [
          { path: "/a", added: 2, removed: 0, at: ["timeline", "operations", 0] },
          { path: "/new", added: 2, removed: 0, at: ["timeline", "operations", 3] },
        ],
      ],
      ["r2", [{ path: "/a", added: 1, removed: 0, at: ["timeline", "operations", 2] }]],
    ]);
  });

  it("of version 1 tells the files, if not how much of them changed", async () => {
    const entry = {
      resource: "file:///a",
      originalHash: "0beec7b",
      currentHash: "62cdb70",
      telemetryInfo: { requestId: "r" },
    };
    const state = { version: 1, recentSnapshot: { entries: [entry] } };
    const whole = { "/e/contents/0beec7b": "foo", "/e/contents/62cdb70": "bar" };
    const { byTurn, fault } = await readState(state, whole);
    expect(byTurn.get("r")).toMatchObject([{ path: "/a" }]);
    expect(fault).toBeUndefined();
    expect((await readState(state, { "/e/contents/0beec7b": "foo" })).fault).toBe(
      "the editing session lacks the content 62cdb70 of a file",
    );
  });

  it("is mostly not there, and may be unreadable", async () => {
    expect(await readEditingState(createMemoryFs(), "/e/state.json")).toEqual({ byTurn: new Map() });
    expect((await readState('{"version":2,')).fault).toBe(
      "the state of the editing session is not valid JSON",
    );
  });
});
