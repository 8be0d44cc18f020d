/** What every action of `rethread hub` is given. */
import { AppError } from "../../model/errors.ts";
import type { GLOBAL_ARGS, Values } from "../args.ts";
import type { Invocation } from "../command.ts";
import type { HUB_ARGS } from "../commands/serve/hub.ts";

export type HubArgs = Values<typeof HUB_ARGS> & Values<typeof GLOBAL_ARGS>;

export interface HubCall extends Omit<Invocation<typeof HUB_ARGS>, "args"> {
  readonly args: HubArgs;
}

export type HubAct = (called: HubCall) => Promise<number>;

/** How the database is opened for a command. */
export const operatorOptions = ({
  args,
  out,
}: Pick<HubCall, "args" | "out">): { readonly databaseUrl?: string; note(sentence: string): void } => {
  const { databaseUrl } = args;
  if (databaseUrl !== undefined && /^[^/]*\/\/[^/@]*:[^/@]+@/.test(databaseUrl))
    out.note(
      "Others on this machine can see the password in the list of processes; RETHREAD_HUB_DATABASE_URL hides it.",
    );
  return { ...(databaseUrl !== undefined && { databaseUrl }), note: (sentence) => out.note(sentence) };
};

export function required(text: string | undefined, what: string, usage: string): string {
  if (text !== undefined) return text;
  throw new AppError(
    "usage",
    `hub ${usage.split(" <")[0]} needs ${what}`,
    ["Usage: rethread hub", usage].join(" "),
  );
}

/** Words that an action does not take. */
export function refuseMore(usage: string, ...words: readonly (string | undefined)[]): void {
  const more = words.find((word) => word !== undefined);
  if (more !== undefined)
    throw new AppError(
      "usage",
      `hub ${usage} does not expect "${more}"`,
      ["Usage: rethread hub", usage].join(" "),
    );
}
