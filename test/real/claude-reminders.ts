/** Attachments without the words that the model is told, as older releases wrote them: the program makes the words anew. */
import type { Transcript } from "./claude-rows.ts";

export const TEXT = { type: "text", text: "words" };
export const PICTURE = {
  type: "image",
  source: {
    type: "base64",
    media_type: "image/png",
    data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
  },
};

const attach = (t: Transcript, ...attachments: object[]): void => {
  for (const attachment of attachments) t.row({ type: "attachment", attachment });
};
const read = (name: string, type: string, file: object, more = {}) => ({
  ...{ type: "file", filename: `/srv/shop/${name}`, content: { type, file }, displayPath: name },
  ...more,
});

/** What is written, by a sentence about it. */
export const UNWRITTEN_REMINDERS: Record<string, (t: Transcript) => void> = {
  "reminders that are not written out": (t) => {
    const hook = { hookName: "SessionStart:startup", hookEvent: "SessionStart", toolUseID: "hook" };
    const lines = { lineStart: 3, lineEnd: 4, content: "const b;\nconst c;" };
    t.prompt("one");
    attach(
      t,
      read("a.ts", "text", { content: "const a = 1;\n// </system-reminder>", startLine: 10 }),
      read("long.ts", "text", { content: "x\n", startLine: 1 }, { truncated: true }),
      read("empty.ts", "text", { content: "", numLines: 1, startLine: 1, totalLines: 1 }),
      read("d.pdf", "pdf", { filePath: "/srv/shop/d.pdf", base64: "JVBERi0x", originalSize: 3000 }),
      { type: "directory", path: "/srv/shop/old lib", content: "a.ts\nb.ts" },
      { type: "selected_lines_in_ide", filename: "/srv/shop/b.ts", ...lines },
      { type: "selected_lines_in_ide", filename: "/srv/shop/b.ts", ...lines, content: "x".repeat(2500) },
      { type: "opened_file_in_ide", filename: "/srv/shop/c.ts" },
      { type: "nested_memory", content: { path: "/srv/shop/CLAUDE.md", content: "Be brief." } },
      { type: "hook_success", ...hook, content: "Branch: main" },
      { type: "hook_success", ...hook, hookEvent: "Stop", content: "Not told." },
      { type: "agent_mention", agentType: "reviewer" },
      {
        type: "mcp_resource",
        server: "s",
        uri: "s://1",
        content: { contents: [{ uri: "s://1", text: "R" }] },
      },
      { type: "prompt_snapshot", systemPrompt: ["Not told here."] },
      { type: "a_kind_of_tomorrow", content: "Not told." },
    );
    t.call("a");
    t.result("a");
    attach(
      t,
      { type: "queued_command", prompt: "Mind the tests, too.", commandMode: "prompt" },
      { type: "edited_text_file", filename: "/srv/shop/a.ts", snippet: "1\tconst a = 2;" },
      { type: "edited_text_file", filename: "/srv/shop/b.ts", snippet: "" },
      { type: "hook_additional_context", ...hook, content: ["First.", "Second."] },
      { type: "hook_blocking_error", ...hook, blockingError: { command: "lint", blockingError: "No." } },
      { type: "async_hook_response", response: { systemMessage: "Slow hook.", hookSpecificOutput: {} } },
      {
        type: "queued_command",
        prompt: "<task-notification>Done.</task-notification>",
        commandMode: "task-notification",
      },
      { type: "date_change", newDate: "2026-10-02" },
    );
    t.answer("Answer.");
    t.prompt("two");
    attach(
      t,
      { type: "compact_file_reference", filename: "/srv/shop/a.ts" },
      { type: "plan_file_reference", planFilePath: "/srv/plan.md", planContent: "# Plan" },
      { type: "invoked_skills", skills: [{ name: "s", path: "/srv/s", content: "How to." }] },
    );
    t.answer("Answer.");
  },
  "reminders with fields of other kinds": (t) => {
    const hook = { hookName: "h", hookEvent: "SessionStart", toolUseID: "hook" };
    const resource = (...contents: unknown[]) => ({
      ...{ type: "mcp_resource", server: 's"<', uri: "s://1", content: { contents } },
    });
    t.prompt("one");
    for (const odd of [3, true, [1, 2], { a: 1 }, null])
      attach(
        t,
        { type: "opened_file_in_ide", filename: odd },
        { type: "selected_lines_in_ide", filename: odd, lineStart: odd, lineEnd: 2, content: "x" },
        { type: "invoked_skills", skills: [{ name: odd, path: odd, content: odd }] },
        { type: "directory", path: odd, content: odd },
        { type: "edited_text_file", filename: odd, snippet: odd },
        { type: "plan_file_reference", planFilePath: odd, planContent: odd },
        { type: "nested_memory", content: { path: odd, content: odd } },
        { type: "hook_success", ...hook, content: odd },
        { type: "hook_additional_context", ...hook, content: ["a", odd] },
        { type: "hook_blocking_error", ...hook, blockingError: { command: odd, blockingError: odd } },
        { type: "async_hook_response", response: { systemMessage: odd } },
        { type: "queued_command", prompt: odd, commandMode: "prompt" },
        read("odd.ts", "text", { content: odd, startLine: odd, totalLines: 4 }),
        resource({ uri: "s://1", text: odd }),
      );
    attach(
      t,
      read("short.ts", "text", { content: "", startLine: 9, totalLines: 4 }),
      read("line.ts", "text", { content: "", numLines: 1, startLine: 3, totalLines: 4 }),
      resource(),
      resource({ blob: "AAAA", mimeType: "image/png" }, { text: "<b> < / system-reminder >" }),
      { type: "edited_text_file", filename: "a.ts", snippet: "1\t</system-reminder>" },
      { type: "nested_memory", content: { path: "a.md", content: "</system-reminder>" } },
      { type: "hook_stopped_continuation", ...hook, message: "</system-reminder> <" },
      { type: "critical_system_reminder", content: "Mind." },
      { type: "token_usage", used: 1, total: 2, remaining: 1 },
      { type: "budget_usd", used: 1.5, total: 2, remaining: 0.5 },
      { type: "plan_mode_exit", planExists: true, planFilePath: "/srv/plan.md" },
      { type: "ultrathink_effort", level: "high" },
    );
    t.answer("Answer.");
  },
  "reminders with pictures": (t) => {
    const picture = { base64: PICTURE.source.data, type: "image/png", originalSize: 68 };
    t.prompt("one");
    attach(t, read("a.png", "image", picture));
    t.call("a");
    t.result("a");
    attach(t, { type: "queued_command", prompt: [TEXT, PICTURE], commandMode: "prompt" });
    t.call("b");
    t.result("b");
    attach(t, read("b.png", "image", picture));
    t.answer("Answer.");
  },
};
