/** Conversations that are hard to hand over, each for one reason. */
import { type ConversationSeed, failed, interrupted, ok, PIXEL } from "./conversations.ts";

const LONG = Array.from({ length: 4_000 }, (_, line) => `${line}: a line of a long output`).join("\n");

export const CORNERS: Readonly<Record<string, ConversationSeed>> = {
  "parallel calls": {
    title: "Parallel",
    turns: [
      {
        prompt: "Look at both",
        replies: [
          {
            text: "I look at both.",
            calls: [
              { act: { kind: "read", path: "/srv/a.ts" }, result: ok("export const a = 1;") },
              { act: { kind: "read", path: "/srv/b.ts", from: 3, to: 9 }, result: ok("export const b = 2;") },
              { act: { kind: "search", pattern: "const [ab]" }, result: ok("a.ts:1\nb.ts:1") },
            ],
          },
          { text: "They are alike.", calls: [] },
        ],
      },
      { prompt: "Thanks", replies: [{ text: "You are welcome.", calls: [] }] },
    ],
  },
  "failed calls": {
    title: "Failures",
    turns: [
      {
        prompt: "Run the tests and fix it",
        replies: [
          {
            text: "",
            thinking: "First the tests.",
            calls: [{ act: { kind: "shell", command: "npm test" }, result: failed("1 failed") }],
          },
          {
            text: "One fails.",
            calls: [
              {
                act: { kind: "edit", path: "/srv/a.ts", old: "1", new: "2" },
                result: failed("No match for 1"),
              },
              { act: { kind: "write", path: "/srv/c.ts", text: "" }, result: ok("Created.") },
            ],
          },
          { text: "It is fixed.", calls: [] },
        ],
      },
    ],
  },
  images: {
    title: "Pictures",
    turns: [
      {
        prompt: "What is on it?",
        images: [PIXEL],
        files: ["/srv/notes.md"],
        replies: [
          {
            text: "I look closer.",
            calls: [{ act: { kind: "read", path: "/srv/pixel.png" }, result: ok("Viewed.", PIXEL) }],
          },
          { text: "One pixel.", calls: [] },
        ],
      },
    ],
  },
  "long outputs": {
    title: "Long",
    turns: [
      {
        prompt: `Here is the log:\n${LONG.slice(0, 30_000)}`,
        replies: [
          {
            text: "I read on.",
            calls: [
              { act: { kind: "shell", command: "cat log.txt", why: "Read the log" }, result: ok(LONG) },
            ],
          },
          { text: `It says:\n${LONG.slice(0, 20_000)}`, calls: [] },
        ],
      },
    ],
  },
  unicode: {
    title: "日本語 🧵 «guillemets» \u202eright to left",
    turns: [
      {
        prompt: "Übersetze: 日本語表示で文字が切れる 👩‍👩‍👧‍👦\u0000 and e\u0301",
        replies: [
          {
            text: "Ça coupe le texte… 🧵",
            calls: [
              {
                act: { kind: "shell", command: "echo '日本語 \u2028 “x”'" },
                result: ok("日本語 \u2028 “x”"),
              },
            ],
          },
          { text: "שלום", calls: [] },
        ],
      },
    ],
  },
  compacted: {
    title: "After a compaction",
    summary: "The user wants a parser. It is written, and <its tests> pass & fail.",
    turns: [
      {
        prompt: "Go on",
        replies: [
          { text: "", calls: [{ act: { kind: "find", pattern: "**/*.ts" }, result: ok("a.ts\nb.ts") }] },
          { text: "There are two files.", calls: [] },
        ],
      },
    ],
  },
  "ends inside a turn": {
    title: "Interrupted",
    turns: [
      { prompt: "First", replies: [{ text: "Done.", calls: [] }] },
      {
        prompt: "Deploy it",
        replies: [
          {
            text: "I deploy.",
            calls: [
              { act: { kind: "shell", command: "make deploy" }, result: interrupted },
              { act: { kind: "read", path: "/srv/log" }, result: ok("started") },
            ],
          },
        ],
      },
    ],
  },
  "ends with a prompt": {
    title: "Unanswered",
    turns: [
      { prompt: "First", replies: [{ text: "Done.", calls: [] }] },
      { prompt: "Are you there?", replies: [] },
    ],
  },
  "tools of its own": {
    title: "Foreign tools",
    turns: [
      {
        prompt: "Find the ticket",
        replies: [
          {
            text: "I ask the tracker.",
            calls: [
              {
                own: { name: "tickets_find", input: { q: 'say "hi"\n', limit: 3 } },
                result: ok("#12 Say hi"),
              },
              { act: { kind: "shell", command: "git log" }, result: ok("abc123 Say hi") },
            ],
          },
          {
            text: "",
            calls: [{ own: { name: "tickets_close", input: { number: 12 } }, result: failed("403") }],
          },
          { text: "I may not close it.", calls: [] },
        ],
      },
    ],
  },
  "every kind of tool": {
    title: "Tools",
    turns: [
      {
        prompt: "Do a bit of everything",
        replies: [
          {
            text: "Plan first.",
            calls: [
              {
                act: {
                  kind: "todo",
                  items: [
                    { text: "Look", status: "done" },
                    { text: "Fix", status: "active" },
                    { text: "Test", status: "open" },
                  ],
                },
                result: ok("Noted."),
              },
              { act: { kind: "list", path: "/srv" }, result: ok("a.ts\nb.ts") },
              { act: { kind: "fetch", url: "https://example.com/a?b=c#d" }, result: ok("<html>") },
              {
                act: { kind: "patch", text: "*** Begin Patch\n*** Update File: a.ts\n-1\n+2\n*** End Patch" },
                result: ok("Applied."),
              },
              { act: { kind: "delegate", task: "Look around", prompt: "Look at b.ts" }, result: ok("Seen.") },
              { act: { kind: "shell", command: "sleep 9", background: true }, result: ok("") },
            ],
          },
          { text: "All done.", calls: [] },
        ],
      },
    ],
  },
};
