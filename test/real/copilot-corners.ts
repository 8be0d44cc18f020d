/** Logs that no test can make the real program write at will, but that it has written or will read: corner by corner. */

export interface LogEvent {
  type: string;
  data: object;
  id: string;
  timestamp: string;
  parentId: null;
  agentId?: string;
  ephemeral?: boolean;
}

let count = 0;
export const event = (type: string, data: object, more: Partial<LogEvent> = {}): LogEvent => ({
  type,
  data,
  id: `${(++count).toString(16).padStart(8, "0")}-0000-4000-8000-0123456789ab`,
  timestamp: "2026-01-02T03:04:05.000Z",
  parentId: null,
  ...more,
});

type Call = [id: string, args?: unknown, more?: object];

const user = (content: string, data: object = {}, more: Partial<LogEvent> = {}): LogEvent =>
  event("user.message", { content, ...data }, more);
const answer = (
  content: string,
  calls: Call[] = [],
  data: object = {},
  more: Partial<LogEvent> = {},
): LogEvent =>
  event(
    "assistant.message",
    {
      messageId: "m",
      content,
      toolRequests: calls.map(([toolCallId, args, rest]) => ({
        toolCallId,
        name: "bash",
        arguments: args,
        ...rest,
      })),
      ...data,
    },
    more,
  );
const result = (toolCallId: string, content: string, data: object = {}): LogEvent =>
  event("tool.execution_complete", { toolCallId, success: true, result: { content }, ...data });
const failure = (toolCallId: string, error?: object): LogEvent =>
  event("tool.execution_complete", { toolCallId, success: false, ...(error && { error }) });
const notification = (content: string, type: string): LogEvent =>
  event("system.notification", { content, kind: { type, shellId: "1" } });
const compaction = (summaryContent: string, data: object = {}, more: Partial<LogEvent> = {}): LogEvent =>
  event("session.compaction_complete", { success: true, summaryContent, ...data }, more);
const compacting = (more: Partial<LogEvent> = {}): LogEvent => event("session.compaction_start", {}, more);
const cleared = (initialMessage?: string): LogEvent =>
  event("session.context_cleared", {
    messagesCleared: 1,
    ...(initialMessage !== undefined && { initialMessage }),
  });
const file = (path: string, more: object = {}) => ({ type: "file", path, displayName: path, ...more });
const repo = { owner: "lumen", name: "shop" };
const url = "https://github.com/lumen/shop";

export const CORNERS: Record<string, LogEvent[]> = {
  "results late, early, repeated, orphaned and missing": [
    user("Begin"),
    answer("late", [["late"], ["never"]]),
    user("Go on"),
    answer("between"),
    result("late", "came after the next answer"),
    result("orphan", "no call"),
    result("early", "came before its call"),
    answer("early", [["early"]]),
    answer("two results", [["two"]]),
    result("two", "first"),
    result("two", "second"),
    answer("same id, again and again", [["again"]]),
    result("again", "one"),
    answer("", [["again"]]),
    result("again", "two"),
    answer("", [["again"]]),
    answer("once", [["twin"]]),
    result("twin", "of the one"),
    answer("the same id twice in one answer", [["twin"], ["twin"]]),
    result("twin", "one of two"),
    answer("and once more", [["twin"]]),
    result("twin", "lost"),
    answer("failures", [["f1"], ["f2"], ["f3"]]),
    failure("f1", { message: "broken", code: "x" }),
    failure("f2"),
    event("tool.execution_complete", { toolCallId: "f3", success: true }),
    answer("end"),
  ],
  "arguments in every form, and answers in pieces": [
    user("Begin"),
    answer("forms", [
      ["object", { a: 1 }],
      ["text", '{"a":1}'],
      ["words", "not json"],
      ["none"],
      ["null", null],
      ["list", [1]],
      ["custom", "*** Begin Patch", { type: "custom" }],
      ["custom-object", { patch: [1] }, { type: "custom" }],
      ["custom-null", null, { type: "custom" }],
      ["custom-none", undefined, { type: "custom" }],
    ]),
    ...["object", "text", "words", "none", "null", "list", "custom"].map((id) => result(id, `${id} done`)),
    ...["custom-object", "custom-null", "custom-none"].map((id) => result(id, `${id} done`)),
    answer("piece one, ", [], { apiCallId: "one-call" }),
    answer("piece two", [["piece"]], { apiCallId: "one-call" }),
    result("piece", "ok"),
    answer("not a piece", [], { apiCallId: "one-call" }),
    answer("before a result, ", [], { apiCallId: "another-call" }),
    result("nobody", "an orphan between pieces"),
    answer("and after it", [], { apiCallId: "another-call" }),
    answer("never sent", [], {}, { ephemeral: true }),
    user("", { transformedContent: "sent instead" }),
    user("said", { transformedContent: "" }),
  ],
  "words the program makes up": [
    user("Begin"),
    answer("Yes", [["t1", {}]]),
    notification("<system_notification>done</system_notification>", "shell_completed"),
    notification("of a kind it does not know", "from_the_future"),
    result("t1", "one"),
    event("skill.context_delivered", { content: "How to bake", source: "bake" }),
    event("tool.user_requested", { toolCallId: "u1", toolName: "bash", arguments: { command: "ls" } }),
    result("u1", "a b c", { isUserRequested: true }),
    event("tool.user_requested", { toolCallId: "u2", toolName: "bash", arguments: { command: "false" } }),
    event("tool.execution_complete", {
      toolCallId: "u2",
      success: false,
      isUserRequested: true,
      error: { message: "no" },
    }),
    result("u3", "nobody asked", { isUserRequested: true }),
    user("overlooked", { attachments: [{ type: "from_the_future" }] }),
    answer("End"),
  ],
  "a compaction beside the running conversation": [
    user("Before"),
    answer("calling", [["t1"], ["t2"]]),
    result("t2", "two"),
    compacting(),
    event("session.compaction_complete", { success: false, error: "too busy" }),
    compacting(),
    compacting({ agentId: "someone" }),
    result("t1", "one"),
    answer("meanwhile"),
    user("Meanwhile"),
    compaction("What happened"),
    answer("after"),
  ],
  "what a summary repeats, and what not": [
    user("typed"),
    user("   "),
    user("by a skill", { source: "skill-bake" }),
    user("by an agent", { source: "agent-7" }),
    user("by the autopilot", { isAutopilotContinuation: true }),
    user("sub-agent", {}, { agentId: "a7" }),
    user("sub-agent too", { parentToolCallId: "t0" }),
    answer("open call", [["lost"]]),
    compaction("first", {}, { agentId: "a7" }),
    compaction("second", { activeWorkflowSummary: "A workflow is running." }),
    result("lost", "too late"),
    compaction(""),
    answer("after"),
  ],
  "cleared, gone on, compacted, cleared again": [
    user("forgotten"),
    cleared("Begin here"),
    answer("before the first prompt"),
    user("A prompt"),
    compaction("Short"),
    cleared("Begin there"),
    user("Begin there", { transformedContent: "Begin there, please" }),
    answer("ok"),
    cleared("Not yet said"),
    answer("End"),
  ],
  "open calls, old and new": [
    user("One"),
    answer("old", [["old"]]),
    user("Two"),
    answer("new", [["new"], ["done"]]),
    result("done", "done"),
    event("assistant.turn_end", { turnId: "0" }),
    user("Three"),
  ],
  "answers in a row with open calls, and a look at a file": [
    user("One"),
    answer("old", [["old"], ["older"]]),
    result("older", "so this answer is not in the row"),
    answer("first in the row", [["first"]]),
    result("nobody", "an orphan ends no row"),
    answer("second", [["look", { path: "/nowhere" }, { name: "view" }], ["second"]]),
    answer("used again", [["first"]]),
    answer("the last may have results", [["last"], ["done"]]),
    result("done", "done"),
    user("Two"),
  ],
  "a late result ends a row of open calls": [
    user("One"),
    answer("too early for the row", [["early"]]),
    answer("answered late", [["late"]]),
    answer("last", [["last"]]),
    result("late", "late"),
  ],
  "no warning of calls before a plain answer": [user("One"), answer("call", [["call"]]), answer("plain")],
  "a compaction over open calls that stay open": [
    user("Before"),
    answer("summarized", [["gone"]]),
    compacting(),
    user("Meanwhile"),
    compaction("What happened"),
    result("gone", "nobody asks any more"),
    event("abort", { reason: "user_initiated" }),
    answer("the id again", [["gone"]]),
    result("gone", "of the new call"),
    answer("after"),
  ],
  "results of old answers while a compaction runs": [
    user("Before"),
    answer("old", [["old"]]),
    answer("stays with its result", [["stays"]]),
    result("stays", "stays"),
    compacting(),
    result("stays", "a repetition"),
    result("old", "of a summarized call"),
    compaction("What happened"),
    answer("running", [["runs"]]),
    compacting(),
    user("Meanwhile"),
    result("runs", "placed before the prompt"),
    compaction("And then"),
    answer("after"),
  ],
  "cleared while a tool runs: its turn goes on unheard": [
    user("forgotten"),
    answer("forgotten", [["first"], ["second"]]),
    cleared("Begin here"),
    answer("unheard"),
    event("skill.context_delivered", { content: "unheard too", source: "bake" }),
    result("first", "one of two"),
    answer("still unheard", [["unheard"]]),
    result("second", "two of two"),
    answer("heard", [["third"]]),
    cleared(),
    answer("unheard"),
    notification("<system_notification>done</system_notification>", "shell_completed"),
    answer("heard after a notification", [["fourth"]]),
    cleared(),
    answer("unheard"),
    user("A prompt"),
    answer("heard after a prompt"),
  ],
  "cleared, stopped, resumed": [
    user("forgotten"),
    cleared("Never said"),
    answer("working", [["done"]]),
    result("done", "done"),
    event("abort", { reason: "user_initiated" }),
    event("session.resume", { resumeTime: "2026-01-02T03:04:05.000Z", eventCount: 6 }),
  ],
  "calls given up by a stop and by a second window": [
    user("One"),
    answer("stopped", [["open"]]),
    event("abort", { reason: "user_initiated" }),
    result("open", "too late"),
    user("Two"),
    answer("in another window", [["other"]]),
    event("session.resume", { resumeTime: "2026-01-02T03:04:05.000Z", eventCount: 6 }),
    result("other", "too late as well"),
    answer("End"),
  ],
  "references to GitHub, parts of files, frozen lines": [
    user("References", {
      attachments: [
        { type: "github_url", url },
        { type: "github_reference", number: 12, title: "Cart", referenceType: "pr", state: "open", url },
        { type: "github_commit", repo, oid: "abc", message: "Fix", url },
        { type: "github_release", repo, tagName: "v1", name: "One", url },
        {
          type: "github_actions_job",
          repo,
          jobId: 5,
          jobName: "test",
          workflowName: "CI",
          url,
          conclusion: "failure",
        },
        { type: "github_repository", repo, url, description: "A shop" },
        { type: "github_file", repo, ref: "main", path: "a.ts", url },
        { type: "github_snippet", repo, ref: "main", path: "a.ts", url, lineRange: { start: 1, end: 2 } },
        {
          type: "github_file_diff",
          url,
          base: { repo, ref: "a", path: "p" },
          head: { repo, ref: "b", path: "p" },
        },
        { type: "github_tree_comparison", url, base: { repo, revision: "a" }, head: { repo, revision: "b" } },
        {
          type: "extension_context",
          extensionId: "e",
          title: "T",
          payload: { a: "<&>" },
          capturedAt: "2026-01-02T03:04:05.000Z",
        },
        file("/nowhere/gone.txt", { lineRange: { start: 2, end: 3 } }),
        file("/nowhere/picture.png"),
      ],
    }),
    answer("ok"),
    user("Frozen", {
      attachments: [
        file("/nowhere/a.txt", { taggedFilesEntry: "* /nowhere/a.txt (9 lines)" }),
        file("/nowhere/b.txt"),
      ],
    }),
  ],
};
