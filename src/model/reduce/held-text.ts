/** Holds long texts by their two ends, as much as any cut shows of them. */
import { cutText } from "./cut-text.ts";

/** The longest cut that a budget makes of a text shows so many characters of it; the ladder has no longer one. */
export const LONGEST_CUT = 2000;

export interface HeldTexts {
  /** What stands for a text: the text itself where it is short. */
  hold(text: string): string;
  /** As `cutText` cuts the whole text. */
  cut(held: string, limit: number, note: (characters: number) => string): string;
  /** What the whole text costs, each counted once; an estimate where it was held uncounted. */
  count(held: string): number;
}

/** Counting is what takes longest: who knows the costs of all whole texts has them held uncounted. */
export function createHeldTexts(count: (text: string) => number, how: "counted" | "uncounted"): HeldTexts {
  const lengths = new Map<string, number>();
  const costs = new Map<string, number>();
  const tail = Math.floor(LONGEST_CUT / 3);
  return {
    hold(text) {
      const whole = text.toWellFormed();
      if (whole.length <= LONGEST_CUT) return whole;
      const ends = `${whole.slice(0, LONGEST_CUT - tail)}\0${lengths.size}\0${whole.slice(whole.length - tail)}`;
      const held = Buffer.from(ends).toString(); // a slice would keep the whole text in memory
      if (held.length >= whole.length) return whole;
      lengths.set(held, whole.length);
      if (how === "counted") costs.set(held, count(whole));
      return held;
    },
    cut(held, limit, note) {
      if (limit > LONGEST_CUT) throw new Error("a text that is held by its ends is cut to less than those");
      return cutText(held, limit, note, lengths.get(held));
    },
    count(held) {
      const known = costs.get(held);
      if (known !== undefined) return known;
      const length = lengths.get(held);
      const tokens = length === undefined ? count(held) : Math.round((count(held) * length) / held.length);
      costs.set(held, tokens);
      return tokens;
    },
  };
}
