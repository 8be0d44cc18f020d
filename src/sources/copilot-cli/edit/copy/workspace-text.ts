/** Changes workspace.yaml in its text: all other keys keep their bytes and order. */
import { stringify } from "yaml";
import { setMember } from "../../../../model/values/member.ts";
import { asObject } from "../../../log/jsonl.ts";
import { writeFlat } from "../../workspace/flat-yaml.ts";
import { parseWhole } from "../../workspace/whole-yaml.ts";

export type Scalars = Readonly<Record<string, string | number | boolean | undefined>>;

/** A key at the margin; all that follows until the next one is its value. */
const KEY = /^([A-Za-z_][\w-]*):(?=\s|$)/;

/** Undefined when it is empty or not YAML: the program then creates it again, and so do we. */
export function readFields(text: string): Record<string, unknown> {
  try {
    return asObject(parseWhole(text)) ?? {};
  } catch {
    return {}; // it may come from anywhere, and every caller can do without
  }
}

export const hasFields = (text: string): boolean => Object.keys(readFields(text)).length > 0;

/** `undefined` takes a key away; new ones come at the end. */
export function changeFields(text: string, changes: Scalars): string {
  const left = new Map(Object.entries(changes));
  const kept = entriesOf(text).map(({ key, lines }) => {
    if (key === undefined || !left.has(key)) return lines;
    const value = left.get(key);
    left.delete(key);
    return value === undefined ? "" : writeFlat({ [key]: value });
  });
  const added = [...left].map(([key, value]) => (value === undefined ? "" : writeFlat({ [key]: value })));
  const changed = ensureEnd(kept.join("")) + added.join("");
  return says(changed, text, changes) ? changed : rewritten(text, changes);
}

function entriesOf(text: string): { key?: string; lines: string }[] {
  const entries: { key?: string; lines: string }[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    const key = KEY.exec(line)?.[1];
    const last = entries.at(-1);
    if (key !== undefined || !last) entries.push({ ...(key !== undefined && { key }), lines: line });
    else last.lines += line;
  }
  return entries;
}

const ensureEnd = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

function says(changed: string, text: string, changes: Scalars): boolean {
  try {
    const asText = (fields: Record<string, unknown>): string =>
      JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
    return asText(readFields(changed)) === asText(merged(text, changes));
  } catch {
    return false; // written in a way that lines do not show: it is then written anew
  }
}

function merged(text: string, changes: Scalars): Record<string, unknown> {
  const fields = { ...readFields(text) };
  for (const [key, value] of Object.entries(changes))
    if (value === undefined) delete fields[key];
    else setMember(fields, key, String(value));
  return fields;
}

const rewritten = (text: string, changes: Scalars): string => stringify(merged(text, changes));
