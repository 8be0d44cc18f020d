/** From words to an exit code: finds the command, parses, runs, and turns whatever fails into one sentence. */
import { type Config, readConfig } from "../app/config.ts";
import { AppError, ERROR_CODES } from "../model/errors.ts";
import { GLOBAL_ARGS, meant, parseValues, type Values } from "./args.ts";
import type { AnyCommand } from "./command.ts";
import { COMMANDS, DEFAULT_COMMAND } from "./commands.ts";
import { createOutput, type Output } from "./output.ts";
import { jsonDocument } from "./print/json.ts";
import { createStyle } from "./print/style.ts";
import { plain } from "./print/text.ts";

export async function run(words: readonly string[]): Promise<number> {
  quietWhenNobodyListens();
  try {
    return await runCommand(words);
  } catch (error) {
    return report(error, words);
  }
}

async function runCommand(words: readonly string[]): Promise<number> {
  const { name, rest } = findCommand(words);
  const command = await loadCommand(name);
  // "help" and "version" are asked for before anything else is held against the command line.
  if (isAsked(rest, "--help", "-h") && name !== "help")
    return runNamed("help", name === DEFAULT_COMMAND ? rest : [name, ...rest]);
  const args = parseValues(name, { ...command.args, ...GLOBAL_ARGS }, rest);
  return execute(command, args);
}

async function runNamed(name: string, rest: readonly string[]): Promise<number> {
  const command = await loadCommand(name);
  const kept = rest
    .filter((word) => ["--json", "--no-color"].includes(word) || !word.startsWith("-"))
    .slice(0, 3);
  return execute(command, parseValues(name, { ...command.args, ...GLOBAL_ARGS }, kept));
}

async function execute(command: AnyCommand, args: Values<typeof GLOBAL_ARGS>): Promise<number> {
  const config = readConfig({
    ...(args.noColor && { color: false }),
    ...(args.demo && { demo: args.demo === "auto" ? "auto" : "on" }),
  });
  const out = createOutput(config);
  if (args.version) {
    const { VERSION } = await import("./version.ts");
    if (args.json) out.json({ version: VERSION });
    else out.line(VERSION);
    return 0;
  }
  return (await command.run({ args, config, out, openApp: () => openApp(config, out) })) ?? 0;
}

async function openApp(config: Config, out: Output) {
  const { createApp } = await import("../app/app.ts");
  const app = await createApp(config);
  if (app.demo === "nothing-else")
    out.note("No session was found on this machine, so this is the demo: made-up sessions to try things on.");
  return app;
}

/** The first word that is no option names the command; options before it must be global ones, and move behind it. */
function findCommand(words: readonly string[]): { name: string; rest: string[] } {
  const at = words.findIndex((word) => !word.startsWith("-"));
  if (at < 0) return { name: DEFAULT_COMMAND, rest: [...words] };
  return { name: words[at] ?? DEFAULT_COMMAND, rest: words.toSpliced(at, 1) };
}

async function loadCommand(name: string): Promise<AnyCommand> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load)
    throw new AppError(
      "usage",
      `There is no command "${name}"`,
      meant(name, Object.keys(COMMANDS)) ?? "See what there is: rethread help",
    );
  return (await load()).default;
}

const isAsked = (words: readonly string[], ...names: string[]): boolean => {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).some((word) => names.includes(word));
};

/** The same error for people and for programs; a defect of ours is told apart from a mistake of theirs. */
function report(error: unknown, words: readonly string[]): number {
  const config = readConfig();
  const isOurs = !(error instanceof AppError);
  const code = isOurs ? "internal" : error.code;
  const message = error instanceof Error ? error.message : String(error);
  const hint = isOurs
    ? "This is a defect in rethread. RETHREAD_DEBUG=1 shows where; please report it with that"
    : error.hint;
  if (isAsked(words, "--json", "--jsonl")) {
    process.stdout.write(jsonDocument({ schemaVersion: 1, error: { code, message, hint } }));
  } else {
    const style = createStyle(config.color && config.terminal.stderr && !isAsked(words, "--no-color"));
    process.stderr.write(
      `${style.red("error")} ${plain(message)} ${style.dim(`(${code})`)}\n${plain(hint)}\n`,
    );
  }
  if (isOurs && config.debug && error instanceof Error) process.stderr.write(`${plain(error.stack ?? "")}\n`);
  return ERROR_CODES[code].exit;
}

/** `rethread list | head` closes the pipe early; that is no failure, and nobody reads a stack trace then. */
function quietWhenNobodyListens(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
}
