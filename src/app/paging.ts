/** Which pager is used, if any. */
import { findProgram } from "../platform/process/find-program.ts";
import { type Pager, startPager } from "../platform/process/pager.ts";
import type { AppConfig } from "./config.ts";

export type { Pager };

/** Nothing where there is none, or none is wanted: an empty $PAGER, or `cat`. */
export function openPager(
  { environment, folder }: Pick<AppConfig, "environment" | "folder">,
  onLeft: () => void,
): Pager | undefined {
  const { vars } = environment;
  const command = (vars.PAGER ?? "less -R").trim();
  const [program = ""] = command.split(/\s+/);
  if (command === "" || command === "cat") return undefined;
  // A shell would say that it is missing only when the text is gone. What a shell has to understand first is left to it.
  const isPlain = /^[\w./+@:\\-]+$/.test(program);
  if (isPlain && !findProgram(program, folder, vars)) return undefined;
  return startPager(command, { vars, onLeft });
}
