/** A summary as sections between tags, with a title: what a model is asked for, and what Copilot CLI keeps. */

import type { Section, Summary } from "../../model/summary/summary.ts";

const TAGS: Readonly<Record<Section, string>> = {
  overview: "overview",
  history: "history",
  workDone: "work_done",
  technicalDetails: "technical_details",
  importantFiles: "important_files",
  nextSteps: "next_steps",
};
const TITLE = "checkpoint_title";
const ALL_TAGS = new RegExp(`<(/?)(${[...Object.values(TAGS), TITLE, "summary"].join("|")})>`, "g");

const sectionNames = Object.keys(TAGS) as Section[];

/** What a model is asked for, and what it then gives: the title comes last, and only in the log. */
export const toSummaryText = (summary: Summary): string =>
  [
    ...sectionNames.map((name) => `<${TAGS[name]}>\n${harmless(summary[name])}\n</${TAGS[name]}>`),
    `<${TITLE}>${harmless(summary.title)}</${TITLE}>`,
  ].join("\n");

/** The conversation may contain the tags themselves. */
const harmless = (text: string): string => text.replace(ALL_TAGS, "‹$1$2›").toWellFormed();

/** Without tags, all of it is the overview. */
export function toSummary(text: string): Summary {
  const body = (tag: string): string => bodyOf(text, tag) ?? "";
  const summary = {
    title: body(TITLE),
    overview: body(TAGS.overview),
    history: body(TAGS.history),
    workDone: body(TAGS.workDone),
    technicalDetails: body(TAGS.technicalDetails),
    importantFiles: body(TAGS.importantFiles),
    nextSteps: body(TAGS.nextSteps),
  };
  const isTagged = sectionNames.some((name) => summary[name] !== "");
  return isTagged ? summary : { ...summary, overview: withoutTitle(text) };
}

function bodyOf(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = text.indexOf(`</${tag}>`, start);
  return start < 0 || end < 0 ? undefined : text.slice(start + tag.length + 2, end).trim();
}

/** The tags of sections that a text lacks. */
export const missingSections = (text: string): string[] =>
  Object.values(TAGS).filter((tag) => !bodyOf(text, tag));

const TITLE_ELEMENT = new RegExp(`<${TITLE}>[\\s\\S]*?</${TITLE}>`);

/** What the checkpoint's own file holds. */
export const withoutTitle = (text: string): string => text.replace(TITLE_ELEMENT, "").trim();

export const withTitle = (text: string, title: string): string =>
  `${withoutTitle(text)}\n<${TITLE}>${harmless(title)}</${TITLE}>`;

/** A title has two to ten words on one line: Copilot CLI takes no other. */
export function findTitle(text: string): string | undefined {
  const title = bodyOf(text, TITLE) ?? "";
  const words = title.split(/\s+/).length;
  return title.includes("\n") || words < 2 || words > 10 ? undefined : title;
}

export const SECTION_TAGS: readonly string[] = Object.values(TAGS);
export const TITLE_TAG = TITLE;
