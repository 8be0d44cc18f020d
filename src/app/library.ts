/** The app for programs of others: no terminal, no flags, and a clock and places that the caller may choose. */
import { join } from "node:path";
import type { Clock } from "../model/values/time.ts";
import type { Environment } from "../sources/source.ts";
import { createApp } from "./app.ts";
import { readConfig, toConfig } from "./config.ts";
import type { App, Notice } from "./contract.ts";
import type { ProvidedSessions } from "./provided.ts";

export interface RethreadOptions {
  /** The variables that say where data is kept (`COPILOT_HOME`, `RETHREAD_HOME` …); by default those of the process. */
  readonly vars?: Environment["vars"];
  /** Where programs keep their data that no variable speaks of. */
  readonly homeDir?: string;
  /** Where relative paths start. */
  readonly folder?: string;
  /** The clock by which "7d" is understood and writes are dated, or one moment at which it stands still. */
  readonly now?: Clock | Date;
  /** Sessions that an application keeps on a hub (`openHubSessions`), to be read and changed instead of this machine's own. */
  readonly sessions?: ProvidedSessions;
  /** Called with a sentence about what had to be done to continue. */
  readonly notice?: Notice;
}

/** What the command can do, asked from a program. */
export type Rethread = Pick<
  App,
  | "sources"
  | "list"
  | "show"
  | "outline"
  | "turns"
  | "record"
  | "find"
  | "context"
  | "blame"
  | "files"
  | "diff"
  | "doctor"
  | "workspaces"
  | "damaged"
  | "stats"
  | "dividedStats"
  | "tree"
  | "index"
  | "indexState"
  | "watch"
  | "search"
  | "sql"
  | "schema"
  | "edit"
  | "chat"
  | "close"
>;

/** Guarded queries run in a process of their own, which is the command: from source, or bundled beside this file. */
const COMMAND = import.meta.filename.endsWith(".ts") ? "../cli/main.ts" : "../rethread.cjs";

export function openRethread(options: RethreadOptions = {}): Promise<Rethread> {
  const { environment, folder, now } = readConfig();
  const config = toConfig(
    {},
    {
      vars: options.vars ?? environment.vars,
      platform: environment.platform,
      homeDir: options.homeDir ?? environment.homeDir,
      folder: options.folder ?? folder,
      stdout: {},
      stderr: {},
      self: [process.execPath, join(import.meta.dirname, COMMAND)],
      now: toClock(options.now ?? now),
    },
  );
  return createApp(config, options.notice, options.sessions ? { sessions: options.sessions } : {});
}

const toClock = (now: Clock | Date): Clock => (now instanceof Date ? () => now : now);
