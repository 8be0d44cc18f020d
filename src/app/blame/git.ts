/** What git knows of a file: the commit of each line, the names that it had, and other work trees of its repository. */
import { basename, dirname, join, relative } from "node:path";
import { type CommittedLine, parsePorcelain } from "../../model/blame/porcelain.ts";
import { isAtOrBelow, withSlashes } from "../../model/values/paths.ts";
import { readGit } from "../../platform/disk/git-folder.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { askGit, type GitAnswer, isUnborn, troubleOf } from "../../platform/process/git.ts";
import type { FormerName } from "../../query/blame/moves.ts";

export interface GitFacts {
  readonly root?: string;
  readonly committed: readonly CommittedLine[];
  readonly former: readonly FormerName[];
  readonly worktrees: readonly string[];
  /** Why git could not be asked: then lines may be committed although no commit is told. */
  readonly trouble?: string;
}

export interface GitParts {
  readonly fs: SessionFs;
  readonly vars: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Names that a file may have had before commands of sessions moved it. */
  readonly movedFrom?: (root: string) => readonly string[];
}

/** A file with a long history may take git a while. */
const PATIENCE_MS = 15_000;
/** So many of them are asked about. */
const MOST_NAMES = 4;
const BLAME = ["blame", "--porcelain", "--no-textconv", "HEAD", "--"];
const IGNORED = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"];
/** Of the index, which is compared with the last commit: files themselves are not looked at. */
const MOVED = [
  "diff",
  "--cached",
  "-M",
  "--name-status",
  "-z",
  "--diff-filter=R",
  "--no-ext-diff",
  "--no-textconv",
  "HEAD",
];

export async function gitFactsOf(path: string, parts: GitParts): Promise<GitFacts> {
  const root = (await readGit(parts.fs, dirname(path)))?.root;
  if (root === undefined) return { committed: [], former: [], worktrees: [] };
  const { vars, signal, timeoutMs = PATIENCE_MS } = parts;
  const ask = (folder: string, args: readonly string[]): Promise<GitAnswer> =>
    askGit(args, { folder, vars, timeoutMs, ...(signal && { signal }) });
  const own = withSlashes(relative(root, path));
  const trees = await ask(root, ["worktree", "list", "--porcelain"]);
  const direct = await ask(dirname(path), [...BLAME, basename(path)]);
  const staged = direct.how === "failed" ? movedFrom(own, await ask(root, MOVED)) : undefined;
  let blamed = staged === undefined ? direct : await ask(root, [...BLAME, staged]);
  // Moved without a word to git, it is still committed under the name that it had.
  for (const path of blamed.how === "failed" ? (parts.movedFrom?.(root) ?? []).slice(0, MOST_NAMES) : []) {
    const before = isAtOrBelow(path, root)
      ? await ask(root, [...BLAME, withSlashes(relative(root, path))])
      : blamed;
    if (before.how !== "failed") {
      blamed = before;
      break;
    }
  }
  if (blamed.how === "failed") blamed = await askAgain(own, direct, (args) => ask(root, args));
  const trouble = troubleOf(blamed);
  const committed = blamed.how === "answered" ? parsePorcelain(blamed.text) : [];
  return {
    root,
    committed,
    former: [
      ...(staged === undefined ? [] : [{ path: join(root, staged) }]),
      ...(await formerNames(committed, own, root, parts.fs)),
    ],
    worktrees: worktreesIn(trees).filter((each) => each !== root),
    ...(trouble !== undefined && { trouble: `${trouble}, so commits and former names are left out` }),
  };
}

/** Whether git was told to leave a file alone. Where it cannot be asked, nobody knows. */
export async function isIgnored(path: string, { fs, vars, signal }: GitParts): Promise<boolean> {
  if ((await readGit(fs, dirname(path))) === undefined) return false;
  const answer = await askGit([...IGNORED, basename(path)], {
    folder: dirname(path),
    vars,
    timeoutMs: PATIENCE_MS,
    settings: "user",
    ...(signal && { signal }),
  });
  return answer.how === "answered" && answer.text !== "";
}

/** Whether a file that git knows nothing of is new, or git could not tell. */
async function askAgain(
  own: string,
  failed: GitAnswer,
  ask: (args: readonly string[]) => Promise<GitAnswer>,
): Promise<GitAnswer> {
  const listed = await ask(["ls-tree", "-z", "--name-only", "HEAD", "--", own]);
  const isNew = listed.how === "answered" ? listed.text === "" : await isUnborn(ask);
  if (isNew) return { how: "answered", text: "" };
  if (listed.how !== "answered") return failed;
  // A list of commits to pass over that the settings name may not be there: that is no reason to tell of none.
  const [command = "", ...rest] = BLAME;
  const without = await ask([command, "--no-ignore-revs-file", ...rest, own]);
  return without.how === "failed" ? failed : without;
}

/** The name in the last commit of a file that was moved since, where the move is staged. */
function movedFrom(own: string, answer: GitAnswer): string | undefined {
  const words = answer.how === "answered" ? answer.text.split("\0") : [];
  for (let at = 0; at + 2 < words.length; at += 3) if (words[at + 2] === own) return words[at + 1];
  return undefined;
}

/** A file that is there again under a former name is another one since that commit. */
async function formerNames(
  committed: readonly CommittedLine[],
  own: string,
  root: string,
  fs: SessionFs,
): Promise<FormerName[]> {
  const latest = new Map<string, string>();
  for (const { name, commit } of committed)
    if (name !== own && name !== "" && commit.time > (latest.get(name) ?? "")) latest.set(name, commit.time);
  const names: FormerName[] = [];
  for (const [name, until] of latest) {
    const path = join(root, name);
    names.push({ path, ...((await fs.exists(path)) && { until }) });
  }
  return names;
}

const worktreesIn = (answer: GitAnswer): string[] =>
  answer.how === "answered"
    ? [...answer.text.matchAll(/^worktree (.+)$/gm)].map(([, path = ""]) => path)
    : [];
