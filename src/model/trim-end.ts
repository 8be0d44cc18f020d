/** A text without these characters at its end. From behind: a pattern such as `/+$` begins anew at each of them. */
export function trimEndOf(text: string, characters: string, atLeast = 0): string {
  let end = text.length;
  while (end > atLeast && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
