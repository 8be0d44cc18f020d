/** Chats in which something other than tools is special: how turns ended, what hangs on them, what surrounds them. */
import type { Chat } from "./vscode-corpus.ts";
import { agentTurn, range, SOME_TIME, uri } from "./vscode-corpus-turns.ts";
import { type Json, markdown, message, turn, without } from "./vscode-templates.ts";

const chat = (turns: Json[], more: Json = {}): Chat => ({ turns, more });
const hello = (more: Json = {}): Json => turn(1, "hello", [markdown("world")], more);
const answered = (...parts: Json[]): Chat => chat([turn(1, "What is there?", parts), turn(2, "Good", [])]);
const attached = (...variables: Json[]): Chat => chat([hello({ variableData: { variables } }), hello2]);
const hello2 = turn(2, "Go on", [markdown("Going on.")]);

export const OTHER_CHATS: Record<string, Chat> = {
  "one question, one answer": chat([hello()]),
  "a question without an answer": chat([without(hello(), "response", "result", "responseId", "modelState")]),
  "several turns, two of them equal": chat([
    hello(),
    turn(2, "again", [markdown("Yes.")]),
    turn(3, "again", [markdown("Yes.")]),
    turn(4, "bye", [markdown("Good bye.")]),
  ]),
  "no title": chat([hello(), hello2], { customTitle: undefined }),
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
  "a summary in place of what was before": chat([
    agentTurn(1, "Begin", ["Begun.", { name: "read_file", result: "text" }, "Read."]),
    agentTurn(2, "Continue", ["Continued."], {
      metadata: { summary: { toolCallRoundId: "round-1-1", text: "Something was begun." } },
    }),
    agentTurn(3, "End", ["Ended."]),
  ]),
  "state that a server keeps": chat([
    agentTurn(1, "Remember me", ["I will."], {
      metadata: {
        toolCallRounds: [
          {
            id: "r",
            response: "I will.",
            toolCalls: [],
            toolInputRetry: 0,
            statefulMarker: { modelId: "gpt-5", marker: "resp_1" },
            phase: "final_answer",
          },
        ],
      },
    }),
    agentTurn(2, "Do you?", ["I do."]),
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
  "files, folders and symbols attached": attached(
    { kind: "file", id: "f", name: "a.ts", value: uri("/srv/app/a.ts") },
    { kind: "file", id: "l", name: "b.ts", value: { uri: uri("/srv/app/b.ts"), range: range(2, 5) } },
    { kind: "directory", id: "d", name: "src", value: uri("/srv/app/src") },
    {
      kind: "symbol",
      id: "s",
      name: "main",
      symbolKind: 11,
      value: { uri: uri("/srv/app/a.ts"), range: range(1) },
    },
    {
      kind: "implicit",
      id: "i",
      name: "open file",
      value: uri("/srv/app/c.ts"),
      isSelection: false,
      enabled: true,
    },
    {
      kind: "promptFile",
      id: "p",
      name: "rules",
      value: uri("/srv/app/rules.md"),
      isRoot: true,
      automaticallyAdded: true,
    },
  ),
  "texts and tools attached": attached(
    {
      kind: "paste",
      id: "p",
      name: "pasted",
      value: "text",
      code: "text",
      language: "ts",
      pastedLines: "1",
      fileName: "a.ts",
      copiedFrom: undefined,
    },
    { kind: "string", id: "t", name: "text", value: "a text", uri: uri("/x") },
    { kind: "workspace", id: "w", name: "workspace", value: "about it" },
    { kind: "promptText", id: "pt", name: "prompt", value: "be short" },
    { kind: "tool", id: "tool", name: "read_file", value: undefined },
    { kind: "toolset", id: "set", name: "all", value: [] },
    { kind: "diagnostic", id: "d", name: "error", value: undefined, filterUri: uri("/srv/app/a.ts") },
    { kind: "command", id: "c", name: "fix", value: "fix" },
    { kind: "generic", id: "g", name: "thing", value: "x" },
    { kind: "somethingNew", id: "n", name: "new", value: { a: 1 } },
  ),
  images: attached(
    {
      kind: "image",
      id: "a",
      name: "one.png",
      mimeType: "image/png",
      value: { $base64: "iVBORw0KGgo=" },
      references: [],
    },
    {
      kind: "image",
      id: "b",
      name: "two.png",
      mimeType: "image/png",
      value: { 0: 137, 1: 80, 2: 78, 3: 71 },
    },
  ),
  "cancelled and pending turns": chat([
    hello({ modelState: { value: 2, completedAt: SOME_TIME + 1500 } }),
    turn(2, "the old way", [], { isCanceled: true, modelState: undefined }),
    turn(3, "still running", [markdown("So f")], { modelState: { value: 0 }, result: undefined }),
    turn(4, "asking", [markdown("May I?")], { modelState: { value: 4 }, result: undefined }),
  ]),
  "failed turns": chat([
    hello({
      modelState: { value: 3, completedAt: SOME_TIME + 1500 },
      result: {
        errorDetails: { message: "Sorry, the server is gone.", code: "failed" },
        timings: { totalElapsed: 9 },
      },
    }),
    turn(2, "filtered", [], {
      result: { errorDetails: { message: "Filtered.", responseIsFiltered: true }, metadata: {} },
    }),
    turn(3, "too much", [], { result: { errorDetails: { message: "Quota.", isQuotaExceeded: true } } }),
    turn(4, "the old way", [], { responseErrorDetails: { message: "Gone." } }),
  ]),
  "turns that are hidden": chat([
    hello(),
    turn(2, "undone", [markdown("Changed.")], { shouldBeRemovedOnSend: { requestId: "request_2" } }),
    turn(3, "undone once", [], { isHidden: true }),
    turn(4, "not shown", [markdown("ok")], { hiddenFromTranscript: true }),
  ]),
  "turns that nobody typed": chat([
    hello(),
    turn(2, "[The terminal ended]", [markdown("I see.")], {
      isSystemInitiated: true,
      systemInitiatedLabel: "Terminal ended",
      terminalExecutionId: "t1",
    }),
  ]),
  "requests that wait": chat([hello()], {
    pendingRequests: [
      {
        id: "request_9",
        request: {
          ...turn(9, "next, please", []),
          response: undefined,
          responseId: undefined,
          result: undefined,
        },
        kind: "queued",
        sendOptions: {},
      },
    ],
  }),
  "a draft": chat([hello()], {
    inputState: {
      attachments: [{ kind: "file", id: "f", name: "a.ts", value: uri("/srv/app/a.ts") }],
      mode: { id: "agent", kind: "agent" },
      selectedModel: { identifier: "copilot/gpt-5", metadata: { id: "gpt-5", name: "GPT-5" } },
      inputText: "not sent yet",
      selections: [
        {
          ...range(1),
          selectionStartLineNumber: 1,
          selectionStartColumn: 1,
          positionLineNumber: 1,
          positionColumn: 3,
        },
      ],
      contrib: { chatDynamicVariableModel: [] },
    },
    hasPendingEdits: true,
  }),
  "commands, participants and references in the message": chat([
    hello({
      message: {
        text: "@workspace /fix #a.ts #tool now",
        parts: [
          {
            kind: "agent",
            ...spans(0, 10),
            agent: { id: "w", name: "workspace", metadata: {}, slashCommands: [] },
          },
          { kind: "text", ...spans(10, 11), text: " " },
          { kind: "slash", ...spans(11, 15), slashCommand: { command: "fix", detail: "" } },
          {
            kind: "dynamic",
            ...spans(16, 21),
            text: "#a.ts",
            id: "file",
            data: uri("/srv/app/a.ts"),
            isFile: true,
          },
          { kind: "tool", ...spans(22, 27), toolName: "tool", toolId: "tool" },
          { kind: "text", ...spans(27, 31), text: " now" },
        ],
      },
      slashCommand: { name: "fix", description: "" },
    }),
  ]),
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
  "usage, modes and models": chat([
    hello({
      modelId: "copilot/auto",
      modelConfiguration: { reasoningEffort: "high" },
      modeInfo: {
        kind: "agent",
        isBuiltin: false,
        modeId: "custom",
        modeInstructions: {
          name: "reviewer",
          content: "Be strict",
          toolReferences: [],
          uri: uri("/srv/app/r.md"),
        },
      },
      promptTokens: 1200,
      completionTokens: 34,
      outputBuffer: 100,
      promptTokenDetails: [{ category: "System", label: "Tools", percentageOfPrompt: 40 }],
      copilotCredits: 1,
      elapsedMs: 500,
      timeSpentWaiting: 5,
    }),
  ]),
  "the state of a repository": chat([hello()], {
    repoData: {
      workspaceType: "local-git",
      syncStatus: "unpushed",
      remoteUrl: "https://example.test/owner/name.git",
      localBranch: "topic",
      headCommitHash: "0".repeat(40),
      diffs: [
        { relativePath: "a.ts", changeType: "modified", status: "M", unifiedDiff: "@@ -1 +1 @@\n-a\n+b\n" },
      ],
      diffsStatus: "included",
    },
  }),
  "letters of the world": chat([
    turn(1, "Grüße 日本語 👩‍👩‍👧 \u2028 \u202eright to left\u202c \u0000 \ud800", [
      markdown("🙂 größer \u2029 ﷽ \udfff"),
    ]),
    turn(2, 'a\r\nb\tc\\"', [markdown("```\n\u001b[31mred\u001b[0m\n```")]),
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

/** Documents as VS Code wrote them before its logs. */
export const OLD_CHATS: Record<string, Chat> = {
  "a document of version 1": chat([hello(), hello2], { version: undefined, customTitle: undefined }),
  "a document of version 2": chat([hello()], { version: 2, customTitle: undefined, computedTitle: "Once" }),
  "plain texts": chat([hello({ message: "hello", response: ["world"], responseId: undefined }), hello2]),
  "names and pictures of both": chat([hello({ message: message("hello") })], {
    requesterUsername: "dev",
    requesterAvatarIconUri: uri("/avatar"),
    responderAvatarIconUri: { id: "copilot" },
    lastMessageDate: SOME_TIME,
    isImported: false,
  }),
};

function spans(start: number, endExclusive: number): Json {
  return {
    range: { start, endExclusive },
    editorRange: {
      startLineNumber: 1,
      startColumn: start + 1,
      endLineNumber: 1,
      endColumn: endExclusive + 1,
    },
  };
}
