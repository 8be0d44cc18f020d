import { describe, expect, it } from "vitest";
import type { Problem } from "../../model/problem.ts";
import type { Artifact, Event, Session } from "../../model/session/session.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { isUntouched } from "../log/tail-hash.ts";
import type { Bookmark, ReadOptions } from "../source.ts";
import { read } from "./read.ts";

const ID = "01a1eec5-24e2-7161-b425-4271ec347d3f";
const PATH = `/codex/sessions/2026/11/18/rollout-2026-11-18T13-07-39-${ID}.jsonl`;
const TIME = "2026-11-18T13:07:40.000Z";
const meta = (more = {}) => ({
  timestamp: TIME,
  type: "session_meta",
  payload: {
    ...{ id: ID, timestamp: TIME, cwd: "/home/ada/shop", cli_version: "0.169.0" },
    git: { branch: "main", repository_url: "git@github.com:acme/shop.git" },
    ...more,
  },
});
const item = (payload: object) => ({ timestamp: TIME, type: "response_item", payload });
const message = (payload: object) => ({ timestamp: TIME, type: "event_msg", payload });
const asked = (text: string) =>
  item({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const said = (text: string) =>
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const settings = { timestamp: TIME, type: "turn_context", payload: { model: "gpt-5.5" } };
const text = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

async function readText(content: string, options?: ReadOptions, files: Record<string, string> = {}) {
  const fs = createMemoryFs({ [PATH]: content, ...files });
  const fingerprint = { size: content.length, mtimeMs: Date.parse(TIME), ino: 1 };
  const artifact: Artifact = { source: "codex", id: ID, root: "/codex", path: PATH, fingerprint };
  const events: Event[] = [];
  const problems: Problem[] = [];
  const sink = {
    event: (event: Event) => void events.push(event),
    problem: (problem: Problem) => void problems.push(problem),
  };
  const session: Session = await read(fs, artifact, sink, options);
  return { fs, artifact, session, events, problems };
}
const readLines = (...lines: object[]) => readText(text(lines));
const brief = (events: readonly Event[]): string[] =>
  events.map((event) =>
    event.kind === "tool-call"
      ? `call ${event.name} ${JSON.stringify(event.input)}`
      : event.kind === "tool-result"
        ? `result ${event.status} ${event.exitCode} ${event.text}`
        : `${event.kind} ${"text" in event ? event.text : ""}`.trim(),
  );

const command = (id: string, more = {}) => ({
  type: "item_completed",
  item: {
    ...{ type: "CommandExecution", id, command: ["/bin/bash", "-lc", "ls"], cwd: "file:///home/ada/shop" },
    ...{ status: "completed", aggregated_output: "a\n", exit_code: 0 },
    ...more,
  },
  started_at_ms: 1000,
  completed_at_ms: 1250,
});

describe("a session", () => {
  it("has the facts of its first record, and the title of its first prompt", async () => {
    const { session } = await readLines(meta(), settings, asked("Fix the login\nplease"), said("Done."));
    expect(session).toMatchObject({
      ...{ title: "Fix the login", workspace: "/home/ada/shop", repository: "acme/shop", branch: "main" },
      ...{ turns: 1, models: ["gpt-5.5"], producer: "0.169.0", resume: `codex resume ${ID}` },
    });
  });

  it("takes no text of the program for a prompt", async () => {
    const kinds = (kind: string) => ({
      internal_chat_message_metadata_passthrough: { content_item_kinds: [kind] },
    });
    const { session, events } = await readLines(
      meta(),
      asked("<environment_context>\n  <cwd>/</cwd>\n</environment_context>"),
      asked("# AGENTS.md instructions for /home/ada/shop\n\n<INSTRUCTIONS>\nTabs.\n</INSTRUCTIONS>"),
      item({ ...asked("said by a hook").payload, ...kinds("hooks.additional_context") }),
      item({ ...asked("<environment_context> is what I ask about").payload, ...kinds("user.text") }),
    );
    expect(brief(events)).toEqual(["prompt <environment_context> is what I ask about"]);
    expect(session.turns).toBe(1);
  });

  it("is named after what is asked behind what an editor has open", async () => {
    const { session } = await readLines(
      meta(),
      asked("# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nRename it"),
    );
    expect(session.title).toBe("Rename it");
  });
});

describe("calls", () => {
  const called = item({
    type: "function_call",
    call_id: "c1",
    name: "exec_command",
    arguments: '{"cmd":"ls"}',
  });
  const given = (output: string) => item({ type: "function_call_output", call_id: "c1", output });

  it("have what the program noted of them beside what the model was told", async () => {
    const output = given("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 3\nOutput:\na\n");
    const { events } = await readLines(meta(), called, message(command("c1", { exit_code: 3 })), output);
    expect(brief(events)).toEqual(['call exec_command {"cmd":"ls"}', "result ok 3 a\n"]);
    expect(events[1]).toMatchObject({ durationMs: 250 });
  });

  it("get what a command in the background printed when it has ended", async () => {
    const { events } = await readLines(
      meta(),
      called,
      given("Wall time: 0.3 seconds\nProcess running with session ID 7\nOutput:\n"),
      message(command("c1")),
    );
    expect(brief(events).slice(1)).toEqual(["result ok undefined ", "result ok 0 a\n"]);
  });

  it("of code that a model wrote are told, which no item has", async () => {
    const { events, problems } = await readLines(
      meta(),
      item({ type: "custom_tool_call", call_id: "c2", name: "exec", input: "await tools.exec_command()" }),
      message(command("exec-1")),
      item({
        type: "custom_tool_call_output",
        call_id: "c2",
        output: [{ type: "input_text", text: "done" }],
      }),
    );
    expect(brief(events)).toEqual([
      'call exec "await tools.exec_command()"',
      'call exec_command {"cmd":"ls","workdir":"/home/ada/shop"}',
      "result ok 0 a\n",
      "result ok undefined done",
    ]);
    expect(problems).toEqual([]);
  });

  it("read the results of older releases", async () => {
    const { events } = await readLines(
      meta(),
      called,
      given('{"output":"a\\n","metadata":{"exit_code":1,"duration_seconds":0.2}}'),
    );
    expect(events[1]).toMatchObject({ text: "a\n", exitCode: 1, durationMs: 200 });
  });

  it("that were stopped say so", async () => {
    const { events } = await readLines(meta(), called, given("Wall time: 2.8 seconds\naborted by user"));
    expect(events[1]).toMatchObject({ status: "interrupted" });
  });

  it("give what they did to files to those who ask", async () => {
    const changes = { "/a.ts": { type: "update", unified_diff: "@@ -1 +1 @@\n-a\n+b\n", move_path: null } };
    const lines = [
      meta(),
      item({ type: "custom_tool_call", call_id: "c3", name: "apply_patch", input: "*** Begin Patch" }),
      message({
        type: "item_completed",
        item: { type: "FileChange", id: "c3", status: "completed", changes },
      }),
      item({ type: "custom_tool_call_output", call_id: "c3", output: "Exit code: 0\nOutput:\nok" }),
    ];
    const { events } = await readText(text(lines), { edits: true });
    const hunks = [{ start: 1, newStart: 1, lines: ["-a", "+b"] }];
    expect(events[1]).toMatchObject({ edits: [{ does: "patch", path: "/a.ts", hunks }] });
  });
});

describe("usage", () => {
  const tokens = (total: number) => ({
    input_tokens: total - 20,
    cached_input_tokens: 5,
    output_tokens: 20,
    total_tokens: total,
  });
  const counted = (total: number) =>
    message({
      type: "token_count",
      info: { total_token_usage: tokens(total), last_token_usage: tokens(120) },
    });

  it("is counted once for each request, in the form of either release", async () => {
    const older = await readLines(meta(), settings, counted(120), counted(120), counted(240));
    expect(older.events).toHaveLength(2);
    expect(older.events[0]).toMatchObject({
      kind: "usage",
      model: "gpt-5.5",
      input: 100,
      cached: 5,
      output: 20,
    });
    const record = { timestamp: TIME, type: "token_usage_record", payload: { usage: tokens(120) } };
    const newer = await readLines(meta(), record, counted(120), record, counted(240));
    expect(newer.events).toHaveLength(2);
  });
});

describe("a fork", () => {
  const BASE = "01a1eec0-0000-7000-8000-000000000001";
  const basePath = `/codex/sessions/2026/11/17/rollout-2026-11-17T23-59-59-${BASE}.jsonl`;
  const spent = message({
    type: "token_count",
    info: { total_token_usage: { total_tokens: 9 }, last_token_usage: { total_tokens: 9 } },
  });
  const kept = text([meta({ id: BASE }), asked("One"), said("First."), spent]);
  const own = text([
    meta({ forked_from_id: BASE, history_base: { thread_id: BASE, end_byte_offset: kept.length } }),
    asked("Two"),
  ]);

  it("begins with what it keeps of the other log, and spends nothing there", async () => {
    const { session, events } = await readText(
      own,
      {},
      { [basePath]: kept + text([asked("Not in the fork")]) },
    );
    expect(brief(events)).toEqual(["prompt One", "text First.", "prompt Two"]);
    expect(events.map(({ origin }) => origin.file)).toEqual([basePath, basePath, undefined]);
    expect(session).toMatchObject({ turns: 2, parent: { id: BASE, kind: "fork" } });
  });

  it.each([
    ["before the start", -1],
    ["inside a byte", 1.5],
    ["behind the end", 1_000_000],
    ["in no number", "12"],
    ["nowhere", undefined],
    ["beyond all numbers", 1e300],
  ])("says that it goes on from a place %s", async (_, end_byte_offset) => {
    const log = text([meta({ history_base: { thread_id: BASE, end_byte_offset } }), asked("Two")]);
    const { events, problems } = await readText(log, {}, { [basePath]: kept });
    expect(brief(events).at(-1)).toBe("prompt Two");
    expect(problems.map(({ code }) => code)).toEqual(["chain-broken"]);
  });

  it("says which log it misses", async () => {
    const { events, problems } = await readText(own);
    expect(brief(events)).toEqual(["prompt Two"]);
    expect(problems.map(({ code }) => code)).toEqual(["chain-broken"]);
  });

  it.each([
    ["itself", { thread_id: ID, end_byte_offset: 100_000 }, {}],
    [
      "one that goes on from it",
      { thread_id: BASE, end_byte_offset: 0 },
      {
        [basePath]: text([meta({ history_base: { thread_id: ID, end_byte_offset: 100_000 } }), asked("One")]),
      },
    ],
  ])("tells a log once that goes on from %s", async (_, history_base, files) => {
    const { events, problems } = await readText(text([meta({ history_base }), asked("Two")]), {}, files);
    expect(brief(events).filter((each) => each === "prompt Two")).toHaveLength(1);
    const [circle, ...others] = problems;
    expect(others).toEqual([]);
    expect(circle).toMatchObject({ code: "chain-broken", message: expect.stringContaining("in turn") });
  });
});

it("continues from a bookmark as if it had read all at once", async () => {
  const lines = [
    meta(),
    settings,
    asked("One"),
    item({ type: "function_call", call_id: "c1", name: "exec_command", arguments: '{"cmd":"ls"}' }),
    message(command("c1")),
    message({ type: "agent_reasoning", text: "Hm." }),
    item({ type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] }),
    item({ type: "function_call_output", call_id: "c1", output: "a" }),
    asked("Two"),
    said("Done."),
  ];
  const whole = await readLines(...lines);
  for (let cut = 1; cut < lines.length; cut++) {
    let bookmark: Bookmark | undefined;
    const first = await readText(text(lines.slice(0, cut)), {
      onBookmark: (given) => {
        bookmark = JSON.parse(JSON.stringify(given));
      },
    });
    if (!bookmark) throw new Error("no bookmark");
    const { session, events, fs, artifact } = await readText(text(lines), { from: bookmark });
    expect([...first.events, ...events]).toEqual(whole.events);
    expect(session).toEqual(whole.session);
    expect(await isUntouched(fs, artifact, bookmark)).toBe(true);
  }
});

it("skims to the same events", async () => {
  const lines = [
    meta(),
    asked("One"),
    message({ type: "user_message", message: "One" }),
    { timestamp: TIME, type: "world_state", payload: { full: true, state: {} } },
    said("Done."),
    message({ type: "agent_message", message: "Done." }),
  ];
  const whole = await readLines(...lines);
  const skimmed = await readText(text(lines), { skim: true });
  expect(skimmed.events).toEqual(whole.events);
  expect(skimmed.session).toEqual(whole.session);
});
