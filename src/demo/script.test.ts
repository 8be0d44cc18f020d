import { describe, expect, it } from "vitest";
import { parseScript } from "./script.ts";

describe("the story notation", () => {
  it("tells prompts, thoughts, tools and speech apart, in order", () => {
    const script = `
      > Why is it red?
      @think
      | Look at the log
      | first.
      @failed run npm test # Run the tests
      | 1 failed
      |
      |   see above
      @search toFixed in src
      | src/a.ts:1
      @read src/a.ts
      | let a = 1;
      @create src/b.ts
      | let b = 2;
      @edit src/a.ts
      - let a = 1;
      + let a = 2;
      + let c = 3;

      Fixed.

      > Thanks.
    `;
    expect(parseScript(script)).toEqual([
      {
        user: "Why is it red?",
        steps: [
          { kind: "think", text: "Look at the log first." },
          {
            kind: "tool",
            tool: { does: "run", command: "npm test", why: "Run the tests" },
            ok: false,
            output: "1 failed\n\n  see above",
          },
          {
            kind: "tool",
            tool: { does: "search", pattern: "toFixed", path: "src" },
            ok: true,
            output: "src/a.ts:1",
          },
          { kind: "tool", tool: { does: "read", path: "src/a.ts" }, ok: true, output: "let a = 1;" },
          {
            kind: "tool",
            tool: { does: "create", path: "src/b.ts", text: "let b = 2;\n" },
            ok: true,
            output: "Created src/b.ts",
          },
          {
            kind: "tool",
            tool: { does: "edit", path: "src/a.ts", before: "let a = 1;", after: "let a = 2;\nlet c = 3;" },
            ok: true,
            output: "Edited src/a.ts",
          },
          { kind: "say", text: "Fixed." },
        ],
      },
      { user: "Thanks.", steps: [] },
    ]);
  });

  it("makes one line of a paragraph or list item, and leaves code, tables and headings alone", () => {
    const [turn] = parseScript(`
      > Tell me
      > more.
      >
      > Please.

      A long
      paragraph with ´code´.

      # Heading
      - an item
        that goes on
      - another

      | a | b |
      |---|---|
      ´´´sh
      > not a prompt
      @not a mark
      ´´´
    `);
    expect(turn).toEqual({
      user: "Tell me more.\n\nPlease.",
      steps: [
        {
          kind: "say",
          text: [
            "A long paragraph with `code`.",
            "",
            "# Heading",
            "- an item that goes on",
            "- another",
            "",
            "| a | b |",
            "|---|---|",
            "```sh",
            "> not a prompt",
            "@not a mark",
            "```",
          ].join("\n"),
        },
      ],
    });
  });

  it("knows rests and compactions", () => {
    const script = `
      > One

      Done.
      @compacted So far
      | Everything about one.
      @after 20h
      > Two
    `;
    expect(parseScript(script)).toEqual([
      {
        user: "One",
        steps: [{ kind: "say", text: "Done." }],
        compaction: { title: "So far", overview: "Everything about one." },
      },
      { user: "Two", steps: [], after: "20h" },
    ]);
  });

  it.each([
    ["a mark it does not know", "> Hi\n@dance wildly", 'not a mark of the story notation: "@dance wildly"'],
    ["a command without a reason", "> Hi\n@run ls", '"#" is missing in "ls"'],
    ["speech before the first prompt", "Hello", 'a story begins with a prompt, not with "Hello"'],
  ])("refuses %s", (_what, script, message) => {
    expect(() => parseScript(script)).toThrow(message);
  });
});
