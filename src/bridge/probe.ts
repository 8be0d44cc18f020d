/**
 * Finds the agent's program and what it can do; asked once per version, because asking takes as long as starting it.
 */
import { join } from "node:path";
import { AppError } from "../model/errors.ts";
import { toShell } from "../model/text/shell-words.ts";
import { memberOf } from "../model/values/member.ts";
import { createNewFile } from "../platform/disk/new-file.ts";
import { makeFolder, readIfThere } from "../platform/disk/own-files.ts";
import { findProgram } from "../platform/process/find-program.ts";
import { startProgram } from "../platform/process/program.ts";
import type { Abilities, Driver } from "../sources/driver.ts";

export interface Agent {
  readonly path: string;
  readonly can: Abilities;
}

export interface ProbeContext {
  /** Our own data folder. */
  readonly dataFolder: string;
  readonly folder: string;
  readonly vars: Readonly<Record<string, string | undefined>>;
}

/** A program that does not print its version within this time does not work. */
const PATIENCE_MS = 30_000;

export async function probe(driver: Driver, name: string | undefined, around: ProbeContext): Promise<Agent> {
  const found = findProgram(name ?? driver.program, around.folder, around.vars);
  if (!found) throw missing(driver, name);
  const known = readKnown(around.dataFolder);
  const remembered = memberOf(known, found.stamp);
  const can = remembered ?? (await ask(driver, found.path, around));
  if (!can.resumes) throw tooOld(driver, found.path, can);
  if (!remembered) remember(around.dataFolder, { ...latest(known), [found.stamp]: can });
  return { path: found.path, can };
}

async function ask(driver: Driver, path: string, around: ProbeContext): Promise<Abilities> {
  const [version, help] = await Promise.all([
    say(path, driver.probes.version, around),
    say(path, driver.probes.help, around),
  ]);
  return driver.readAbilities(version, help);
}

async function say(path: string, words: readonly string[], { folder, vars }: ProbeContext): Promise<string> {
  const program = startProgram(path, words, { folder, env: vars, silenceMs: PATIENCE_MS });
  const lines: string[] = [];
  for await (const line of program.lines()) lines.push(line);
  const end = await program.ended;
  if (end.how !== "exited" || end.code !== 0)
    throw new AppError(
      "program-failed",
      `${path} does not run: ${end.stderr.trim().split("\n").at(-1) || end.detail}`,
      `Try it yourself: ${toShell([path, ...words])}`,
    );
  return lines.join("\n");
}

const fileOf = (dataFolder: string): string => join(dataFolder, "chats", "program.known");

/** One program is updated now and then, and there are a few of them. */
const latest = (known: ReturnType<typeof readKnown>): ReturnType<typeof readKnown> =>
  Object.fromEntries(Object.entries(known).slice(-3));

/** The programs that were used last; if this cannot be read, the program is asked again. */
function readKnown(dataFolder: string): Partial<Record<string, Abilities>> {
  try {
    return JSON.parse(readIfThere(fileOf(dataFolder))?.toString("utf8") ?? "{}");
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof Error && "code" in error)) throw error;
    return {};
  }
}

function remember(dataFolder: string, known: ReturnType<typeof readKnown>): void {
  makeFolder(join(dataFolder, "chats"));
  const file = createNewFile(fileOf(dataFolder), { replace: true, mode: 0o600 });
  file.write(`${JSON.stringify(known, null, 2)}\n`);
  file.finish();
}

const missing = ({ program, install }: Driver, name: string | undefined): AppError =>
  new AppError(
    "program-missing",
    name === undefined ? `${program} was not found on PATH` : `${name} is not a program that can be run`,
    name === undefined
      ? `Install it: ${install}; or name its path: --${program} <path>`
      : `Name the path of the program: --${program} <path>`,
  );

const tooOld = ({ install }: Driver, path: string, { version }: Abilities): AppError =>
  new AppError(
    "program-too-old",
    `${path}${version === "" ? "" : ` (${version})`} is too old: it cannot resume an earlier session`,
    `Update it: ${install}`,
  );
