import { expect, it } from "vitest";
import { pidLike } from "../../../test/lookalike.ts";
import { type Transcript, writeTranscript } from "../../../test/real/claude-rows.ts";
import type { Problem } from "../../model/problem.ts";
import type { Event } from "../../model/session/session.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { ReadOptions } from "../source.ts";
import { read } from "./read.ts";

const ID = "6f1c2b7e-8a34-4d0b-9c55-0d2f6a1be901";
const PATH = `/c/projects/shop/${ID}.jsonl`;
const SIDE = `/c/projects/shop/${ID}`;

async function reading(
  content: string | Buffer | ((t: Transcript) => void),
  files: Record<string, string> = {},
  options?: ReadOptions,
) {
  const transcript = writeTranscript();
  if (typeof content === "function") content(transcript);
  const bytes = typeof content === "function" ? transcript.text() : content;
  const events: Event[] = [];
  const problems: Problem[] = [];
  const session = await read(
    inPieces(createMemoryFs({ ...files, [PATH]: bytes })),
    { source: "claude-code", id: ID, root: "/c", path: PATH, fingerprint: { size: 7, mtimeMs: 0, ino: 1 } },
    { event: (event) => void events.push(event), problem: (problem) => void problems.push(problem) },
    options,
  );
  return { session, events, problems };
}
/** A disk gives files in pieces; so does this memory, or no line would ever be too long for it. */
const inPieces = (fs: SessionFs): SessionFs => ({
  ...fs,
  async *chunks(path, range) {
    for await (const bytes of fs.chunks(path, range))
      for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
  },
});
const kinds = (events: readonly Event[]): string[] => events.map(({ kind }) => kind);

it("gives the head and the events of a small session", async () => {
  const { session, events, problems } = await reading((t) => {
    t.prompt("Is 7 prime?", { version: "2.1.325", gitBranch: "primes" });
    t.answer("Yes.");
  });
  expect(session).toEqual({
    source: "claude-code",
    id: ID,
    title: "Is 7 prime?",
    workspace: "/srv/shop",
    branch: "primes",
    createdAt: "2026-10-01T10:00:01.000Z",
    updatedAt: "2026-10-01T10:00:02.000Z",
    turns: 1,
    problems: 0,
    models: ["claude-sonnet-4-5"],
    path: PATH,
    bytes: 7,
    producer: "2.1.325",
    resume: `claude --resume ${ID}`,
  });
  expect(events).toEqual([
    {
      kind: "prompt",
      text: "Is 7 prime?",
      id: "row-1",
      time: "2026-10-01T10:00:01.000Z",
      origin: { line: 1, start: 0, end: 196 },
    },
    {
      kind: "text",
      text: "Yes.",
      model: "claude-sonnet-4-5",
      id: "row-3",
      time: "2026-10-01T10:00:02.000Z",
      origin: { line: 2, start: 197, end: 426, at: ["message", "content", 0] },
    },
  ]);
  expect(problems).toEqual([]);
});

it("shows no words that the program made up for the model", async () => {
  const { events, session } = await reading((t) => {
    t.prompt("Hi.");
    t.reminder("Mind the budget.");
    t.prompt("Caveat.", { isMeta: true });
    t.prompt(" ");
    t.prompt("<command-name>/cost</command-name>");
    t.prompt("<local-command-stdout>12 $</local-command-stdout>");
    t.prompt("<task-notification>x</task-notification>", { origin: { kind: "task-notification" } });
    t.row({ type: "system", subtype: "turn_duration", durationMs: 3 });
    t.answer("Placeholder.", { isVirtual: true });
    t.answer("Hello.");
  });
  expect(events.map((event) => ("text" in event ? event.text : event.kind))).toEqual(["Hi.", "Hello."]);
  expect(session.turns).toBe(1);
});

it("keeps failed requests, warnings and interruptions as notices", async () => {
  const { events } = await reading((t) => {
    t.prompt("Hi.");
    t.answer("API Error: 529", { isApiErrorMessage: true, model: "<synthetic>" });
    t.row({ type: "system", subtype: "informational", content: "Nearly full.", level: "warning" });
    t.prompt([{ type: "text", text: "[Request interrupted by user]" }]);
  });
  expect(events.slice(1).map((event) => event.kind === "notice" && [event.level, event.text])).toEqual([
    ["error", "API Error: 529"],
    ["warning", "Nearly full."],
    ["warning", "[Request interrupted by user]"],
  ]);
});

it("tells results that failed or were interrupted from good ones, and counts edited lines", async () => {
  const result = (id: string, more: object) => [
    { type: "tool_result", tool_use_id: id, content: "out", ...more },
  ];
  const { events } = await reading((t) => {
    t.prompt("Go.");
    for (const id of ["ok", "failed", "stopped"]) t.call(id, { reply: "r" });
    t.prompt(result("ok", {}), {
      toolUseResult: { filePath: "a.ts", structuredPatch: [{ lines: [" x", "-y", "+z", "+w"] }] },
    });
    t.prompt(result("failed", { is_error: true }));
    t.prompt(result("stopped", {}), { toolUseResult: { stdout: "", interrupted: true } });
  });
  expect(events.flatMap((event) => (event.kind === "tool-result" ? [event.status] : []))).toEqual([
    "ok",
    "failed",
    "interrupted",
  ]);
  expect(events.find(({ kind }) => kind === "edit")).toMatchObject({ path: "a.ts", added: 2, removed: 1 });
});

it("counts the tokens of a reply once", async () => {
  const message = (text: string) => ({
    role: "assistant",
    id: "r",
    model: "m",
    content: [{ type: "text", text }],
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3 },
  });
  const { events } = await reading((t) => {
    t.prompt("Go.");
    t.row({ type: "assistant", message: message("a") });
    t.row({ type: "assistant", message: message("b") });
  });
  expect(kinds(events)).toEqual(["prompt", "text", "text", "usage"]);
  expect(events[3]).toMatchObject({ model: "m", input: 10, output: 5, cached: 3 });
});

it("takes its title from the picker's order", async () => {
  const titled = async (...notes: object[]) =>
    (
      await reading((t) => {
        t.prompt("First prompt.");
        for (const note of notes) t.note({ ...note });
      })
    ).session.title;
  const last = { type: "last-prompt", lastPrompt: "Last prompt." };
  const summary = { type: "summary", summary: "Summary." };
  const generated = { type: "ai-title", aiTitle: "Generated." };
  const custom = { type: "custom-title", customTitle: "Own." };
  expect(await titled()).toBe("First prompt.");
  expect(await titled(last)).toBe("Last prompt.");
  expect(await titled(summary, last)).toBe("Summary.");
  expect(await titled(generated, summary, last)).toBe("Generated.");
  expect(await titled(custom, generated, summary, last)).toBe("Own.");
  expect(await titled(custom, { type: "custom-title", customTitle: "" })).toBe("Own.");
});

it("attaches a sub-agent's work to the call that started it, also when a sub-agent starts another", async () => {
  const agent = (prompt: string, work: (t: Transcript) => void): string => {
    const log = writeTranscript();
    log.prompt(prompt, { isSidechain: true });
    work(log);
    return log.text();
  };
  const { events, session } = await reading(
    (t) => {
      t.prompt("Ask.");
      t.call("outer");
      t.result("outer", { toolUseResult: { agentId: "one" } });
    },
    {
      [`${SIDE}/subagents/agent-one.jsonl`]: agent("Look.", (t) => {
        t.call("inner", { isSidechain: true });
        t.result("inner", { isSidechain: true });
      }),
      [`${SIDE}/subagents/agent-two.jsonl`]: agent("Dig.", (t) => t.answer("Dug.", { isSidechain: true })),
      [`${SIDE}/subagents/agent-two.meta.json`]: '{"toolUseId":"inner"}',
      [`${SIDE}/subagents/agent-acompact-9.jsonl`]: agent("Summarize.", () => undefined),
    },
  );
  expect(session.turns).toBe(1);
  expect(events.map(({ kind, agent: by, origin }) => [kind, by, origin.file?.split("/").at(-1)])).toEqual([
    ["prompt", undefined, undefined],
    ["tool-call", undefined, undefined],
    ["prompt", "outer", "agent-one.jsonl"],
    ["tool-call", "outer", "agent-one.jsonl"],
    ["prompt", "inner", "agent-two.jsonl"],
    ["text", "inner", "agent-two.jsonl"],
    ["tool-result", "outer", "agent-one.jsonl"],
    ["tool-result", undefined, undefined],
  ]);
});

const persisted = (t: Transcript): void => {
  t.prompt("Flood.");
  t.call("a");
  const content =
    "<persisted-output>\nOutput too large. Full output saved to: /old/home/b1.txt\n\nPreview:\n1";
  t.prompt([{ type: "tool_result", tool_use_id: "a", content }]);
};

it("reads large output from its own file, wherever the home lies now, within the limit", async () => {
  const file = { [`${SIDE}/tool-results/b1.txt`]: "0123456789".repeat(10) };
  expect((await reading(persisted, file)).events[2]).toMatchObject({ text: "0123456789".repeat(10) });
  const { events } = await reading(persisted, file, { textLimit: 4 });
  expect(events[2]).toMatchObject({ text: "0123", cut: 96 });
});

it("falls back on the preview when the file is gone, and says so", async () => {
  const { events, problems } = await reading(persisted);
  expect(events[2]).toMatchObject({ text: expect.stringContaining("Preview") });
  expect(problems).toEqual([
    {
      code: "sidecar-unreadable",
      source: "claude-code",
      session: ID,
      path: `${SIDE}/tool-results/b1.txt`,
      line: 3,
      message: "the full output of a tool call is gone; only its preview is left",
    },
  ]);
});

it("reports a conversation that Claude Code does not find, but shows it", async () => {
  const { session, problems } = await reading((t) => {
    t.prompt("one");
    t.answer("Yes.", { timestamp: 1_790_000_000_000 });
  });
  expect(session.turns).toBe(1);
  expect(problems).toEqual([
    {
      code: "record-invalid",
      source: "claude-code",
      session: ID,
      path: PATH,
      line: 2,
      message:
        "the last message of the conversation has no valid timestamp, so Claude Code finds no conversation in the file",
      remedy: { action: "rescue", session: `claude-code:${ID}` },
    },
  ]);
});

it("reports what the program leaves out of rows that are sound by themselves", async () => {
  const { problems } = await reading((t) => {
    t.prompt("one");
    t.call("a");
    t.result("a");
    t.call("a");
    t.result("a");
    t.compact(["gone", t.answer("Kept.")]);
  });
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "record-invalid: the id of a tool call was used before (a), so Claude Code leaves out a part of it",
    "record-invalid: 1 of 2 rows that a compaction kept are missing, so Claude Code leaves out a part of it",
  ]);
});

it("keeps the turns before a half-written last line, and reports the line", async () => {
  const transcript = writeTranscript();
  transcript.prompt("Add a test.");
  transcript.answer("Added.");
  transcript.prompt("Another.");
  const { session, problems } = await reading(transcript.text().slice(0, -60));
  expect(session).toMatchObject({ turns: 1, problems: 1 });
  expect(problems).toMatchObject([{ code: "record-torn", line: 3, session: ID, path: PATH }]);
});

it("reads a line too long to hold with its long texts cut", async () => {
  const { events, problems } = await reading(
    (t) => {
      t.prompt("Flood.");
      t.call("a");
      t.prompt([{ type: "tool_result", tool_use_id: "a", content: "x".repeat(200_000) }]);
      t.answer("Done.");
    },
    {},
    { maxLine: 100_000 },
  );
  expect(kinds(events)).toEqual(["prompt", "tool-call", "tool-result", "text"]);
  const result = events[2];
  expect(result?.kind === "tool-result" && result.text.length + (result.cut ?? 0)).toBe(200_000);
  expect(problems).toMatchObject([{ code: "too-large", line: 3 }]);
});

it("says which process has the session open", async () => {
  const holder = (pid: number) => ({ "/c/sessions/1.json": JSON.stringify({ pid, sessionId: ID }) });
  const write = (t: Transcript): void => void t.prompt("Hi.");
  expect((await reading(write, holder(pidLike("claude")))).session.openIn).toBe(pidLike("claude"));
  expect((await reading(write, holder(4_194_999))).session.openIn).toBeUndefined();
});

it.each([{}, { skim: true, textLimit: 1 }])(
  "belongs to the folder that it was taken to with /cd, the last of them: %j",
  async (options) => {
    const { session } = await reading(
      (t) => {
        t.prompt("one");
        t.note({ type: "relocated", relocatedCwd: "/srv/api", sessionId: ID });
        t.note({ type: "relocated", relocatedCwd: "/srv/garden", sessionId: ID });
        t.prompt("two", { cwd: "/srv/garden/tools" });
      },
      {},
      options,
    );
    expect(session.workspace).toBe("/srv/garden");
  },
);
