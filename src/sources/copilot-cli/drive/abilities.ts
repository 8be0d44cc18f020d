/** What the installed program can do, from what it prints about itself. */
import type { Abilities } from "../../driver.ts";

export function readAbilities(version: string, help: string): Abilities {
  const flags = new Set(help.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []);
  return {
    version: /\d+\.\d+\.\d+[\w.-]*(?<!\.)/.exec(version.slice(0, 1000))?.[0] ?? "",
    takesId: flags.has("--session-id"),
    tellsEvents: flags.has("--output-format"),
    streams: flags.has("--stream"),
    resumes: flags.has("--resume"),
  };
}
