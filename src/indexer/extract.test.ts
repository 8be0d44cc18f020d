import { expect, it } from "vitest";
import type { Event } from "../model/session/session.ts";
import { toolText } from "../model/session/turn-text.ts";
import { copilotPromptEffect } from "../store/copilot/prompt-effect.ts";
import type { RowSink, TurnRow } from "../store/rows.ts";
import { createExtractor, type ExtractOptions } from "./extract.ts";

let line = 0;
const at = (more: object): Event => ({ origin: { line: ++line, start: 0, end: 1 }, ...more }) as Event;
const prompt = (text: string, more: object = {}) => at({ kind: "prompt", text, ...more });
const say = (text: string, more: object = {}) => at({ kind: "text", text, ...more });
const call = (callId: string, act: object, more: object = {}) =>
  at({ kind: "tool-call", callId, name: "bash", input: {}, act, ...more });
const result = (callId: string, text: string, status = "ok", more: object = {}) =>
  at({ kind: "tool-result", callId, status, text, ...more });

const rowsOf = (...events: Event[]) => rowsFor({}, ...events);

function rowsFor(options: Partial<ExtractOptions>, ...events: Event[]) {
  const rows: Record<string, object[]> = {};
  const add = (table: string) => (row: object) => {
    rows[table] = [...(rows[table] ?? []), row];
  };
  const sink = {
    turn({ textBytes, ...row }: TurnRow) {
      add("turn")(row);
      add("size")({ textBytes });
    },
    toolCall: add("call"),
    file: add("file"),
    ref: add("ref"),
    checkpoint: add("checkpoint"),
    usage: add("usage"),
  };
  const extractor = createExtractor(sink as RowSink, { outputHead: 10, ...options });
  for (const event of events) extractor.event(event);
  extractor.end();
  return rows;
}

const gist = (row: object): string =>
  Object.values(row)
    .filter((value) => value !== undefined)
    .join(" ");

it("takes the last answer for the response, and keeps the others, commands and heads of output searchable", () => {
  const { turn } = rowsOf(
    prompt(" go "),
    say("one"),
    call("a", { does: "run", command: "ls -l" }),
    result("a", "0123456789abc"),
    say("two"),
  );
  expect(turn).toEqual([
    { index: 0, user: "go", response: "two", more: `one\n${toolText("ls -l")}\n${toolText("0123456789")}` },
  ]);
});

it("does not take words that only announce a call for an answer", () => {
  const origin = { line: 77, start: 0, end: 1 };
  const { turn } = rowsOf(
    prompt("go"),
    say("Looking.", { origin }),
    call("a", { does: "run", command: "ls" }, { origin }),
  );
  expect(turn).toEqual([{ index: 0, user: "go", more: `Looking.\n${toolText("ls")}` }]);
});

it("gives the answer to a blank prompt to the turn before", () => {
  const { turn } = rowsOf(prompt("go"), say("one"), prompt("  "), say("to nothing"));
  expect(turn).toEqual([{ index: 0, user: "go", response: "to nothing", more: "one" }]);
});

it("starts a turn with a prompt that has attachments alone", () => {
  const attachments = [{ kind: "file", name: "plan.png" }];
  const { turn } = rowsOf(prompt("go"), say("one"), prompt("", { attachments }), say("two"));
  expect(turn).toEqual([
    { index: 0, user: "go", response: "one", more: "" },
    { index: 1, user: "", response: "two", more: "" },
  ]);
});

it("counts turns as Copilot CLI's store does, where the rows are for that one", () => {
  const attachments = [{ kind: "file", name: "plan.png" }];
  const { turn } = rowsFor(
    { promptEffect: copilotPromptEffect },
    prompt("go"),
    say("one"),
    prompt("", { attachments }),
    say("to nobody"),
    prompt(" "),
    say("to nothing"),
    prompt("next"),
    say("two"),
  );
  expect(turn).toEqual([
    { index: 0, user: "go", response: "one", more: "" },
    { index: 1, user: "next", response: "two", more: "" },
  ]);
});

it("tells files by what was done, and only when it was", () => {
  const { file, call: calls } = rowsOf(
    prompt("go"),
    call("a", { does: "edit", paths: ["a.ts"] }),
    result("a", "done"),
    call("b", { does: "create", paths: ["b.ts"] }),
    result("b", "no", "failed"),
    call("c", { does: "read", paths: ["c.ts"] }),
  );
  expect(file).toEqual([{ path: "a.ts", tool: "bash", action: "edited", evidence: "call", turn: 0 }]);
  expect(calls?.map((row) => (row as { status: string }).status)).toEqual(["ok", "failed", "pending"]);
});

it("adds up how much the model gets to read, in bytes, and leaves out what sub-agents read", () => {
  const { size } = rowsOf(
    prompt("größer"),
    at({ kind: "thinking", text: "hm" }),
    call("a", {}, { name: "view", input: { path: "a.ts" } }),
    result("a", "0123", "ok", { cut: 1000 }),
    say("done"),
    say("in another context", { agent: "a" }),
    prompt("next"),
  );
  const call1 = "view".length + 2 + "path".length + 6 + "a.ts".length;
  expect(size).toEqual([{ textBytes: 8 + 2 + call1 + 1004 + 4 }, { textBytes: 4 }]);
});

it("tells the lines of recorded edits", () => {
  const { file } = rowsOf(prompt("go"), at({ kind: "edit", path: "a.ts", added: 4, removed: 2 }));
  expect(file).toMatchObject([{ path: "a.ts", evidence: "record", lines: { added: 4, removed: 2 } }]);
});

it("finds references in commands, even failed ones, and in text", () => {
  const { ref } = rowsOf(
    prompt("fixes #7"),
    call("a", { does: "run", command: "git commit -m x && false" }),
    result("a", "[main 1a2b3c4] x", "failed", { exitCode: 1 }),
    say("See /pull/42"),
  );
  expect(ref).toEqual([
    { type: "issue", value: "7", evidence: "mentioned", turn: 0 },
    { type: "commit", value: "1a2b3c4", evidence: "tool", turn: 0 },
    { type: "pr", value: "42", evidence: "mentioned", turn: 0 },
  ]);
});

it("tells what Copilot CLI's own index would keep from what only we find", () => {
  const edit = (callId: string, path: string, more: object = {}) =>
    call(callId, { does: "edit", paths: [path] }, { name: "edit", ...more });
  const commit = (callId: string, more: object = {}) =>
    call(callId, { does: "run", command: "git commit" }, more);
  const { file, ref } = rowsOf(
    prompt("go"),
    edit("a", "main.ts"),
    result("a", "done"),
    edit("b", "agent.ts", { agent: "task" }),
    result("b", "done"),
    at({ kind: "edit", path: "recorded.ts" }),
    commit("c"),
    result("c", "[main 1111111] x"),
    commit("d", { agent: "task" }),
    result("d", "[main 2222222] x"),
    commit("e", { name: "powershell" }),
    result("e", "[main 3333333] x"),
    commit("f"),
    result("f", "[main 4444444] x", "failed"),
  );
  expect(file).toEqual([
    { path: "main.ts", tool: "edit", action: "edited", evidence: "tool", turn: 0 },
    { path: "agent.ts", tool: "edit", action: "edited", evidence: "call", turn: 0 },
    { path: "recorded.ts", tool: "edit", action: "edited", evidence: "record", turn: 0, lines: "unknown" },
  ]);
  expect(ref?.map((row) => gist(row))).toEqual([
    "commit 1111111 tool 0",
    "commit 2222222 command 0",
    "commit 3333333 command 0",
    "commit 4444444 command 0",
  ]);
});

it("tells calls outside of a turn of the next one, as Copilot CLI's store does", () => {
  const create = (callId: string) => call(callId, { does: "create", paths: [callId] }, { name: "create" });
  const { file } = rowsFor(
    { promptEffect: copilotPromptEffect },
    create("a"),
    result("a", ""),
    prompt("one"),
    prompt(" "),
    create("b"),
    result("b", ""),
  );
  expect(file?.map((row) => gist(row))).toEqual(["a create created tool 0", "b create created tool 1"]);
});

it("takes a summary in sections apart, and any other for an overview", () => {
  const { checkpoint } = rowsOf(
    at({
      kind: "compaction",
      summary: "<overview>\nA\n</overview><next_steps>B</next_steps><checkpoint_title>T</checkpoint_title>",
    }),
    at({ kind: "compaction", summary: "just words", title: "Later" }),
  );
  expect(checkpoint).toEqual([
    { number: 1, title: "T", sections: { overview: "A", next_steps: "B" } },
    { number: 2, title: "Later", sections: { overview: "just words" } },
  ]);
});
