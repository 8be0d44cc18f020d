/** The user's own commits in a range, from `git log` of the repositories that sessions worked in. */
import { dirname } from "node:path";
import { isAbsolutePath } from "../../model/values/paths.ts";
import { type GitFolder, readGit } from "../../platform/disk/git-folder.ts";
import { localFs } from "../../platform/fs/local.ts";
import { type Git, isUnborn, troubleOf } from "../../platform/process/git.ts";

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

export interface OwnCommits {
  /** By folder; those that are no work tree are left out. */
  readonly commits: ReadonlyMap<string, readonly OwnCommit[]>;
  /** Why those of some repositories are missing, in sentences. */
  readonly troubles: readonly string[];
}

/** Without git, nothing but that is said, and only where there is something to ask it. */
export async function ownCommits(
  git: Git | undefined,
  workspaces: Iterable<string>,
  range: Range,
): Promise<OwnCommits> {
  const folders = [...new Set(workspaces)].filter((each) => isAbsolutePath(each) && !SHARE.test(each));
  const roots = new Map<string, Promise<FoundCommits>>();
  const commits = new Map<string, readonly OwnCommit[]>();
  const troubles = new Map<string, string>();
  let unasked = 0;
  for (let from = 0; from < folders.length; from += AT_ONCE)
    await Promise.all(
      folders.slice(from, from + AT_ONCE).map(async (folder) => {
        const tree = await workTreeOf(folder);
        if (!tree) return;
        const known = roots.get(tree.root);
        if (!known && roots.size >= MOST_FOLDERS) {
          unasked++;
          return;
        }
        const found = known ?? (git ? commitsIn(git, tree, range) : Promise.resolve(NO_GIT));
        roots.set(tree.root, found);
        const { own, trouble } = await found;
        commits.set(folder, own);
        if (trouble !== undefined)
          troubles.set(git ? tree.root : "", `${git ? `${tree.root}: ` : ""}${trouble}, so ${LEFT_OUT}`);
      }),
    );
  if (unasked > 0)
    troubles.set("more", `git was asked in ${MOST_FOLDERS} repositories only, so in others ${LEFT_OUT}`);
  return { commits, troubles: [...troubles.values()] };
}

interface FoundCommits {
  readonly own: readonly OwnCommit[];
  readonly trouble?: string;
}

const LEFT_OUT = "commits that no session made are left out";
const NO_GIT: FoundCommits = { own: [], trouble: troubleOf({ how: "missing" }) ?? "" };

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
): Promise<FoundCommits> {
  const ident = await git.ask(root, ["var", "GIT_AUTHOR_IDENT"], "user");
  const email = ident.how === "answered" ? /<([^<>\n]+)>/.exec(ident.text)?.[1] : undefined;
  if (email === undefined) {
    // Outside of a repository it is asked for other settings, and the reason would mislead.
    const trouble = troubleOf(await git.ask(root, ["rev-parse", "--git-dir"])) ?? troubleOf(ident);
    return { own: [], trouble: trouble ?? "git does not know who you are" };
  }
  const log = await git.ask(
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
  if (log.how === "answered")
    return { own: log.text.split("\x1e").flatMap((record) => toCommit(record.trim(), email, branch)) };
  const isEmpty = log.how === "failed" && (await isUnborn((args) => git.ask(root, args)));
  return { own: [], ...(!isEmpty && { trouble: troubleOf(log) ?? "" }) };
}

/** `checkedOut` is the branch that HEAD stands for. */
function toCommit(record: string, email: string, checkedOut: string | undefined): OwnCommit[] {
  const [commit = "", ref = "", author = "", at = "", subject = ""] = record.split("\0");
  if (!/^[0-9a-f]{40,64}$/.test(commit) || author.toLowerCase() !== email.toLowerCase()) return [];
  // Some versions of git name the branch alone, others with where branches are.
  const branch = ref === "HEAD" ? checkedOut : ref.replace(/^refs\/heads\//, "") || undefined;
  return [{ commit, subject, at: new Date(at).toISOString(), ...(branch !== undefined && { branch }) }];
}
