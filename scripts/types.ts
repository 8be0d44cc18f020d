/** Writes the types of the library: what src/index.ts leads to, and no more. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** How many files they are. */
export function writeTypes(root: string, folder: string): number {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  // What is wrong with the code is for `npm run check` to say.
  const words = [compiler, "-p", join(root, "tsconfig.lib.json"), "--noCheck", "--outDir", folder];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the types of the library could not be written:\n${stdout}`);
  const needed = reachable(join(folder, "index.d.ts"), new Set());
  for (const file of globSync("**/*.d.ts", { cwd: folder }))
    if (!needed.has(join(folder, file))) rmSync(join(folder, file));
  return needed.size;
}

function reachable(file: string, found: Set<string>): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g))
    reachable(`${join(dirname(file), path)}.d.ts`, found);
  return found;
}
