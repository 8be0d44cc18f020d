/** Formats a list of names: the first few, and how many more there are. */

const SHOWN = 3;

export const nameSome = (names: readonly string[]): string =>
  `${names.slice(0, SHOWN).join(", ")}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ""}`;
