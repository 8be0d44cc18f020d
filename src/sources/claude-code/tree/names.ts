/**
 * Ids as small numbers. A transcript names its rows, replies and calls hundreds of thousands of times; as strings they
 * would be most of what a reader holds, so each is kept once, as bytes, outside the heap.
 */

export interface Names {
  readonly size: number;
  /** The number of an id, which is new if it was never named before. */
  of(id: string): number;
  /** Whether it was named before. */
  has(id: string): boolean;
  text(name: number): string;
}

/** So many are held as they are: for the few of a small transcript, anything else costs more than it saves. */
const FEW = 1024;

export function createNames(): Names {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  let packed: Names | undefined;
  const pack = (): Names => {
    const all = createPackedNames();
    for (const text of texts) all.of(text);
    numbers.clear();
    texts.length = 0;
    return all;
  };
  return {
    get size() {
      return packed ? packed.size : texts.length;
    },
    of(id) {
      if (packed) return packed.of(id);
      const known = numbers.get(id);
      if (known !== undefined) return known;
      if (texts.length === FEW) {
        packed = pack();
        return packed.of(id);
      }
      numbers.set(id, texts.length);
      return texts.push(id) - 1;
    },
    has: (id) => (packed ? packed.has(id) : numbers.has(id)),
    text: (name) => (packed ? packed.text(name) : (texts[name] ?? "")),
  };
}

const BLOCK = 16 << 10;
/** Ids are short and plain; others, in files written by other hands, are held as they are. */
const LONGEST = 255;

function createPackedNames(): Names {
  const blocks: Buffer[] = [];
  let filled = BLOCK;
  /** Where the bytes of a name are; -1 for one that is held as it is. */
  let places = new Int32Array(2 * FEW);
  let hashes = new Int32Array(2 * FEW);
  let size = 0;
  /** Names by their hash, plus one; a taken slot leads on to the next. Half of the slots stay free. */
  let slots = new Int32Array(4 * FEW);
  const odd = new Map<string, number>();
  const oddTexts = new Map<number, string>();

  const isAt = (place: number, id: string): boolean => {
    const block = blocks[Math.floor(place / BLOCK)] as Buffer;
    const start = place % BLOCK;
    if (block[start] !== id.length) return false;
    for (let at = 0; at < id.length; at++) if (block[start + 1 + at] !== id.charCodeAt(at)) return false;
    return true;
  };
  /** The slot of a plain id, or the free one where it belongs. */
  const slotOf = (id: string, hash: number): number => {
    const last = slots.length - 1;
    let slot = hash & last;
    for (let name = slots[slot]; name; name = slots[slot]) {
      if (hashes[name - 1] === hash && isAt(places[name - 1] as number, id)) break;
      slot = (slot + 1) & last;
    }
    return slot;
  };
  const grow = (): void => {
    places = longer(places);
    hashes = longer(hashes);
    slots = new Int32Array(slots.length * 2);
    const last = slots.length - 1;
    for (let name = 0; name < size; name++) {
      if (places[name] === -1) continue;
      let slot = (hashes[name] as number) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = name + 1;
    }
  };
  const add = (place: number, hash: number): number => {
    if (size === places.length) grow();
    places[size] = place;
    hashes[size] = hash;
    return size++;
  };
  const store = (id: string): number => {
    if (filled + 1 + id.length > BLOCK) {
      blocks.push(Buffer.allocUnsafeSlow(BLOCK));
      filled = 0;
    }
    const block = blocks.at(-1) as Buffer;
    const place = (blocks.length - 1) * BLOCK + filled;
    block[filled++] = id.length;
    // Written here, as a call of the engine takes longer than a short text.
    for (let at = 0; at < id.length; at++) block[filled++] = id.charCodeAt(at);
    return place;
  };

  return {
    get size() {
      return size;
    },
    of(id) {
      const hash = hashOf(id);
      if (hash === undefined) {
        const known = odd.get(id);
        if (known !== undefined) return known;
        const name = add(-1, 0);
        odd.set(id, name);
        oddTexts.set(name, id);
        return name;
      }
      let slot = slotOf(id, hash);
      const known = slots[slot];
      if (known) return known - 1;
      if (size === places.length) {
        grow();
        slot = slotOf(id, hash);
      }
      const name = add(store(id), hash);
      slots[slot] = name + 1;
      return name;
    },
    has(id) {
      const hash = hashOf(id);
      return hash === undefined ? odd.has(id) : slots[slotOf(id, hash)] !== 0;
    },
    text(name) {
      const place = places[name] ?? -1;
      if (place < 0) return oddTexts.get(name) ?? "";
      const block = blocks[Math.floor(place / BLOCK)] as Buffer;
      const start = (place % BLOCK) + 1;
      return block.toString("latin1", start, start + (block[start - 1] as number));
    },
  };
}

/** FNV-1a; nothing for an id that is not short and plain. */
function hashOf(id: string): number | undefined {
  if (id.length > LONGEST) return undefined;
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    if (code > 0xff) return undefined;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash ^ (hash >>> 15);
}

function longer(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(list.length * 2);
  copy.set(list);
  return copy;
}
