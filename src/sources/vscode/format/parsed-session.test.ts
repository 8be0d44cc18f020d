import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../log/jsonl.ts";
import { apply, type Change, toTurn } from "./parsed-session.ts";

const noLoad = async (): Promise<never> => {
  throw new Error("everything is in hand");
};
const change = (
  line: number,
  effect: Change["effect"],
  path: Change["path"],
  value: unknown,
  more: Partial<Change> = {},
): Change => ({
  effect,
  path,
  held: { value },
  origin: { line, start: line * 10, end: line * 10 + 9, at: ["v"] },
  ...more,
});

describe("a turn made of changes", () => {
  it("knows for every value the record that set it last", async () => {
    const turn = await toTurn(
      [
        change(1, "set", [], { message: { text: "hi" }, response: ["a", "b"], vote: 1 }),
        change(2, "push", ["response"], ["c", "d"], { keep: 1 }),
        change(3, "set", ["message", "text"], "hello"),
        change(4, "delete", ["vote"], undefined),
      ],
      noLoad,
    );
    expect(turn.value).toEqual({ message: { text: "hello" }, response: ["a", "c", "d"], vote: undefined });
    const where = (...path: (string | number)[]) => {
      const { line, at } = turn.originOf(path);
      return { line, at };
    };
    expect(where("response", 0)).toEqual({ line: 1, at: ["v", "response", 0] });
    expect(where("response", 2)).toEqual({ line: 2, at: ["v", 1] });
    expect(where("message", "text")).toEqual({ line: 3, at: ["v"] });
    expect(where("message")).toEqual({ line: 3, at: ["v"] });
    expect(where()).toEqual({ line: 4, at: ["v"] });
  });

  it("reports a change that cannot be made and goes on", async () => {
    const turn = await toTurn(
      [change(1, "set", [], { a: 1 }), change(2, "set", ["x", "y"], 1), change(3, "set", ["a"], 2)],
      noLoad,
    );
    expect(turn.value).toEqual({ a: 2 });
    expect(turn.faults).toEqual([
      { code: "record-invalid", line: 2, message: "the path turn.x.y leads through something missing" },
    ]);
  });
});

describe("applying a change", () => {
  it.each<[string, (string | number)[], Pick<Change, "effect" | "keep">, unknown, JsonObject]>([
    ["sets", ["a"], { effect: "set" }, 2, { a: 2, list: [1, 2] }],
    ["sets the element after the last", ["list", 2], { effect: "set" }, 3, { a: 1, list: [1, 2, 3] }],
    ["pushes", ["list"], { effect: "push" }, [3], { a: 1, list: [1, 2, 3] }],
    [
      "pushes to a list that is not there yet",
      ["new"],
      { effect: "push" },
      [3],
      { a: 1, list: [1, 2], new: [3] },
    ],
    ["cuts", ["list"], { effect: "push", keep: 1 }, undefined, { a: 1, list: [1] }],
  ])("%s", (_name, path, how, value, expected) => {
    const state: JsonObject = { a: 1, list: [1, 2] };
    expect(typeof apply(state, path, how, value)).toBe("object");
    expect(state).toEqual(expected);
  });

  it.each<[string, (string | number)[], Pick<Change, "effect" | "keep">, unknown]>([
    ["a path through a number", ["a", "b"], { effect: "set" }, 1],
    ["a path through what every object inherits", ["constructor", "x"], { effect: "set" }, 1],
    ["a path to the prototype", ["__proto__", "x"], { effect: "set" }, 1],
    ["a gap in a list", ["list", 9], { effect: "set" }, 1],
    ["a push to a number", ["a"], { effect: "push" }, [1]],
    ["a push of a text", ["list"], { effect: "push" }, "text"],
    ["a cut beyond the end", ["list"], { effect: "push", keep: 4_000_000_000 }, []],
  ])("refuses %s and leaves all as it was", (_name, path, how, value) => {
    const state: JsonObject = { a: 1, list: [1, 2] };
    expect(typeof apply(state, path, how, value)).toBe("string");
    expect(state).toEqual({ a: 1, list: [1, 2] });
  });
});
