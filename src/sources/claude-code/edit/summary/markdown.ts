/** A summary as Markdown, in the row that Claude Code begins a compacted conversation with. */
import { SECTION_SHARES, type Section, type Summary } from "../../../../model/summary/summary.ts";
import { SUMMARY_OPENING } from "../../demo/compose.ts";

const HEADINGS: Readonly<Record<Section, string>> = {
  overview: "Overview",
  history: "History",
  workDone: "Work done",
  technicalDetails: "Technical details",
  importantFiles: "Important files",
  nextSteps: "Next steps",
};
const SECTIONS = Object.keys(SECTION_SHARES) as Section[];
const MARK = "Summary:";

/** What the model reads; `behind` is said after it. */
export const toSummaryText = (summary: Summary, behind: readonly string[]): string =>
  [SUMMARY_OPENING, `${MARK}\n${toMarkdown(summary)}`, ...behind].join("\n\n");

export const toMarkdown = (summary: Summary): string =>
  [
    ...(summary.title === "" ? [] : [`# ${summary.title}`]),
    ...SECTIONS.flatMap((name) => {
      const body = harmless(summary[name]).trim();
      return body === "" ? [] : [`## ${HEADINGS[name]}\n\n${body}`];
    }),
  ]
    .join("\n\n")
    .toWellFormed();

/** The conversation may contain such headings itself. */
const harmless = (text: string): string => text.replace(/^#{1,2} /gm, "### ");

/** A summary that the program's own model wrote has other headings: then all of it is the overview. */
export function fromSummaryText(text: string): Summary {
  const at = text.indexOf(`${MARK}\n`);
  const said = (at < 0 ? text : text.slice(at + MARK.length)).replace(BEHIND, "").trim();
  const bodies = new Map<string, string>();
  for (const part of said.split(/^(?=## )/m)) {
    const heading = /^## (.+)\n/.exec(part);
    if (heading) bodies.set(heading[1]?.trim() ?? "", part.slice(heading[0].length).trim());
  }
  const body = (name: Section): string => bodies.get(HEADINGS[name]) ?? "";
  const isOurs = SECTIONS.some((name) => body(name) !== "");
  return {
    title: /^# (.+)$/m.exec(said)?.[1]?.trim() ?? "",
    overview: isOurs ? body("overview") : said,
    history: body("history"),
    workDone: body("workDone"),
    technicalDetails: body("technicalDetails"),
    importantFiles: body("importantFiles"),
    nextSteps: body("nextSteps"),
  };
}

/** As the program itself says it of the messages that follow. */
export const WORD_FOR_WORD = "Recent messages are preserved verbatim.";

/** What the program, or we, say of the conversation behind the summary itself. */
const BEHIND = new RegExp(
  `\\n+(If you need specific details from before compaction|${WORD_FOR_WORD})[\\s\\S]*$`,
);
