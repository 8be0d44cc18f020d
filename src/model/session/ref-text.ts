/** A commit, a pull request or an issue as people name it. */
import { AppError } from "../errors.ts";
import type { RefType } from "./refs.ts";

export interface NamedRef {
  readonly type: RefType;
  readonly value: string;
}

/** Also as GitHub writes an issue, which is how the store reads it: `owner/repo#5`, `GH-12`. */
export function toReference(text: string): NamedRef {
  const [first, ...others] = refsNamed(text);
  if (first && others.length === 0) return first;
  throw new AppError("usage", `"${text}" is not a reference`, "Use pr:42, issue:7 or commit:1a2b3c4");
}

/** What a text may mean: a number alone is a pull request or an issue. Nothing for what is none of them. */
export function refsNamed(text: string): NamedRef[] {
  const word = text.trim();
  const linked = /\/(?:(pull|merge_requests)|(issues)|commit)\/([0-9a-f]+)\b/.exec(word);
  if (linked?.[3]) return [{ type: linked[1] ? "pr" : linked[2] ? "issue" : "commit", value: linked[3] }];
  const issue = /^(?:GH-|[\w.-]+\/[\w.-]+#)(\d+)$/i.exec(word)?.[1];
  if (issue !== undefined) return [{ type: "issue", value: issue }];
  const [, type, value] = /^(commit|pr|issue):#?(.+)$/.exec(word) ?? [];
  if ((type === "commit" || type === "pr" || type === "issue") && value !== undefined)
    return [{ type, value }];
  const number = /^#?(\d{1,6})$/.exec(word)?.[1];
  if (number !== undefined)
    return [
      { type: "pr", value: number },
      { type: "issue", value: number },
    ];
  return /^[0-9a-f]{7,40}$/i.test(word) ? [{ type: "commit", value: word.toLowerCase() }] : [];
}
