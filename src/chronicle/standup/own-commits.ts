/** The user's own commits in a range, from `git log` of the repositories that sessions worked in. */
import { dirname } from "node:path";
import { isAbsolutePath } from "../../model/values/paths.ts";
import { type GitFolder, readGit } from "../../platform/disk/git-folder.ts";
import { localFs } from "../../platform/fs/local.ts";
import type { Git } from "../../platform/process/git.ts";

export interface OwnCommit {
  readonly commit: string;
  readonly subject: string;
  readonly at: string;
  /** Missing for one that only a detached HEAD leads to. */
  readonly branch?: string;
}

export interface Range {
  readonly since: Date;
  readonly until: Date;
}

/** More work trees than anybody works in on a day; a range of years may name hundreds. */
const MOST_FOLDERS = 30;
const AT_ONCE = 4;
const MOST_COMMITS = 500;
/** A network share may take seconds to answer, or forever. */
const SHARE = /^[\\/]{2}/;

/** By folder: those that are no work tree, or that git cannot read, are left out. */
export async function ownCommits(
  git: Git,
  workspaces: Iterable<string>,
  range: Range,
): Promise<Map<string, readonly OwnCommit[]>> {
  const folders = [...new Set(workspaces)].filter((each) => isAbsolutePath(each) && !SHARE.test(each));
  const roots = new Map<string, Promise<readonly OwnCommit[]>>();
  const found = new Map<string, readonly OwnCommit[]>();
  for (let from = 0; from < folders.length && roots.size < MOST_FOLDERS; from += AT_ONCE)
    await Promise.all(
      folders.slice(from, from + AT_ONCE).map(async (folder) => {
        const tree = await workTreeOf(folder);
        if (!tree) return;
        const commits = roots.get(tree.root) ?? commitsIn(git, tree, range);
        roots.set(tree.root, commits);
        found.set(folder, await commits);
      }),
    );
  return found;
}

async function workTreeOf(workspace: string): Promise<GitFolder | undefined> {
  const folder = /\.code-workspace$/i.test(workspace) ? dirname(workspace) : workspace;
  try {
    return await readGit(localFs, folder);
  } catch (error) {
    // Whatever is wrong with a folder that a session names, the report does not depend on it.
    if (!(error instanceof Error && "code" in error)) throw error;
    return undefined;
  }
}

const FIELDS = ["%H", "%S", "%ae", "%cI", "%s"];

async function commitsIn(
  git: Git,
  { root, branch }: GitFolder,
  { since, until }: Range,
): Promise<readonly OwnCommit[]> {
  const ident = await git.read(root, ["var", "GIT_AUTHOR_IDENT"], "user");
  const email = /<([^<>\n]+)>/.exec(ident ?? "")?.[1];
  if (email === undefined) return [];
  const log = await git.read(
    root,
    [
      "log",
      "--branches",
      "--no-merges",
      "--no-patch",
      "--no-show-signature",
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      "--fixed-strings",
      "--regexp-ignore-case",
      `--author=<${email}>`,
      `--since=${since.toISOString()}`,
      `--until=${until.toISOString()}`,
      `--max-count=${MOST_COMMITS}`,
      `--format=${FIELDS.join("%x00")}%x1e`,
      "HEAD",
    ],
    "none",
  );
  return (log ?? "").split("\x1e").flatMap((record) => toCommit(record.trim(), email, branch));
}

/** `checkedOut` is the branch that HEAD stands for. */
function toCommit(record: string, email: string, checkedOut: string | undefined): OwnCommit[] {
  const [commit = "", ref = "", author = "", at = "", subject = ""] = record.split("\0");
  if (!/^[0-9a-f]{40,64}$/.test(commit) || author.toLowerCase() !== email.toLowerCase()) return [];
  // Some versions of git name the branch alone, others with where branches are.
  const branch = ref === "HEAD" ? checkedOut : ref.replace(/^refs\/heads\//, "") || undefined;
  return [{ commit, subject, at: new Date(at).toISOString(), ...(branch !== undefined && { branch }) }];
}
