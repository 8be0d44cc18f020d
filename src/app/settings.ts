/** Reads the settings: config.json in our data folder, each overridable by an environment variable. */
import { join } from "node:path";
import type { ZodMiniType } from "zod/mini";
import { AppError } from "../model/errors.ts";
import type { Prices } from "../model/prices.ts";
import { nearest } from "../model/text/nearest.ts";
import { inBrief } from "../model/values/json.ts";
import { memberOf } from "../model/values/member.ts";
import { readIfThere } from "../platform/disk/own-files.ts";
import { findOtherOwner } from "../platform/disk/ownership.ts";
import { reasonOf } from "../platform/fs/session-fs.ts";
import type { AppConfig } from "./config.ts";

export interface Settings {
  /** What becomes of a session in the store when its files are gone. */
  readonly vanished: "keep" | "remove";
  /** Whether copies of sessions are kept in the vault, to be read when their files are gone. */
  readonly archive: boolean;
  /** Backups of writes that were found good go after so many days. */
  readonly backupDays: number;
  /** And the oldest of them before that, when all backups take more. */
  readonly backupBytes: number;
  /** What models cost, for estimates; null for none. */
  readonly prices: Prices | null;
  /** Whether deleting a session here deletes it from the hub, too. */
  readonly syncDeletes: boolean;
}

export const DEFAULTS: Settings = {
  vanished: "keep",
  archive: false,
  backupDays: 90,
  backupBytes: 2e9,
  prices: null,
  syncDeletes: false,
};

const NAMES = Object.keys(DEFAULTS) as (keyof Settings)[];

export const settingsPath = (dataHome: string): string => join(dataHome, "config.json");

export function readSettings({
  dataHome,
  overrides,
}: Pick<AppConfig, "dataHome" | "overrides">): Promise<Settings> {
  const path = settingsPath(dataHome);
  return toSettings(path, readText(path), overrides);
}

/** What stands in the file, unchecked. */
export function readFileSettings(path: string): Readonly<Record<string, unknown>> {
  const text = readText(path);
  return text === undefined ? {} : parse(path, text);
}

/** Says what is wrong rather than going on with something that was not meant. */
export async function toSettings(
  path: string,
  text: string | undefined,
  overrides: AppConfig["overrides"],
): Promise<Settings> {
  const told = text === undefined ? {} : parse(path, text);
  const variables = Object.entries(overrides);
  if (Object.keys(told).length === 0 && variables.length === 0) return DEFAULTS;
  // Loaded late: most people set nothing, and every command comes through here.
  const { IN_FILE, IN_VARIABLES } = await import("./settings-schema.ts");
  const file = Object.entries(told).filter(([name]) => !Object.hasOwn(overrides, name));
  return {
    ...DEFAULTS,
    ...check(IN_FILE, file, path, (name) => `${path}: "${name}"`),
    ...check(
      IN_VARIABLES,
      variables.map(([name, override]) => [name, override.text]),
      path,
      (name) => memberOf(overrides, name)?.variable ?? name,
    ),
  };
}

function check<T>(
  schema: ZodMiniType<T>,
  entries: readonly (readonly [string, unknown])[],
  path: string,
  placeOf: (name: string) => string,
): T {
  const values = Object.fromEntries(entries);
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const { issues } = result.error;
  // Within a setting, an unknown name makes its value invalid.
  const [unknown] = issues.flatMap((each) =>
    each.code === "unrecognized_keys" && each.path.length === 0 ? each.keys : [],
  );
  if (unknown !== undefined) throw unknownSetting(path, unknown);
  const name = String(issues[0]?.path[0]);
  throw invalid(
    `${placeOf(name)} is ${inBrief(memberOf(values, name))}`,
    `Valid values: ${issues[0]?.message}`,
  );
}

function readText(path: string): string | undefined {
  try {
    return readIfThere(path)?.toString("utf8");
  } catch (error) {
    // A data folder that is not a folder has no settings; writing to it reports the error.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    const other = findOtherOwner(path);
    throw invalid(
      `${path} cannot be read: ${reasonOf(error)}`,
      other
        ? `${other.path} belongs to user ${other.uid}: change its owner with chown`
        : "Make it a file that you can read",
      error,
    );
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw invalid(`${path} is not valid JSON: ${reasonOf(error)}`, "Fix it, or remove it", error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`${path} is not a JSON object`, `Write it like this: ${JSON.stringify(DEFAULTS)}`);
  return value as Record<string, unknown>;
}

function unknownSetting(path: string, name: string): AppError {
  const meant = nearest(name, NAMES);
  return invalid(
    `${path}: unknown setting "${name}"`,
    meant === undefined
      ? `The settings are ${NAMES.slice(0, -1).join(", ")} and ${NAMES.at(-1)}`
      : `Did you mean "${meant}"?`,
  );
}

const invalid = (message: string, hint: string, cause?: unknown): AppError =>
  new AppError("config-invalid", message, hint, cause);
