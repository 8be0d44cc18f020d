/** Reads a tar stream in chunks of any size, entry by entry. */
import { damaged, unsafe } from "./errors.ts";
import { BLOCK, isEmpty, type PaxRecords, paddingOf, readHeader, readPax, type TarEntry } from "./tar.ts";

export interface TarVisitor {
  /** `start` is where its content begins, counted from the first byte of the tar. */
  entry(entry: TarEntry, start: number): void;
  content(bytes: Uint8Array): void;
  /** All of the entry's content has come. */
  entryEnd(): void;
}

export interface TarReader {
  push(bytes: Uint8Array): void;
  /** Throws when the tar is not over. */
  finish(): void;
}

/** Our pax headers hold a name and a size. */
const LONGEST_PAX = 64 << 10;

export function createTarReader(visitor: TarVisitor, longestPax = LONGEST_PAX): TarReader {
  const block = Buffer.alloc(BLOCK);
  let [filled, at, left, padding] = [0, 0, 0, 0];
  let pax: Buffer[] | undefined;
  let about: PaxRecords = new Map();
  let isOver = false;

  const takeHeader = (): void => {
    if (isEmpty(block)) {
      if (about.size > 0) throw damaged("it ends in the middle of an entry");
      isOver = true;
      return;
    }
    if (isOver) throw damaged("there is data after its end");
    const { isPax, ...entry } = readHeader(block, about);
    [left, padding] = [entry.size, paddingOf(entry.size)];
    if (isPax) {
      if (entry.size > longestPax) throw unsafe("it has a header that does not end");
      pax = [];
    } else {
      const told = about.size === 0 ? entry : { ...entry, pax: about };
      about = new Map();
      visitor.entry(told, at);
    }
    if (left === 0) endContent();
  };
  const endContent = (): void => {
    if (pax) about = readPax(Buffer.concat(pax));
    else visitor.entryEnd();
    pax = undefined;
  };

  return {
    push(bytes) {
      for (let from = 0; from < bytes.length; ) {
        if (left > 0) {
          const content = bytes.subarray(from, from + left);
          if (pax) pax.push(Buffer.from(content));
          else visitor.content(content);
          from += content.length;
          at += content.length;
          left -= content.length;
          if (left === 0) endContent();
        } else if (padding > 0) {
          const skipped = Math.min(padding, bytes.length - from);
          from += skipped;
          at += skipped;
          padding -= skipped;
        } else {
          const part = bytes.subarray(from, from + BLOCK - filled);
          block.set(part, filled);
          filled += part.length;
          from += part.length;
          at += part.length;
          if (filled < BLOCK) continue;
          filled = 0;
          takeHeader();
        }
      }
    },
    finish() {
      if (!isOver || filled > 0) throw damaged("it ends too early");
    },
  };
}
