/** Finds and runs PostgreSQL's own programs for backups: pg_dump and pg_restore. */
import { spawn, spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { delimiter, join } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { NewFile } from "../disk/new-file.ts";
import { findProgram } from "./find-program.ts";

export interface PostgresLogin {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Of libpq: `prefer`, `require`, `verify-full`. */
  readonly sslMode: string;
}

export interface ToolPlaces {
  readonly folder: string;
  readonly vars: Readonly<Record<string, string | undefined>>;
}

type ToolName = "pg_dump" | "pg_restore";

/** Where systems keep the versions that are not on PATH. */
const FOLDERS = [
  "/usr/lib/postgresql/*/bin",
  "/usr/pgsql-*/bin",
  "/opt/homebrew/opt/{libpq,postgresql@*}/bin",
  "/usr/local/opt/{libpq,postgresql@*}/bin",
  "/Applications/Postgres.app/Contents/Versions/*/bin",
];
const KEPT_STDERR = 8 << 10;

/** The first that is as new as the server: older ones refuse. */
export function findPostgresTool(name: ToolName, major: number, { folder, vars }: ToolPlaces): string {
  const onPath = (vars.PATH ?? "").split(delimiter).filter(Boolean);
  const seen: number[] = [];
  for (const place of [...onPath, ...globSync(FOLDERS).sort().reverse()]) {
    const found = findProgram(join(place, name), folder, vars);
    const version = found && versionOf(found.path);
    if (found && version !== undefined && version >= major) return found.path;
    if (version !== undefined) seen.push(version);
  }
  throw new AppError(
    "program-missing",
    seen.length === 0
      ? `${name} was not found on this machine`
      : `${name} ${Math.max(...seen)} cannot be used with PostgreSQL ${major}`,
    `Install the client programs of PostgreSQL ${major} or newer, or make a backup that needs none: --portable`,
  );
}

function versionOf(path: string): number | undefined {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 10_000 });
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout ?? "")?.[1];
  return major === undefined ? undefined : Number(major);
}

/** What it prints goes to the file; what fails is an error with its last words. */
export function dumpTo(
  tool: string,
  login: PostgresLogin,
  words: readonly string[],
  write: NewFile["write"],
): Promise<void> {
  return run(tool, login, words, write);
}

export function restoreFrom(tool: string, login: PostgresLogin, words: readonly string[]): Promise<void> {
  return run(tool, login, words, () => undefined);
}

/** The password is in the environment, where other users of the machine do not see it. */
function run(
  tool: string,
  { host, port, user, password, database, sslMode }: PostgresLogin,
  words: readonly string[],
  take: (bytes: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = {
      PGHOST: host,
      PGPORT: String(port),
      PGUSER: user,
      PGPASSWORD: password,
      PGSSLMODE: sslMode,
      ...(sslMode === "verify-full" && { PGSSLROOTCERT: "system" }),
      PGCONNECT_TIMEOUT: "10",
      LC_ALL: "C",
    };
    const child = spawn(tool, ["--no-password", ...words, "--dbname", database], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-KEPT_STDERR);
    });
    child.stdout.on("data", (bytes: Buffer) => {
      try {
        take(bytes);
      } catch (error) {
        child.kill();
        reject(error);
      }
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) return resolve();
      const said = stderr.trim().split("\n").slice(-3).join(" ");
      reject(
        new AppError(
          "program-failed",
          `${tool} ended with exit code ${code}: ${said || "without a word"}`,
          "Look at what it says, and at the database",
        ),
      );
    });
  });
}
