/** The settings as people see and change them: what each is, where that comes from, and one at a time in config.json. */
import { AppError } from "../model/errors.ts";
import { nearest } from "../model/text/nearest.ts";
import { memberOf } from "../model/values/member.ts";
import { createNewFile } from "../platform/disk/new-file.ts";
import { makeFolder } from "../platform/disk/own-files.ts";
import type { AppConfig } from "./config.ts";
import { DEFAULTS, readFileSettings, readSettings, settingsPath, toSettings } from "./settings.ts";

export interface Setting {
  readonly name: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly from: "default" | "file" | "variable";
  /** The environment variable that overrides it, where one does. */
  readonly variable?: string;
}

type Where = Pick<AppConfig, "dataHome" | "overrides">;

export interface SettingList {
  /** config.json, whether or not it is there. */
  readonly path: string;
  readonly settings: readonly Setting[];
}

export async function listSettings(config: Where): Promise<SettingList> {
  const path = settingsPath(config.dataHome);
  const inFile = readFileSettings(path);
  const values: Readonly<Record<string, unknown>> = { ...(await readSettings(config)) };
  const settings = Object.entries(DEFAULTS).map(([name, value]): Setting => {
    const override = memberOf(config.overrides, name);
    return {
      name,
      value: memberOf(values, name),
      default: value,
      from: override ? "variable" : Object.hasOwn(inFile, name) ? "file" : "default",
      ...(override && { variable: override.variable }),
    };
  });
  return { path, settings };
}

/** Writes one setting, when all of the file is valid with it; the others stay as they are written. */
export async function setSetting(config: Where, name: string, text: string): Promise<SettingList> {
  knownSetting(name);
  const path = settingsPath(config.dataHome);
  const changed = { ...readFileSettings(path), [name]: toValue(text) };
  const content = `${JSON.stringify(changed, undefined, 2)}\n`;
  await toSettings("config.json would not be valid", content, {}).catch((error: unknown) => {
    // The file is as valid as before; what was asked for is not.
    throw error instanceof AppError ? new AppError("usage", error.message, error.advice, error) : error;
  });
  makeFolder(config.dataHome);
  const file = createNewFile(path, { replace: true, mode: 0o600 });
  file.write(content);
  file.finish();
  return listSettings(config);
}

/** Refuses a name that is none, with the one that may be meant. */
export function knownSetting(name: string): void {
  if (Object.hasOwn(DEFAULTS, name)) return;
  const names = Object.keys(DEFAULTS);
  const meant = nearest(name, names);
  throw new AppError(
    "usage",
    `There is no setting "${name}"`,
    meant === undefined ? `The settings are ${names.join(", ")}` : `Did you mean ${meant}?`,
  );
}

/** `true`, `90` and `{…}` are what they look like; anything else is text. */
function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
