/** Runs a program to its end; what it prints goes to our standard error, so that data stays alone on the other. */
import { spawn } from "node:child_process";

export function runForNotes(
  [program = "", ...args]: readonly string[],
  { folder, vars }: { readonly folder: string; readonly vars: Readonly<Record<string, string | undefined>> },
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, env: { ...vars }, stdio: ["ignore", 2, 2] });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}
