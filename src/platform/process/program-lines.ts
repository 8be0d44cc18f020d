/** Text that comes in pieces as lines. A line that nobody can mean to be one is cut, so that memory is bounded. */

/** Longer than any record that a program prints. */
const LONGEST = 16 << 20;

export async function* toLines(pieces: AsyncIterable<string>, longest = LONGEST): AsyncGenerator<string> {
  // Joined once, at the end of the line: a line of many pieces must not be copied for each of them.
  let line: string[] = [];
  let size = 0;
  const add = (text: string): void => {
    const kept = text.slice(0, Math.max(0, longest - size));
    if (kept !== "") line.push(kept);
    size += kept.length;
  };
  for await (const piece of pieces) {
    const [first = "", ...others] = piece.split("\n");
    add(first);
    for (const next of others) {
      yield line.join("");
      line = [];
      size = 0;
      add(next);
    }
  }
  if (size > 0) yield line.join("");
}
