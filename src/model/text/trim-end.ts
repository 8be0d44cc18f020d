/** Removes trailing characters in linear time; a pattern such as `/+$` restarts at each of them. */
export function trimEndOf(text: string, characters: string, atLeast = 0): string {
  let end = text.length;
  while (end > atLeast && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
