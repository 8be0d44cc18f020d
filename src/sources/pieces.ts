/** The pieces of a changed log: byte ranges of the old one where possible, with new text between them. */
import type { Piece } from "../model/plan.ts";
import { memberOf } from "../model/values/member.ts";
import type { Line } from "../platform/fs/lines.ts";
import { byteMembers } from "../platform/json/members.ts";

/** What stays the same on both sides of a change is told by its place once it is longer than telling that takes. */
const WORTH_A_RANGE = 512;

/** Members of an object and their JSON; null for those that go. */
export type MemberTexts = Readonly<Record<string, string | null>>;

export interface Pieces {
  keep(start: number, end: number): void;
  write(text: string): void;
  /** The line's other text; what of it is as it was is told by its place. */
  change(line: Line, text: string): void;
  /**
   * The line with other values of some members of its object, given as JSON; null takes a member away, and one that is
   * not there is added at the end, unless it is one of `others`. The line must be a whole JSON object.
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
  return {
    keep,
    write,
    change(line, text) {
      const [before, after] = [line.bytes, Buffer.from(text)];
      const start = line.end - before.length; // behind a byte order mark, where there is one
      keep(line.start, start);
      const most = Math.min(before.length, after.length);
      let head = 0;
      while (head < most && before[head] === after[head]) head++;
      let tail = 0;
      while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
        tail++;
      head = head < WORTH_A_RANGE ? 0 : wholeCharacters(after, head);
      tail = tail < WORTH_A_RANGE ? 0 : after.length - wholeCharactersFrom(after, after.length - tail);
      keep(start, start + head);
      write(after.toString("utf8", head, after.length - tail));
      keep(line.end - tail, line.end);
    },
    set(line, members, others = {}) {
      const start = line.end - line.bytes.length;
      let at = line.start;
      for (const edit of editsFor(line.bytes, members, others)) {
        // A few bytes between two changes are told sooner than their place.
        if (start + edit.start - at < WORTH_A_RANGE && at > line.start)
          write(line.bytes.toString("utf8", at - start, edit.start));
        else keep(at, start + edit.start);
        write(edit.text);
        at = start + edit.end;
      }
      keep(at, line.end);
    },
    all: () => pieces,
  };
}

interface MemberEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** In the order of the bytes. */
function editsFor(bytes: Buffer, wanted: MemberTexts, others: MemberTexts): MemberEdit[] {
  const members = byteMembers(bytes);
  const there = Object.entries(others).filter(([name]) => members.some(({ key }) => key === name));
  const changes: MemberTexts = { ...Object.fromEntries(there), ...wanted };
  const edits: MemberEdit[] = [];
  const added: string[] = [];
  for (const [key, json] of Object.entries(changes)) {
    const member = members.findLast((each) => each.key === key);
    if (json === null) continue;
    if (member) edits.push({ start: member.valueStart, end: member.end, text: json });
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

const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Places between characters, as a piece of new text is no half of one. */
function wholeCharacters(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place > 0 && isInside(bytes[place])) place--;
  return place;
}
function wholeCharactersFrom(bytes: Uint8Array, at: number): number {
  let place = at;
  while (place < bytes.length && isInside(bytes[place])) place++;
  return place;
}
