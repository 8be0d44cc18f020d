/** Reads the configuration once: environment, platform, terminal, clock. */

import type { Patience } from "../hub/sync/retry.ts";
import { memberOf } from "../model/values/member.ts";
import { pathsOf } from "../model/values/paths.ts";
import type { Clock } from "../model/values/time.ts";
import { currentFolder, homeFolder, machineName } from "../platform/whereabouts.ts";
import type { Environment } from "../sources/source.ts";

/** `auto`: the demo home stands in only where no session is found. */
export type DemoMode = "off" | "on" | "auto";

/** What the app needs to know, whichever surface asks. */
export interface AppConfig {
  /** Rethread's own folder; nothing is written anywhere else. */
  readonly dataHome: string;
  /** The machine as the sources see it. */
  readonly environment: Environment;
  /** Where relative paths start. */
  readonly folder: string;
  readonly demo: DemoMode;
  /** How to start this program again, for work that needs a process of its own. */
  readonly self: readonly string[];
  /** Variables that overrule settings of config.json, by the setting; see settings.ts. */
  readonly overrides: Readonly<
    Partial<
      Record<
        "vanished" | "archive" | "backupDays" | "backupBytes",
        { readonly variable: string; readonly text: string }
      >
    >
  >;
  /** The hub that this machine runs: its database and the secret of its roles, where variables name them. */
  readonly hubServer?: { readonly databaseUrl?: string; readonly secret?: string };
  /** The hub to sync with, where variables name it; each of them overrules what `hub login` kept. */
  readonly hub: {
    readonly url?: string;
    readonly token?: string;
    /** How long failing requests are repeated; tests are less patient. */
    readonly patience?: Patience;
  };
  /** The database of a hub on which applications keep their sessions: these are read instead of this machine's own. */
  readonly providerUrl?: string;
  /** By which a hub knows this machine to people. */
  readonly machineName: string;
  readonly now: Clock;
}

/** And what only the command line needs: the terminal that it runs in. */
export interface Config extends AppConfig {
  readonly color: boolean;
  readonly columns: number;
  /** The same for remarks, which may go to a terminal where output does not. */
  readonly remarkColumns: number;
  /** Output goes to a terminal: progress is shown, and a long list may stop early. */
  readonly terminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** Somebody is there to be asked: keys come in, and questions can be drawn. */
  readonly canAsk: boolean;
  /** Started through npm in a checkout, where there is no command called rethread. */
  readonly isCheckout: boolean;
  /** Show the stack of a defect. */
  readonly debug: boolean;
}

export interface Flags {
  readonly color?: boolean;
  readonly demo?: DemoMode;
}

/** What a process knows of its surroundings; tests make one up. */
export interface ProcessInfo {
  readonly vars: Environment["vars"];
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  readonly folder: string;
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: { readonly isTTY?: boolean; readonly columns?: number };
  readonly stdin?: { readonly isTTY?: boolean };
  readonly self: readonly string[];
  readonly machineName?: string;
  readonly now: Clock;
}

/** The width for files and pipes, which have none. */
const COLUMNS_WITHOUT_TERMINAL = 120;
/** Below this a table is a column of fragments. */
const FEWEST_COLUMNS = 30;

export const readConfig = (flags: Flags = {}): Config =>
  toConfig(flags, {
    vars: process.env,
    platform: process.platform,
    homeDir: homeFolder(),
    folder: currentFolder(process.env.PWD),
    stdout: process.stdout,
    stderr: process.stderr,
    // Looking at it opens it, which only a terminal is worth.
    stdin: { isTTY: process.stderr.isTTY && process.stdin.isTTY },
    self: [process.execPath, process.argv[1] ?? ""],
    machineName: machineName(),
    now: () => new Date(),
  });

export function toConfig(flags: Flags, around: ProcessInfo): Config {
  const { vars, platform, homeDir, stdout, stderr } = around;
  const isTerminal = stdout.isTTY === true;
  return {
    dataHome: dataHomeOf(around),
    environment: { platform, homeDir, vars },
    folder: around.folder,
    demo: flags.demo ?? "off",
    color: flags.color ?? wantsColor(vars, isTerminal),
    columns: columnsOf(stdout, vars),
    remarkColumns: columnsOf(stderr.isTTY === true ? stderr : stdout, vars),
    terminal: { stdout: isTerminal, stderr: stderr.isTTY === true },
    canAsk: around.stdin?.isTTY === true && stderr.isTTY === true && vars.TERM !== "dumb",
    self: around.self,
    isCheckout: vars.npm_lifecycle_event === "start" || vars.npm_lifecycle_event === "rethread",
    overrides: {
      ...override(vars, "vanished", "RETHREAD_VANISHED"),
      ...override(vars, "archive", "RETHREAD_ARCHIVE"),
      ...override(vars, "backupDays", "RETHREAD_BACKUP_DAYS"),
      ...override(vars, "backupBytes", "RETHREAD_BACKUP_BYTES"),
    },
    hubServer: {
      ...(vars.RETHREAD_HUB_DATABASE_URL && { databaseUrl: vars.RETHREAD_HUB_DATABASE_URL }),
      ...(vars.RETHREAD_HUB_SECRET && { secret: vars.RETHREAD_HUB_SECRET }),
    },
    hub: {
      ...(vars.RETHREAD_HUB_URL && { url: vars.RETHREAD_HUB_URL }),
      ...(vars.RETHREAD_HUB_TOKEN && { token: vars.RETHREAD_HUB_TOKEN }),
    },
    ...(vars.RETHREAD_PROVIDER_URL && { providerUrl: vars.RETHREAD_PROVIDER_URL }),
    machineName: around.machineName ?? "this machine",
    debug: (vars.RETHREAD_DEBUG ?? "") !== "",
    now: around.now,
  };
}

function dataHomeOf({ vars, platform, homeDir }: ProcessInfo): string {
  const { join } = pathsOf(platform);
  if (vars.RETHREAD_HOME) return vars.RETHREAD_HOME;
  // Used on every system, not only on Linux, if it is set.
  if (vars.XDG_DATA_HOME) return join(vars.XDG_DATA_HOME, "rethread");
  if (platform === "darwin") return join(homeDir, "Library", "Application Support", "rethread");
  if (platform === "win32") return join(vars.LOCALAPPDATA ?? join(homeDir, "AppData", "Local"), "rethread");
  return join(homeDir, ".local", "share", "rethread");
}

/** An empty variable is like none. */
function override(vars: Environment["vars"], name: keyof Config["overrides"], variable: string) {
  const text = memberOf(vars, variable) ?? "";
  return text === "" ? {} : { [name]: { variable, text } };
}

/** https://no-color.org and its counterpart: set and not empty means what it says. */
function wantsColor(vars: Environment["vars"], isTerminal: boolean): boolean {
  if ((vars.NO_COLOR ?? "") !== "") return false;
  if ((vars.FORCE_COLOR ?? "") !== "") return vars.FORCE_COLOR !== "0";
  return isTerminal && vars.TERM !== "dumb";
}

function columnsOf(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  vars: Environment["vars"],
): number {
  const own = isTTY === true ? positive(columns) : undefined;
  return Math.max(FEWEST_COLUMNS, positive(vars.COLUMNS) ?? own ?? COLUMNS_WITHOUT_TERMINAL);
}

/** A terminal that does not know its width says 0. */
function positive(text: string | number | undefined): number | undefined {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : undefined;
}
