/** Asks a person at the terminal for what a command line leaves open: which session is meant, and its new name. */
import type { Config } from "../app/config.ts";
import type { App } from "../app/contract.ts";
import { type Ambiguity, AppError } from "../model/errors.ts";
import type { Session } from "../model/session/session.ts";
import { formatKey } from "../model/values/id.ts";
import { memberOf, setMember } from "../model/values/member.ts";
import { lastPrompt } from "../operations/questions/last-prompt.ts";
import { list } from "../operations/questions/list.ts";
import { createStyle } from "../present/text/style.ts";
import { askLine } from "./asking.ts";
import type { AnyCommand } from "./command.ts";
import type { Output } from "./output.ts";

export interface Picking {
  readonly command: Pick<AnyCommand, "name" | "args">;
  readonly config: Config;
  readonly out: Output;
  openApp(): Promise<App>;
}

type Words = Readonly<Record<string, unknown>>;

/** The arguments with everything that was missing. */
export async function fillIn(args: Words, picking: Picking): Promise<Words> {
  const filled: Record<string, unknown> = { ...args };
  for (const [key, spec] of Object.entries(picking.command.args)) {
    if (spec.kind !== "positional" || spec.optional || memberOf(filled, key) !== undefined) continue;
    if (spec.session) {
      const name = await pickAny(picking);
      setMember(filled, key, spec.rest ? [name] : name);
    } else if (spec.ask !== undefined) setMember(filled, key, await askLine(`${spec.ask}: `));
  }
  return filled;
}

/** One of all sessions. */
export async function pickAny(picking: Picking): Promise<string> {
  const app = await picking.openApp();
  const { sessions } = await picking.out.progress("Reading sessions", (call) =>
    list.run(app, { owners: false }, call),
  );
  if (sessions.length === 0)
    throw new AppError("nothing-found", "No agent keeps sessions on this machine", {
      say: "Create sample sessions to try",
      remedy: { action: "demo" },
    });
  return pick(sessions, app, picking);
}

/** The arguments with the session that was meant in the place of the name that several have. */
export async function settle(args: Words, { name, matches }: Ambiguity, picking: Picking): Promise<Words> {
  const app = await picking.openApp();
  const sessions = matches.map(({ session }) => session);
  const chosen = await pick(sessions, app, picking);
  const replaced = (value: unknown): unknown => (value === name ? chosen : value);
  const isNamed = Object.values(args).some((value) => [value].flat().includes(name));
  // Where nothing was named, the command chose by itself between sessions that are equally good.
  const place = Object.entries(picking.command.args).find(
    ([, spec]) => spec.kind === "positional" && spec.session,
  )?.[0];
  if (!isNamed && place !== undefined) return { ...args, [place]: chosen };
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.map(replaced) : replaced(value),
    ]),
  );
}

async function pick(sessions: readonly Session[], app: App, picking: Picking): Promise<string> {
  const { command, config } = picking;
  const { pickSession } = await import("./picker.ts");
  const chosen = await pickSession(sessions, {
    question: `${command.name}: which session?`,
    input: process.stdin,
    output: process.stderr,
    columns: config.remarkColumns,
    style: createStyle(config.color && config.terminal.stderr),
    now: config.now(),
    lastPrompt: ({ source, id }) => lastPrompt.run(app, { source, id }),
  });
  if (chosen) return formatKey(chosen);
  throw new AppError("aborted", "Nothing was chosen, and nothing was done.", "Name a session");
}
