import { describe, expect, it } from "vitest";
import { describeContent, findBoardFaults, toBoardText } from "./faults.ts";
import { BOARD_LIMITS, type BoardItem, compareItems, EVERY_BRANCH, isOnBoard } from "./item.ts";
import { isNamedLike, toItemName } from "./name.ts";

const draft = { name: "test-command", description: "How tests are run", content: "Run `npm test`." };
const messagesFor = (change: object): string[] =>
  findBoardFaults({ ...draft, ...change }).map(({ message }) => message);

describe("what a board item may say", () => {
  it("takes plain texts in any language", () => {
    expect(messagesFor({})).toEqual([]);
    expect(messagesFor({ name: "größe_1.2", content: "# Größen\n\n\t全部 ✅ 👩‍👩‍👧 हिन्दी" })).toEqual([]);
    expect(messagesFor({ name: "परीक्षण" })).toEqual([]);
    expect(messagesFor({ description: "" })).toEqual([]);
  });

  it.each([
    ["", "The name is empty"],
    ["  ", "The name is empty"],
    ["a".repeat(65), "The name has 65 characters, and at most 64 are kept"],
    ["a\u0000b", "The name contains control characters"],
    ["a\u001b[2Jb", "The name contains control characters"],
    ["\ud800", "The name is not valid text: half of a character is missing"],
    ["a b", /^"a b" cannot be a name: it is made of letters/],
    ["../etc", /cannot be a name/],
    ["-x", /cannot be a name/],
  ])("refuses the name %j", (name, message) => {
    const [first] = messagesFor({ name });
    expect(first).toMatch(message instanceof RegExp ? message : new RegExp(`^${message}$`));
  });

  it("counts characters, not their halves, and says how many there may be", () => {
    expect(messagesFor({ name: "字".repeat(BOARD_LIMITS.name) })).toEqual([]);
    expect(messagesFor({ content: "😀".repeat(BOARD_LIMITS.content) })).toEqual([]);
    expect(messagesFor({ content: "x".repeat(BOARD_LIMITS.content + 1) })).toEqual([
      "The content has 16,001 characters, and at most 16,000 are kept",
    ]);
    expect(messagesFor({ content: "x".repeat(50_000_000) })).toHaveLength(1);
  });

  it("wants one line of description, and no control characters in the content", () => {
    expect(messagesFor({ description: "a\nb" })).toEqual(["The description has more than one line"]);
    expect(messagesFor({ content: "a\u0000" })).toEqual(["The content contains control characters"]);
    expect(messagesFor({ content: "a\u202eb" })).toEqual(["The content contains control characters"]);
    expect(messagesFor({ branch: "a\nb" })).toEqual(["The branch contains control characters"]);
  });

  it("names the kind of a secret, and never the secret", () => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    const faults = findBoardFaults({ ...draft, content: `use ${token}`, description: "DB_PASSWORD=letmein" });
    expect(faults).toEqual([
      {
        field: "description",
        message: "The description contains a secret (password), and the board keeps none",
        secrets: ["password"],
      },
      {
        field: "content",
        message: "The content contains a secret (github token), and the board keeps none",
        secrets: ["github token"],
      },
    ]);
    expect(JSON.stringify(faults)).not.toContain(token);
  });

  it("says what is wrong with each text, whatever is wrong with the others", () => {
    const faults = findBoardFaults({ name: "a b", description: "", content: "DB_PASSWORD=letmein" });
    expect(faults.map(({ field, secrets }) => [field, secrets])).toEqual([
      ["name", undefined],
      ["content", ["password"]],
    ]);
  });

  it("takes the name of an item for the name of a secret", () => {
    expect(messagesFor({ name: "deploy-password", content: "hunter-22-blue" })).toHaveLength(1);
    expect(
      messagesFor({ name: "deploy-password", content: "It is in the vault, ask for it there." }),
    ).toEqual([]);
  });

  it("keeps texts without space around them, with one kind of line break and of letters", () => {
    expect(toBoardText({ name: " a ", description: " e\u0301 ", content: "\n  a\r\nb\rc \n\n" })).toEqual({
      name: "a",
      description: "é",
      content: "  a\nb\nc",
    });
  });

  it("describes a content by its first line with words", () => {
    expect(describeContent("---\n\n## Run *all*   tests\nmore")).toBe("Run *all* tests");
    expect([...describeContent("x".repeat(500))]).toHaveLength(BOARD_LIMITS.description);
  });
});

describe("names", () => {
  it("are made from words", () => {
    expect(toItemName("Always run the tests first, don't skip!")).toBe(
      "always-run-the-tests-first-dont-skip",
    );
    expect(toItemName("a".repeat(200))).toHaveLength(48);
    expect(toItemName("…")).toBe("item");
    expect(findBoardFaults({ ...draft, name: toItemName("Größe: 3 × 4 / हिन्दी") })).toEqual([]);
  });

  it("match patterns as a whole", () => {
    expect(isNamedLike("test-command", "TEST-*")).toBe(true);
    expect(isNamedLike("test-command", "test")).toBe(false);
    expect(isNamedLike("a.b", "a?b")).toBe(true);
    expect(isNamedLike("axb", "a.b")).toBe(false);
    expect(isNamedLike("a".repeat(64), `${"*a".repeat(40)}b`)).toBe(false);
  });
});

describe("boards", () => {
  const item = (repository: string, branch: string, name = "a"): BoardItem => ({
    ...draft,
    repository,
    branch,
    name,
    source: "user",
    keptBy: "rethread",
    readCount: 0,
    useCount: 0,
    evidence: [],
  });

  it("show what is about the branch or every branch, whatever the case of the repository's name", () => {
    expect(isOnBoard(item("Acme/Shop", "main"), "acme/shop", "main")).toBe(true);
    expect(isOnBoard(item("acme/shop", EVERY_BRANCH), "acme/shop", "main")).toBe(true);
    expect(isOnBoard(item("acme/shop", "dev"), "acme/shop", "main")).toBe(false);
    expect(isOnBoard(item("acme/shop", "dev"), "acme/shop")).toBe(true);
    expect(isOnBoard(item("acme/shop2", "main"), "acme/shop")).toBe(false);
  });

  it("are sorted by repository, with what holds everywhere first", () => {
    const items = [item("b/b", "main"), item("A/a", "dev"), item("a/a", "*", "z"), item("a/a", "*", "b")];
    expect(items.sort(compareItems).map(({ branch, name }) => `${branch} ${name}`)).toEqual([
      "* b",
      "* z",
      "dev a",
      "main a",
    ]);
  });
});
