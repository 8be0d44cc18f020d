/** Decides which addresses of files lead to the new folder in a copy that is about another one. */
import type { CopiedPaths, PathRule } from "../../model/plan-facts.ts";
import { hasDrive } from "../../model/values/paths.ts";
import type { Relocation } from "../../model/values/relocate.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

export interface ChosenPaths {
  /** For one reading, with a count of its own. */
  count(): PathCount;
  report(counts: Pick<CopiedPaths, "rewritten" | "kept">): CopiedPaths;
}

export interface PathCount {
  readonly relocation: Relocation;
  /** How many addresses below the old folder it left as they are. */
  kept(): number;
}

/**
 * `survey` goes through all addresses with the relocation that it is given, and rewrites none: which of them are there in
 * the new folder can only be asked between two readings.
 */
export async function choosePaths(
  fs: SessionFs,
  { from, to }: Relocation,
  rule: PathRule,
  survey: (relocation: Relocation) => Promise<unknown>,
): Promise<ChosenPaths> {
  const places = new Map<string, boolean>();
  const notice = (path: string): boolean => {
    places.set(keyOf(path), false);
    return false;
  };
  if (rule === "existing") {
    await survey({ from, to, accepts: notice });
    for (const path of places.keys()) places.set(path, await fs.exists(path));
  }
  const isWanted = (path: string): boolean =>
    rule === "existing" ? places.get(keyOf(path)) === true : rule === "rewrite";
  return {
    count() {
      let kept = 0;
      const accepts = (path: string): boolean => {
        if (isWanted(path)) return true;
        kept++;
        return false;
      };
      return { relocation: { from, to, accepts }, kept: () => kept };
    },
    report: (counts) => ({ from, to, ...counts, rule }),
  };
}

/** `/c:/x` in an address and `C:\\x` are one place. */
function keyOf(path: string): string {
  const plain = path.startsWith("/") && hasDrive(path.slice(1)) ? path.slice(1) : path;
  if (!hasDrive(plain)) return plain;
  return plain.charAt(0).toLowerCase() + plain.slice(1).replaceAll("\\", "/");
}
