import { expect, it } from "vitest";
import { chipsOf, daysAgo, folderName, toggled, toMoment } from "./filters.ts";

it("takes several sources, and one of everything else", () => {
  expect(toggled({}, "source", "vscode")).toBe("vscode");
  expect(toggled({ source: "vscode" }, "source", "claude-code")).toBe("vscode,claude-code");
  expect(toggled({ source: "vscode,claude-code" }, "source", "vscode")).toBe("claude-code");
  expect(toggled({ source: "vscode" }, "source", "vscode")).toBeUndefined();
  expect(toggled({ branch: "main" }, "branch", "dev")).toBe("dev");
});

it("says each filter in words, with the address without it", () => {
  const chips = chipsOf({ q: "words", source: "vscode,claude-code", problems: true, since: "2026-11-01" });
  expect(chips.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    "Source: VS Code",
    "Source: Claude Code",
    "Only: with problems",
    "Since: 2026-11-01",
  ]);
  expect(chips[0]?.without).toEqual({ source: "claude-code" });
});

it("takes what reverses or steers text out of names", () => {
  expect(chipsOf({ branch: "a\u202eb\u001b[31mc" })[0]?.value).toBe("abc");
});

it("names folders by their last parts, and days by the calendar", () => {
  expect(folderName("/home/me/work/storefront/")).toBe("work/storefront");
  expect(folderName("C:\\work\\storefront")).toBe("work/storefront");
  expect(daysAgo(1, new Date(2026, 2, 1, 12))).toBe("2026-02-28");
  expect(toMoment("2026-11-03")).toBe(new Date(2026, 10, 3).toISOString());
  expect(toMoment("2026-11-03T10:00:00Z")).toBe("2026-11-03T10:00:00Z");
});

it("asks for several tags at once, and for one of most others", () => {
  expect(toggled({ tag: "bug" }, "tag", "to review")).toBe("bug,to review");
  expect(toggled({ tag: "bug,to review" }, "tag", "bug")).toBe("to review");
  expect(toggled({ branch: "main" }, "branch", "next")).toBe("next");
  expect(chipsOf({ tag: "bug,to review" }).map(({ label, value }) => `${label} ${value}`)).toEqual([
    "Tag bug",
    "Tag to review",
  ]);
});
