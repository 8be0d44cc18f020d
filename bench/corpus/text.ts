/** Text for made-up logs: seeded, so that two runs measure the same bytes, and sliced from pools, so that gigabytes take seconds. */

/** A small seeded generator; quality does not matter, repeatability does. */
export function createRandom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS = 40_000;
const POOL = 6 << 20;
const SYLLABLES = "ba co di fen ga hul im jo ka lor me nu ol pra qui ra sto tur ul vex wi xan yo zet".split(
  " ",
);

export interface Texts {
  /** Words by frequency, most frequent first. */
  readonly words: readonly string[];
  /** What people and models say: words, with an identifier or a path now and then. */
  prose(random: () => number, length: number): string;
  /** What tools give back: paths, line numbers, quoted code. */
  output(random: () => number, length: number): string;
}

export function createTexts(seed: number): Texts {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const made = new Set<string>();
  while (made.size < WORDS) {
    const syllables = 1 + Math.floor(random() * 4);
    made.add(Array.from({ length: syllables }, () => pick(SYLLABLES)).join(""));
  }
  const words = [...made];
  /** As in real text: the n-th word is about 1/n as frequent as the first. */
  const word = (): string => words[Math.floor(WORDS ** random()) - 1] ?? "the";
  const camel = (): string => word() + word().replace(/^./, (first) => first.toUpperCase());
  const path = (): string => `src/${word()}/${word()}_${word()}.ts`;
  const spoken = (): string => {
    const kind = random();
    return kind < 0.04 ? camel() : kind < 0.06 ? path() : kind < 0.12 ? `${word()}.\n` : word();
  };
  const printed = (): string =>
    `${path()}:${Math.floor(random() * 900)}:  const ${camel()} = ${word()}("${word()}", ${camel()}); // ${word()} ${word()}\n`;
  const fill = (next: () => string, between: string): string => {
    const pieces: string[] = [];
    for (let length = 0; length < POOL; ) {
      const piece = next() + between;
      pieces.push(piece);
      length += piece.length;
    }
    return pieces.join("");
  };
  const pools = { prose: fill(spoken, " "), output: fill(printed, "") };
  const slice = (pool: string, at: number, length: number): string => {
    if (length > pool.length / 2) return pool.repeat(Math.ceil(length / pool.length)).slice(0, length);
    const start = Math.floor(at * (pool.length - length));
    return pool.slice(start, start + length);
  };
  return {
    words,
    prose: (at, length) => slice(pools.prose, at(), length),
    output: (at, length) => slice(pools.output, at(), length),
  };
}
