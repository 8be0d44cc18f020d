/** Names turns by how their prompts begin, for people who are told which of them go. */

const MOST_OF_PROMPT = 80;

/** Copied: a slice would keep the whole prompt in memory. */
export function beginningOf(text: string): string {
  const words = text.trimStart();
  const end = words.length > MOST_OF_PROMPT ? "…" : "";
  return Buffer.from(words.slice(0, MOST_OF_PROMPT) + end).toString();
}

/** The turns from one on, up to another that stays. */
export function droppedTurns(
  turns: readonly { readonly text: string }[],
  from: number,
  end: number = turns.length,
): string[] {
  const first = turns[from];
  if (!first) return [];
  const line = first.text.split("\n", 1)[0]?.trimEnd() ?? "";
  const words = `"${line}${line.length < first.text.length ? "…" : ""}"`;
  const last = end - 1;
  return [from === last ? `turn ${from}, ${words}` : `turns ${from} to ${last}, from ${words} on`];
}
