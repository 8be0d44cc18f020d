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

const GITHUB_PULL = /github\.com\/[^/\s]+\/[^/\s]+\/pull\/(\d+)/;
const GITHUB_ISSUE = /github\.com\/[^/\s]+\/[^/\s]+\/issues\/(\d+)/;
const STRICT_COMMIT = /\[[^\s\]]+ ([0-9a-f]{7,40})\]/;
const ANY_COMMIT = /\[[^\]]*?\b([0-9a-f]{7,40})\]/;

/** What a successful shell command made or looked up; `shell` is the tool's name. */
export function refsOfRun(shell: string, command: string, output: string): Ref[] {
  const refs: Ref[] = [];
  const strict = shell === "bash" ? "tool" : "command";
  const add = (type: RefType, value: string | undefined, evidence: RefEvidence): void => {
    if (value !== undefined && !refs.some((ref) => ref.type === type && ref.value === value))
      refs.push({ type, value, evidence });
  };
  if (/git\s+commit/.test(command)) add("commit", STRICT_COMMIT.exec(output)?.[1], strict);
  if (/\bgit\b[^|;&]*\b(commit|merge|revert|cherry-pick)\b/.test(command))
    add("commit", ANY_COMMIT.exec(output)?.[1], "command");
  if (/gh\s+pr\s+(create|view|merge|checkout)/.test(command))
    add("pr", GITHUB_PULL.exec(output)?.[1], strict);
  if (/gh\s+issue\s+create/.test(command)) add("issue", GITHUB_ISSUE.exec(output)?.[1], strict);
  const pr = /\bgh\s+pr\s+\w+\s+#?(\d+)\b/.exec(command)?.[1];
  const issue = /\bgh\s+issue\s+\w+\s+#?(\d+)\b/.exec(command)?.[1];
  add("pr", pr, "command");
  add("issue", issue, "command");
  return refs;
}

/** What a tool of a code host was asked about; `name` is the tool's full name, with its server. */
export function refsOfTool(name: string, input: Readonly<Record<string, unknown>>): Ref[] {
  const evidence: RefEvidence = name.startsWith("github-mcp-server-") ? "tool" : "command";
  if (!/github|gitlab/i.test(name)) return [];
  const number = (key: string): string | undefined =>
    typeof input[key] === "number" ? String(input[key]) : undefined;
  const refs: Ref[] = [];
  const pr = /pull_request/.test(name) ? number("pullNumber") : undefined;
  const issue = /issue/.test(name) ? number("issue_number") : undefined;
  const sha = /commit/.test(name) && typeof input.sha === "string" ? input.sha : undefined;
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
const MAY_MENTION = /[#!/]\d|commit|\b[PM]R\b|request|issue/i;

export function refsInText(text: string): Ref[] {
  if (!MAY_MENTION.test(text)) return [];
  const found = new Map<string, Ref>();
  for (const [type, pattern] of MENTIONS) {
    for (const match of text.matchAll(pattern)) {
      const value = match[1];
      if (value !== undefined) found.set(`${type}:${value}`, { type, value, evidence: "mentioned" });
    }
  }
  return [...found.values()];
}
