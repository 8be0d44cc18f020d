/** Changes single members of a JSON object in its text, so that all other bytes stay as their writer wrote them. */

interface Member {
  readonly key: string;
  /** From the quote of the key to the byte after the value. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** `undefined` takes a member away; one that is not there yet is added at the end. The text must be valid JSON. */
export function changeMembers(
  text: string,
  changes: Readonly<Record<string, unknown>>,
  path: readonly string[] = [],
): string {
  let at = text.indexOf("{");
  for (const key of path) {
    const member = membersOf(text, at).find((each) => each.key === key);
    if (!member || text[member.valueStart] !== "{") return text;
    at = member.valueStart;
  }
  let changed = text;
  for (const [key, value] of Object.entries(changes)) changed = changeOne(changed, at, key, value);
  return changed;
}

function changeOne(text: string, object: number, key: string, value: unknown): string {
  const members = membersOf(text, object);
  const index = members.findIndex((each) => each.key === key);
  const [member, before, after] = [members[index], members[index - 1], members[index + 1]];
  if (value !== undefined) {
    const json = JSON.stringify(value);
    if (member) return text.slice(0, member.valueStart) + json + text.slice(member.end);
    const last = members.at(-1);
    const place = last?.end ?? object + 1;
    return `${text.slice(0, place)}${last ? "," : ""}${JSON.stringify(key)}:${json}${text.slice(place)}`;
  }
  if (!member) return text;
  if (after) return text.slice(0, member.start) + text.slice(after.start);
  return text.slice(0, before?.end ?? member.start) + text.slice(member.end);
}

function membersOf(text: string, object: number): Member[] {
  const members: Member[] = [];
  let at = skipSpace(text, object + 1);
  while (at < text.length && text[at] === '"') {
    const start = at;
    const keyEnd = endOfString(text, at);
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1); // the colon
    const end = endOfValue(text, valueStart);
    members.push({ key: JSON.parse(text.slice(start, keyEnd)) as string, start, valueStart, end });
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return members;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return at;
}

function endOfString(text: string, quote: number): number {
  let at = quote + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from);
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const character = text[at] ?? "";
    if (character === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (depth === 0 && /[,}\]\s]/.test(character)) return at;
    if (character === "{" || character === "[") depth++;
    if (character === "}" || character === "]") depth--;
    at++;
    if (depth === 0 && (character === "}" || character === "]")) return at;
  }
  return text.length;
}
