/** The pieces of a changed log: byte ranges of the old one where possible, with new text between them. */
import { isUtf8 } from "node:buffer";
import type { Piece } from "../../model/plan.ts";
import { append } from "../../model/values/lists.ts";
import { memberOf } from "../../model/values/member.ts";
import type { Line } from "../../platform/fs/lines.ts";
import { opens } from "../../platform/json/bytes.ts";
import { byteMembers, type Member } from "../../platform/json/members.ts";
import { type JsonEdit, jsonEdits } from "../../platform/json/rewrite.ts";

/** What stays the same between two changes is told by its place once it is longer than telling that takes. */
const WORTH_A_RANGE = 512;

/** Members of an object and their JSON; null for those that go. */
export type MemberTexts = Readonly<Record<string, string | null>>;

export interface Pieces {
  keep(start: number, end: number): void;
  write(text: string): void;
  /** The line with the value of this JSON; what of it is as it was keeps its bytes. */
  change(line: Line, text: string): void;
  /**
   * The line with other values of some members of its object, given as JSON; null takes a member away, and one that is
   * not there is added at the end, unless it is one of `others`. What is the same in both values keeps its bytes. The
   * line must be a whole JSON object.
   */
  set(line: Line, members: MemberTexts, others?: MemberTexts): void;
  all(): readonly Piece[];
}

export function createPieces(file: string): Pieces {
  const pieces: Piece[] = [];
  const keep = (start: number, end: number): void => {
    if (end <= start) return;
    const last = pieces.at(-1);
    if (last && "file" in last && last.end === start)
      pieces[pieces.length - 1] = { file, start: last.start, end };
    else pieces.push({ file, start, end });
  };
  const write = (text: string): void => {
    if (text === "") return;
    const last = pieces.at(-1);
    if (last && "text" in last) pieces[pieces.length - 1] = { text: last.text + text };
    else pieces.push({ text });
  };
  /** Places of the edits are counted in the line's bytes, which begin behind a byte order mark. */
  const edit = (line: Line, edits: readonly JsonEdit[]): void => {
    const { bytes } = line;
    const start = line.end - bytes.length;
    let at = line.start;
    for (const { start: from, end, text } of edits) {
      const between = bytes.subarray(Math.max(0, at - start), from);
      // A few bytes between two changes are told sooner than their place, where they are text.
      if (between.length < WORTH_A_RANGE && at > line.start && isUtf8(between)) write(between.toString());
      else keep(at, start + from);
      write(text);
      at = start + end;
    }
    keep(at, line.end);
  };
  return {
    keep,
    write,
    change(line, text) {
      const edits = jsonEdits(line.bytes, JSON.parse(text));
      if (edits) edit(line, edits);
      else write(text);
    },
    set(line, members, others = {}) {
      edit(line, editsFor(line.bytes, members, others));
    },
    all: () => pieces,
  };
}

/** In the order of the bytes. */
function editsFor(bytes: Buffer, wanted: MemberTexts, others: MemberTexts): JsonEdit[] {
  const members = byteMembers(bytes);
  const there = Object.entries(others).filter(([name]) => members.some(({ key }) => key === name));
  const changes: MemberTexts = { ...Object.fromEntries(there), ...wanted };
  const edits: JsonEdit[] = [];
  const added: string[] = [];
  for (const [key, json] of Object.entries(changes)) {
    const member = members.findLast((each) => each.key === key);
    if (json === null) continue;
    if (member) append(edits, replaceValue(bytes, member, json));
    else added.push(`${JSON.stringify(key)}:${json}`);
  }
  const stays = members.map(({ key }) => memberOf(changes, key) !== null);
  for (const [index, { start, end }] of members.entries()) {
    if (stays[index]) continue;
    // With the comma behind it where nothing that stays is before it, else with the one before it.
    const isFirst = !stays.slice(0, index).includes(true);
    const before = members[index - 1]?.end ?? start;
    edits.push(
      isFirst ? { start, end: members[index + 1]?.start ?? end, text: "" } : { start: before, end, text: "" },
    );
  }
  const last = members.at(-1);
  if (added.length > 0) {
    const place = last?.end ?? bytes.indexOf("{") + 1;
    edits.push({ start: place, end: place, text: `${stays.includes(true) ? "," : ""}${added.join()}` });
  }
  return edits.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** In an object or list, what is the same in both values keeps its bytes. */
function replaceValue(bytes: Buffer, { valueStart, end }: Member, json: string): readonly JsonEdit[] {
  const inside = opens(bytes[valueStart] as number)
    ? jsonEdits(bytes.subarray(valueStart, end), JSON.parse(json))
    : undefined;
  if (!inside) return [{ start: valueStart, end, text: json }];
  return inside.map((edit) => ({ ...edit, start: valueStart + edit.start, end: valueStart + edit.end }));
}
