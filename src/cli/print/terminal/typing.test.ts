import { expect, it } from "vitest";
import { seenOn } from "../../../../test/terminal.ts";
import { createStyle } from "../../../present/text/style.ts";
import { createTyping } from "./typing.ts";

const TABLE = "| File | Lines |\n|---|---|\n| cart.ts | 12 |\n| other.ts | 7 |\n";

/** What was written for a text that comes in small pieces. */
const type = (text: string, isLive: boolean, size = 3): string => {
  let written = "";
  const write = (more: string): void => {
    written += more;
  };
  const typing = createTyping({ write, columns: 20, style: createStyle(false), isLive });
  for (let at = 0; at < text.length; at += size) typing.add(text.slice(at, at + size));
  typing.end();
  return written;
};
/** Programs write line feeds; the system makes them go back to the margin, too. */
const seen = (written: string): string[] => seenOn(20, written.replaceAll("\n", "\r\n"));

it("shows the line as it is written, and draws it when it is finished", () => {
  expect(type("# One\nand **two**", true, 100)).toBe(
    "# One\r\x1b[J" + "One\n" + "and **two**\r\x1b[J" + "and two\n",
  );
});

it("leaves on screen what it writes where nobody watches, whatever the pieces", () => {
  const text = `# Head\n\nA line that is longer than the terminal is wide.\n${TABLE}\nAfter\n\n\`\`\`ts\n| no | table |\n\`\`\`\n${TABLE}`;
  const plainly = type(text, false);
  expect(plainly).toContain("cart.ts   12");
  for (const size of [1, 2, 7, 500]) expect(seen(type(text, true, size))).toEqual(seen(plainly));
});

it("draws a table at its end, so that its columns are in line", () => {
  expect(type(`${TABLE}Done`, false).split("\n")).toEqual([
    ...type(TABLE, false).trimEnd().split("\n"),
    "Done",
    "",
  ]);
});
