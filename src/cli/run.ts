/** Runs a command line: finds the command, parses its arguments, runs it, and reports failures. */
import { type Config, readConfig } from "../app/config.ts";
import type { App } from "../app/contract.ts";
import { AppError, type SessionMatch } from "../model/errors.ts";
import type { Session } from "../model/session/session.ts";
import { shellLine } from "../model/text/shell-words.ts";
import { memberOf } from "../model/values/member.ts";
import { type ArgSpecs, GLOBAL_ARGS, lacksValues, meant, parseValues, type Values } from "./args.ts";
import type { AnyCommand, Invocation } from "./command.ts";
import { ALIASES, COMMANDS, DEFAULT_COMMAND } from "./commands.ts";
import { createOutput, type Output, SCHEMA_VERSION } from "./output.ts";
import type { Paged } from "./paged.ts";

export async function run(words: readonly string[]): Promise<number> {
  quietWhenNobodyListens();
  writeThrough();
  const opened: Opened = { isDemo: false };
  try {
    const { name, rest } = findCommand(words);
    if (name !== "help" && isAsked(rest, "--help", "-h")) return await help(name, rest, opened);
    const command = await loadCommand(name);
    const canAsk = readConfig().canAsk && !wantsJson(rest) && !isAsked(rest, "--version", "-v");
    const args = parseValues(name, { ...command.args, ...GLOBAL_ARGS }, rest, canAsk);
    return await execute(command, args, opened, canAsk, words);
  } catch (error) {
    return report(error, words, opened);
  }
}

/** What is known of the app that a command opened, for the report of its failure. */
interface Opened {
  isDemo: boolean;
}

/** Whatever else stands on the line, who asks for help gets it. */
async function help(name: string, rest: readonly string[], opened: Opened): Promise<number> {
  await loadCommand(name);
  const command = await loadCommand("help");
  const words = [
    ...(name === DEFAULT_COMMAND ? [] : [name]),
    ...rest.filter((word) => ["--json", "--no-color", "--no-pager"].includes(word)),
  ];
  return execute(command, parseValues("help", { ...command.args, ...GLOBAL_ARGS }, words), opened);
}

async function execute(
  command: AnyCommand,
  args: Values<typeof GLOBAL_ARGS>,
  opened: Opened,
  canAsk = false,
  words: readonly string[] = [],
): Promise<number> {
  const config = readConfig({
    ...(args.noColor && { color: false }),
    ...(args.demo && { demo: args.demo === "auto" ? "auto" : "on" }),
  });
  // What is wrong may be found before the demo is opened.
  opened.isDemo = Boolean(args.demo) && args.demo !== "auto";
  const paged =
    command.isPaged && !isForPrograms(args) && !args.noPager ? await openPaged(config) : undefined;
  const out = createOutput(config, paged, words);
  if (args.version) {
    const { VERSION } = await import("../app/version.ts");
    if (args.json) out.json({ version: VERSION });
    else out.line(VERSION);
    return 0;
  }
  let app: Promise<App> | undefined;
  const around = {
    config,
    out,
    openApp() {
      app ??= openApp(config, out, opened);
      return app;
    },
  };
  try {
    if (canAsk) return await runAsking(command, args, around);
    return (await command.run({ args, ...around })) ?? 0;
  } finally {
    await paged?.end();
    out.release();
    await closeApp(app);
  }
}

/** One who asks for JSON gets it as it is, even in a terminal. */
const isForPrograms = (args: Readonly<Record<string, unknown>>): boolean =>
  args.json === true || args.jsonl === true || args.format === "json";

/** Only a terminal has a screen that output may be too long for. */
async function openPaged(config: Config): Promise<Paged | undefined> {
  if (!config.terminal.stdout || !config.canAsk) return undefined;
  const { createPaged } = await import("./paged.ts");
  return createPaged({
    rows: process.stdout.rows || 24,
    columns: config.columns,
    print: (text) => void process.stdout.write(text),
    // Who has read enough does not wait for the rest.
    open: async () => (await import("../app/paging.ts")).openPager(config, () => process.exit(0)),
  });
}

/** A missing name, or one that several sessions have, is a question to the person at the terminal. */
async function runAsking(
  command: AnyCommand,
  args: Values<typeof GLOBAL_ARGS>,
  around: Omit<Invocation<ArgSpecs>, "args">,
): Promise<number> {
  const picking = { command, ...around };
  const pickSession = async () => (await import("./picking.ts")).pickAny(picking);
  let values = args;
  if (lacksValues(command.args, values))
    values = (await (await import("./picking.ts")).fillIn(values, picking)) as typeof values;
  for (;;)
    try {
      return (await command.run({ args: values, ...around, pickSession })) ?? 0;
    } catch (error) {
      if (!(error instanceof AppError) || !error.ambiguity) throw error;
      const { settle } = await import("./picking.ts");
      values = (await settle(values, error.ambiguity, picking)) as typeof values;
    }
}

async function openApp(config: Config, out: Output, opened: Opened): Promise<App> {
  const { createApp } = await import("../app/app.ts");
  const app = await createApp(config, (sentence) => out.note(sentence));
  opened.isDemo = app.demo !== undefined;
  if (app.demo === "nothing-else")
    out.note("No session was found on this machine, so this is the demo: sample sessions to try things on.");
  return app;
}

/** One that could not be opened has nothing to close. */
async function closeApp(app: Promise<App> | undefined): Promise<void> {
  const opened = await app?.catch(() => undefined);
  await opened?.close();
}

/** The first word that is no option names the command; options before it must be global ones, and move behind it. */
function findCommand(words: readonly string[]): { name: string; rest: string[] } {
  const at = words.findIndex((word) => !word.startsWith("-"));
  if (at < 0) return { name: DEFAULT_COMMAND, rest: words.map((word) => (word === "-V" ? "-v" : word)) };
  const name = words[at] ?? DEFAULT_COMMAND;
  const rest = words.toSpliced(at, 1);
  // Asked for as a command, the version is still an option.
  if (name === "version" && rest.every((word) => word.startsWith("-")))
    return { name: DEFAULT_COMMAND, rest: [...rest, "--version"] };
  return { name: memberOf(ALIASES, name) ?? name, rest };
}

async function loadCommand(name: string): Promise<AnyCommand> {
  const load = memberOf(COMMANDS, name);
  if (!load)
    throw new AppError(
      "usage",
      `Unknown command "${name}"`,
      meant(name, Object.keys(COMMANDS)) ?? sessionMeant(name) ?? "See all commands: rethread help",
    );
  return (await load()).default;
}

/** The start of an id, or `source:id`, without a command. */
const sessionMeant = (name: string): string | undefined =>
  /^([a-z]+(-[a-z]+)*:)?(?=[^:]*\d)[0-9a-f]{4,8}(-[0-9a-f-]*)?$/i.test(name)
    ? `Did you mean ${shellLine`rethread show ${name}`}?`
    : undefined;

function isAsked(words: readonly string[], ...names: string[]): boolean {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).some((word) => names.includes(word));
}

/** Known without parsing, because the line that failed may not parse. */
const wantsJson = (words: readonly string[]): boolean =>
  isAsked(words, "--json", "--jsonl", "--format=json") || / --format json( |$)/.test(` ${words.join(" ")}`);

/** One sentence, its code and one next step: on stderr for people, on stdout for programs that asked for JSON. */
async function report(error: unknown, words: readonly string[], { isDemo }: Opened): Promise<number> {
  const { toFailure } = await import("../present/failure.ts");
  const { code, message, hint, remedy, matches, exit, stack } = toFailure(error, isDemo);
  const config = readConfig(isAsked(words, "--no-color") ? { color: false } : {});
  const out = createOutput(config);
  const failure = {
    error: {
      code,
      message,
      hint,
      ...(remedy && { remedy }),
      ...(matches && { matches: matches.map(({ session }) => toMatchJson(session)) }),
    },
  };
  if (isAsked(words, "--jsonl")) out.jsonLine({ schemaVersion: SCHEMA_VERSION, ...failure });
  else if (wantsJson(words)) out.json(failure);
  // Who left a question knows what happened.
  else if (code === "aborted") out.note(message);
  else out.failure(message, code, hint, await rowsOf(matches, config, out));
  if (stack !== undefined && config.debug) out.note(stack);
  return exit;
}

const toMatchJson = ({ source, id, title, workspace, repository, updatedAt }: Session) => ({
  source,
  id,
  title,
  workspace: workspace ?? null,
  repository: repository ?? null,
  updatedAt: updatedAt ?? null,
});

async function rowsOf(
  matches: readonly SessionMatch[] | undefined,
  config: Config,
  out: Output,
): Promise<readonly string[]> {
  if (!matches) return [];
  const { printMatches } = await import("./print/answers/matches.ts");
  return printMatches(matches, config.now(), out.remarks);
}

/**
 * A pipe takes what its reader has taken from it, and the rest would wait in memory: all of a page as long as the
 * longest sessions. So a write waits instead. Node has no public name for that; where the call is missing, nothing breaks.
 */
function writeThrough(): void {
  const { _handle } = process.stdout as { _handle?: { setBlocking?(isBlocking: boolean): void } };
  _handle?.setBlocking?.(true);
}

/** `rethread list | head` closes the pipe early, which is not a failure. */
function quietWhenNobodyListens(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit();
      if (!NO_SPACE.has(error.code ?? "")) throw error;
      const full = new AppError(
        "disk-full",
        "No space is left to write the output",
        "Free some space, or send the output elsewhere",
      );
      createOutput(readConfig()).failure(full.message, full.code, full.hint);
      process.exit(full.exitCode);
    });
}

const NO_SPACE: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
