/** References to commits, pull requests and issues: made by commands, looked up by tools, or mentioned in text. */

export type RefType = "commit" | "pr" | "issue";

/**
 * `tool`: by the rules of Copilot CLI's own index, so that its rows and ours compare. `command`: made or looked up by a
 * command those rules pass over. `mentioned`: found in text.
 */
export type RefEvidence = "tool" | "command" | "mentioned";

export interface Ref {
  readonly type: RefType;
  readonly value: string;
  readonly evidence: RefEvidence;
}

/** The rules of Copilot CLI's own index, to the letter: what its reindex finds is in `test/real/copilot-refs.ts`. */
const STRICT: readonly [RefType, command: RegExp, output: RegExp][] = [
  ["commit", /\bgit\s+commit\b/, /\[[\w/.-]+\s+([0-9a-f]{7,40})\]/],
  ["pr", /\bgh\s+pr\s+(?:create|view|merge|checkout)\b/, /https:\/\/github\.com\/[^/]+\/[^/]+\/pull\/(\d+)/],
  ["issue", /\bgh\s+issue\s+create/, /https:\/\/github\.com\/[^/]+\/[^/]+\/issues\/(\d+)/],
];
/** What those pass over: other ways to commit, other hosts, numbers that the command itself names. */
const FURTHER: readonly [RefType, command: RegExp, output: RegExp][] = [
  ["pr", /\bg(?:h|lab)\s+[pm]r\s+(?!list|status)\w/, /\/(?:pull|merge_requests)\/(\d+)/],
  ["issue", /\bg(?:h|lab)\s+issue\s+(?!list|status)\w/, /\/issues\/(\d+)/],
];
/** Without patterns, which would begin anew at each word `git` and each bracket of an output of any length. */
function makesCommit(command: string): boolean {
  return command.split(/[|;&]/).some((part) => {
    const at = part.search(/\bgit\b/);
    return at >= 0 && /\b(?:commit|merge|revert|cherry-pick)\b/.test(part.slice(at + "git".length));
  });
}

/** The hash that stands last between brackets: `[main 1a2b3c4]`, `[detached HEAD 1a2b3c4]`. */
function commitIn(output: string): string | undefined {
  for (let from = 0, close = output.indexOf("]"); close >= 0; close = output.indexOf("]", from)) {
    const hash = /\b[0-9a-f]{7,40}$/.exec(output.slice(Math.max(from, close - LONGEST_HASH - 1), close))?.[0];
    if (hash !== undefined && output.slice(from, close - hash.length).includes("[")) return hash;
    from = close + 1;
  }
  return undefined;
}
const LONGEST_HASH = 40;

const NAMED: readonly [RefType, command: RegExp][] = [
  ["pr", /\bg(?:h|lab)\s+[pm]r\s+\w+\s+[#!]?(\d+)\b/],
  ["issue", /\bg(?:h|lab)\s+issue\s+\w+\s+#?(\d+)\b/],
];

/** Whether what this command prints is worth reading to its end. */
export const mayMakeRefs = (command: string): boolean => /\b(?:git|gh|glab)\b/.test(command);

/** What a shell command made or looked up. Strict rows come from the tool called `bash`, which Copilot CLI looks at alone. */
export function refsOfRun(shell: string, command: string, output: string): Ref[] {
  if (!mayMakeRefs(command)) return [];
  const refs: Ref[] = [];
  const add = (type: RefType, value: string | undefined, evidence: RefEvidence): void => {
    if (value !== undefined && !refs.some((ref) => ref.type === type && ref.value === value))
      refs.push({ type, value, evidence });
  };
  for (const [type, ran, printed] of STRICT)
    if (ran.test(command)) add(type, printed.exec(output)?.[1], shell === "bash" ? "tool" : "command");
  if (makesCommit(command)) add("commit", commitIn(output), "command");
  for (const [type, ran, printed] of FURTHER)
    if (ran.test(command)) add(type, printed.exec(output)?.[1], "command");
  for (const [type, named] of NAMED) add(type, named.exec(command)?.[1], "command");
  return refs;
}

/** What a tool of a code host was asked about; `name` is the tool's full name, with its server. */
export function refsOfTool(name: string, input: Readonly<Record<string, unknown>>): Ref[] {
  const evidence: RefEvidence = name.startsWith("github-mcp-server-") ? "tool" : "command";
  if (!/github|gitlab/i.test(name)) return [];
  const number = (key: "issue_number" | "pullNumber"): string | undefined =>
    typeof input[key] === "number" && input[key] !== 0 ? String(input[key]) : undefined;
  const refs: Ref[] = [];
  const pr = /pull_request/.test(name) ? number("pullNumber") : undefined;
  const issue = /issue/.test(name) ? number("issue_number") : undefined;
  const sha =
    /commit/.test(name) && typeof input.sha === "string" && input.sha !== "" ? input.sha : undefined;
  if (pr !== undefined) refs.push({ type: "pr", value: pr, evidence });
  if (issue !== undefined) refs.push({ type: "issue", value: issue, evidence });
  if (sha !== undefined) refs.push({ type: "commit", value: sha, evidence });
  return refs;
}

const MENTIONS: readonly [RefType, RegExp][] = [
  ["pr", /\/(?:pull|merge_requests)\/(\d+)/g],
  ["pr", /\b(?:PR|MR|pull request|merge request)\s*[#!]?(\d{1,6})\b/gi],
  ["issue", /\/issues\/(\d+)/g],
  ["issue", /\b(?:issue|fix(?:es|ed)?|close[sd]?|resolve[sd]?)\s+#(\d{1,6})\b/gi],
  ["commit", /\/commit\/([0-9a-f]{7,40})\b/g],
  ["commit", /\bcommit\s+`?([0-9a-f]{7,40})\b/g],
];
/** Every pattern needs one of these; most text has none, and is passed over at the speed of a search. */
const MAY_MENTION = /[#!/]\d|commit|\b[PM]R\b|request|issue|\bGH-\d/i;

/** As GitHub links them: `owner/repo#5` and `GH-12`, at the beginning of a word. */
const NUMBER = "([1-9]\\d{0,6})(?![\\w-]|\\.\\d)";
const BEGINNING = "(?<![\\w/\\\\.@#&~-])";
const LINKED = new RegExp(
  `${BEGINNING}(?:(GH|gh)-|([A-Za-z\\d](?:-?[A-Za-z\\d]){0,38})/([\\w.-]{1,100})#)${NUMBER}`,
  "g",
);
/** What GitHub does not look into: code, and where links lead. */
const UNLINKED = /```[\s\S]*?(?:```|$)|`[^`\n]*`|\]\([^)\n]*\)/g;
/** Folders, not people: a repository of theirs would be one in a thousand of these. */
const FOLDERS =
  /^(?:src|lib|libs|docs?|tests?|spec|app|apps|packages|components|pages|public|assets|static|dist|build|scripts?|bin|etc|usr|var|tmp|home|node_modules|examples?|images?|css|js)$/i;
/** Names of files with an anchor, and words that a slash joins. */
const NO_REPOSITORY =
  /\.(?:md|mdx|html?|txt|rst|adoc|pdf|tsx?|jsx|mjs|cjs|py|rb|java|css|scss|svg|json|ya?ml|xml|toml)$|^(?:or|o|a|she|her)$/i;
/** Notes and languages: `C/C#5`. */
const NOTE = /^[A-G]$/;
/** Before a reference, it says that a pull request is meant; otherwise GitHub alone knows. */
const OF_PULL_REQUEST = /\b(?:PR|MR|pull request|merge request):?\s+$/i;

function* linkedIn(text: string): Generator<Ref> {
  const prose = text.replace(UNLINKED, (code) => " ".repeat(code.length));
  for (const match of prose.matchAll(LINKED)) {
    const [, , owner = "", repository = "", value] = match;
    if (value === undefined || FOLDERS.test(owner)) continue;
    if (NO_REPOSITORY.test(repository) || NOTE.test(repository)) continue;
    const before = prose.slice(Math.max(0, match.index - 20), match.index);
    yield { type: OF_PULL_REQUEST.test(before) ? "pr" : "issue", value, evidence: "mentioned" };
  }
}

export function refsInText(text: string): Ref[] {
  if (!MAY_MENTION.test(text)) return [];
  const found = new Map<string, Ref>();
  for (const [type, pattern] of MENTIONS) {
    for (const match of text.matchAll(pattern)) {
      const value = match[1];
      if (value !== undefined) found.set(`${type}:${value}`, { type, value, evidence: "mentioned" });
    }
  }
  // After the others: those say what kind of reference it is.
  for (const ref of linkedIn(text))
    if (!found.has(`pr:${ref.value}`)) found.set(`${ref.type}:${ref.value}`, ref);
  return [...found.values()];
}
