/** Findings of a report as Markdown: what was found, what to do, and where it was seen. */
import type { Evidence } from "../../app/contract.ts";
import { formatKey, shortId } from "../../model/values/id.ts";
import { plural } from "../text/measure.ts";
import { type RangeWords, rangeText } from "../text/range.ts";
import { code, escapeProse } from "./inline.ts";

export interface FoundWords {
  readonly title: string;
  readonly suggestion: string;
  readonly evidence: readonly Evidence[];
}

/** Places that a person looks at; the rest is counted. */
const MOST_PLACES = 5;

export const findingsTitle = (what: string, range: RangeWords & { readonly sessionCount: number }): string =>
  `${what}, ${rangeText(range)}: ${plural(range.sessionCount, "session", "sessions")}`;

/** `level` is that of a finding's heading. */
export const markdownFindings = (findings: readonly FoundWords[], level = 3): string =>
  findings
    .map(({ title, suggestion, evidence }) => {
      const shown = evidence.slice(0, MOST_PLACES).map((each) => `- ${placeText(each)}\n`);
      const more = evidence.length - shown.length;
      const rest = more > 0 ? `- and ${more} more\n` : "";
      return `${"#".repeat(level)} ${escapeProse(title)}\n\n${keepCode(suggestion)}\n\n${shown.join("")}${rest}`;
    })
    .join("\n");

function placeText({ session, turn, detail }: Evidence): string {
  const where = turn === null ? "" : `, turn ${turn}`;
  const name = `${escapeProse(session.title)} (${code(formatKey({ ...session, id: shortId(session.id) }))}${where})`;
  return detail === undefined ? name : `${name}: ${escapeProse(detail)}`;
}

/** Our own words name commands as code, which stays so; what they quote is escaped. */
const keepCode = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`.+`$/.test(part) ? part : escapeMiddle(part)))
    .join("");

/** Spaces at the ends stand between code and prose. */
const escapeMiddle = (part: string): string => {
  const [, before = "", middle = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(part) ?? [];
  return `${before && " "}${escapeProse(middle)}${after && " "}`;
};
