/** Workspaces as a table. */

import type { WorkspaceList, WorkspaceSummary } from "../../../app/contract.ts";
import { readablePlace } from "../../../model/values/workspace-place.ts";
import type { Page } from "../../../present/page.ts";
import { amount, briefly, plural } from "../../../present/text/measure.ts";
import { cutStart, oneLine, wrap } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";

interface Setting {
  readonly homeDir: string;
  readonly now: Date;
  readonly isFiltered: boolean;
  readonly isDemo: boolean;
}

/** So much of an id says which workspace is meant, as long as those shown differ in it. */
const SHORT_ID = 8;

export function printWorkspaceList(
  { workspaces }: WorkspaceList,
  setting: Setting,
  { style, columns }: Page,
): string[] {
  const demo = setting.isDemo ? " --demo" : "";
  if (workspaces.length === 0)
    return wrap(
      setting.isFiltered
        ? `No workspace matches. See all: rethread workspaces${demo}`
        : `No workspace was found. See where rethread looked: rethread overview${demo}`,
      columns,
    );
  const id = idLength(workspaces);
  const gone = workspaces.filter(({ exists }) => exists === false).length;
  const hasIds = workspaces.some((each) => each.id !== undefined);
  // With one editor its name says nothing.
  const hasEditors = new Set(workspaces.flatMap(({ editor }) => editor ?? [])).size > 1;
  // Several folders of one repository are one project, on this machine or on others.
  const repositories = workspaces.flatMap(({ repository }) => repository ?? []);
  const isShared = new Set(repositories).size < repositories.length;
  const cells: Column<WorkspaceSummary>[] = [
    { head: "ID", text: (each) => oneLine(each.id?.slice(0, id) ?? ""), paint: () => style.cyan },
    { head: "USED", text: ({ lastUsedAt }) => briefly(lastUsedAt, setting.now), gives: 2 },
    { head: "SOURCE", text: ({ source }) => source, paint: () => style.dim, gives: 3 },
    {
      head: "EDITOR",
      text: ({ editor = "" }) => (hasEditors ? oneLine(atHome(editor, setting.homeDir)) : ""),
      paint: () => style.dim,
      min: 10,
      gives: 4,
    },
    { head: "SESSIONS", align: "right", text: ({ sessions }) => amount(sessions), gives: 1 },
    {
      head: "REPOSITORY",
      text: ({ repository = "" }) => (isShared ? oneLine(repository) : ""),
      paint: () => style.dim,
      min: 10,
      gives: 5,
    },
    {
      head: "FOLDER",
      text: (each) => nameOf(each, setting.homeDir),
      // What tells one path from another is its end; of a place elsewhere, the host comes last.
      cut: cutStart,
      paint: (each) => (each.kind === "none" ? style.dim : (text) => text),
      min: 30,
    },
    { head: "", text: ({ exists }) => (exists === false ? "gone" : ""), paint: () => style.yellow },
  ];
  const footer = [
    plural(workspaces.length, "workspace", "workspaces"),
    ...(gone > 0 ? [`${amount(gone)} with the folder gone: rethread doctor${demo}`] : []),
    ...(hasIds ? [`copy a chat into one: rethread clone <session> --to <id>${demo}`] : []),
  ].join(" · ");
  return [...toTable(workspaces, cells, columns, style.dim), "", ...wrap(footer, columns).map(style.dim)];
}

/** As short as ids may be while all of those shown differ. */
function idLength(workspaces: readonly WorkspaceSummary[]): number {
  const ids = [...new Set(workspaces.flatMap(({ id }) => id ?? []))];
  const longest = ids.reduce((most, { length }) => Math.max(most, length), 0);
  let length = SHORT_ID;
  while (length < longest && new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length++;
  return length;
}

/** Of a place elsewhere, the folder comes first. */
function nameOf({ kind, folder }: WorkspaceSummary, homeDir: string): string {
  if (folder === undefined) return kind === "none" ? "(no folder)" : "";
  return oneLine(atHome(readablePlace(folder), homeDir));
}

const atHome = (path: string, homeDir: string): string =>
  homeDir.length > 1 &&
  (path === homeDir || path.startsWith(`${homeDir}/`) || path.startsWith(`${homeDir}\\`))
    ? `~${path.slice(homeDir.length)}`
    : path;
