/** The processes of a load: servers of the hub, workers of its queue, and clients; each can be killed and started again. */
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HubPlace } from "../../src/hub/database/connect.ts";
import type { Load, Pushed } from "./pushing.ts";

export interface ServingOrder {
  readonly place: HubPlace;
  /** Of HTTP; nothing for a process that only works the queue. */
  readonly port?: number;
  /** Sessions whose rows are made at once; 0 for a process that only answers requests. */
  readonly concurrency: number;
}

export interface Served {
  readonly port: number;
  readonly pid: number;
  /** What it reported. */
  readonly errors: string[];
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** The file of a process, by its name. */
export type ProgramOf = (name: "serving" | "loading") => string;

const fromSources: ProgramOf = (name) => join(import.meta.dirname, `${name}.ts`);

export async function serve(order: ServingOrder, programOf = fromSources): Promise<Served> {
  const child = start(programOf("serving"));
  const errors: string[] = [];
  child.on("message", (message: { error?: string }) => {
    if (message.error !== undefined) errors.push(message.error);
  });
  child.send(order);
  const { port } = await told<{ port: number }>(child, "port");
  return { port, pid: child.pid ?? 0, errors, kill: () => kill(child) };
}

export interface Clients {
  readonly done: Promise<Pushed>;
  /** How many sessions were sent until now. */
  sessions(): number;
}

export function push(load: Load, programOf = fromSources): Clients {
  const child = start(programOf("loading"));
  let sessions = 0;
  child.on("message", (message: { sessions?: number }) => {
    if (message.sessions !== undefined) sessions = message.sessions;
  });
  child.send(load);
  const done = told<{ pushed: Pushed }>(child, "pushed").then(({ pushed }) => pushed);
  return { done, sessions: () => sessions };
}

function start(path: string): ChildProcess {
  return fork(path, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  });
}

function told<T extends object>(child: ChildProcess, name: keyof T & string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.on("message", (message: object) => {
      if (Object.hasOwn(message, name)) resolve(message as T);
    });
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      reject(new Error(`A process of the load ended (${signal ?? code})`)),
    );
  });
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process has used; with those of its children, living and ended, where asked for. */
export function cpuSeconds(pid: number, withChildren = false): number {
  const fields = statOf(pid);
  if (!fields) return 0;
  const own = Number(fields[11]) + Number(fields[12]);
  if (!withChildren) return own / TICKS_PER_SECOND;
  const ended = Number(fields[13]) + Number(fields[14]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return (own + ended) / TICKS_PER_SECOND + children.reduce((sum, each) => sum + cpuSeconds(Number(each)), 0);
}

/** Behind the name of the program, which may hold anything. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** Megabytes of memory of a process. */
export function residentMb(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(line?.[1] ?? 0) / 1024;
}
