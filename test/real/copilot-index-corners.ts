/** Logs at the edges of what the real reindex takes for a turn, a file and a reference; asked of it, not guessed. */

const SESSION = (n: number): string => `cccccccc-0000-4000-8000-${String(n).padStart(12, "0")}`;

let count = 0;
const record = (type: string, data: object, more: object = {}): string => {
  const id = `cccccccc-1111-4000-8000-${(++count).toString(16).padStart(12, "0")}`;
  const timestamp = new Date(Date.UTC(2026, 9, 1) + count * 1000).toISOString();
  return JSON.stringify({ type, data, ...more, id, timestamp, parentId: null });
};
const ask = (content: string, data: object = {}, more: object = {}): string =>
  record("user.message", { content, ...data }, more);
const say = (content: string, data: object = {}, more: object = {}): string =>
  record("assistant.message", { messageId: `m${count}`, content, ...data }, more);

interface Work {
  /** Fields of the result beside those a success has. */
  readonly result?: object;
  /** Fields of every record's data, and of the records themselves: how a sub-agent's work is marked. */
  readonly data?: object;
  readonly more?: object;
  /** What happens between the call and its result. */
  readonly between?: readonly string[];
}
/** A call that was started and came to an end. */
function use(name: string, input: object, output: string, work: Work = {}): string[] {
  const { result, data, more, between = [] } = work;
  const toolCallId = `call-${count}`;
  return [
    say("", { toolRequests: [{ toolCallId, name, arguments: input, type: "function" }], ...data }, more),
    record("tool.execution_start", { toolCallId, toolName: name, arguments: input, ...data }, more),
    ...between,
    record(
      "tool.execution_complete",
      { toolCallId, success: true, result: { content: output }, ...result, ...data },
      more,
    ),
  ];
}
const create = (path: unknown, work?: Work): string[] => use("create", { path }, "Created", work);
const bash = (command: string, output: string, work?: Work): string[] =>
  use("bash", { command }, output, work);
const commit = (hash: string, work?: Work): string[] => bash("git commit -m x", `[main ${hash}] x`, work);
const mcp = (name: string, input: object, work?: Work): string[] =>
  use(`github-mcp-server-${name}`, input, "{}", work);
const failed = { success: false, result: undefined };

/** Behind a blank prompt the real one counts on for files and references, though not for turns; nothing here tells. */
const TURNS = [
  ...create("before-any-prompt"),
  ...commit("1000001"),
  ask("one"),
  say("  padded answer \n"),
  ...create("called-in-one", { between: [ask("two")] }),
  ...commit("1000002", { between: [ask("hidden", { source: "skill-x" })] }),
  say("said to it"),
  ask("  "),
  say("said to nothing"),
  ...create("behind-a-blank-prompt"),
  ask("\u00a0"),
  ask("zero width \u200b"),
  say("plain"),
  say("along with a call", { toolRequests: [{ toolCallId: "open", name: "view", arguments: {} }] }),
];

const ATTACHED = [
  ask("words"),
  say("to words"),
  ask("", { attachments: [{ type: "file", path: "/srv/plan.md", displayName: "plan.md" }] }),
  say("to an attachment"),
  ...create("behind-an-attachment"),
  ask("more words"),
  say("to more words"),
];

const SUB_AGENTS = [
  ask("delegate"),
  ...create("by-agent-id", { more: { agentId: "explore-1" } }),
  ...commit("2000001", { more: { agentId: "explore-1" } }),
  ...mcp("issue_read", { issue_number: 21 }, { more: { agentId: "explore-1" } }),
  ...create("by-parent-call", { data: { parentToolCallId: "t1" } }),
  ...commit("2000002", { data: { parentToolCallId: "t1" } }),
  ask("to the agent", {}, { agentId: "explore-1" }),
  say("of the agent", {}, { agentId: "explore-1" }),
  say("of the other", { parentToolCallId: "t1" }),
];

const FILES = [
  ask("files"),
  ...use("apply_patch", { patch: "*** Begin Patch\n*** Add File: patched.ts\n+x\n*** End Patch" }, "ok", {
    result: { fileEdits: [{ path: "/abs/patched.ts" }] },
  }),
  ...create("relative.ts", { result: { fileEdits: [{ path: "/abs/relative.ts" }] } }),
  ...create("", {}),
  ...create(7, {}),
  ...create("  spaced.ts "),
  ...create("failed.ts", { result: failed }),
  ...use("edit", { path: "twice.ts" }, "ok"),
  ...create("twice.ts"),
  ...use("view", { path: "viewed-first.ts" }, "text"),
  ...use("edit", { path: "viewed-first.ts" }, "ok"),
  ...use("Edit", { path: "capital.ts" }, "ok"),
  ...use("create", { file_path: "other-argument.ts" }, "ok"),
  ...bash("rm removed.ts", ""),
];

const COMMANDS = [
  "agit commit",
  "git commits",
  "git commit-tree x",
  "/usr/bin/git commit",
  "(git commit)",
  "git\tcommit",
  "git\ncommit",
  "git -c x=y commit",
  "git commit_x",
  "égit commit",
];
const PRINTED = [
  "[a-b/c.d_e 4000001]",
  "[a+b 4000002]",
  "[a#b 4000003]",
  "x[main 4000004]y",
  "[main  4000005]",
  "[main\t4000006]",
  "[main 4000007] [main 4000008]",
  "[é 4000009]",
  "[main 400000A]",
  `[main ${"a".repeat(41)}]`,
  "[main 400000b ]",
];
const URLS = [
  "http://github.com/a/b/pull/1",
  "https://github.com/a.b/c.d/pull/2",
  "github.com/a/b/pull/3",
  "https://www.github.com/a/b/pull/4",
  "(https://github.com/a/b/pull/5)",
  "https://github.com/a/b/pull/6/files",
  "https://github.com/A-1/B-2/pull/7x",
  "https://GitHub.com/a/b/pull/8",
  "https://github.com//b/pull/9",
  "https://github.com/a/b/c/pull/10",
  "https://github.com/a/b/pull/011",
];
const GH = [
  "xgh pr create",
  "gh pr creates",
  "gh pr view-x",
  "gh pr edit",
  "gh\npr\nmerge",
  "gh issue created",
  "gh issue comment",
];
const SHELL = [
  ask("shells"),
  ...COMMANDS.flatMap((command, i) => bash(command, `[main 30000${10 + i}] x`)),
  ...PRINTED.flatMap((printed) => bash("git commit -m x", printed)),
  ...URLS.flatMap((url) => bash("gh pr create", url)),
  ...GH.flatMap((command, i) =>
    bash(command, `https://github.com/a/b/pull/${20 + i} https://github.com/a/b/issues/${30 + i}`),
  ),
  ...commit("5000001", { result: { ...failed, error: { message: "[main 5000002] x" } } }),
  ...commit("5000003", { result: { shellExecution: { exitCode: 1 } } }),
  ...bash("npm test && git commit -m x", `${"ok 1 - passes\n".repeat(1200)}[main 5000004] x`),
  ...bash("gh pr create", `${"Uploading\n".repeat(2500)}https://github.com/a/b/pull/40`),
];

const TOOLS = [
  ask("tools"),
  ...["create_pull_request", "add_comment_to_pending_review", "list_pull_requests", "PULL_REQUEST"].flatMap(
    (name, i) => mcp(name, { pullNumber: 50 + i }),
  ),
  ...["sub_issue_write", "list_issues", "Issue"].flatMap((name, i) => mcp(name, { issue_number: 60 + i })),
  ...["get_commit", "get_file_contents"].flatMap((name, i) => mcp(name, { sha: `600000${i}` })),
  ...[0, 1.5, -4, 1e21, "62", null].flatMap((pullNumber) => mcp("pull_request_read", { pullNumber })),
  ...mcp("pull_request_commit_issue", { pullNumber: 70, issue_number: 71, sha: "6000072" }),
  ...mcp("get_commit", { sha: "", owner: "fernwerk", repo: "handbook" }),
  ...mcp("list_issues", { owner: "fernwerk", repo: "quill" }),
  ...mcp("get_commit", { sha: " spaced " }),
  ...mcp("issue_read", { issue_number: 73 }, { result: failed }),
];

const compacted = (checkpointNumber: number): string =>
  record("session.compaction_complete", {
    success: true,
    checkpointNumber,
    summaryContent: `<overview>part ${checkpointNumber}</overview><checkpoint_title>Part ${checkpointNumber}</checkpoint_title>`,
  });

const COMPACTED = [ask("part one"), compacted(1), ask("part two"), compacted(2), ask("part three")];

/** Two checkpoints in the log, and five files of checkpoints beside it. */
export const BESIDE_SESSION = SESSION(7);
export const BESIDE: Readonly<Record<string, string>> = {
  "workspace.yaml": `id: ${BESIDE_SESSION}\ncwd: /srv/shop\nname: Beside\nsummary_count: 2\n`,
  "checkpoints/index.md": [1, 2, 3, 4, 5].map((n) => `| ${n} | Part ${n} | 00${n}-part.md |\n`).join(""),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((n) => [
      `checkpoints/00${n}-part.md`,
      `<overview>part ${n}</overview>\n\n<history>\n${n} days\n</history>\n`,
    ]),
  ),
  "checkpoints/notes.txt": "<overview>no checkpoint</overview>",
  "plan.md": "- [ ] part six",
  "files/notes.md": "a note",
  "files/.hidden": "a hidden note",
  "files/deeper/notes.md": "a deeper note",
  "files/blank.md": " \n",
  "research/notes.md": "a finding",
};

/** The log with a prompt that has an attachment alone. */
export const ATTACHED_SESSION = SESSION(6);
/** The log with blank prompts. */
export const BLANK_SESSION = SESSION(1);

export const CORNER_LOGS: readonly (readonly [session: string, log: string])[] = [
  TURNS,
  SUB_AGENTS,
  FILES,
  SHELL,
  TOOLS,
  ATTACHED,
  COMPACTED,
].map((lines, i) => {
  const sessionId = SESSION(i + 1);
  const start = record("session.start", {
    sessionId,
    version: 1,
    producer: "copilot-agent",
    copilotVersion: "1.0.102",
    startTime: "2026-10-01T00:00:00.000Z",
  });
  return [sessionId, `${[start, ...lines].join("\n")}\n`];
});
