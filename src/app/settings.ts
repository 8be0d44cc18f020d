/** What people set for good: config.json in our data folder, each setting overruled by a variable of its own. */
import { join } from "node:path";
import { AppError } from "../model/errors.ts";
import { inBrief } from "../model/json.ts";
import { memberOf } from "../model/member.ts";
import { nearest } from "../model/nearest.ts";
import { printed } from "../model/printed.ts";
import { readIfThere } from "../platform/fs/own-files.ts";
import { findOtherOwner } from "../platform/fs/ownership.ts";
import { reasonOf } from "../platform/fs/session-fs.ts";
import type { Config } from "./config.ts";

export interface Settings {
  /** What becomes of a session in the store when its files are gone. */
  readonly vanished: "keep" | "remove";
  /** Whether copies of sessions are kept in the vault, to be read when their files are gone. */
  readonly archive: boolean;
  /** Backups of writes that were found good go after so many days. */
  readonly backupDays: number;
  /** And the oldest of them before that, when all backups take more. */
  readonly backupBytes: number;
}

export const DEFAULTS: Settings = {
  vanished: "keep",
  archive: false,
  backupDays: 90,
  backupBytes: 2e9,
};

/** How a setting may be written, in JSON or, as text, in its variable. */
interface Spelling<T> {
  /** Nothing when that cannot be meant. */
  read(value: unknown): T | undefined;
  readonly inJson: string;
  readonly asText: string;
}

const ALLOWED: { readonly [K in keyof Settings]: Spelling<Settings[K]> } = {
  vanished: {
    read: (value) => (value === "keep" || value === "remove" ? value : undefined),
    inJson: '"keep" or "remove"',
    asText: '"keep" or "remove"',
  },
  archive: {
    read: (value) =>
      value === true || value === "true" ? true : value === false || value === "false" ? false : undefined,
    inJson: "true or false",
    asText: '"true" or "false"',
  },
  backupDays: {
    read: (value) => toAmount(value, /^(\d+)$/),
    inJson: "a whole number of days, such as 90",
    asText: 'a whole number of days, such as "90"',
  },
  backupBytes: {
    read: (value) => toAmount(value, /^(\d+(?:\.\d+)?) ?([KMGT]?)B?$/i),
    inJson: 'a number of bytes, or a text such as "500 MB"',
    asText: 'a number of bytes, or a text such as "500 MB"',
  },
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
    const { read, inJson, asText } = ALLOWED[name];
    if (override) return read(override.text) ?? refuse(override.variable, override.text, asText);
    if (!Object.hasOwn(told, name)) return DEFAULTS[name];
    const value = memberOf(told, name);
    const isText = typeof value === "string" && typeof DEFAULTS[name] === "boolean";
    return (isText ? undefined : read(value)) ?? refuse(`${path}: "${name}"`, value, inJson);
  };
  return {
    vanished: choose("vanished"),
    archive: choose("archive"),
    backupDays: choose("backupDays"),
    backupBytes: choose("backupBytes"),
  };
}

/** A number as it is, or with one of the letters for thousands of thousands. */
function toAmount(value: unknown, shape: RegExp): number | undefined {
  const [, digits, letter = ""] = shape.exec(printed(value).trim()) ?? [];
  if (digits === undefined || !["number", "string"].includes(typeof value)) return undefined;
  return Math.round(Number(digits) * 1000 ** " KMGT".indexOf(letter.toUpperCase() || " "));
}

function refuse(where: string, value: unknown, choices: string): never {
  throw invalid(`${where} is ${inBrief(value)}`, `It can be ${choices}`);
}

function readText(path: string): string | undefined {
  try {
    return readIfThere(path)?.toString("utf8");
  } catch (error) {
    // A data folder that is no folder has no settings; whoever wants to write there will say so.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    const other = findOtherOwner(path);
    throw invalid(
      `${path} cannot be read: ${reasonOf(error)}`,
      other
        ? `${other.path} belongs to user ${other.uid}: make it yours again with chown`
        : "Make it a file that you may read",
      error,
    );
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
    meant === undefined
      ? `The settings are ${NAMES.slice(0, -1).join(", ")} and ${NAMES.at(-1)}`
      : `Did you mean "${meant}"?`,
  );
}

const invalid = (message: string, hint: string, cause?: unknown): AppError =>
  new AppError("config-invalid", message, hint, cause);
