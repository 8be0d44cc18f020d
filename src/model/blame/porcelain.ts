/** Reads what `git blame --porcelain` prints: each line of a file as it was committed, and its commit. */

export interface Commit {
  readonly id: string;
  readonly author: string;
  /** ISO 8601. */
  readonly time: string;
  readonly summary: string;
}

export interface CommittedLine {
  readonly text: string;
  readonly commit: Commit;
  /** The file as that commit calls it, from the root of the work tree. */
  readonly name: string;
}

/** A commit is described with the first of its lines, and named with the others. */
export function parsePorcelain(printed: string): CommittedLine[] {
  const lines: CommittedLine[] = [];
  const commits = new Map<string, Commit>();
  const names = new Map<string, string>();
  let id = "";
  let facts = new Map<string, string>();
  for (const line of printed.split("\n")) {
    if (line.startsWith("\t")) {
      const commit = commits.get(id) ?? toCommit(id, facts);
      commits.set(id, commit);
      const name = facts.get("filename");
      if (name !== undefined) names.set(id, unquoted(name));
      lines.push({ text: line.slice(1), commit, name: names.get(id) ?? "" });
      continue;
    }
    const header = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1];
    if (header !== undefined) {
      id = header;
      facts = new Map();
      continue;
    }
    const space = line.indexOf(" ");
    facts.set(space < 0 ? line : line.slice(0, space), space < 0 ? "" : line.slice(space + 1));
  }
  return lines;
}

const toCommit = (id: string, facts: ReadonlyMap<string, string>): Commit => ({
  id,
  author: facts.get("author") ?? "",
  time: toTime(Number(facts.get("author-time"))),
  summary: facts.get("summary") ?? "",
});

/** A time that cannot be is the oldest one. */
const toTime = (seconds: number): string =>
  new Date(Math.abs(seconds) <= 8.64e12 ? seconds * 1000 : 0).toISOString();

/** Names with quotes, backslashes or control characters are written as in C. */
function unquoted(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const bytes: number[] = [];
  const inner = name.slice(1, -1);
  for (let at = 0; at < inner.length; at++) {
    const octal = /^\\([0-7]{3})/.exec(inner.slice(at, at + 4))?.[1];
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8));
      at += 3;
    } else if (inner[at] === "\\") bytes.push(...encode(ESCAPES.get(inner[++at] ?? "") ?? inner[at] ?? ""));
    else {
      const letter = String.fromCodePoint(inner.codePointAt(at) ?? 0);
      at += letter.length - 1;
      bytes.push(...encode(letter));
    }
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const ESCAPES = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
]);
