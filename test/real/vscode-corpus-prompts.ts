/** Chats in which what the person asked is special: attachments, commands, drafts, letters. */
import type { Chat } from "./vscode-corpus.ts";
import { range, uri } from "./vscode-corpus-turns.ts";
import { type Json, markdown, turn } from "./vscode-templates.ts";

const chat = (turns: Json[], more: Json = {}): Chat => ({ turns, more });
const hello = (more: Json = {}): Json => turn(1, "hello", [markdown("world")], more);
const hello2 = turn(2, "Go on", [markdown("Going on.")]);
const attached = (...variables: Json[]): Chat => chat([hello({ variableData: { variables } }), hello2]);

export const PROMPT_CHATS: Record<string, Chat> = {
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
  "letters of the world": chat([
    turn(1, "Grüße 日本語 👩‍👩‍👧 \u2028 \u202eright to left\u202c \u0000 \ud800", [
      markdown("🙂 größer \u2029 ﷽ \udfff"),
    ]),
    turn(2, 'a\r\nb\tc\\"', [markdown("```\n\u001b[31mred\u001b[0m\n```")]),
  ]),
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
