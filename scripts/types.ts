/** Writes the types of the library and of its client: what their entries lead to, and no more. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { clientTypes } from "./client-types.ts";

/** How many files they are. */
export async function writeTypes(root: string, folder: string): Promise<number> {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  // What is wrong with the code is for `npm run check` to say.
  const words = [compiler, "-p", join(root, "tsconfig.lib.json"), "--noCheck", "--outDir", folder];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the types of the library could not be written:\n${stdout}`);
  writeFileSync(join(folder, "client", "operation-types.d.ts"), await clientTypes());
  const needed = new Set<string>();
  for (const entry of ["index.d.ts", "client/index.d.ts"]) reachable(join(folder, entry), needed);
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
