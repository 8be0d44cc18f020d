/** The command, run in this process: thousands of runs take no longer than hundreds of processes would. */
import { run } from "../../src/cli/run.ts";
import { builtCommand } from "../built.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** In the home folder that the variables name, or another; they are all it sees of the environment. One at a time. */
export async function runHere(
  words: readonly string[],
  vars: Record<string, string> & { HOME: string },
  at = vars.HOME,
): Promise<Ran> {
  const [env, argv] = [{ ...process.env }, process.argv];
  const [command, folder] = [builtCommand(), process.cwd()];
  const streams = [process.stdout, process.stderr] as const;
  const told = ["", ""];
  const before = streams.map((stream) => ({ write: stream.write, listeners: stream.listeners("error") }));
  setVariables(vars);
  process.chdir(at);
  process.argv = [argv[0] ?? "", command];
  for (const [index, stream] of streams.entries())
    stream.write = ((chunk: string | Uint8Array): boolean => {
      told[index] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
      return true;
    }) as typeof stream.write;
  try {
    const code = await run(words);
    return { code, stdout: told[0] ?? "", stderr: told[1] ?? "" };
  } finally {
    setVariables(env);
    process.chdir(folder);
    process.argv = argv;
    for (const [index, stream] of streams.entries()) {
      const was = before[index];
      if (was) stream.write = was.write;
      for (const listener of stream.listeners("error"))
        if (!was?.listeners.includes(listener)) stream.off("error", listener as () => void);
    }
  }
}

/** In place, as the system's own functions (the home folder) see only the environment itself. */
function setVariables(vars: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, vars);
}
