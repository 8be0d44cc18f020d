/** Runs the command that the user chose to write a summary: their own agent, or any shell command. */
import { AppError } from "../../model/errors.ts";
import { createRedactor } from "../../model/redact/redact.ts";
import { isThere } from "../../platform/disk/own-files.ts";
import { type CommandEnd, runUserCommand, withScratch } from "../../platform/process/user-command.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { OwnWriter, WriteSummary } from "../../sources/requests.ts";
import type { Environment } from "../../sources/source.ts";

export interface WriterSurroundings {
  readonly vars: Environment["vars"];
  readonly folder: string;
  /** The user's own agents, which can be asked by their names. */
  readonly agents?: () => Promise<readonly OwnWriter[]>;
  readonly timeoutMs?: number;
}

/** A model may take long, but one that hangs is stopped. */
const TIMEOUT_MS = 5 * 60_000;
const LIMIT = 1 << 20;

export function createSummaryWriter(
  words: string,
  { vars, folder, agents, timeoutMs = TIMEOUT_MS }: WriterSurroundings,
): WriteSummary {
  return async (prompt) => {
    const own = (await agents?.())?.find(({ name }) => name === words);
    // What leaves for another program, and perhaps the machine, leaves without keys and passwords.
    const input = createRedactor().text(prompt);
    const bounds = { timeoutMs, limit: LIMIT };
    if (!own)
      return answerOf(words, await runUserCommand({ command: words, vars, folder, ...bounds }, input));
    // In a home of its own for the moment, with the user's settings and login, so that no session of it stays.
    return withScratch(own.links.filter(isThere), async (scratch) => {
      const surroundings = { vars: { ...vars, [own.homeVariable]: scratch }, folder: scratch };
      return answerOf(
        words,
        await runUserCommand({ command: own.command, ...surroundings, ...bounds }, input),
      );
    });
  };
}

/** Those whose programs can be talked to. */
export async function findAgents(catalog: Catalog): Promise<readonly OwnWriter[]> {
  const found: OwnWriter[] = [];
  for (const { source, root } of await catalog.drivers()) {
    const { editor } = await catalog.editing({ source });
    const own = editor.summaries?.writer?.(root);
    if (own) found.push(own);
  }
  return found;
}

function answerOf(words: string, { how, detail, clean, stdout, stderr }: CommandEnd): string {
  if (how === "exited" && clean) return stdout;
  const said = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  const why = {
    exited: `ended with ${detail}${said === "" ? "" : ` (${said})`}`,
    failed: `could not be started (${detail})`,
    stopped: "did not answer in time and was stopped",
    flooded: "printed more than a megabyte and was stopped",
  }[how];
  throw new AppError(
    "summary-failed",
    `${words} ${why}, so nothing was changed`,
    "Try the command by itself, or leave out --with to make the summary without a model",
  );
}
