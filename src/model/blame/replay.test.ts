import { describe, expect, it } from "vitest";
import type { FileEdit } from "../session/file-edit.ts";
import { replay } from "./replay.ts";

const path = "/a";
const write = (text: string, more: object = { isNew: true }): FileEdit => ({
  does: "write",
  path,
  text,
  ...more,
});
const replace = (before: string, after: string, more: object = {}): FileEdit => ({
  does: "replace",
  path,
  pairs: [{ before, after }],
  ...more,
});
const patch = (lines: string, start?: number): FileEdit => ({
  does: "patch",
  path,
  hunks: [{ lines: lines.split("\n"), ...(start !== undefined && { start, newStart: start }) }],
});
/** One digit for each line: the number of the change that wrote it, or a dot. */
const blame = (now: string, ...edits: FileEdit[]): string =>
  [...replay(edits, now)]
    .slice(0, now === "" || now.endsWith("\n") ? -1 : undefined)
    .map((by) => (by < 0 ? "." : by))
    .join("");

describe("changes that follow each other", () => {
  it("gives each line to the change that last wrote it", () => {
    const edits = [write("one\ntwo\nthree\n"), replace("two", "TWO\nplus"), replace("plus", "minus")];
    expect(blame("one\nTWO\nminus\nthree\n", ...edits)).toBe("0120");
  });

  it("minds no mark of the byte order", () => {
    expect(blame("one\ntwo\n", write("\ufeffone\ntwo\n"), replace("\ufeffone", "\ufeffONE"))).toBe(".0");
    expect(blame("ONE\ntwo\n", write("\ufeffone\ntwo\n"), replace("\ufeffone", "\ufeffONE"))).toBe("10");
  });

  it("leaves lines that a rewrite keeps to their writers", () => {
    expect(blame("a\nB\nc\n", write("a\nb\nc\n"), write("a\nB\nc\n", {}))).toBe("010");
  });

  it("gives a text that was taken away and written again to the last who wrote it", () => {
    const edits = [
      write("keep\nsame text here\n"),
      replace("same text here\n", ""),
      replace("keep\n", "keep\nsame text here\n"),
    ];
    expect(blame("keep\nsame text here\n", ...edits)).toBe("02");
  });

  it("replaces a text everywhere, and parts of lines", () => {
    const all: FileEdit = { does: "replace", path, pairs: [{ before: "x", after: "y", all: true }] };
    expect(blame("y 1\nkeep\n2 y\n", write("x 1\nkeep\n2 x\n"), all)).toBe("101");
  });

  it("carries out several replacements of one call in their order", () => {
    const two: FileEdit = {
      does: "replace",
      path,
      pairs: [
        { before: "one", after: "two" },
        { before: "two", after: "three" },
      ],
    };
    expect(blame("three\nlast\n", write("one\nlast\n"), two)).toBe("10");
  });

  it("begins anew when a file is deleted, and when one is created where another was", () => {
    expect(blame("a\n", write("a\n"), { does: "delete", path }, write("a\n"))).toBe("2");
    expect(blame("a\nb\n", write("a\n"), write("a\nb\n"))).toBe("11");
  });

  it("knows nothing without changes", () => {
    expect(blame("a\nb\n")).toBe("..");
  });
});

describe("patches", () => {
  it("go where their lines are, with and without numbers", () => {
    const base = write("a\nb\nc\nb\nd\n");
    expect(blame("a\nb\nc\nX\nd\n", base, patch(" c\n-b\n+X\n d"))).toBe("00010");
    expect(blame("a\nX\nc\nb\nd\n", base, patch("-b\n+X", 2))).toBe("01000");
    expect(blame("a\nb\nc\nX\nd\n", base, patch("-b\n+X", 4))).toBe("00010");
  });

  it("count the lines that hunks before them brought", () => {
    const two: FileEdit = {
      does: "patch",
      path,
      hunks: [
        { start: 1, newStart: 1, lines: [" a", "+n1", "+n2"] },
        { start: 4, newStart: 6, lines: ["-b", "+B"] },
      ],
    };
    expect(blame("a\nn1\nn2\nb\nc\nB\n", write("a\nb\nc\nb\n"), two)).toBe("011001");
  });

  it("keep what they take away and bring again", () => {
    expect(blame("a\nnew\nb\n", write("a\nb\n"), patch("-a\n-b\n+a\n+new\n+b", 1))).toBe("010");
  });

  it("have spaces for tabs at the beginning, and straight quotes for curly ones", () => {
    const edits = [write("\tone ‘a’\n\t\ttwo\n"), patch("   one 'a'\n-    two\n+    three")];
    expect(blame("\tone ‘a’\n\t\tthree\n", ...edits)).toBe("01");
  });
});

describe("places", () => {
  const splice = (
    startLine: number,
    startColumn: number,
    endLine: number,
    endColumn: number,
    text: string,
  ) => ({
    startLine,
    startColumn,
    endLine,
    endColumn,
    text,
  });

  it("are those of the file before each step", () => {
    const edit: FileEdit = {
      does: "splice",
      path,
      steps: [[splice(1, 1, 1, 1, "new\n"), splice(3, 2, 3, 3, "X")], [splice(5, 1, 5, 1, "last\n")]],
    };
    expect(blame("new\none\ntwo\ntXree\nlast\n", write("one\ntwo\nthree\n"), edit)).toBe("10011");
  });

  it("are right although nobody knows what the file was before", () => {
    const edits: FileEdit[] = [
      { does: "splice", path, steps: [[splice(2, 1, 3, 1, "first\nof it\n")]] },
      { does: "splice", path, steps: [[splice(1, 1, 1, 1, "top\n")]] },
    ];
    expect(blame("top\nhead\nfirst\nof it\ntail\n", ...edits)).toBe("1.00.");
  });
});

describe("a file that was there before", () => {
  it("has lines of its own", () => {
    expect(blame("old\nNEW\nold too\n", replace("mid", "NEW"))).toBe(".0.");
    expect(blame("old\nNEW\nold too\n", patch(" old\n-mid\n+NEW\n old too", 1))).toBe(".0.");
    expect(blame("old\nNEW\n", replace("mid", "NEW", { before: "old\nmid\n" }))).toBe(".0");
  });

  it("is known by what later changes say of it", () => {
    const edits = [replace("a = 1", "a = 2"), replace("a = 2;", "a = 3;"), replace("b = 1", "b = 2")];
    expect(blame("a = 3;\nb = 2\nc\n", ...edits)).toBe("12.");
  });

  it("is written by whoever writes all of it, unless it is known what was there", () => {
    expect(blame("a\nb\n", write("a\nb\n", {}))).toBe("00");
    expect(blame("a\nb\n", write("a\nb\n", { before: "a\n" }))).toBe(".0");
  });
});

describe("a fragment of a line", () => {
  it("is nobody's sign within other words, or where it says too little", () => {
    expect(blame("barrel\nof oil\n", replace("foo", "bar"))).toBe("..");
    expect(blame("crowbar\nbazooka\n", replace("foo\nfoo", "bar\nbaz"))).toBe("..");
    expect(blame("closed at the bar today\n", replace("foo", "bar"))).toBe(".");
    expect(blame("concatenate(lists);\n", replace("split", "cate"))).toBe(".");
    expect(blame("if (a) {\n}\n", replace("x", "}"), replace("y", ") {"))).toBe("..");
    expect(blame("foorel\n", replace("foo", "bar"), replace("bar", "foo"))).toBe(".");
    expect(
      blame("barrels\n", { does: "replace", path, pairs: [{ before: "x", after: "bar", all: true }] }),
    ).toBe(".");
  });

  it("is not found in what a later record has from others", () => {
    expect(blame("barrel\nmore\n", replace("foo", "bar"), write("barrel\nmore\n", {}))).toBe("11");
    const edits = [replace("foo", "bar"), replace("less", "more", { before: "barrel\nless\n" })];
    expect(blame("barrel\nmore\n", ...edits)).toBe(".1");
  });

  it("is a sign where it has whole words, and stands once", () => {
    const edit = replace("timeout: 30", "timeout: 60");
    expect(blame("a({ timeout: 60 });\nb();\n", edit)).toBe("0.");
    expect(blame("a({ timeout: 60 });\nb({ timeout: 60 });\n", edit)).toBe("..");
    expect(blame("a({ timeout: 600 });\n", edit)).toBe(".");
    expect(blame("bar\nbarrel\n", replace("foo", "bar"))).toBe("0.");
  });

  it("is found in a line that somebody wrote since the file was last known", () => {
    const edits = [write("first line\nsecond line\n"), replace("timeout: 30", "timeout: 60")];
    expect(blame("first line\nby hand({ timeout: 60 });\nsecond line\n", ...edits)).toBe("010");
    expect(blame("first line\nby hand({ mytimeout: 600 });\n", ...edits)).toBe("0.");
    expect(blame("a timeout: 60\nb timeout: 60\n", ...edits)).toBe("..");
    const later = [...edits, replace("retries: 1", "retries: 2")];
    expect(blame("by hand({ timeout: 60, retries: 2 });\n", ...later)).toBe("2");
  });

  it("goes where it stands as a word before it goes into another one", () => {
    const edits = [write("barrel of oil\nbar = open\n"), replace("bar", "pub")];
    expect(blame("barrel of oil\npub = open\n", ...edits)).toBe("01");
    expect(blame("pubrel of oil\n", write("barrel of oil\n"), replace("bar", "pub"))).toBe("1");
  });

  it("of a patch is a line that says something", () => {
    expect(blame("by hand {\n}\n", patch("-{\n+}"))).toBe("..");
  });
});

describe("what others did to the file", () => {
  it("is nobody's, wherever it is", () => {
    expect(blame("hand\none\ntwo\nby hand\n", write("one\ntwo\n"))).toBe(".00.");
    expect(blame("one\nchanged by hand\nthree\n", write("one\ntwo\nthree\n"))).toBe("0.0");
  });

  it("may be another file, in which a line that stands in both says nothing", () => {
    const old = "import a|alpha|beta()|gamma|delta|return x;|}|epsilon|zeta|theta|kappa".split("|");
    const anew = "import a|1 by hand|2 by hand|3 by hand|}|4 by hand|return x;|5 by hand|6 by hand|7 by hand";
    expect(blame(anew.replaceAll("|", "\n"), write(old.join("\n")))).toBe("..........");
    const kept = [...old.slice(0, 4), ...anew.split("|").slice(1)];
    expect(blame(kept.join("\n"), write(old.join("\n")))).toMatch(/^0000/);
  });

  it("does not keep a later change from its place", () => {
    const edits = [
      write("function a() {\n  first();\n  second();\n}\n"),
      replace("  first(); // by hand\n  second();", "  first(); // by hand\n  third();"),
    ];
    expect(blame("function a() {\n  first(); // by hand\n  third();\n}\n", ...edits)).toBe("0.10");
  });

  it("is told by the file that was recorded with a change", () => {
    const edits = [
      write("alpha line\nbeta line\n"),
      write("alpha line\nby hand\nbeta line\nmore\n", { before: "alpha line\nby hand\nbeta line\n" }),
    ];
    expect(blame("alpha line\nby hand\nbeta line\nmore\n", ...edits)).toBe("0.01");
  });

  it("may be undone, and then the line is its writer's again", () => {
    const edits = [write("const alpha = compute(1);\nend\n"), replace("compute(1)", "compute(2)")];
    expect(blame("const alpha = compute(1);\nend\n", ...edits)).toBe("00");
  });

  it("is nobody's blank line at the end, though a written text ends there", () => {
    expect(blame("one line\n\nby hand\n", write("one line\n"))).toBe("0..");
  });

  it("does not make a brace somebody's", () => {
    const edits = [write("alpha {\n}\n"), replace("}\n", "")];
    expect(blame("alpha {\n}\n", ...edits)).toBe("0.");
  });
});

describe("lines of which no record says where they went", () => {
  it("are found where they are", () => {
    const fragment: FileEdit = {
      does: "fragment",
      path,
      texts: ["  const inserted = here();\n  call(inserted);"],
    };
    expect(blame("old\nconst inserted = here();\ncall(inserted);\nold\n", fragment)).toBe(".00.");
  });

  it("are found also when what was around them is gone", () => {
    const edits = [
      write("one line\n"),
      replace("vanished context line", "vanished context line\nwritten into the unknown"),
    ];
    expect(blame("other\nwritten into the unknown\n", ...edits)).toBe(".1");
  });
});

describe("files of all kinds", () => {
  it("may have CRLF, and need no line feed at the end", () => {
    expect(blame("a\r\nB\r\nc", write("a\nb\nc"), replace("b\nc", "B\nc"))).toBe("010");
  });

  it("may be empty, or become so", () => {
    expect(blame("", write("a\n"), replace("a\n", ""))).toBe("");
    expect(blame("x\n", replace("", "x\n"))).toBe("0");
  });

  it("may be written in any script", () => {
    expect(blame("日本語の行\n🎉 emoji\n", write("日本語の行\nemoji\n"), replace("emoji", "🎉 emoji"))).toBe(
      "01",
    );
  });

  it("may have 50,000 lines and very long ones", () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at} of many`);
    const long = "x".repeat(5_000_000);
    const edits = [
      write(`${lines.join("\n")}\n`),
      ...Array.from({ length: 200 }, (_, at) => replace(`line ${at * 200} of many`, `LINE ${at} by ${at}`)),
      replace("line 49999 of many", long),
    ];
    const now = lines
      .map((line, at) => (at % 200 === 0 && at < 40_000 ? `LINE ${at / 200} by ${at / 200}` : line))
      .with(-1, long);
    const writers = replay(edits, `${now.join("\n")}\n`);
    expect([writers[0], writers[1], writers[200], writers[49_999]]).toEqual([1, 0, 2, 201]);
    expect(writers.slice(0, -1).every((by) => by >= 0)).toBe(true);
  });
});
