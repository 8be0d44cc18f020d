/** Where secrets stand in sessions. Half of the places were never looked at while the rules were written. */
import type { Random } from "./random.ts";

export interface Context {
  /** True for a place that was held back while rules were tuned. */
  readonly isHeldBack: boolean;
  /** A record of a log, or a text. */
  readonly manner: "jsonl" | "text";
  readonly write: (text: string, random: Random) => string;
}

const record = (content: string): string =>
  JSON.stringify({
    type: "tool.execution_complete",
    data: { toolCallId: "call_1", success: true, result: { content } },
    id: "fee10000-0000-4000-8000-000000000010",
    timestamp: "2026-11-01T10:00:00.000Z",
    parentId: null,
  });
const prefixed = (text: string, prefix: string): string => prefix + text.replaceAll("\n", `\n${prefix}`);
const isOneLine = (text: string): boolean => !text.includes("\n");
/** As a terminal of that many columns shows it. */
const wrapped = (text: string, columns: number): string =>
  text.replace(new RegExp(`([^\n]{${columns}})(?=[^\n])`, "g"), "$1\n");

const text = (write: Context["write"], isHeldBack = false): Context => ({
  isHeldBack,
  manner: "text",
  write,
});
const jsonl = (write: Context["write"], isHeldBack = false): Context => ({
  isHeldBack,
  manner: "jsonl",
  write,
});

export const CONTEXTS: Readonly<Record<string, Context>> = {
  "a file of its own": text((leak) => `${leak}\n`),
  "the middle of a file": text((leak) => `# settings\nDEBUG=1\n${leak}\nPORT=8080\n`),
  prose: text((leak) =>
    isOneLine(leak) ? `I tried it with ${leak} and it worked.` : `Here it is:\n\n${leak}\n\nDone.`,
  ),
  "a log line": text(
    (leak) => `2026-11-01T10:00:00Z INFO  worker-3 started with ${leak}\n2026-11-01T10:00:01Z INFO  ready`,
  ),
  "a tool's result": jsonl((leak) => record(`exit 0\n${leak}\n`)),
  "numbered lines": jsonl((leak) =>
    record(
      `first line\n${leak}\nlast line`
        .split("\n")
        .map((line, i) => `${i + 1}\t${line}`)
        .join("\n"),
    ),
  ),
  "a command's argument": jsonl((leak) =>
    JSON.stringify({
      type: "assistant.message",
      data: {
        messageId: "m1",
        toolRequests: [{ name: "bash", arguments: { command: `cat > f <<'EOF'\n${leak}\nEOF` } }],
      },
    }),
  ),
  "a terminal of 80 columns": jsonl((leak) =>
    record(wrapped(`dev@box:~/app$ show-config\n${leak}\ndev@box:~/app$`, 80)),
  ),
  "JSON in JSON": jsonl((leak) => record(JSON.stringify({ stdout: `ok\n${leak}\n`, code: 0 })), true),
  "arguments as text": jsonl(
    (leak) =>
      JSON.stringify({
        toolRequests: [
          { name: "bash", arguments: JSON.stringify({ command: `run <<EOF\n${leak}\nEOF`, timeout: 5 }) },
        ],
      }),
    true,
  ),
  "a diff": text((leak) => `@@ -1,2 +1,3 @@\n context\n${prefixed(leak, "+")}\n context`, true),
  "a code block": text((leak) => `Set it up like this:\n\n\`\`\`\n${leak}\n\`\`\`\n\nThen restart.`, true),
  "an indented block": text((leak) => `steps:\n  - run: |\n${prefixed(leak, "      ")}\n  - run: make`, true),
  "a quoted mail": text((leak) => `On Monday the team wrote:\n${prefixed(leak, "> ")}\n\nThanks`, true),
  "a terminal with colors": jsonl((leak) => record(`\u001b[32m$ show\u001b[0m\n${leak}\u001b[0m\n`), true),
  "a narrow terminal": text(
    (leak) => wrapped(`box% make show\n${leak}\nmake: Nothing to be done for 'show'.\nbox% `, 100),
    true,
  ),
  "two chunks": jsonl((leak, random) => {
    const at = 1 + random.below(leak.length - 1);
    return JSON.stringify({
      content: [
        { type: "text", text: `so ${leak.slice(0, at)}` },
        { type: "text", text: `${leak.slice(at)} it is` },
      ],
    });
  }, true),
};
