/** The files in which a repository tells agents how to work in it, and where they are. */
import { join } from "node:path";
import { isAbsolutePath } from "../../model/values/paths.ts";
import { readGit } from "../../platform/disk/git-folder.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

/** Below the root of a repository. The first is the one that most agents read. */
export const INSTRUCTION_FILES = ["AGENTS.md", ".github/copilot-instructions.md", "CLAUDE.md"] as const;
export type InstructionFile = (typeof INSTRUCTION_FILES)[number];

/** Others that say the same to single agents; where one is there, somebody has thought of instructions. */
const OTHERS = [".github/instructions", ".cursor/rules", ".cursorrules", "GEMINI.md", ".claude/CLAUDE.md"];

export interface RepositoryRoot {
  readonly root: string;
  /** Those of the three that are there. */
  readonly files: readonly InstructionFile[];
  /** Whether there is anything of this kind. */
  readonly hasAny: boolean;
}

/** A network share may take seconds to answer, or forever. */
const SHARE = /^[\\/]{2}/;

/** Nothing for a folder that is not there, or not on this machine. With `climbs`, the work tree around the folder counts. */
export async function findRoot(
  fs: SessionFs,
  workspace: string,
  climbs: boolean,
): Promise<RepositoryRoot | undefined> {
  if (!isAbsolutePath(workspace) || SHARE.test(workspace)) return undefined;
  try {
    if ((await fs.stat(workspace)).kind !== "folder") return undefined;
    const root = (climbs ? (await readGit(fs, workspace))?.root : undefined) ?? workspace;
    const isThere = async (name: string): Promise<boolean> => fs.exists(join(root, name));
    const files: InstructionFile[] = [];
    for (const name of INSTRUCTION_FILES) if (await isThere(name)) files.push(name);
    const others = await Promise.all(OTHERS.map(isThere));
    return { root, files, hasAny: files.length > 0 || others.includes(true) };
  } catch (error) {
    // Whatever is wrong with a folder that a session names, the report does not depend on it.
    if (!(error instanceof Error && "code" in error)) throw error;
    return undefined;
  }
}
