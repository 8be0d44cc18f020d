/**
 * Reads the simple YAML that Copilot CLI writes beside a log: one `key: value` per line. Anything else needs a full
 * parser.
 */
import { setMember } from "../../../model/values/member.ts";

/** A value that means itself without quotes: no colon before a space, no `#` behind one, no odd first character. */
const PLAIN = /^(?!null$)[\p{L}\p{N}/._](?:[^\s\p{C}:]|:(?=\S)| (?=[^\s#]))*$/iu;
/** On one line, where only the quote itself is written twice. */
const SINGLE = /^'((?:[^'\s\p{C}]| |'')*)'$/u;
/** With no escape that JSON does not have. */
const DOUBLE = /^"(?:[^"\\\s\p{C}]| |\\["\\/bfnrt])*"$/u;
const LINE = /^([a-z_]+): (.*)$/;

/** All values as text, or nothing when there is more in it than plain and quoted lines. */
export function parseFlat(text: string): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, key, written] = LINE.exec(line) ?? [];
    const value = written === undefined ? undefined : parseScalar(written);
    if (key === undefined || value === undefined || Object.hasOwn(values, key)) return undefined;
    setMember(values, key, value);
  }
  return values;
}

function parseScalar(written: string): string | undefined {
  if (PLAIN.test(written)) return written;
  if (DOUBLE.test(written)) return JSON.parse(written) as string;
  return SINGLE.exec(written)?.[1]?.replaceAll("''", "'");
}

/** What we write without quotes is less than what we read: other readers may be simpler. */
const WRITTEN_PLAIN = /^(?!null$)[A-Za-z0-9/._](?:[\w./~@+,()'"?!=<>-]|:(?=\S)| (?=[^\s#]))*$/i;

/** What a parser would take for something other than text. */
const NOT_TEXT = /^(true|false|yes|no|on|off|null|[\d.].*)$/i;

/** What double quotes would have to escape. Where it looks for a session by its name, the program does not undo that. */
const ESCAPED = /^[^'\p{Cc}]*["\\][^'\p{Cc}]*$/u;

export function writeFlat(values: Readonly<Record<string, string | number | boolean>>): string {
  const scalar = (value: string | number | boolean): string => {
    if (typeof value !== "string" || (WRITTEN_PLAIN.test(value) && !NOT_TEXT.test(value)))
      return String(value);
    return ESCAPED.test(value) ? `'${value}'` : JSON.stringify(value);
  };
  return Object.entries(values)
    .map(([key, value]) => `${key}: ${scalar(value)}\n`)
    .join("");
}
