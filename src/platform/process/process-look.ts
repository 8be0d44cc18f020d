/**
 * Inspects the processes of this machine: what each one is, and which files it has open. Linux has all of it in /proc,
 * other Unix systems have the command line (`ps`), and Windows has nothing that is cheap to read. Unknown facts are
 * undefined, never guessed.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { baseName, isAtOrBelow } from "../../model/values/paths.ts";
import { realPathOf } from "../disk/folders.ts";
import { startTicks } from "./processes.ts";
import { namesOfProgram, type ProcessFacts, parsePs } from "./ps.ts";

/** Remembers what it has seen, so that asking about many locks and sessions takes one pass. Make a new one for a new moment. */
export interface ProcessLook {
  /** Undefined when the system does not report it, or the process does not exist. */
  of(pid: number): ProcessFacts | undefined;
  /** All processes that we may know of and that run a program, without our own. */
  all(): readonly ProcessFacts[];
  /** The files that a process has open, and the folder it is in; nothing where we may not look. */
  openPaths(pid: number): readonly string[] | undefined;
  /** A process other than ours that has the file open. */
  holderOf(path: string): number | undefined;
  /** With which it was started; nothing where we may not look. */
  variablesOf(pid: number): Readonly<Record<string, string>> | undefined;
  /** Whether any process holds a lock (flock) on the file, also one of a container whose processes have other numbers. */
  isFlocked(path: string): boolean;
}

export function createProcessLook(
  platform: NodeJS.Platform = process.platform,
  /** The processes of the machine, where it lists them (Linux). */
  listProcesses: () => readonly number[] = processesInProc,
): ProcessLook {
  if (platform === "linux") return lookIntoProc(listProcesses);
  return platform === "win32" ? BLIND : lookWithPs();
}

const BLIND: ProcessLook = {
  of: () => undefined,
  all: () => [],
  openPaths: () => undefined,
  holderOf: () => undefined,
  variablesOf: () => undefined,
  isFlocked: () => false,
};

/** Whether a process has something open at or below a folder; undefined where we may not look. */
export function hasOpenIn(look: ProcessLook, pid: number, folder: string): boolean | undefined {
  const real = realPathOf(folder);
  return look.openPaths(pid)?.some((path) => isAtOrBelow(path, real));
}

/** What people would call a process; nothing where the system does not tell. */
export function nameOf(look: ProcessLook, pid: number): string | undefined {
  const facts = look.of(pid);
  return facts && baseName(namesOfProgram(facts).at(-1) ?? "");
}

/** "4: FLOCK  ADVISORY  WRITE 7544 fe:00:2155360 0 EOF": the last number before the range is the file's. */
const FLOCK = /^\d+: FLOCK .*:(\d+) \d+ \w+$/gm;
/** The kernel counts in hundredths of a second, whatever its own clock does. */
const TICK_MS = 10;

export const processesInProc = (): number[] =>
  namesIn("/proc")
    .map(Number)
    .filter((pid) => pid > 0);

function lookIntoProc(listProcesses: () => readonly number[]): ProcessLook {
  const facts = new Map<number, ProcessFacts | undefined>();
  const open = new Map<number, readonly string[] | undefined>();
  let all: readonly ProcessFacts[] | undefined;
  let booted: number | undefined;
  let flocks: ReadonlySet<string> | undefined;
  const startOf = (pid: number): number | undefined => {
    booted ??= Number(/^btime (\d+)$/m.exec(readText("/proc/stat") ?? "")?.[1]) * 1000;
    const at = booted + Number(startTicks(pid)) * TICK_MS;
    return Number.isFinite(at) ? at : undefined;
  };
  const look: ProcessLook = {
    of: (pid) => once(facts, pid, () => describe(pid, startOf)),
    all() {
      all ??= listProcesses()
        // Threads of the kernel and processes that have ended have no command line; there may be hundreds.
        .filter((pid) => pid !== process.pid && readText(`/proc/${pid}/cmdline`))
        .flatMap((pid) => look.of(pid) ?? []);
      return all;
    },
    openPaths: (pid) => once(open, pid, () => pathsOf(pid)),
    holderOf(path) {
      const real = realPathOf(path);
      return look.all().find(({ pid }) => look.openPaths(pid)?.includes(real))?.pid;
    },
    variablesOf(pid) {
      const text = readText(`/proc/${pid}/environ`);
      if (text === undefined) return undefined;
      return Object.fromEntries(
        text.split("\0").flatMap((line) => {
          const at = line.indexOf("=");
          return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : [];
        }),
      );
    },
    isFlocked(path) {
      flocks ??= new Set(Array.from((readText("/proc/locks") ?? "").matchAll(FLOCK), ([, ino = ""]) => ino));
      const { ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return ino !== undefined && flocks.has(String(ino));
    },
  };
  return look;
}

function describe(pid: number, startOf: (pid: number) => number | undefined): ProcessFacts | undefined {
  const line = readText(`/proc/${pid}/cmdline`);
  if (line === undefined) return undefined;
  // A program that gives itself a title leaves zeros behind it.
  const words = line.replace(/\0+$/, "").split("\0");
  // Threads of the kernel have no command line.
  if (words[0] === "") words[0] = readText(`/proc/${pid}/comm`)?.trim() ?? "";
  const program = linkAt(`/proc/${pid}/exe`)?.replace(/ \(deleted\)$/, "");
  return {
    pid,
    words,
    ...(program !== undefined && { program }),
    // Asked about the owner of a lock alone.
    get startedAt() {
      return startOf(pid);
    },
  };
}

function pathsOf(pid: number): readonly string[] | undefined {
  let fds: string[];
  try {
    fds = readdirSync(`/proc/${pid}/fd`);
  } catch {
    return undefined; // it belongs to somebody else, or has ended
  }
  return [...fds.map((fd) => `/proc/${pid}/fd/${fd}`), `/proc/${pid}/cwd`].flatMap(
    (link) => linkAt(link) ?? [],
  );
}

function lookWithPs(): ProcessLook {
  let all: readonly ProcessFacts[] | undefined;
  const look: ProcessLook = {
    ...BLIND,
    of: (pid) => (all ?? askPs(["-p", String(pid)])).find((each) => each.pid === pid),
    all() {
      all ??= askPs(["-ax"]).filter(({ pid }) => pid !== process.pid);
      return all;
    },
  };
  return look;
}

function askPs(whom: readonly string[]): readonly ProcessFacts[] {
  // The times of the C locale are the ones that we can read.
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C" };
  // Loaded only here: every command imports this file, and most never start a program.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout } = spawnSync("ps", ["-ww", ...whom, "-o", "pid=,lstart=,args="], {
    env,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  return parsePs(stdout ?? "");
}

function once<K, V>(known: Map<K, V>, key: K, find: () => V): V {
  if (!known.has(key)) known.set(key, find());
  return known.get(key) as V;
}

/** Processes end while we look at them, and what belongs to others is closed to us. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
