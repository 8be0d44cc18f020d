/** Finds secrets by the names of their fields: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `Authorization: …`. */
import { isUserAndPassword } from "./shapes.ts";
import type { Span } from "./span.ts";
import { type BareManner, endOfBare, endOfQuoted, QUOTES } from "./text.ts";
import { type Manner, soundsSecret } from "./values.ts";

/** What a name ends in when it names a secret. Plurals are counts and lists; a public key is for everybody. */
const WORDS = {
  password: "pass(?:word|wd|phrase|code)|pwd|psw|(?<=_)pass(?![a-z])",
  secret: "secret(?:[-_. ]?key(?:[-_]base)?)?|credential",
  token: "token",
  key: "(?:api|access|private|auth|encryption|signing|account|shared|master|session|license|subscription|admin|deploy|service|app|jwt|hmac|cipher|webhook)[-_. ]?key",
} as const;

type NameKind = keyof typeof WORDS;
const KINDS = Object.keys(WORDS) as NameKind[];

const NAMES = KINDS.map((kind) => `(?<${kind}>${WORDS[kind]})`).join("|");
const NAME = new RegExp(`${NAMES}|(?<header>authorization)|(?<bearer>bearer)`, "gi");
const NAME_AT_END = new RegExp(`(?:${NAMES})$`, "i");

/** These are named like secrets and are none: where a list goes on, a symbol of a grammar, a color of a design. */
const HARMLESS =
  /(?:page|next|sync|continuation|cancell?ation|progress|design|eos|bos|pad|unk|mask|sep|cls|stop|word|sub|syntax)[-_ ]?token$/i;

/**
 * What gives a name its value. An indented line after `|` is YAML, `[…]` the default that a prompt offers; a field
 * `value` behind the one with the name is how Kubernetes writes its settings; `is` is for prose.
 */
const GIVES =
  /(?:\\*["'`]|\\+u002[27])?\]?(?:(?<tight>=|%3[Dd]|\\+u003[Dd])|(?: \[[^\]\n]{0,40}\])?[ \t]{0,20}(?::=|=>|[:=])(?:\s{0,40}[|>][-+]?[ \t]{0,9}\n)?|,?\s{0,40}\\*["']?value\\*["']?\s{0,9}[:=]|(?<prose>(?:[ \t]+(?:for|of|to)[ \t]+\S{1,40})?[ \t]+(?:is|was)(?:[ \t]+(?:now|still|just))?[ \t]*:?))\s{0,40}/y;
/** `with password …`, and `the password "…"`: what follows must look like one. */
const GIVES_NEXT = /[ \t]{1,4}(?=[^\s=:])/y;
const SAID_BEFORE = /(?:\b(?:with|using|and|the|my|our|its|new|old|temporary|default)|[,(])[ \t]{1,4}$/i;
const GIVES_FLAG = /[ \t]+(?!-)/y;
const GIVES_TAG = />\s{0,40}/y;
const GIVES_HEADER =
  /\\*["']?\s{0,9}[:=,]\s{0,9}\\*["']?(?:(?:bearer|(?<basic>basic)|token|digest|apikey)[ \t]+)?/iy;
const GIVES_BEARER = /[ \t]+/y;

/** Where the value of a name begins, and how far it is to be trusted. */
interface Given {
  readonly at: number;
  readonly kind: string;
  readonly manner: Manner;
  readonly bare: BareManner;
  /** A quote that stands here closes the text in which the name stands. */
  readonly isInQuotes?: boolean;
}

/** `pass` alone is also a step of some work; it is a password where a service or an account stands before it. */
const isPassOfNothing = (name: string): boolean =>
  /_pass$/i.test(name) &&
  /[a-z]/.test(name) &&
  !/(?:db|database|sql|smtp|mail|ftp|user|admin|root|redis|proxy|auth|login|pg|postgres|ssh|sudo|http|basic|vault|key|keystore)_pass$/i.test(
    name,
  );

/** The shell's word for the current folder; every listing of an environment has it. */
const FOLDERS: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);

const isHarmless = (name: string): boolean =>
  HARMLESS.test(name) || FOLDERS.has(name) || isPassOfNothing(name);

export function findNamed(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(NAME)) {
    const isInside = match.index < (spans.at(-1)?.end ?? 0);
    const given = isInside ? undefined : findGiven(text, match);
    const span = given && toSpan(text, given);
    if (span) spans.push(span);
  }
  return spans;
}

export function toSpan(text: string, { at, kind, manner, bare, isInQuotes }: Given): Span | undefined {
  const quoted = isInQuotes ? undefined : endOfQuoted(text, at);
  const { start, end } = quoted ?? endOfBare(text, at, bare);
  const value = text.slice(start, end);
  // Words between backticks are a command whose output is the secret.
  if (quoted && text[start - 1] === "`" && value.includes(" ")) return undefined;
  if (!soundsSecret(value, manner, quoted !== undefined)) return undefined;
  return { start, end, kind, isNamed: true };
}

/** For a field that has a name and a value apart, as the arguments of a tool call have. */
export function findNamedValue(name: string, value: string): Span[] {
  if (/authorization$/i.test(name)) return findInHeader(value);
  if (/^auth$/i.test(name) && isUserAndPassword(value))
    return [{ start: 0, end: value.length, kind: "registry password", isNamed: true }];
  const match = NAME_AT_END.exec(name);
  if (!match || isHarmless(name)) return [];
  const manner = match.groups?.password === undefined ? "wary" : "plain";
  return soundsSecret(value, manner, true)
    ? [{ start: 0, end: value.length, kind: kindOf(match), isNamed: true }]
    : [];
}

/** `Authorization` with its value apart. */
function findInHeader(value: string): Span[] {
  const scheme = SCHEME.exec(value);
  const start = scheme?.[0].length ?? 0;
  const manner = scheme?.groups?.basic === undefined ? "wary" : "plain";
  return soundsSecret(value.slice(start), manner, true)
    ? [{ start, end: value.length, kind: "authorization", isNamed: true }]
    : [];
}
const SCHEME = /^\s*(?:bearer|(?<basic>basic)|token|digest|apikey)\s+/i;

function findGiven(text: string, match: RegExpExecArray): Given | undefined {
  const end = match.index + match[0].length;
  const after = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = end;
    return pattern.exec(text) ?? undefined;
  };
  const { header, bearer, password } = match.groups ?? {};
  if (header !== undefined || bearer !== undefined) {
    const gives = after(header === undefined ? GIVES_BEARER : GIVES_HEADER);
    if (!gives) return undefined;
    const manner = gives.groups?.basic === undefined ? "wary" : "plain";
    return { at: end + gives[0].length, kind: "authorization", manner, bare: "word", isInQuotes: true };
  }

  // Encoded bytes hold every word by accident.
  if (/[A-Za-z0-9+/]{40}$/.test(text.slice(Math.max(0, match.index - 40), match.index))) return undefined;
  const beginning = beginningOf(text, match.index);
  const name = beginning + match[0];
  if (isHarmless(name)) return undefined;
  const before = text[match.index - beginning.length - 1] ?? "\n";
  const kind = kindOf(match);
  const gives = after(GIVES);
  if (gives) {
    const isSetting = gives.groups?.tight !== undefined && "\n;?&".includes(before);
    const manner = gives.groups?.prose === undefined ? mannerOf(name, password, isSetting) : "wary";
    const at = end + gives[0].length;
    // In `'Password: '` the quote behind is the one before.
    const isInQuotes = QUOTES.includes(before) && before === text[at] && !gives[0].includes(before);
    const isParameter = ";?&".includes(before) || gives.groups?.tight?.startsWith("%") === true;
    return { at, kind, manner, bare: isParameter ? "parameter" : "word", isInQuotes };
  }
  const isSaid =
    password !== undefined &&
    beginning === "" &&
    SAID_BEFORE.test(text.slice(Math.max(0, match.index - 20), match.index));
  const next = isSaid ? after(GIVES_NEXT) : undefined;
  if (next) return { at: end + next[0].length, kind, manner: "wary", bare: "word" };
  const manner = password === undefined ? "wary" : "plain";
  const flag = beginning.startsWith("-") ? after(GIVES_FLAG) : undefined;
  if (flag) return { at: end + flag[0].length, kind, manner, bare: "word" };
  const tag = before === "<" ? after(GIVES_TAG) : undefined;
  return tag && { at: end + tag[0].length, kind, manner, bare: "tag", isInQuotes: true };
}

/**
 * A variable of the environment means what its name says, and so does `db.password=…` at the very beginning of a line
 * or between semicolons; elsewhere code may only talk about it.
 */
function mannerOf(name: string, password: string | undefined, isSetting: boolean): Manner {
  if (!/[a-z]/.test(name)) return "plain";
  // No language has names with dashes in them.
  if (password === undefined) return isSetting || name.includes("-") ? "wary" : "code";
  return isSetting ? "plain" : "password";
}

const kindOf = (match: RegExpExecArray): string =>
  KINDS.find((kind) => match.groups?.[kind] !== undefined) ?? "secret";

/** As much of a name as stands before the part that was matched. */
const beginningOf = (text: string, at: number): string =>
  /[\w.:-]*$/.exec(text.slice(Math.max(0, at - 60), at))?.[0] ?? "";
