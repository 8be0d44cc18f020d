/** Chats with every kind of part that an answer can have, beside tools. */
import type { Chat } from "./vscode-corpus.ts";
import { agentTurn, range, uri } from "./vscode-corpus-turns.ts";
import { type Json, markdown, turn } from "./vscode-templates.ts";

const chat = (turns: Json[], more: Json = {}): Chat => ({ turns, more });
const hello = (more: Json = {}): Json => turn(1, "hello", [markdown("world")], more);
const hello2 = turn(2, "Go on", [markdown("Going on.")]);
const answered = (...parts: Json[]): Chat => chat([turn(1, "What is there?", parts), turn(2, "Good", [])]);

export const ANSWER_CHATS: Record<string, Chat> = {
  thinking: chat([
    agentTurn(1, "Think hard", [
      { think: "First of all…" },
      "Here is a thought.",
      { think: "And then?", part: { value: ["And ", "then?"], generatedTitle: "Going on", metadata: {} } },
      "Here is another.",
      { part: { kind: "thinking", value: "", id: "end", metadata: { vscodeReasoningDone: true } } },
    ]),
    agentTurn(2, "Is that all?", ["It is."]),
  ]),
  "files edited": answered(
    markdown("I changed it:"),
    { kind: "codeblockUri", uri: uri("/srv/app/a.ts"), isEdit: true, undoStopId: "stop-1" },
    markdown("```ts\nconst a = 1;\n```"),
    { kind: "undoStop", id: "stop-1" },
    {
      kind: "textEditGroup",
      uri: uri("/srv/app/a.ts"),
      edits: [[{ text: "const a = 1;", range: range(1) }]],
      done: true,
    },
    {
      kind: "notebookEditGroup",
      uri: uri("/srv/app/n.ipynb"),
      edits: [[{ editType: 1, index: 0, count: 0, cells: [] }]],
      done: true,
    },
    {
      kind: "workspaceEdit",
      edits: [{ oldResource: uri("/srv/app/b.ts"), newResource: uri("/srv/app/c.ts") }],
    },
    { kind: "externalEdit", undoStopId: "stop-2", uri: uri("/srv/app/d.ts") },
    {
      kind: "multiDiffData",
      collapsed: true,
      multiDiffData: {
        title: "All",
        resources: [{ modifiedUri: uri("/srv/app/a.ts"), added: 1, removed: 1 }],
      },
    },
  ),
  "links inside the answer": answered(
    markdown("See "),
    { kind: "inlineReference", inlineReference: uri("/srv/app/a.ts") },
    markdown(" and "),
    { kind: "inlineReference", inlineReference: { uri: uri("/srv/app/b.ts"), range: range(4) } },
    markdown(" and "),
    {
      kind: "inlineReference",
      inlineReference: {
        name: "main",
        kind: 11,
        containerName: "",
        location: { uri: uri("/srv/app/c.ts"), range: range(7) },
      },
    },
    {
      ...markdown("[here](a.ts)"),
      isTrusted: { enabledCommands: ["x"] },
      baseUri: uri("/srv/app/"),
      uris: { "a.ts": uri("/srv/app/a.ts") },
    },
  ),
  "notices and questions": answered(
    { kind: "progressMessage", content: { value: "Looking around" } },
    { kind: "progressTaskSerialized", content: { value: "Task" }, progress: [] },
    { kind: "warning", content: { value: "Careful" } },
    { kind: "info", content: { value: "By the way" } },
    { kind: "systemNotification", content: { value: "Moved" } },
    { kind: "confirmation", title: "Sure?", message: "Really?", data: {}, buttons: ["Yes"], isUsed: true },
    {
      kind: "elicitationSerialized",
      title: "Name?",
      message: "Which one?",
      state: "accepted",
      isHidden: false,
    },
    {
      kind: "questionCarousel",
      questions: [{ id: "q", type: "text", title: "Why?" }],
      allowSkip: true,
      isUsed: true,
    },
    { kind: "planReview", title: "Plan", content: "Step one", isUsed: true, actions: [] },
    markdown("Asked and answered."),
  ),
  "cards and bookkeeping": answered(
    { kind: "command", command: { id: "x.y", title: "Do it" } },
    { kind: "extensions", extensions: ["publisher.name"] },
    { kind: "pullRequest", title: "A change", description: "", author: "dev", linkTag: "#1", uri: uri("/p") },
    { kind: "treeData", treeData: { label: "src", uri: uri("/srv/app/src"), children: [] } },
    { kind: "markdownVuln", content: markdown("copied"), vulnerabilities: [] },
    { kind: "mcpServersStarting", didStartServerIds: ["a"] },
    { kind: "hook", hookType: "PreToolUse" },
    { kind: "autoModeResolution", resolved: "gpt-5" },
    { kind: "clearToPreviousToolInvocation", reason: 0 },
    { kind: "prepareToolInvocation", toolName: "read_file" },
    markdown("That was all."),
  ),
  "parts and fields that nobody knows": chat(
    [
      turn(1, "What is new?", [{ kind: "somethingNew", x: { y: [1] } }, markdown("This.")], { fromAfar: {} }),
      hello2,
    ],
    { somethingElse: { kept: true } },
  ),
  "what hangs on an answer": chat([
    hello({
      followups: [{ kind: "reply", message: "More?", agentId: "a" }],
      vote: 1,
      usedContext: { documents: [{ uri: uri("/a"), version: 1, ranges: [range(1)] }], kind: "usedContext" },
      contentReferences: [
        { kind: "reference", reference: uri("/srv/app/a.ts") },
        { kind: "reference", reference: { uri: uri("/srv/app/b.ts"), range: range(1) } },
        { kind: "reference", reference: { variableName: "sel", value: uri("/srv/app/c.ts") } },
        { kind: "reference", reference: "text" },
      ],
      codeCitations: [{ kind: "codeCitation", value: uri("/x"), license: "MIT", snippet: "x" }],
      responseMarkdownInfo: [{ suggestionId: "s1" }],
      editedFileEvents: [{ uri: uri("/srv/app/a.ts"), eventKind: 1 }],
      confirmation: "Yes",
    }),
  ]),
  "Windows, and a place far away": answered(
    {
      kind: "inlineReference",
      inlineReference: uri("/c:/Users/dev/app/a.ts", {
        fsPath: "c:\\Users\\dev\\app\\a.ts",
        external: "file:///c%3A/Users/dev/app/a.ts",
        _sep: 1,
      }),
    },
    {
      kind: "inlineReference",
      inlineReference: {
        $mid: 1,
        path: "/srv/app/a.ts",
        scheme: "vscode-remote",
        authority: "ssh-remote+host",
        external: "vscode-remote://ssh-remote%2Bhost/srv/app/a.ts",
      },
    },
    markdown("Both are there."),
  ),
  "one very long answer": chat([turn(1, "Tell me all", [markdown("All of it. ".repeat(100_000))]), hello2]),
};
