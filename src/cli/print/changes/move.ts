/** A move in words: which sessions, what is rewritten, and what stays. */

import type { EditPlan } from "../../../model/plan.ts";
import type { Move, MovedFolder } from "../../../model/plan-facts.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import { amount, plural } from "../../../present/text/measure.ts";
import { cut, oneLine, wrap } from "../../../present/text/text.ts";

/** So many sessions are named. */
const NAMED = 10;

/** Where several are changed as one, they say more than the files that are written. */
export function namedSessions(plan: EditPlan, columns: number): string[] | undefined {
  const sessions = plan.move?.sessions ?? plan.named;
  if (!sessions) return undefined;
  const keys = sessions.map(({ source, id }) => formatKey({ source, id: shortId(id) }));
  const width = Math.max(...keys.slice(0, NAMED).map((key) => key.length));
  return [
    ...sessions
      .slice(0, NAMED)
      .map(
        ({ title }, index) =>
          `  ${(keys[index] ?? "").padEnd(width)}  ${cut(oneLine(title), columns - width - 4)}`,
      ),
    ...(sessions.length > NAMED ? [`  and ${amount(sessions.length - NAMED)} more`] : []),
  ];
}

export function moveLines({ move }: EditPlan, columns: number): string[] {
  if (!move) return [];
  return [...(move.folders ?? []).map(folderLine), rewritten(move), mentioned(move), elsewhere(move)]
    .filter((line) => line !== "")
    .flatMap((line) => wrap(line, columns - 4).map((part, index) => `${index === 0 ? "  " : "    "}${part}`));
}

/** Of a copy for another folder. */
export function pathLines({ paths }: EditPlan, columns: number): string[] {
  if (!paths) return [];
  const { rewritten: moved, kept, to, rule } = paths;
  if (moved + kept === 0) return [];
  const why = { existing: "not there", keep: "--paths keep", rewrite: "" }[rule];
  const parts = [
    ...(moved > 0 ? [`${plural(moved, "path", "paths")} rewritten to ${oneLine(to)}`] : []),
    ...(kept > 0 ? [`${plural(kept, "path", "paths")} kept (${why})`] : []),
  ];
  return wrap(parts.join("; "), columns - 4).map((part, index) => `${index === 0 ? "  " : "    "}${part}`);
}

function rewritten({ toolCalls, attachments, fileStates, others }: Move): string {
  const parts = [
    ...(toolCalls > 0
      ? [`${plural(toolCalls, "path", "paths")} in tool calls, which the model receives`]
      : []),
    ...(attachments > 0 ? [`${amount(attachments)} in attachments`] : []),
    ...(fileStates > 0 ? [plural(fileStates, "recorded file state", "recorded file states")] : []),
    ...(others > 0 ? [plural(others, "path elsewhere", "paths elsewhere")] : []),
  ];
  return parts.length === 0 ? "" : `rewritten: ${parts.join("; ")}`;
}

function mentioned({ mentions, withText }: Move): string {
  if (mentions === 0) return "";
  const names = plural(mentions, "mention of the old folder in text", "mentions of the old folder in text");
  return withText
    ? `rewritten: ${names}`
    : `not rewritten: ${names} (--text rewrites ${mentions === 1 ? "it" : "them"})`;
}

const folderLine = ({ from, to, sessionCount, isHere }: MovedFolder): string =>
  oneLine(
    `${from} → ${to}: ${plural(sessionCount, "session", "sessions")}${isHere ? "" : ", not on this machine"}`,
  );

const elsewhere = ({ to, isHere, folders }: Move): string =>
  isHere || folders ? "" : `${oneLine(to)} is not on this machine; the path is used as given`;
