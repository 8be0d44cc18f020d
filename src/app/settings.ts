/** What people set for good: config.json in our data folder, each setting overruled by a variable of its own. */
import { join } from "node:path";
import { AppError } from "../model/errors.ts";
import { nearest } from "../model/nearest.ts";
import { readIfThere } from "../platform/own-files.ts";
import { reasonOf } from "../platform/session-fs.ts";
import type { Config } from "./config.ts";

export interface Settings {
  /** What becomes of a session in the store when its files are gone. */
  readonly vanished: "keep" | "remove";
  /** Whether copies of sessions are kept in the vault, to be read when their files are gone. */
  readonly archive: boolean;
}

export const DEFAULTS: Settings = { vanished: "keep", archive: false };

/** How each setting may be written: in JSON and, as text, in its variable. */
const ALLOWED: { readonly [K in keyof Settings]: ReadonlyMap<unknown, Settings[K]> } = {
  vanished: new Map([
    ["keep", "keep"],
    ["remove", "remove"],
  ]),
  archive: new Map<unknown, boolean>([
    [true, true],
    [false, false],
  ]),
};
const NAMES = Object.keys(ALLOWED) as (keyof Settings)[];

export const settingsPath = (dataHome: string): string => join(dataHome, "config.json");

export function readSettings({ dataHome, overrides }: Pick<Config, "dataHome" | "overrides">): Settings {
  const path = settingsPath(dataHome);
  return toSettings(path, readText(path), overrides);
}

/** Says what is wrong rather than going on with something that was not meant. */
export function toSettings(path: string, text: string | undefined, overrides: Config["overrides"]): Settings {
  const told = text === undefined ? {} : parse(path, text);
  for (const name of Object.keys(told)) if (!Object.hasOwn(ALLOWED, name)) throw unknownSetting(path, name);
  const choose = <K extends keyof Settings>(name: K): Settings[K] => {
    const override = overrides[name];
    if (override) return pick(name, override.text, override.variable, String);
    return Object.hasOwn(told, name) ? pick(name, told[name], `${path}: "${name}"`) : DEFAULTS[name];
  };
  return { vanished: choose("vanished"), archive: choose("archive") };
}

function pick<K extends keyof Settings>(
  name: K,
  value: unknown,
  where: string,
  spell: (value: unknown) => unknown = (each) => each,
): Settings[K] {
  for (const [written, meant] of ALLOWED[name]) if (spell(written) === value) return meant;
  const choices = [...ALLOWED[name].keys()].map((each) => JSON.stringify(spell(each)));
  throw invalid(`${where} is ${JSON.stringify(value)}`, `It can be ${choices.join(" or ")}`);
}

function readText(path: string): string | undefined {
  try {
    return readIfThere(path)?.toString("utf8");
  } catch (error) {
    // A data folder that is no folder has no settings; whoever wants to write there will say so.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw invalid(`${path} cannot be read: ${reasonOf(error)}`, "Make it a file that you may read", error);
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw invalid(`${path} is not valid JSON: ${reasonOf(error)}`, "Mend it, or remove it", error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`${path} is not a JSON object`, `Write it like this: ${JSON.stringify(DEFAULTS)}`);
  return value as Record<string, unknown>;
}

function unknownSetting(path: string, name: string): AppError {
  const meant = nearest(name, NAMES);
  return invalid(
    `${path}: there is no setting "${name}"`,
    meant === undefined ? `The settings are ${NAMES.join(" and ")}` : `Did you mean "${meant}"?`,
  );
}

const invalid = (message: string, hint: string, cause?: unknown): AppError =>
  new AppError("config-invalid", message, hint, cause);
