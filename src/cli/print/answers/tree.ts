/** Prints families of sessions as trees in a table. */
import type { Relative } from "../../../app/contract.ts";
import { formatKey, type SessionKey, shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { amount, briefly, plural } from "../../../present/text/measure.ts";
import { cutTitle, oneLine, wrap } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";

interface Setting {
  /** The session that was asked for. */
  readonly asked?: SessionKey & { readonly title: string };
  readonly isDemo: boolean;
  readonly now: Date;
}

/** A line of a tree; none for the gap between two of them. */
interface Line {
  readonly branch: string;
  readonly relative?: Relative;
}

export function printTree(
  families: readonly Relative[],
  setting: Setting,
  { style, columns }: Page,
): string[] {
  const { asked, now } = setting;
  if (families.length === 0) return wrap(nothing(setting), columns);
  const isAsked = ({ relative }: Line): boolean =>
    asked !== undefined && relative !== undefined && formatKey(relative.key) === formatKey(asked);
  const lines = families.flatMap((family, i): Line[] => [
    ...(i > 0 ? [{ branch: "" }] : []),
    ...draw(family),
  ]);
  const cells: Column<Line>[] = [
    {
      head: "SESSION",
      text: ({ branch, relative }) => (relative ? branch + shortId(relative.key.id) : ""),
      paint: (line) => (isAsked(line) ? (text) => style.bold(style.cyan(text)) : style.cyan),
    },
    { head: "HOW", text: ({ relative }) => relative?.kind ?? "", paint: () => style.dim, gives: 4 },
    {
      head: "TITLE",
      text: ({ relative }) => (relative ? titleOf(relative) : ""),
      paint: (line) => (line.relative?.session ? (isAsked(line) ? style.bold : (text) => text) : style.dim),
      cut: cutTitle,
      min: 22,
    },
    { head: "SOURCE", text: ({ relative }) => relative?.key.source ?? "", paint: () => style.dim, gives: 3 },
    {
      head: "TURNS",
      align: "right",
      text: ({ relative }) => (relative?.session ? amount(relative.session.turns) : ""),
      gives: 2,
    },
    { head: "ACTIVE", text: ({ relative }) => briefly(relative?.session?.updatedAt, now), gives: 1 },
  ];
  const members = lines.filter((line) => line.relative !== undefined).length;
  return [
    ...toTable(lines, cells, columns, style.dim),
    "",
    ...wrap(
      `${plural(members, "session", "sessions")} in ${plural(families.length, "family", "families")}`,
      columns,
    ).map(style.dim),
  ];
}

function draw(relative: Relative, above = "", isLast = true, isFirst = true): Line[] {
  const branch = isFirst ? "" : `${above}${isLast ? "└─ " : "├─ "}`;
  const below = isFirst ? "" : `${above}${isLast ? "   " : "│  "}`;
  return [
    { branch, relative },
    ...relative.children.flatMap((child, i) => draw(child, below, i === relative.children.length - 1, false)),
  ];
}

function titleOf({ title, session }: Relative): string {
  const said = oneLine(title) || "(untitled)";
  if (!session) return title === "" ? "(not on this machine)" : `${said} (not on this machine)`;
  return session.vanishedAt === undefined ? said : `${said} (its files are gone)`;
}

function nothing({ asked, isDemo }: Setting): string {
  const demo = isDemo ? " --demo" : "";
  return asked
    ? `${asked.source}:${shortId(asked.id)} "${oneLine(asked.title)}" did not come from another session, and no session came from it. See all families: rethread tree${demo}`
    : `No session here came from another: there are no forks, clones or handoffs. See all sessions: rethread list${demo}`;
}
