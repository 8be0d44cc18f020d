/** Refuses what another action of the same command would take: left aside silently, a --dry-run would write. */
import { AppError } from "../model/errors.ts";
import { memberOf } from "../model/values/member.ts";
import { type ArgSpecs, optionName } from "./args.ts";

/** `takes` are the names of the arguments that the action looks at. */
export function refuseOthers(
  action: string,
  specs: ArgSpecs,
  args: Readonly<Record<string, unknown>>,
  takes: readonly string[],
): void {
  for (const [name, { kind }] of Object.entries(specs)) {
    if (name === "action" || takes.includes(name) || !isGiven(memberOf(args, name))) continue;
    const isWord = kind === "positional";
    const told = isWord ? name : optionName(name);
    throw new AppError(
      "usage",
      `${action} takes no ${told}`,
      isWord ? `Leave out the ${told}` : `Leave out ${told}`,
    );
  }
}

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
