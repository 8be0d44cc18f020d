/** Runs the command: in a process of its own, or in one that runs many of them, which takes a fraction of the time. */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Request } from "./command-server.ts";

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

export interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

export function runAlone(program: string, words: readonly string[], { env, cwd }: RunOptions): Ran {
  const { stdout, stderr, status } = spawnSync(program, words, {
    env,
    cwd,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  return { stdout, stderr, code: status };
}

/** For modules that stay loaded, what Node reads when it starts, and input, of which a process has but one. */
const needsOwnProcess = (main: string, words: readonly string[], { env }: RunOptions): boolean =>
  !main.endsWith(".cjs") ||
  process.env.RETHREAD_FULL !== undefined ||
  process.platform === "win32" ||
  env.TZ !== "UTC" ||
  words.includes("chat") ||
  Object.keys(env).some((name) => /^(NODE_|LANG|LC_)/.test(name));

const servers = new Map<string, Server>();

export function runCommand(main: string, words: readonly string[], options: RunOptions): Ran {
  if (needsOwnProcess(main, words, options)) return runAlone(process.execPath, [main, ...words], options);
  const server = servers.get(main) ?? startServer(main);
  servers.set(main, server);
  const ran = server.run({ words, env: options.env as Record<string, string>, folder: options.cwd });
  if (!server.isAlive) servers.delete(main);
  return ran;
}

interface Server {
  isAlive: boolean;
  run(request: Request): Ran;
}

function startServer(main: string): Server {
  const folder = mkdtempSync(join(tmpdir(), "commands-"));
  const [requests, codes, out, err] = ["requests", "codes", "out", "err"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  spawnSync("mkfifo", [requests, codes]);
  const [stdout, stderr] = [openSync(out, "a"), openSync(err, "a")];
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "command-server.ts"), main, requests, codes],
    {
      stdio: ["ignore", stdout, stderr],
    },
  );
  child.unref();
  for (const file of [stdout, stderr]) closeSync(file);
  // Opened both ways, so that this does not wait for the other side; the second does, and ends when that dies.
  const input = openSync(requests, "r+");
  const output = openSync(codes, "r");
  let [outTo, errTo] = [0, 0];
  const server: Server = {
    isAlive: true,
    run(request) {
      writeSync(input, `${JSON.stringify(request)}\n`);
      const answer = Buffer.alloc(16);
      const size = readSync(output, answer);
      // The last one of this process ends with a full stop.
      const text = answer.toString("latin1", 0, size);
      server.isAlive = text.endsWith("\n");
      const code = size === 0 ? null : Number.parseInt(text, 10);
      const [printed, told] = [readFileSync(out), readFileSync(err)];
      const ran = { stdout: printed.toString("utf8", outTo), stderr: told.toString("utf8", errTo), code };
      [outTo, errTo] = [printed.length, told.length];
      return ran;
    },
  };
  return server;
}
