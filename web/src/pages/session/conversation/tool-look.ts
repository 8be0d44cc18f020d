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
import type { ToolAct } from "../../../../../src/model/session/session.ts";
import { chars, plural } from "../../../../../src/present/text/measure.ts";
import { childrenGist } from "../../../../../src/present/text/parts.ts";
import { oneLine } from "../../../../../src/present/text/plain.ts";
import { clean } from "../../../text/clean.ts";
import type { PartOf } from "../types.ts";

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

/** What came back, in a few words. */
export function outcomeOf(part: PartOf<"tool">): string {
  if (part.children) return childrenGist(part.children);
  if (part.status === "pending") return "no result";
  if (part.status === "interrupted") return "interrupted";
  const size = part.resultSize ?? part.result?.length;
  if (size === undefined || size === 0) return part.status === "failed" ? "failed" : "";
  const isWhole = (part.result?.length ?? 0) >= size;
  const lines = isWhole ? (part.result ?? "").trimEnd().split("\n").length : 0;
  const amount = lines > 1 ? plural(lines, "line", "lines") : chars(size);
  return part.status === "failed" ? `failed · ${amount}` : amount;
}
