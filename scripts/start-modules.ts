/**
 * The modules that a search loads before it can answer. They are published as one file: to find, open and compile a
 * hundred small ones takes longer than all that they do.
 */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const ENTRY = "src/cli/main.ts";
/** What it loads late, one behind the other; the modules that these import come with them. */
const LOADED = [
  "src/cli/run.ts",
  "src/cli/commands/find/search.ts",
  "src/app/app.ts",
  "src/app/store/store.ts",
  "src/store/open.ts",
  "src/store/state/tags.ts",
  "src/indexer/refresh.ts",
];

const IMPORT = /^(?:import|export)\s(?!type\b)[^;]*?from\s+"(\.[^"]+)"/gm;

export function startModules(root: string): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const [, name = ""] of readFileSync(path, "utf8").matchAll(IMPORT))
      add(resolve(dirname(path), name));
  };
  // What the entry itself holds is there before the cache of compiled code is.
  add(join(root, ENTRY));
  const before = new Set(found);
  for (const entry of LOADED) add(join(root, entry));
  return found.difference(before);
}
