/** Options that several commands share. */

import { resolve } from "node:path";
import type { Config } from "../app/config.ts";
import type { WorkPlace } from "../app/contract.ts";
import { segmentsOf } from "../model/values/paths.ts";
import { parseWhen } from "../model/values/when.ts";
import type { ArgSpecs, Values } from "./args.ts";

export const SOURCE_ARG = {
  source: { kind: "list", value: "source", help: "only sessions of this source; may be repeated" },
} as const satisfies ArgSpecs;

export const SESSION_ARG = {
  session: {
    kind: "positional",
    session: true,
    help: "any unique start of its id, its title, source:id, latest, or . for this folder's latest",
  },
} as const satisfies ArgSpecs;

/** For commands that take several. */
export const SESSIONS_HELP =
  "one or more sessions, each by any unique start of its id, its title, source:id, latest, or .";

/** Where and when the work was. */
export const WORK_FILTER_ARGS = {
  ...SOURCE_ARG,
  workspace: {
    kind: "text",
    value: "path",
    help: "only sessions in this folder or below it, or whose folder path contains this",
  },
  repo: {
    kind: "text",
    value: "name",
    completes: "repositories",
    help: "only repositories whose name contains this, or of this address",
  },
  branch: {
    kind: "text",
    value: "name",
    help: "only this branch; a part of its name between slashes also matches",
  },
  since: {
    kind: "text",
    value: "time",
    help: "active since then: 2026-07-01, today, yesterday, 3h, 7d, 2w, 1mo, 1y",
  },
  until: { kind: "text", value: "time", help: "last active until then; a date includes that whole day" },
  tag: {
    kind: "list",
    value: "tag",
    completes: "tags",
    help: "only sessions with this tag; may be repeated for those with all of them",
  },
} as const satisfies ArgSpecs;

export const CURSOR_ARG = {
  cursor: { kind: "text", value: "cursor", help: "the next page: `next` in the JSON of the page before" },
} as const satisfies ArgSpecs;

export const NO_REFRESH_ARG = {
  noRefresh: { kind: "flag", help: "use the store as it is, without looking for changed sessions first" },
} as const satisfies ArgSpecs;

/** For questions that the team's hub answers, too. */
export const HUB_ARG = {
  hub: {
    kind: "flag",
    help: "ask the team's hub instead of this machine: what you and your team have pushed (see: rethread hub login)",
  },
} as const satisfies ArgSpecs;

/** Where and when, as people type it: times become dates, and `.` and `~` folders. */
export const toWorkFilter = (
  args: Values<typeof WORK_FILTER_ARGS>,
  { now, folder, environment }: Pick<Config, "now" | "folder" | "environment">,
): WorkPlace => ({
  ...(args.source.length > 0 && { sources: args.source }),
  ...(args.workspace !== undefined && { workspace: toFolder(args.workspace, folder, environment.homeDir) }),
  ...(args.repo !== undefined && { repository: args.repo }),
  ...(args.branch !== undefined && { branch: args.branch }),
  ...(args.since !== undefined && { since: parseWhen(args.since, "start", now()) }),
  ...(args.until !== undefined && { until: parseWhen(args.until, "end", now()) }),
  ...(args.tag.length > 0 && { tags: args.tag }),
});

/** "." and "~/work" name a folder; anything else is a part of a path. */
export function toFolder(text: string, folder: string, homeDir: string): string {
  if (text === "~" || text.startsWith("~/")) return homeDir + text.slice(1);
  return [".", ".."].includes(segmentsOf(text)[0] ?? "") ? resolve(folder, text) : text;
}
