/** Which of the places of a text is the one that a change was about: fragments of lines stand in many that it never saw. */
import { GUESSED, isTelling, type Line, UNDONE } from "./lines.ts";
import type { TextPlace } from "./locate.ts";

interface Sought {
  readonly lines: readonly Line[];
  /** The lines of the text. */
  readonly pieces: readonly string[];
  readonly of: (line: Line) => string;
  /** It was replaced wherever it stood. */
  readonly all: boolean;
  /** The number of the change that replaces it. */
  readonly by: number;
}

/**
 * What a record says was there is there, and the likeliest place is taken. Lines that are only guessed to have been
 * there have to tell it themselves: by whole lines, or by so many whole words that they stand nowhere by chance.
 */
export function choosePlaces(found: readonly TextPlace[], sought: Sought): readonly TextPlace[] {
  const { lines, all } = sought;
  // Who goes back in time knows only what later records said.
  const isGuessed = ({ by }: Line): boolean => (sought.by === UNDONE ? by !== UNDONE : by === GUESSED);
  const isKnown = ({ line, lines: count }: TextPlace): boolean =>
    !lines.slice(line, line + count).some(isGuessed);
  const ranked = found.map((place) => ({ place, rank: rankOf(place, sought), isKnown: isKnown(place) }));
  const sure = ranked.filter((each) => each.isKnown || each.rank > FEW_WORDS);
  if (all) return sure.map(({ place }) => place);
  const best = Math.max(...sure.map(({ rank }) => rank));
  const likely = sure.filter(({ rank }) => rank === best);
  const [first] = likely.filter((each) => each.isKnown);
  if (first) return [first.place];
  // Programs replace a text that stands once: which of several it was is anybody's guess.
  return likely.length === 1 ? likely.map(({ place }) => place) : [];
}

const IN_WORDS = 0;
const FEW_WORDS = 1;
const WORDS = 2;
const LINES = 3;

function rankOf({ line, lines: count, column, endColumn }: TextPlace, { lines, pieces, of }: Sought): number {
  const text = pieces.join("\n");
  const head = of(lines[line] as Line).slice(0, column);
  const tail = of(lines[line + count - 1] as Line).slice(endColumn);
  const isWhole =
    (head.trim() === "" || text.startsWith("\n")) && (tail.trim() === "" || text.endsWith("\n"));
  if (isWhole) return /[\p{L}\p{N}]/u.test(text) ? LINES : FEW_WORDS;
  const cuts = (before: string, after: string): boolean =>
    /[\p{L}\p{N}_]$/u.test(before) && /^[\p{L}\p{N}_]/u.test(after);
  const isCut = (!text.startsWith("\n") && cuts(head, text)) || (!text.endsWith("\n") && cuts(text, tail));
  if (isCut) return IN_WORDS;
  return isTelling(text) ? WORDS : FEW_WORDS;
}
