/** Which options each report of `rethread chronicle` obeys: any other is refused before anything is asked. */

import { AppError } from "../../../../model/errors.ts";
import { memberOf } from "../../../../model/values/member.ts";
import type { CHRONICLE_ARGS } from "../chronicle.ts";
import type { Called } from "./called.ts";

type Option = Exclude<keyof typeof CHRONICLE_ARGS, "report">;

const WHERE = ["source", "workspace", "repo", "branch", "tag"] as const;
const PLACES = [...WHERE, "since", "until"] as const;
const WORDING = ["format", "prompt", "with", "noRefresh"] as const;

const OBEYED: Readonly<Record<string, readonly Option[]>> = {
  standup: [...PLACES, ...WORDING, "noGit"],
  tips: [...PLACES, ...WORDING],
  improve: [...PLACES, ...WORDING, "file", "only"],
  // What is asked for is a write, told in one way.
  "improve --apply": [...PLACES, "file", "only", "apply", "yes", "dryRun"],
  reindex: ["source", "format"],
};

export function checkOptions({ args }: Called): void {
  const report = args.report === "improve" && args.apply ? "improve --apply" : args.report;
  const given = Object.entries(args)
    .filter(([name, value]) => Object.hasOwn(NAMES, name) && isGiven(value))
    .map(([name]) => name as Option);
  const unused = given.find((name) => !memberOf(OBEYED, report)?.includes(name));
  if (unused !== undefined)
    throw refused(`\`chronicle ${report}\` has no use for ${NAMES[unused]}`, "Leave it out");
  if (report === "reindex" && (args.format === "md" || args.format === "html"))
    throw refused(`\`chronicle reindex\` has no use for --format ${args.format}`, "Leave it out");
  if (args.json && args.format !== undefined && args.format !== "json")
    throw refused(`--json cannot be combined with --format ${args.format}`);
  const wording = args.prompt ? "--prompt" : args.with === undefined ? undefined : "--with";
  if (wording === undefined) return;
  const wrong = [
    ...(args.json || args.format === "json" ? ["JSON"] : []),
    ...(args.prompt && args.format !== undefined && args.format !== "json" ? ["--format"] : []),
    ...(args.prompt && args.with !== undefined ? ["--with"] : []),
  ];
  if (wrong.length > 0) throw refused(`${wording} cannot be combined with ${wrong.join(" and ")}`);
}

const NAMES: Readonly<Record<Option, string>> = {
  source: "--source",
  workspace: "--workspace",
  repo: "--repo",
  branch: "--branch",
  since: "--since",
  until: "--until",
  tag: "--tag",
  format: "--format",
  file: "--file",
  only: "--only",
  apply: "--apply",
  dryRun: "--dry-run",
  yes: "--yes",
  prompt: "--prompt",
  with: "--with",
  noGit: "--no-git",
  noRefresh: "--no-refresh",
};

/** The options that a suggested command needs to mean the same work, as a person types them: `when` tells of which time. */
export function workAsked({ args }: Called, when: boolean): string[] {
  return [...(when ? PLACES : WHERE), "file" as const].flatMap((name) =>
    [args[name] ?? []].flat().flatMap((value) => [NAMES[name], value]),
  );
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

const refused = (what: string, hint = "Leave one of them out"): AppError => new AppError("usage", what, hint);
