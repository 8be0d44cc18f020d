import { expect, it } from "vitest";
import { log, message, PATH, STORE, sessionOf, turn } from "../../../../../test/vscode-log.ts";
import { createMemoryFs } from "../../../../platform/fs/memory.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import { type FileRescue, rescueFile } from "./file.ts";
import { withoutLines } from "./part.ts";

const DOCUMENT = PATH.replace(".jsonl", ".json");
const TRANSCRIPT = `${STORE}/GitHub.copilot-chat/transcripts/s.jsonl`;
const TURNS = ["one", "two", "three"].map((text) => turn(text, [{ value: `Answer to ${text}` }]));
const LOG = log(
  { kind: 0, v: sessionOf() },
  ...TURNS.map((each) => ({ kind: 2, k: ["requests"], v: [each] })),
);

const rescueOf = (files: Record<string, string>, path = PATH): Promise<FileRescue> =>
  rescueFile(createMemoryFs(files), {
    id: "s",
    path,
    folder: STORE,
    listedTitle: "Listed",
    ...(DOCUMENT in files && path === PATH && { twin: DOCUMENT }),
  });
const promptsIn = (rescue: FileRescue): unknown[] =>
  "state" in rescue && rescue.state
    ? (rescue.state.requests as { message: JsonObject }[]).map((each) => each.message.text)
    : [];

it("leaves a sound log alone", async () => {
  expect(await rescueOf({ [PATH]: LOG })).toMatchObject({ outcome: "sound" });
});

it("only ends the last line where nothing else is wrong", async () => {
  expect(await rescueOf({ [PATH]: LOG.trimEnd() })).toMatchObject({
    outcome: "unended",
    found: [{ what: "the last line had no line feed: added" }],
  });
});

it("keeps what can be read, names each line that cannot, and gives the chat a title", async () => {
  const { customTitle: _, ...untitled } = sessionOf();
  const torn = LOG.replace(JSON.stringify(sessionOf()), JSON.stringify(untitled)).replace('"two"', '"two');
  const rescue = await rescueOf({ [PATH]: `\ufeff${torn}` });
  expect(rescue).toMatchObject({
    outcome: "rewritten",
    state: { sessionId: "s", customTitle: "Listed" },
    found: [
      { line: 1, what: "there is a byte order mark before the first record: removed" },
      { line: 3, what: expect.any(String), isLost: true },
    ],
  });
  expect(promptsIn(rescue)).toEqual(["one", "three"]);
});

it("only takes out the lines that cannot be read where the rest is sound", async () => {
  const torn = `${LOG.replace('"two"', '"two')}{"kind":2,"k":["requ`;
  const fs = createMemoryFs({ [PATH]: torn });
  const rescue = await rescueFile(fs, { id: "s", path: PATH, folder: STORE });
  expect(rescue).toMatchObject({
    outcome: "trimmed",
    lines: new Set([3, 5]),
    found: [{ line: 3 }, { line: 5 }],
  });
  const pieces = await withoutLines(fs, PATH, new Set([3, 5]));
  const text = pieces?.map((piece) => ("start" in piece ? torn.slice(piece.start, piece.end) : "")).join("");
  const lines = torn.split("\n");
  expect(text).toBe(`${lines[0]}\n${lines[1]}\n${lines[3]}\n`);
});

it("does not take a line out of which something was saved", async () => {
  const text = `{"kind":1}\n{"kind":0,"v":{"requests":[`;
  expect(await withoutLines(createMemoryFs({ [PATH]: text }), PATH, new Set([2]))).toBeUndefined();
});

it("takes back what emptied the log", async () => {
  const rescue = await rescueOf({ [PATH]: `${LOG}{"kind":2,"k":["requests"],"i":0}\n` });
  expect(promptsIn(rescue)).toEqual(["one", "two", "three"]);
});

it("makes turns from the transcript: what was said, thought, called and answered", async () => {
  const said = [
    { type: "user.message", data: { content: "Go" }, timestamp: "2026-06-01T10:00:00.000Z" },
    {
      type: "assistant.message",
      data: {
        content: "I look.",
        reasoningText: "Hm.",
        toolRequests: [{ toolCallId: "c", name: "read_file", arguments: '{"a":1}' }],
      },
    },
    {
      type: "tool.execution_complete",
      data: { toolCallId: "c", success: false, result: { content: "no such file" } },
    },
    { type: "assistant.message", data: { content: "It is gone." }, timestamp: "2026-06-01T10:00:09.000Z" },
  ];
  const rescue = await rescueOf({ [PATH]: log({ kind: 0, v: sessionOf() }), [TRANSCRIPT]: log(...said) });
  expect(rescue).toMatchObject({ outcome: "rewritten" });
  const [made] = ("state" in rescue && rescue.state ? rescue.state.requests : []) as [JsonObject];
  expect(made).toMatchObject({
    timestamp: Date.UTC(2026, 5, 1, 10),
    message: { text: "Go" },
    response: [
      { kind: "thinking", value: "Hm." },
      { value: "I look." },
      { kind: "toolInvocationSerialized", toolCallId: "c", resultDetails: { isError: true } },
      { value: "It is gone." },
    ],
    result: {
      metadata: {
        toolCallRounds: [
          {
            response: "I look.",
            thinking: { text: "Hm." },
            toolCalls: [{ id: "c", name: "read_file", arguments: '{"a":1}' }],
          },
          { response: "It is gone.", toolCalls: [] },
        ],
        toolCallResults: { c: { content: [{ value: "no such file" }] } },
      },
    },
    modelState: { value: 1, completedAt: Date.UTC(2026, 5, 1, 10, 0, 9) },
  });
});

it("takes the turns from our own copy before all else", async () => {
  const { customTitle: _, ...untitled } = sessionOf();
  const emptied = {
    [PATH]: log({ kind: 0, v: untitled }),
    [TRANSCRIPT]: log({ type: "user.message", data: { content: "x" } }),
  };
  const copy = createMemoryFs({ [PATH]: LOG });
  const rescue = await rescueFile(createMemoryFs(emptied), {
    id: "s",
    path: PATH,
    folder: STORE,
    kept: async (path) => (path === PATH ? copy : undefined),
  });
  expect(rescue).toMatchObject({
    outcome: "rewritten",
    state: { customTitle: "Made up" },
    found: [{ what: "the conversation was removed: restored from rethread's own copy of it" }],
  });
  expect(promptsIn(rescue)).toEqual(["one", "two", "three"]);
});

it("tells of an editing session which files were changed, where nothing tells what was said", async () => {
  const operation = (requestId: string, path: string) => ({
    type: "textEdit",
    requestId,
    uri: { $mid: 1, scheme: "file", path },
    edits: [
      { text: "a\nb\n", range: { startLineNumber: 1, endLineNumber: 1, startColumn: 1, endColumn: 1 } },
    ],
  });
  const operations = [operation("request_1", "/srv/a.ts"), operation("request_2", "/srv/b.ts")];
  const rescue = await rescueOf({
    [PATH]: log({ kind: 0, v: sessionOf() }),
    [`${STORE}/chatEditingSessions/s/state.json`]: JSON.stringify({ version: 2, timeline: { operations } }),
  });
  expect(rescue).toMatchObject({
    outcome: "rewritten",
    state: {
      requests: [
        {
          requestId: "request_1",
          message: { text: "[The text of this turn is lost]" },
          response: [{ value: "These files were changed:\n\n- `/srv/a.ts` (+2 −0)" }],
        },
        { requestId: "request_2" },
      ],
    },
  });
});

it("uncovers a sound document that a broken log hides, and repairs one that is not", async () => {
  const document = JSON.stringify(sessionOf(...TURNS));
  expect(await rescueOf({ [PATH]: "garbage\n", [DOCUMENT]: document })).toMatchObject({ outcome: "removed" });
  const bad = JSON.stringify(
    sessionOf({ ...TURNS[0], message: { ...message("one"), parts: [{ kind: "file" }] } }),
  );
  const rescue = await rescueOf({ [PATH]: "garbage\n", [DOCUMENT]: bad });
  expect([rescue.outcome, promptsIn(rescue)]).toEqual(["rewritten", ["one"]]);
});

it("joins a document with what a torn log tells beyond it", async () => {
  const lost = LOG.replace('"one"', '"one').replace('"two"', '"two');
  const document = JSON.stringify(sessionOf(...TURNS.slice(0, 2)));
  expect(promptsIn(await rescueOf({ [PATH]: lost, [DOCUMENT]: document }))).toEqual(["one", "two", "three"]);
});

it("takes away what nobody can read, and leaves what never held anything", async () => {
  expect(await rescueOf({ [PATH]: "\0\0\0" })).toMatchObject({
    outcome: "removed",
    found: [{ line: 1 }, { isLost: true }],
  });
  const { customTitle: _, ...untitled } = sessionOf();
  const empty = log({ kind: 0, v: untitled });
  expect(await rescueOf({ [PATH]: empty })).toEqual({ outcome: "empty", wasEmptied: false });
  expect(await rescueOf({ [PATH]: empty.trimEnd() })).toEqual({ outcome: "empty", wasEmptied: false });
  expect(await rescueOf({ [PATH]: log({ kind: 0, v: sessionOf() }) })).toEqual({
    outcome: "empty",
    wasEmptied: true,
  });
});

it("says of a file that goes what was in it, and not that anything of it was repaired", async () => {
  expect(await rescueOf({ [PATH]: "" })).toEqual({
    outcome: "removed",
    found: [{ what: "nothing in it can be read: removed", isLost: true }],
  });
});

it.each([
  ["a document under the name of a log", PATH, JSON.stringify({ ...sessionOf(), requests: TURNS }, null, 2)],
  ["a log under the name of a document", DOCUMENT, LOG],
])("takes %s for what it is", async (what, path, text) => {
  const rescue = await rescueOf({ [path]: text }, path);
  expect(rescue).toMatchObject({
    outcome: "rewritten",
    state: { ...sessionOf(), sessionId: "s", requests: [{}, {}, {}] },
    found: [{ what: `${what}: rewritten to match its name` }],
  });
  expect(promptsIn(rescue)).toEqual(["one", "two", "three"]);
});
