/** A log with every kind of command and tool that could name a commit, a pull request or an issue. */

export const REFS_SESSION = "eeeeeeee-0000-4000-8000-000000000000";

interface Call {
  readonly tool: string;
  readonly input: object;
  readonly output: string;
  readonly ok?: boolean;
  /** A command that ends so counts as run, not as a failure of the tool. */
  readonly exitCode?: number;
}

const bash = (command: string, output: string, more: Partial<Call> = {}): Call => ({
  tool: "bash",
  input: { command },
  output,
  ...more,
});
const PULL = "https://github.com/lumen-shop/storefront/pull/";
const ISSUE = "https://github.com/lumen-shop/storefront/issues/";

const CALLS: readonly Call[] = [
  bash("git add . && git  commit -m x", "[main 1111111] x"),
  bash("git commit -m x", "[fix/a-b 2222222aaaa] x\n[main 2222223] y"),
  bash("git commit -m root", "[main (root-commit) 3333333] x"),
  bash("git commit -m detached", "[detached HEAD 4444444] x"),
  bash("git -C sub commit -m x", "[main 5555555] x"),
  bash("GIT COMMIT -m x", "[main 6666666] x"),
  bash("git commit -m x", "[main 777777] too short"),
  bash("git commit -m x", "nothing to commit", { ok: false }),
  bash("git commit -m x && false", "[main 8888888] x", { exitCode: 1 }),
  bash("git cherry-pick abc", "[main 9999999] x"),
  bash("gh pr create --fill", `${PULL}41\n${PULL}42`),
  bash("gh pr view 43", `${PULL}43`),
  bash("gh pr checkout 44", "no link here"),
  bash("gh pr merge 45", `${PULL}45`),
  bash("gh pr list", `${PULL}46`),
  bash("gh pr create", "https://git.example.org/a/b/pull/47"),
  bash("gh issue create -t x", `${ISSUE}51`),
  bash("gh issue view 52", `${ISSUE}52`),
  { tool: "powershell", input: { command: "git commit -m x" }, output: "[main aaaaaaa] x" },
  {
    tool: "github-mcp-server-pull_request_read",
    input: { pullNumber: 61 },
    output: "{}",
  },
  { tool: "github-mcp-server-get_pull_request", input: { pullNumber: "62" }, output: "{}" },
  { tool: "github-mcp-server-issue_read", input: { issue_number: 63 }, output: "{}", ok: false },
  { tool: "github-mcp-server-get_commit", input: { sha: "main" }, output: "{}" },
  { tool: "github-mcp-server-list_commits", input: { sha: "bbbbbbb" }, output: "{}" },
  { tool: "github-mcp-server-search_issues", input: { issue_number: 64 }, output: "{}" },
  { tool: "other-mcp-get_commit", input: { sha: "ccccccc" }, output: "{}" },
  { tool: "create", input: { path: "src/new.ts", file_text: "x" }, output: "Created" },
  { tool: "edit", input: { path: "src/../src/new.ts" }, output: "Edited" },
  { tool: "edit", input: { path: "src/new.ts" }, output: "Edited" },
  { tool: "create", input: { path: "C:\\work\\a.ts" }, output: "failed", ok: false },
  { tool: "edit", input: { path: "C:\\work\\b.ts" }, output: "Edited" },
  { tool: "view", input: { path: "src/read.ts" }, output: "text" },
  { tool: "view", input: { path: "src/then-edited.ts" }, output: "text" },
  { tool: "edit", input: { path: "src/then-edited.ts" }, output: "Edited" },
];

export function refLog(): string {
  let count = 0;
  const record = (type: string, data: object): string => {
    const id = `eeeeeeee-0000-4000-8000-${(++count).toString(16).padStart(12, "0")}`;
    const timestamp = new Date(Date.UTC(2026, 9, 1) + count * 1000).toISOString();
    return JSON.stringify({ type, data, id, timestamp, parentId: null });
  };
  const lines = [
    record("session.start", {
      sessionId: REFS_SESSION,
      version: 1,
      producer: "copilot-agent",
      copilotVersion: "1.0.102",
      startTime: "2026-10-01T00:00:00.000Z",
    }),
    record("user.message", { content: "  Fixes #7, see PR #99 and commit 1234567  " }),
    record("assistant.message", { messageId: "m0", content: "First words." }),
    record("assistant.message", { messageId: "m1", content: "   " }),
  ];
  for (const [i, { tool, input, output, ok = true, exitCode }] of CALLS.entries()) {
    if (i % 10 === 9) lines.push(record("user.message", { content: `Go on ${i}` }));
    const toolCallId = `call-${i}`;
    lines.push(
      record("assistant.message", {
        messageId: `c${i}`,
        content: "",
        toolRequests: [{ toolCallId, name: tool, arguments: input, type: "function" }],
      }),
      record("tool.execution_start", { toolCallId, toolName: tool, arguments: input }),
      record("tool.execution_complete", {
        toolCallId,
        success: ok,
        ...(exitCode !== undefined && { shellExecution: { exitCode } }),
        ...(ok ? { result: { content: output } } : { error: { message: output } }),
      }),
    );
  }
  lines.push(
    record("user.message", { content: "   " }),
    record("assistant.message", { messageId: "z", content: "Answer to nothing." }),
  );
  const answer = (content: string, ...calls: string[]): string =>
    record("assistant.message", {
      messageId: `a${count}`,
      content,
      toolRequests: calls.map((toolCallId) => ({
        toolCallId,
        name: "bash",
        arguments: { command: "git commit" },
        type: "function",
      })),
    });
  lines.push(
    record("user.message", { content: "Said only along with a call" }),
    answer("With a call.", "x1"),
    record("user.message", { content: "Said before a call" }),
    answer("Plain."),
    answer("With a call.", "x2"),
    record("user.message", { content: "Said twice" }),
    answer("One."),
    answer("Two."),
  );
  return `${lines.join("\n")}\n`;
}
