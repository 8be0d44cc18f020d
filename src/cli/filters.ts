/** Options that several commands share. */
import type { ArgSpecs } from "./args.ts";

export const SOURCE_ARG = {
  source: { kind: "list", value: "source", help: "only this source; may be given more than once" },
} as const satisfies ArgSpecs;

export const SESSION_ARG = {
  session: { kind: "positional", help: "any unique start of its id, its title, or source:id" },
} as const satisfies ArgSpecs;
