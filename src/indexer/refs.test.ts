import { afterEach, beforeEach, expect, it } from "vitest";
import { createTinyHome, type TinyHome } from "../../test/tiny-home.ts";

let home: TinyHome;
beforeEach(() => {
  home = createTinyHome();
});
afterEach(() => home.remove());

/** A commit behind more output than an index keeps. */
const COMMAND = "npm test && git commit -m x && gh pr create";
const OUTPUT = `${"ok - passes\n".repeat(1000)}[main 1a2b3c4] x\nhttps://github.com/lumen-shop/storefront/pull/42\n`;
const at = "2026-10-01T10:00:00.000Z";
const uuid = (n: number): string => `0b1c0000-0000-4000-8000-00000000000${n}`;

const copilot = () => {
  const line = (n: number, type: string, data: object) => ({
    type,
    data,
    id: uuid(n),
    timestamp: at,
    parentId: null,
  });
  const call = (name: string, toolCallId: string, input: object) => ({ toolCallId, name, arguments: input });
  return [
    line(1, "user.message", {
      content: "Look at https://github.com/lumen-shop/storefront/issues/7, lumen-shop/handbook#5 and GH-12",
    }),
    line(2, "assistant.message", {
      messageId: "m",
      content: "",
      toolRequests: [
        call("powershell", "a", { command: COMMAND }),
        call("view", "b", { path: "src/read.ts" }),
        call("apply_patch", "c", {
          patch: "*** Begin Patch\n*** Update File: src/edited.ts\n@@\n*** End Patch",
        }),
      ],
    }),
    ...["a", "b", "c"].map((toolCallId, i) =>
      line(3 + i, "tool.execution_complete", { toolCallId, success: true, result: { content: OUTPUT } }),
    ),
  ];
};

const claude = () => {
  const row = (n: number, type: string, content: unknown) => ({
    type,
    message: {
      role: type,
      content,
      ...(type === "assistant" && { id: "msg_1", model: "claude-sonnet-4-5" }),
    },
    uuid: uuid(n),
    parentUuid: n === 0 ? null : uuid(n - 1),
    sessionId: uuid(9),
    timestamp: at,
    cwd: "/srv/shop",
    isSidechain: false,
  });
  const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
  const done = (tool_use_id: string) => ({ type: "tool_result", tool_use_id, content: OUTPUT });
  return [
    row(
      0,
      "user",
      "Look at https://github.com/lumen-shop/storefront/issues/7, lumen-shop/handbook#5 and GH-12",
    ),
    row(1, "assistant", [use("a", "Bash", { command: COMMAND })]),
    row(2, "user", [done("a")]),
    row(3, "assistant", [use("b", "Read", { file_path: "src/read.ts" })]),
    row(4, "user", [done("b")]),
    row(5, "assistant", [use("c", "Edit", { file_path: "src/edited.ts", old_string: "a", new_string: "b" })]),
    row(6, "user", [done("c")]),
  ];
};

const vscode = () => {
  const text = "Look at https://github.com/lumen-shop/storefront/issues/7, lumen-shop/handbook#5 and GH-12";
  const calls: [string, string, object][] = [
    ["a", "run_in_terminal", { command: COMMAND }],
    ["b", "read_file", { filePath: "src/read.ts" }],
    ["c", "replace_string_in_file", { filePath: "src/edited.ts" }],
  ];
  const request = {
    requestId: "request_1",
    timestamp: Date.parse(at),
    message: { text, parts: [{ kind: "text", text, range: { start: 0, endExclusive: text.length } }] },
    response: [{ value: "Done." }],
    modelState: { value: 1, completedAt: Date.parse(at) },
    result: {
      metadata: {
        toolCallRounds: [
          {
            id: "r1",
            response: "",
            toolCalls: calls.map(([id, name, input]) => ({ id, name, arguments: JSON.stringify(input) })),
          },
        ],
        toolCallResults: Object.fromEntries(calls.map(([id]) => [id, { content: [{ value: OUTPUT }] }])),
      },
    },
  };
  const head = {
    version: 3,
    sessionId: "s",
    creationDate: Date.parse(at),
    responderUsername: "GitHub Copilot",
  };
  return [{ kind: 0, v: { ...head, requests: [request] } }];
};

it.each<[string, string, object[]]>([
  ["Copilot CLI", `copilot/session-state/${uuid(9)}/events.jsonl`, copilot()],
  ["Claude Code", `claude/projects/-srv-shop/${uuid(9)}.jsonl`, claude()],
  ["VS Code", "vscode/w/chatSessions/s.jsonl", vscode()],
])(
  "finds files read and edited, and references in any shell, however much it printed, and in text: %s",
  async (_, path, records) => {
    home.write(path, ...records);
    await home.index();
    expect(home.words("SELECT file_path, action FROM session_files ORDER BY 1")).toEqual([
      "src/edited.ts edited",
      "src/read.ts read",
    ]);
    expect(home.words("SELECT ref_type, ref_value, evidence FROM session_refs ORDER BY 1, 2")).toEqual([
      "commit 1a2b3c4 command",
      "issue 12 mentioned",
      "issue 5 mentioned",
      "issue 7 mentioned",
      "pr 42 command",
    ]);
  },
);
