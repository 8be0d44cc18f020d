/** The small things of every day: short sessions that nobody looks for, full of words that everybody uses. */

const THINGS = [
  "login form",
  "order list",
  "price table",
  "mail template",
  "release notes",
  "settings page",
  "error page",
  "product import",
  "customer export",
  "address form",
  "pipeline",
  "landing page",
];
const ASKS: readonly ((thing: string) => readonly [title: string, user: string, answer: string])[] = [
  (thing) => [
    `Commit message for the ${thing}`,
    `Write a commit message for my changes to the ${thing}.`,
    `"Rework the ${thing}": it says what changed and why, in the imperative, below fifty characters.`,
  ],
  (thing) => [
    `Regular expression for the ${thing}`,
    `I need a regular expression that checks the names in the ${thing}.`,
    `Use ^[a-z][a-z0-9-]{2,}$ and test it with an empty string, a digit in front and an accent.`,
  ],
  (thing) => [
    `Why is the ${thing} so slow today`,
    `The ${thing} feels slow today, is that us or the network?`,
    "It is the network: the same request takes 30 ms on the server and 900 ms from here. Nothing to fix.",
  ],
  (thing) => [
    `Format the ${thing}`,
    `The formatter changed the whole ${thing}, undo that please.`,
    "Restored. The editor used another line width than the repository; I added the settings file.",
  ],
  (thing) => [
    `Merge conflict in the ${thing}`,
    `Resolve the merge conflict in the ${thing}, keep both changes.`,
    "Both sides added a field; the order does not matter, so I kept both and ran the tests.",
  ],
];

export const ODDS = THINGS.flatMap((thing) => ASKS.map((ask) => ask(thing)));
