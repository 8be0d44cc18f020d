/**
 * Queries whose answer leaves the machine. What takes texts apart could take a secret apart, so that nobody would know it
 * again: such functions get the text without its secrets, or are refused, and texts that were shortened before are not given.
 */
import type { Redactor } from "../../model/redact/redact.ts";
import { memberOf } from "../../model/values/member.ts";
import type { Database } from "../../platform/sqlite/sqlite.ts";

/** Functions that have no place here: their result is no text, or a piece of one. */
const REFUSED: ReadonlySet<string> = new Set(
  "hex unhex printf format soundex highlight snippet unistr unistr_quote json_extract -> ->> jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set".split(
    " ",
  ),
);

export const isRefusedRedacted = (name: string): boolean => REFUSED.has(name.toLowerCase());

/** Pieces of texts, or texts in lower case: the search needs them, and they read as NULL. */
const SHORTENED: Readonly<Record<string, ReadonlySet<string>>> = {
  sessions: new Set(["words"]),
  turns: new Set(["more"]),
  search_index: new Set(["content", "more", "parts"]),
};

export const isShortened = (table: string, column: string): boolean =>
  memberOf(SHORTENED, table)?.has(column) === true;

type Sql = string | number | bigint | null | Uint8Array;

/** Of the functions that most queries need, versions that see no secrets. */
export function replaceFunctions(db: Database, redactor: Pick<Redactor, "text">): void {
  const clean = (value: Sql): string => redactor.text(toText(value));
  const define = (name: string, work: (text: string, ...rest: Sql[]) => string | number | null): void =>
    db.function(name, { deterministic: true, varargs: true }, (value: Sql, ...rest: Sql[]) =>
      value === null || rest.includes(null) ? null : work(clean(value), ...rest),
    );
  for (const name of ["substr", "substring"])
    define(name, (text, from = 1, length) => part(text, Number(from), length));
  define("replace", (text, what = "", by = "") =>
    toText(what) === "" ? text : text.replaceAll(toText(what), toText(by)),
  );
  define("upper", (text) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()));
  define("lower", (text) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()));
  define("ltrim", (text, signs = " ") => trimmed(text, toText(signs), true, false));
  define("rtrim", (text, signs = " ") => trimmed(text, toText(signs), false, true));
  define("trim", (text, signs = " ") => trimmed(text, toText(signs), true, true));
  // Looking for the beginnings of a secret, one letter longer each time, would tell all of it.
  define("instr", (text, what = "") => {
    const at = text.indexOf(toText(what));
    return at < 0 ? 0 : [...text.slice(0, at)].length + 1;
  });
  const matching = (name: string, toPattern: (pattern: string, escapeSign: string) => RegExp): void =>
    db.function(
      name,
      { deterministic: true, varargs: true },
      (pattern: Sql, value: Sql, escapeSign: Sql = "") =>
        pattern === null || value === null
          ? null
          : Number(toPattern(toText(pattern), toText(escapeSign)).test(clean(value))),
    );
  matching("like", likePattern);
  matching("glob", globPattern);
}

/** `%` and `_`, with letters of ASCII in any case. */
function likePattern(pattern: string, escapeSign: string): RegExp {
  let source = "";
  for (let at = 0, signs = [...pattern]; at < signs.length; at++) {
    const sign = signs[at] ?? "";
    if (sign === escapeSign && escapeSign !== "") source += literal(signs[++at] ?? "");
    else if (sign === "%") source += "[^]*";
    else source += sign === "_" ? "[^]" : inAnyCase(sign);
  }
  return new RegExp(`^${source}$`, "u");
}

const inAnyCase = (sign: string): string =>
  /[a-z]/i.test(sign) ? `[${sign.toLowerCase()}${sign.toUpperCase()}]` : literal(sign);

/** `*`, `?` and sets such as `[a-z]` or `[^x]`; a set that does not end matches nothing. */
function globPattern(pattern: string): RegExp {
  let source = "";
  for (const [piece = "", set] of pattern.matchAll(/\[(\^?\]?[^\]]*)\]|[\s\S]/gu)) {
    if (set !== undefined) source += toSet(set);
    else if (piece === "*") source += "[^]*";
    else if (piece === "[") return /(?!)/;
    else source += piece === "?" ? "[^]" : literal(piece);
  }
  return new RegExp(`^${source}$`, "u");
}

function toSet(set: string): string {
  const [, not = "", signs = ""] = /^(\^?)([\s\S]*)$/u.exec(set) ?? [];
  const escaped = signs.replaceAll(/[\\\]^[]/g, "\\$&");
  // A minus at either end means itself.
  return `[${not}${escaped.replace(/^-/, "\\-").replace(/-$/, "\\-")}]`;
}

const literal = (sign: string): string => sign.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

const toText = (value: Sql): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value ?? "");

/** As SQLite counts: from 1, by characters, backwards from the end where it is negative. */
function part(text: string, from: number, length: Sql | undefined): string {
  const all = [...text];
  const begin = from > 0 ? from - 1 : from < 0 ? all.length + from : -1;
  const count = length === undefined ? all.length - begin : Number(length);
  const [start, end] = count < 0 ? [begin + count, begin] : [begin, begin + count];
  return all.slice(Math.max(0, start), Math.max(0, end)).join("");
}

function trimmed(text: string, signs: string, atStart: boolean, atEnd: boolean): string {
  const [all, set] = [[...text], new Set(signs)];
  let [start, end] = [0, all.length];
  while (atStart && start < end && set.has(all[start] ?? "")) start++;
  while (atEnd && end > start && set.has(all[end - 1] ?? "")) end--;
  return all.slice(start, end).join("");
}

/** Bytes may be a text that was cast. */
export const bytesAsText = (value: unknown, redactor: Pick<Redactor, "text">): unknown =>
  value instanceof Uint8Array ? redactor.text(Buffer.from(value).toString("utf8")) : value;
