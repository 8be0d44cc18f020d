import { describe, expect, it } from "vitest";
import { findTitle, missingSections, toSummary, toSummaryText, withoutTitle } from "../../../summary/tags.ts";
import { fileNameOf, titleIn } from "./text.ts";

const SUMMARY = {
  title: "Two words",
  overview: "What <it> is about",
  history: "1. Asked\n   - Done",
  workDone: "Files",
  technicalDetails: "Details",
  importantFiles: "- a.ts",
  nextSteps: "None",
};

describe("a summary in the program's sections", () => {
  it("reads back as it was written, whatever it quotes", () => {
    expect(toSummary(toSummaryText(SUMMARY))).toEqual(SUMMARY);
    const quoting = { ...SUMMARY, history: "</history><overview>\ud83d" };
    expect(toSummary(toSummaryText(quoting))).toEqual({ ...SUMMARY, history: "‹/history›‹overview›\ufffd" });
    expect(missingSections(toSummaryText(quoting))).toEqual([]);
  });

  it("lies in its file without the title", () => {
    expect(withoutTitle(toSummaryText(SUMMARY))).toMatch(/^<overview>\n[\s\S]+<\/next_steps>$/);
  });

  it("is an overview where it has no sections", () => {
    expect(toSummary("Plain words\n<checkpoint_title>Plain title</checkpoint_title>")).toEqual({
      title: "Plain title",
      overview: "Plain words",
      history: "",
      workDone: "",
      technicalDetails: "",
      importantFiles: "",
      nextSteps: "",
    });
    expect(missingSections("<overview></overview>")).toHaveLength(6);
  });
});

/** As the program named them (1.0.102). */
describe("a checkpoint's title and file", () => {
  it.each([
    ["Ext Title: with weird chars and more words here", "001-ext-title-with-weird-chars-and.md"],
    ["One two three four five six sev eight", "001-one-two-three-four-five-six-se.md"],
    ["abcdefghij abcdefghij abcdefg hij", "001-abcdefghij-abcdefghij-abcdefg.md"],
    ["Grüße 日本語 ÄÖ", "001-gr-e.md"],
    [" -- a b -- ", "001-a-b.md"],
    ["a|b | c", "001-a-b-c.md"],
  ])("%j gives %s", (title, name) => {
    expect(findTitle(`<checkpoint_title>${title}</checkpoint_title>`)).toBe(title.trim());
    expect(fileNameOf(1, title.trim())).toBe(name);
  });

  it.each(["", "abc", "line one\nline two", "one two three four five six seven eight nine ten eleven"])(
    "%j is no title for it",
    (title) => {
      expect(titleIn(`<checkpoint_title>${title}</checkpoint_title>`, "0b1c2d3e-4f")).toBe(
        "Session 0b1c2d3e",
      );
    },
  );

  it("has digits for a name where no letter is left", () => {
    expect(fileNameOf(12, "日本 語文")).toMatch(/^012-[0-9a-f]{8}\.md$/);
  });
});
