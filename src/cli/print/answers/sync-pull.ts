/** Prints what came from the hub, and what was deleted there. */
import type { HubDeletion, PulledSession, PullReport } from "../../../app/sync/contract.ts";
import { shellLine } from "../../../model/text/shell-words.ts";
import { shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { plural } from "../../../present/text/measure.ts";
import { cutStart, cutTitle, oneLine, wrap } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";
import { hanging } from "./sync.ts";

const OUTCOMES: Readonly<Record<PulledSession["outcome"], string>> = {
  pulled: "pulled",
  planned: "would come",
  unchanged: "is here",
  "left-out": "left out",
};

function outcomeOf({ outcome, isCopy, isUpdate }: PulledSession): string {
  if (isUpdate && outcome === "pulled") return "updated";
  if (isUpdate && outcome === "planned") return "would be updated";
  return `${OUTCOMES[outcome]}${isCopy ? " as a copy" : ""}`;
}

export function printPull({ hub, sessions }: PullReport, page: Page): string[] {
  const { style, columns } = page;
  if (sessions.length === 0) return wrap(`${hub} has no sessions of your other machines.`, columns);
  const came = sessions.filter(({ outcome }) => outcome === "pulled");
  const shown = sessions.filter(({ outcome }) => outcome !== "left-out");
  const table: Column<PulledSession>[] = [
    {
      head: "SESSION",
      text: ({ id, hubSession }) => shortId(id ?? hubSession.slice(hubSession.indexOf(":") + 1)),
      paint: () => style.cyan,
    },
    { head: "TITLE", text: ({ title }) => oneLine(title), cut: cutTitle, min: 16 },
    { head: "FROM", text: ({ machine }) => oneLine(machine), paint: () => style.dim, min: 8, gives: 2 },
    {
      head: "OUTCOME",
      text: (each) => outcomeOf(each),
      paint: ({ outcome }) => (outcome === "unchanged" ? style.dim : style.green),
    },
    {
      head: "FOLDER",
      text: ({ folder }) => oneLine(folder ?? ""),
      cut: cutStart,
      paint: () => style.dim,
      min: 12,
      gives: 1,
    },
  ];
  const why = whyLines(sessions, page);
  return [
    ...(shown.length === 0 ? [] : [...toTable(shown, table, columns, style.dim), ""]),
    ...why.slice(0, -1),
    ...(came.length > 0 && why.length > 0 ? [""] : []),
    ...nextLines(came, style.dim),
  ];
}

/** One session is continued as it is; of several, people choose one. */
function nextLines(came: readonly PulledSession[], dim: (text: string) => string): string[] {
  if (came.length > 1)
    return [
      "Continue one: rethread resume <session>",
      dim("Undo one: rethread undo <operation>, as rethread history names it"),
    ];
  return came.flatMap(({ operation = "", resume }) => [
    ...(resume === undefined ? [] : [`Continue: ${resume}`]),
    dim(`Undo: ${shellLine`rethread undo ${operation}`}`),
  ]);
}

/** Each reason once, with all sessions that it holds for. */
function whyLines(sessions: readonly PulledSession[], { style, columns }: Page): string[] {
  const out = sessions.flatMap(({ problem, hubSession }) => (problem ? [{ ...problem, hubSession }] : []));
  const reasons = [...Map.groupBy(out, ({ message }) => message).values()];
  return reasons.flatMap((alike) => {
    const [first] = alike;
    const which = alike.map(({ session, hubSession }) => (session ? shortId(session.id) : hubSession));
    const shown = which.length > 3 ? plural(which.length, "session", "sessions") : which.join(", ");
    return [
      ...hanging("", 0, oneLine(`Left out ${shown}: ${first?.message} (${first?.code})`), columns),
      ...hanging("  ", 2, `→ ${oneLine(first?.hint ?? "")}`, columns).map(style.dim),
      "",
    ];
  });
}

export function printDeletions(deleted: readonly HubDeletion[], { columns, style }: Page): string[] {
  const [first] = deleted;
  return [
    ...deleted.flatMap(({ hub, hubSession, rawFiles, rawEvents, rows }) =>
      wrap(
        `Deleted ${hubSession} from ${hub}: ${plural(rawFiles, "file", "files")} in ${plural(rawEvents, "piece", "pieces")}, and ${plural(rows, "row", "rows")} made of them.`,
        columns,
      ),
    ),
    ...(first === undefined || first.hubSession === ""
      ? []
      : wrap(
          "What is here stays, and is not sent again; to lift that: rethread sync forget --session <session>",
          columns,
        ).map(style.dim)),
  ];
}
