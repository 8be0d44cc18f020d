/** Names forks as Copilot CLI does. */

/** The longest name that it gives by itself. */
const LONGEST = 100;

export function forkName(name: string, forksBefore: number): string {
  const suffix = forksBefore === 0 ? " (fork)" : ` (fork ${forksBefore + 1})`;
  const plain = name.replace(/\s+/g, " ").replaceAll('"', "").trim();
  return plain.slice(0, LONGEST - suffix.length).trimEnd() + suffix;
}

/** The only trace of where a fork came from; titles are quoted as in JSON. */
export const forkSentence = (
  from: { readonly name: string; readonly id: string },
  before: string | undefined,
  to: { readonly name: string; readonly id: string },
): string =>
  `Forked from ${JSON.stringify(from.name)} (${from.id})${before === undefined ? "" : ` before event ${before}`} as ${JSON.stringify(to.name)} (${to.id}).`;
