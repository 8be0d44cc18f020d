/** What the one line of a call says came back. */
import { describe, expect, it } from "vitest";
import type { PartOf } from "../types.ts";
import { outcomeOf } from "./tool-look.ts";

const call = (does: NonNullable<PartOf<"tool">["act"]>["does"], more: Partial<PartOf<"tool">>): string =>
  outcomeOf({
    kind: "tool",
    callId: "c",
    name: "any",
    input: {},
    act: { does },
    status: "ok",
    origin: { line: 1, start: 0, end: 1 },
    ...more,
    ...(more.result !== undefined && { resultSize: more.resultSize ?? more.result.length }),
  });

describe("what came back", () => {
  it("is how a run of tests ended, before anything else", () => {
    const result = " Tests  1 failed | 17 passed (18)\n";
    expect(call("run", { result, status: "failed", durationMs: 3_120 })).toBe("1 failed · 3.1 s");
    expect(call("run", { result: "6 passed in 2 s", durationMs: 2_800 })).toBe("6 passed · 2.8 s");
    // Whoever reads a report has not run the tests.
    expect(call("read", { result })).toBe("1 line");
  });

  it("is that of the whole result, of which only the beginning was read", () => {
    const cut = { result: "first lines", resultSize: 90_000 };
    expect(call("run", { ...cut, facts: { lines: 900, passed: 6 } })).toBe("6 passed");
    expect(call("read", { ...cut, facts: { lines: 212 } })).toBe("212 lines");
    expect(call("read", cut)).toBe("90.0k chars");
  });

  it("is what a search found", () => {
    expect(call("search", { result: "a.ts:1: x\nb.ts:2: x\n" })).toBe("2 matches");
    expect(call("search", { result: "Found 1 file\nsrc/a.ts" })).toBe("1 file");
    expect(call("search", { result: "14 matches (more are available)\n…" })).toBe("14 matches");
    expect(call("search", { result: "" })).toBe("no matches");
    expect(call("search", { result: "No matches found" })).toBe("no matches");
  });

  it("is why there is nothing", () => {
    expect(call("run", { result: "", durationMs: 12 })).toBe("no output");
    expect(call("run", { result: "boom", status: "failed", exitCode: 2 })).toBe("exit code 2");
    expect(call("edit", { result: "no such file", status: "failed" })).toBe("failed");
    expect(call("run", { status: "interrupted", result: "" })).toBe("interrupted");
    expect(call("run", { status: "pending" })).toBe("no result");
  });

  it("is a picture, or what a sub-agent did", () => {
    expect(call("read", { result: "[image]", images: [{ id: "x" }] })).toBe("1 image");
    expect(call("read", { result: "[image/png]\n[image/png]", images: [{}, {}] })).toBe("2 images");
    expect(call("read", { result: "A chart\n[image]", images: [{}] })).toBe("2 lines");
    expect(call("delegate", { result: "", children: [], durationMs: 61_000 })).toBe(
      "0 steps by a sub-agent, 0 tool calls · 1 min 1 s",
    );
  });
});
