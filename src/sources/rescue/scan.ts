/**
 * A look through damaged lines for the records in them. Where a record was torn, nothing tells where it would have ended,
 * so a search for that could run to the end of the log for each of thousands; the places where records and lines begin
 * are found once, and all searches together look at no more than a few times the bytes there are.
 *
 * Not built on the scanner of platform/json/, which knows no way back from damage: here the beginning of another record
 * ends a text that nothing else would end.
 */
import { firstIndexWhere } from "../../model/values/halving.ts";

/** Beyond this, for each byte, a record is only looked for up to where the next one or the next line begins. */
const THOROUGH = 8;

export interface Scan {
  /** One character for each byte. */
  readonly view: string;
  /** Characters that were looked at so far. */
  readonly work: number;
  isRecordAt(at: number): boolean;
  /** Where the next record begins, the next line feed stands, the next NUL; or the end. */
  nextRecord(from: number): number;
  nextFeed(from: number): number;
  nextNul(from: number): number;
  /** The place behind the object that begins at `at`, or -1. Line breaks are taken for part of it. */
  endOfObject(at: number): number;
  /** Counts what a caller did with so many characters. */
  spend(characters: number): void;
}

/** `begins` matches how a program begins a record, everywhere; inside a text its quotes would be escaped. */
export function createScan(view: string, begins: RegExp): Scan {
  const matches = [...view.matchAll(begins)];
  const starts = matches.map(({ index }) => index);
  /** One that is broken over two lines begins a record where it stands, but is not looked for in the middle of a line. */
  const onOneLine = matches.filter(([text]) => !text.includes("\n")).map(({ index }) => index);
  const nextFeed = createSearch(view, "\n");
  const nextNul = createSearch(view, "\0");
  const nextRecord = (from: number): number => onOneLine[indexFrom(onOneLine, from)] ?? view.length;
  const isRecordAt = (at: number): boolean => starts[indexFrom(starts, at)] === at;
  let work = view.length;

  const endOfObject = (at: number): number => {
    const isThorough = work < THOROUGH * view.length;
    const limit = isThorough ? view.length : Math.min(nextRecord(at + 1), nextFeed(at));
    let depth = 0;
    let isText = false;
    let i = at;
    const found = (): number => {
      for (; i < limit; i++) {
        const character = view[i];
        if (character === "\0") return -1;
        if (character === "\n" && isRecordAt(i + 1)) return -1;
        if (isText) {
          if (character === "\\") i++;
          else if (character === '"') isText = false;
          // With its quotes as they are, the text would end within its first word, and what follows be no JSON.
          else if (character === "{" && isRecordAt(i)) return -1;
        } else if (character === '"') isText = true;
        else if (character === "{" || character === "[") depth++;
        else if (character === "}" || character === "]") {
          depth--;
          if (depth === 0) return i + 1;
        }
      }
      return -1;
    };
    const end = found();
    work += i - at;
    return end;
  };

  return {
    view,
    get work() {
      return work;
    },
    isRecordAt,
    nextRecord,
    nextFeed,
    nextNul,
    endOfObject,
    spend(characters) {
      work += characters;
    },
  };
}

/** The next place of a character, or the end; asked for one place after the other it looks at each but once. */
function createSearch(view: string, wanted: string): (from: number) => number {
  let [asked, found] = [0, -1];
  return (from) => {
    if (from >= asked && from <= found) return found;
    const at = view.indexOf(wanted, from);
    [asked, found] = [from, at < 0 ? view.length : at];
    return found;
  };
}

/** The index of the first that is not smaller. */
const indexFrom = (sorted: readonly number[], wanted: number): number =>
  firstIndexWhere(sorted.length, (at) => (sorted[at] as number) >= wanted);
