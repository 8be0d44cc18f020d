/** Chats about tools: every kind of call that VS Code shows in a way of its own, and every way a call can end. */
import type { Chat } from "./vscode-corpus.ts";
import { agentTurn, type Call, range, SOME_TIME, uri } from "./vscode-corpus-turns.ts";
import type { Json } from "./vscode-templates.ts";

const chat = (...turns: Json[]): Chat => ({ turns });

const run = (command: string, exitCode: number, output: string, more: Json = {}): Call => ({
  name: "run_in_terminal",
  input: { command, explanation: "See what happens", isBackground: false },
  result: output,
  shown: {
    toolId: "run_in_terminal",
    toolSpecificData: {
      kind: "terminal",
      language: "sh",
      commandLine: { original: command, ...more },
      cwd: uri("/srv/app"),
      terminalCommandOutput: { text: output, lineCount: output.split("\n").length },
      terminalCommandState: { exitCode, timestamp: SOME_TIME, duration: 12 },
    },
  },
});
const read = (path: string, text: string): Call => ({
  name: "read_file",
  input: { filePath: path, startLine: 1, endLine: 20 },
  result: text,
  shown: { resultDetails: [uri(path)] },
});
const special = (name: string, toolSpecificData: Json, result = "Done."): Call => ({
  name,
  result,
  shown: { toolSpecificData },
});

export const TOOL_CHATS: Record<string, Chat> = {
  "commands in the terminal": chat(
    agentTurn(1, "Do the tests pass?", [
      "I will run them.",
      run("npm test", 1, "1 failed\n"),
      "One fails. Again, with less noise:",
      run("npm test -- --quiet", 0, "", { userEdited: "npm test -- --silent", forDisplay: "npm test" }),
      "They pass.",
    ]),
    agentTurn(2, "And the build?", [run("npm run build", 0, "built\n"), "It works."]),
  ),
  "files read, listed and searched": chat(
    agentTurn(1, "Where is the day computed?", [
      {
        name: "grep_search",
        input: { query: "getDay", isRegexp: false },
        result: "2 matches",
        shown: {
          resultDetails: [
            { uri: uri("/srv/app/src/day.ts"), range: range(3) },
            { uri: uri("/srv/app/a.ts"), range: range(9) },
          ],
        },
      },
      read("/srv/app/src/day.ts", "export const day = () => 5;\n"),
      { name: "list_dir", input: { path: "/srv/app/src" }, result: "day.ts\n" },
      "In `day.ts`.",
    ]),
  ),
  "calls beside each other": chat(
    agentTurn(1, "Look at all three", [
      "Looking.",
      read("/srv/app/a.ts", "a"),
      { ...read("/srv/app/b.ts", "b"), beside: true },
      { ...run("echo c", 0, "c\n"), beside: true },
      "Three of them.",
      { ...read("/srv/app/d.ts", "d") },
    ]),
    agentTurn(2, "Thank you", ["With pleasure."]),
  ),
  "a tool of an MCP server": chat(
    agentTurn(1, "What is in the ticket?", [
      {
        name: "mcp_tickets_get",
        input: { number: 12 },
        result: "Ticket 12",
        shown: {
          toolId: "mcp_tickets_get",
          source: { type: "mcp", label: "tickets", serverLabel: "tickets", collectionId: "c" },
          toolSpecificData: { kind: "input", rawInput: { number: 12 } },
          resultDetails: {
            input: '{"number":12}',
            output: [
              { type: "embed", isText: true, mimeType: "text/plain", value: "Ticket 12" },
              { type: "embed", mimeType: "image/png", value: { $base64: "iVBORw0KGgo=" } },
            ],
            isError: false,
          },
        },
      },
      "It asks for a report.",
    ]),
  ),
  "a list of things to do": chat(
    agentTurn(1, "Plan it", [
      special("manage_todo_list", {
        kind: "todoList",
        sessionId: "s",
        todoList: [{ id: "1", title: "Write a test", status: "in-progress" }],
      }),
      "Planned.",
    ]),
  ),
  "a helper with calls of its own": chat(
    agentTurn(1, "Let somebody look into it", [
      {
        name: "runSubagent",
        input: { prompt: "Look into it", description: "Look" },
        result: "Nothing found",
        shown: {
          toolSpecificData: {
            kind: "subagent",
            prompt: "Look into it",
            description: "Look",
            result: "Nothing found",
            agentName: "explore",
          },
        },
      },
      {
        part: {
          kind: "toolInvocationSerialized",
          toolId: "copilot_readFile",
          toolCallId: "inner_1",
          invocationMessage: "Reading",
          isConfirmed: { type: 1 },
          isComplete: true,
          source: { type: "internal", label: "Built-In" },
          subAgentInvocationId: "call_1_0",
        },
      },
      "It found nothing.",
    ]),
  ),
  "tools that VS Code shows in other ways": chat(
    agentTurn(1, "Use them all", [
      special("simple", { kind: "simpleToolInvocation", input: "in", output: "out" }),
      special("search", { kind: "search", query: "q", results: [] }),
      special("resources", { kind: "resources", values: [uri("/srv/app/a.ts")] }),
      special("extensions", { kind: "extensions", extensions: ["publisher.name"] }),
      special("pull_request", {
        kind: "pullRequest",
        uri: uri("/pull/1", { scheme: "https", authority: "example.test" }),
        title: "A change",
        description: "",
        author: "dev",
        linkTag: "#1",
      }),
      special("confirm", { kind: "modifiedFilesConfirmation", options: ["Keep"], modifiedFiles: [] }),
      "All used.",
    ]),
  ),
  "calls that were refused, skipped or never ended": chat(
    agentTurn(1, "Delete everything", [
      { ...run("rm -rf build", 0, ""), shown: { isConfirmed: { type: 0 } }, result: "The user refused." },
      { name: "fetch", result: "The user cancelled the tool call.", shown: { isConfirmed: { type: 5 } } },
      { name: "old_way", result: "ok", shown: { isConfirmed: true } },
      { name: "old_refusal", result: "no", shown: { isConfirmed: false } },
      { name: "unfinished", shown: { isComplete: false, pastTenseMessage: undefined } },
      { name: "broken", result: "ERROR while calling tool: it broke" },
      { name: "unreadable", input: '{"path": "/srv/app', result: "Invalid input" },
      "I stopped.",
    ]),
  ),
  "calls without a result, and a result without a call": chat(
    agentTurn(
      1,
      "Try it",
      ["One moment.", { name: "lost", shown: false }, "Then this.", read("/srv/app/a.ts", "a"), "Done."],
      { metadata: {} },
    ),
    agentTurn(2, "Once more", ["Fine."], {
      metadata: { toolCallResults: { call_of_nobody: { $mid: 20, content: [{ $mid: 21, value: "x" }] } } },
    }),
  ),
  "too many calls, whose results came with the next turn": chat(
    agentTurn(
      1,
      "Count to ten",
      ["Counting.", read("/srv/app/a.ts", "1"), { name: "read_file", input: {} }],
      {
        metadata: { maxToolCallsExceeded: true },
      },
    ),
    agentTurn(2, "@agent Continue", ["Ten."], {
      metadata: {
        toolCallResults: {
          [`call_1_2__vscode-${SOME_TIME + 2}`]: { $mid: 20, content: [{ $mid: 21, value: "2" }] },
        },
      },
    }),
  ),
  "results with a structure": chat(
    agentTurn(1, "What is wrong?", [
      {
        name: "get_errors",
        result: {
          $mid: 20,
          content: [
            {
              $mid: 23,
              value: {
                node: {
                  type: 1,
                  ctor: 2,
                  ctorName: "Errors",
                  children: [{ type: 2, text: "one error", lineBreakBefore: false }],
                },
              },
            },
            { $mid: 24, mimeType: "image/png", data: { $base64: "iVBORw0KGgo=" } },
          ],
        },
      },
      "One thing.",
    ]),
  ),
};
