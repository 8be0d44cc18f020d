/**
 * Reads the simple YAML that Copilot CLI writes beside a log: one `key: value` per line. Anything else needs a full
 * parser.
 */
import { late } from "../../../model/text/patterns.ts";
import { setMember } from "../../../model/values/member.ts";

/** A value that means itself without quotes: no colon before a space, no `#` behind one, no odd first character. */
const plain = late(() => /^(?!null$)[\p{L}\p{N}/._](?:[^\s\p{C}:]|:(?=\S)| (?=[^\s#]))*$/iu);
/** On one line, where only the quote itself is written twice. */
const single = late(() => /^'((?:[^'\s\p{C}]| |'')*)'$/u);
/** With no escape that JSON does not have. */
const double = late(() => /^"(?:[^"\\\s\p{C}]| |\\["\\/bfnrt])*"$/u);
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

/** Such a value in plain ASCII, as most are: found without asking what kind of character each is. */
const SIMPLE = /^(?!null$)[A-Za-z\d/._](?:[!-9;-~]|:(?=[!-~])| (?=[!"$-~]))*$/i;

function parseScalar(written: string): string | undefined {
  if (SIMPLE.test(written) || plain().test(written)) return written;
  if (double().test(written)) return JSON.parse(written) as string;
  return single().exec(written)?.[1]?.replaceAll("''", "'");
}

/** What we write without quotes is less than what we read: other readers may be simpler. */
const WRITTEN_PLAIN = /^(?!null$)[A-Za-z0-9/._](?:[\w./~@+,()'"?!=<>-]|:(?=\S)| (?=[^\s#]))*$/i;

/** What a parser would take for something other than text. */
const NOT_TEXT = /^(true|false|yes|no|on|off|null|[\d.].*)$/i;

/** What double quotes would have to escape. Where it looks for a session by its name, the program does not undo that. */
const escaped = late(() => /^[^'\p{Cc}]*["\\][^'\p{Cc}]*$/u);

export function writeFlat(values: Readonly<Record<string, string | number | boolean>>): string {
  const scalar = (value: string | number | boolean): string => {
    if (typeof value !== "string" || (WRITTEN_PLAIN.test(value) && !NOT_TEXT.test(value)))
      return String(value);
    return escaped().test(value) ? `'${value}'` : JSON.stringify(value);
  };
  return Object.entries(values)
    .map(([key, value]) => `${key}: ${scalar(value)}\n`)
    .join("");
}
