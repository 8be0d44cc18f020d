/** Proposed lines as Markdown: each with its evidence, and the diffs of the files. */
import type { Improvements } from "../../app/contract.ts";
import { markdownFindings } from "./findings.ts";
import { code, escapeProse, fenced } from "./inline.ts";

/** `level` is that of a proposal's heading. */
export function markdownImprovements({ findings, changes, notes }: Improvements, level = 3): string {
  const noted = notes.map((note) => `\n${escapeProse(note)}\n`).join("");
  if (findings.length === 0) return `Nothing to add to the instructions.\n${noted}`;
  const proposals = findings.map(({ line, title, repository, place, evidence }) => ({
    title: line,
    suggestion: `${title}, ${repository ?? place}`,
    evidence,
  }));
  const diffs = changes.map(({ path, diff }) => `\n${code(path)}\n\n${fenced(diff, "", "diff")}`);
  return `${markdownFindings(proposals, level)}${diffs.join("")}${noted}`;
}
