/** Options that several commands share. */
import { parseWhen } from "../model/when.ts";
import type { ArgSpecs, Values } from "./args.ts";

export const SOURCE_ARG = {
  source: { kind: "list", value: "source", help: "only sessions of this source; may be repeated" },
} as const satisfies ArgSpecs;

export const SESSION_ARG = {
  session: { kind: "positional", help: "any unique start of its id, its title, or source:id" },
} as const satisfies ArgSpecs;

/** Where and when the work was. */
export const PLACE_ARGS = {
  ...SOURCE_ARG,
  workspace: {
    kind: "text",
    value: "path",
    help: "only sessions in this folder or below it, or whose folder path contains this",
  },
  repo: { kind: "text", value: "name", help: "only repositories whose owner/name contains this" },
  branch: {
    kind: "text",
    value: "name",
    help: "only this branch; a part of its name between slashes also matches",
  },
  since: { kind: "text", value: "time", help: "active since then: 2026-07-01, today, yesterday, 3h, 7d, 2w" },
  until: { kind: "text", value: "time", help: "last active until then; a date includes that whole day" },
} as const satisfies ArgSpecs;

export const NO_REFRESH_ARG = {
  noRefresh: { kind: "flag", help: "use the store as it is, without looking for changed sessions first" },
} as const satisfies ArgSpecs;

export const toPlace = (args: Values<typeof PLACE_ARGS>, now: Date) => ({
  ...(args.source.length > 0 && { sources: args.source }),
  ...(args.workspace !== undefined && { workspace: args.workspace }),
  ...(args.repo !== undefined && { repository: args.repo }),
  ...(args.branch !== undefined && { branch: args.branch }),
  ...(args.since !== undefined && { since: parseWhen(args.since, "start", now) }),
  ...(args.until !== undefined && { until: parseWhen(args.until, "end", now) }),
});
