/** blame as people type it: a file, some lines, one line with its reasons, and no file at all. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { widthOf } from "../../src/present/text/text.ts";
import { git } from "../blame/history.ts";
import { createHome, type Home, line, linesOf, start } from "./home.ts";

const ID = "0b1c2d3e-0000-4000-8000-000000000001";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
let home: Home;
let shop: string;
const LONG =
  "export const wide = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((each) => each * each).filter((each) => each > 4).join(', ');";
const NOW = `// by hand\nexport const a = 1;\n${LONG}\n\tcall("\u001b[2J");\n`;

beforeAll(() => {
  home = createHome();
  shop = join(home.path, "shop");
  mkdirSync(shop);
  git(shop, "init", "-q");
  writeFileSync(join(shop, "a.ts"), "// by hand\n");
  git(shop, "add", "-A");
  git(shop, "commit", "-q", "-m", "Begin by hand");
  writeFileSync(join(shop, "a.ts"), NOW);
  writeFileSync(join(shop, "name:12"), "by nobody\n");
  const path = join(shop, "a.ts");
  const call = (id: string, old_str: string, new_str: string, minutes: number): object[] => [
    line(
      "assistant.message",
      {
        messageId: id,
        content: "",
        toolRequests: [
          { toolCallId: id, name: "edit", arguments: { path, old_str, new_str }, type: "function" },
        ],
      },
      BEGAN,
      minutes,
    ),
    line(
      "tool.execution_complete",
      { toolCallId: id, success: true, result: { content: "ok" } },
      BEGAN,
      minutes,
    ),
  ];
  home.session(
    ID,
    [
      start(ID, BEGAN),
      line("user.message", { content: "Add a,\nplease." }, BEGAN, 1),
      line(
        "assistant.message",
        { messageId: "m1", content: "Below the comment.", reasoningText: "A constant will do." },
        BEGAN,
        2,
      ),
      ...call("t1", "// by hand\n", "// by hand\nexport const a = 1;\n", 3),
      line("user.message", { content: "And something wide." }, BEGAN, 4),
      ...call("t2", "export const a = 1;\n", `export const a = 1;\n${LONG}\n\tcall("\u001b[2J");\n`, 5),
    ],
    { cwd: shop, name: "Constants and calls" },
  );
});
afterAll(() => home.remove());

const at = (columns: number, ...words: string[]): string[] =>
  linesOf(home.with({ COLUMNS: String(columns) }).rethread("blame", ...words));

describe("a file", () => {
  it("has its sessions beside the lines, joined by turn, at any width", () => {
    for (const columns of [60, 80, 140])
      for (const printed of at(columns, "shop/a.ts"))
        expect(widthOf(printed), printed).toBeLessThanOrEqual(columns);
    const [head, , ...rows] = at(140, "shop/a.ts");
    expect(head).toBe("shop/a.ts");
    expect(rows[0]).toMatch(/^ {2}.* git +[0-9a-f]{8} +Begin by hand +1 {2}\/\/ by hand$/);
    expect(rows[1]).toMatch(/^╺ .* copilot 0b1c2d3e +#0 Constants and calls +2 {2}export const a = 1;$/);
    expect(rows[2]).toMatch(/^┌ .* copilot 0b1c2d3e +#1 Constants and calls +3 {2}export const wide = .*…$/);
    expect(rows[3]).toMatch(/^└ +4 {6}call\("␛\[2J"\);$/);
    expect(rows.at(-1)).toBe(
      "3 of 4 lines by 1 session · 1 by commits · why: rethread blame shop/a.ts:2 --why",
    );
    expect(at(80, "shop/a.ts").join("\n")).not.toContain("Constants");
  });

  it("is told in part, also where its name ends with a number", () => {
    expect(at(80, "shop/a.ts:2-3").filter((each) => /^[╺┌└│]/.test(each))).toHaveLength(2);
    expect(at(80, "shop/name:12", "--lines", "1")[2]).toContain("by nobody");
    expect(home.rethread("blame", "shop/a.ts:9")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it has 4"),
    });
    expect(home.rethread("blame", "shop/a.ts", "--lines", "x")).toMatchObject({ code: 2 });
  });

  it("is data for a program", () => {
    const { stdout } = home.rethread("blame", "shop/a.ts:1-2", "--json");
    const { schemaVersion, file, lines, total, commits, why } = JSON.parse(stdout);
    expect({ schemaVersion, file, total, why }).toEqual({
      schemaVersion: 1,
      file: join(shop, "a.ts"),
      total: 4,
      why: null,
    });
    const [{ commit, summary }] = commits;
    expect(summary).toBe("Begin by hand");
    expect(lines).toEqual([
      {
        line: 1,
        text: "// by hand",
        session: null,
        turn: null,
        time: expect.any(String),
        prompt: null,
        commit,
      },
      {
        line: 2,
        text: "export const a = 1;",
        session: { source: "copilot-cli", id: ID, title: "Constants and calls" },
        turn: 0,
        time: "2026-11-01T10:03:00.000Z",
        prompt: "Add a,\nplease.",
        commit: null,
      },
    ]);
  });
});

describe("why", () => {
  it("is the prompt, and what was thought and said before", () => {
    const printed = at(80, "shop/a.ts:2", "--why").join("\n");
    expect(printed).toContain("Constants and calls (copilot-cli:0b1c2d3e), turn 0");
    for (const words of [
      "  Add a,\n  please.",
      "Thinking\n  A constant will do.",
      "Answer\n  Below the comment.",
    ])
      expect(printed).toContain(words);
    expect(printed).toContain("rethread show 0b1c2d3e --turn 0");
    expect(JSON.parse(home.rethread("blame", "shop/a.ts:2", "--why", "--json").stdout).why).toEqual({
      prompt: "Add a,\nplease.",
      reasons: [
        { kind: "thinking", text: "A constant will do." },
        { kind: "text", text: "Below the comment." },
      ],
      tool: "edit",
    });
  });

  it("is a commit where no session wrote the line", () => {
    expect(at(80, "shop/a.ts:1", "--why").join(" ")).toContain("came with");
    expect(home.rethread("blame", "shop/a.ts", "--why")).toMatchObject({ code: 2 });
  });
});

it("lists the files that sessions changed here, when none is named", () => {
  expect(at(80)).toEqual([
    expect.stringMatching(/^CHANGED +SESSIONS {2}FILE$/),
    expect.stringMatching(/ 1 {2}shop\/a\.ts$/),
    "",
    "1 file · who wrote it: rethread blame shop/a.ts",
  ]);
  expect(JSON.parse(home.rethread("blame", "--json").stdout).files).toEqual([
    {
      path: join(shop, "a.ts"),
      workspace: shop,
      sessionCount: 1,
      lastAt: "2026-11-01T10:03:00.000Z",
      exists: true,
    },
  ]);
});

it("takes no option about a file when none is named", () => {
  for (const words of [["--why"], ["--lines", "3"]])
    expect(home.again("blame", ...words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("none is named"),
    });
});

it("reads any file that the person names", () => {
  const outside = join(home.path, "outside.txt");
  writeFileSync(outside, "by nobody\n");
  symlinkSync(outside, join(shop, "link.txt"));
  for (const file of [outside, "shop/link.txt"]) expect(at(80, file)[2]).toContain("by nobody");
});

it("refuses what is not text or not there, with codes of their own", () => {
  writeFileSync(join(shop, "image.png"), "\0PNG");
  symlinkSync("loop", join(shop, "loop"));
  const codeOf = (file: string) => home.again("blame", file, "--json");
  for (const [file, exit, code] of [
    ["shop/image.png", 4, "file-not-text"],
    ["shop", 4, "file-not-text"],
    ["shop/none.ts", 3, "file-not-found"],
    ["shop/a\0.ts", 2, "usage"],
    ["", 2, "usage"],
    ["shop/loop", 6, "system-failed"],
  ] as const) {
    const { code: ended, stdout, stderr } = codeOf(file);
    expect([ended, JSON.parse(stdout || stderr).error.code]).toEqual([exit, code]);
  }
});
