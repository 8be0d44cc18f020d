/** Runs a program in the foreground of the terminal until it ends. */
import { spawn } from "node:child_process";

export interface Foreground {
  readonly folder: string;
  readonly vars: Readonly<Record<string, string | undefined>>;
}

/** Its exit code as in a shell; undefined when the program does not exist. */
export function runInForeground(
  [program = "", ...args]: readonly string[],
  { folder, vars }: Foreground,
): Promise<number | undefined> {
  // Ctrl-C is the program's business now; both of us get it.
  const ignore = (): void => undefined;
  process.on("SIGINT", ignore);
  return new Promise<number | undefined>((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: { ...vars }, stdio: "inherit" });
    child.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? resolve(undefined) : reject(error),
    );
    child.on("close", (code) => resolve(code ?? 1));
  }).finally(() => process.off("SIGINT", ignore));
}
