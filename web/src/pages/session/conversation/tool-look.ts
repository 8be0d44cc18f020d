/** How calls are named and marked, by what they do rather than by what their vendor calls them. */
import {
  Bot,
  FilePen,
  FilePlus2,
  FileText,
  FileX2,
  Globe,
  type LucideIcon,
  Search,
  SquareTerminal,
  Wrench,
} from "lucide-react";
import { factsOf, type ResultFacts } from "../../../../../src/model/session/result-facts.ts";
import type { ToolAct } from "../../../../../src/model/session/session.ts";
import { amount, chars, plural } from "../../../../../src/present/text/measure.ts";
import { childrenGist } from "../../../../../src/present/text/parts.ts";
import { oneLine } from "../../../../../src/present/text/plain.ts";
import { clean } from "../../../text/clean.ts";
import type { PartOf } from "../types.ts";
import { tookText } from "../when.ts";

const LOOKS: Readonly<Record<ToolAct["does"], { label: string; icon: LucideIcon }>> = {
  run: { label: "Shell", icon: SquareTerminal },
  read: { label: "Read", icon: FileText },
  search: { label: "Search", icon: Search },
  create: { label: "Create", icon: FilePlus2 },
  edit: { label: "Edit", icon: FilePen },
  delete: { label: "Delete", icon: FileX2 },
  fetch: { label: "Fetch", icon: Globe },
  delegate: { label: "Agent", icon: Bot },
};

export function lookOf({ act, name }: PartOf<"tool">): { label: string; icon: LucideIcon } {
  return act ? LOOKS[act.does] : { label: clean(name), icon: Wrench };
}

/** What a sub-agent was asked for, where the call says it in a few words. */
export function taskOf({ act, input }: PartOf<"tool">): string | undefined {
  if (act?.does !== "delegate" || typeof input !== "object" || input === null) return undefined;
  const { description, prompt } = input as Readonly<Record<string, unknown>>;
  const words = [description, prompt].find((text) => typeof text === "string" && text.trim() !== "");
  return words === undefined ? undefined : oneLine(String(words).slice(0, 300));
}

/** The words of a result: where pictures stand among them, sources put their kind in brackets. */
export const wordsOf = ({ result = "", images }: PartOf<"tool">): string =>
  images ? result.replace(/^(\[image(\/[\w+.-]+)?\]\s*)+$/, "") : result;

/** What came back, in a few words, and how long it took: "1 failed · 3.1 s", "14 matches", "212 lines". */
export function outcomeOf(part: PartOf<"tool">): string {
  if (part.status === "pending") return "no result";
  const took = part.durationMs === undefined ? "" : tookText(part.durationMs);
  return [part.children ? childrenGist(part.children) : resultGist(part), took].filter(Boolean).join(" · ");
}

function resultGist(part: PartOf<"tool">): string {
  const { status, act, exitCode = 0, images = [] } = part;
  if (status === "interrupted") return "interrupted";
  const facts = part.facts ?? wholeFacts(part);
  const tests = act?.does === "run" ? facts : undefined;
  if (tests?.failed) return `${amount(tests.failed)} failed`;
  if (status === "failed") return exitCode === 0 ? "failed" : `exit code ${exitCode}`;
  if (tests?.passed) return `${amount(tests.passed)} passed`;
  if (images.length > 0 && wordsOf(part).trim() === "") return plural(images.length, "image", "images");
  if (act?.does === "search") return searchGist(part.result ?? "", facts);
  if (!facts) return part.resultSize ? chars(part.resultSize) : "";
  return facts.lines === 0 ? (act?.does === "run" ? "no output" : "") : plural(facts.lines, "line", "lines");
}

/** Undefined for a result of which more was cut than its reader knows about. */
const wholeFacts = ({ result = "", resultSize = result.length }: PartOf<"tool">): ResultFacts | undefined =>
  result.length >= resultSize ? factsOf(result) : undefined;

/** Some tools count what they found; others list it, a line for each. */
function searchGist(text: string, facts: ResultFacts | undefined): string {
  const [, count, what = ""] = /^(?:found )?(\d+) (match|file|result|line)/i.exec(text) ?? [];
  if (count !== undefined) return plural(Number(count), what, what === "match" ? "matches" : `${what}s`);
  if (text.trim() === "" || /^no (match|file|result)/i.test(text)) return "no matches";
  return facts ? plural(facts.lines, "match", "matches") : "";
}
