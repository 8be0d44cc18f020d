/** The context boards of the demo: what people noted about its repositories, and what an agent did. */
import { type BoardNote, EVERY_BRANCH } from "../model/board/item.ts";

const STOREFRONT = { repository: "lumen-shop/storefront" };

/** `changed` is when a person last wrote it, in days before now. */
export type OwnNote = BoardNote & { readonly source: "user"; readonly changed: number };

export const OWN_NOTES: readonly OwnNote[] = [
  {
    ...STOREFRONT,
    branch: EVERY_BRANCH,
    source: "user",
    name: "money-in-cents",
    description: "Amounts are whole cents; decimals exist only at the edges",
    content: `Every amount is a whole number of **cents** (\`Cents\` in \`src/money.ts\`).

- Multiply first, then round once, per line of the cart: \`share(amount, rate)\`.
- The public cart API keeps decimal strings; convert at the edge, nowhere else.
- \`toFixed\` and \`Math.round(x * 100)\` in a review are a mistake.`,
    readCount: 14,
    useCount: 31,
    changed: 80,
  },
  {
    ...STOREFRONT,
    branch: EVERY_BRANCH,
    source: "user",
    name: "running-tests",
    description: "One worker shows what CI shows",
    content: `\`\`\`sh
npm test                                  # all of it, about 40 seconds
npx vitest run src/api --maxWorkers 1     # as CI does: files share a process
TZ=America/Los_Angeles npx vitest run     # dates
\`\`\`

CI has two cores. A test that only fails there usually shares something with another file.`,
    readCount: 9,
    useCount: 22,
    changed: 12,
  },
  {
    ...STOREFRONT,
    branch: "feat/checkout-machine",
    source: "user",
    name: "checkout-machine-open-ends",
    description: "What is left before the old checkout can go",
    content: `1. the payment timeout
2. the failed screen
3. analytics events, with the names of the old component
4. remove \`src/checkout/checkout-old.tsx\``,
    readCount: 0,
    useCount: 3,
    changed: 64,
  },
  {
    repository: "tidewater/harbor-etl",
    branch: EVERY_BRANCH,
    source: "user",
    name: "times-are-utc",
    description: "Hours are counted in UTC; local time is for people",
    content:
      "Keys of hourly counts are **UTC timestamps**, never the text of a local hour: twice a year one of those is missing or there twice.",
    readCount: 5,
    useCount: 11,
    changed: 59,
  },
];

export const AGENT_NOTES: readonly BoardNote[] = [
  {
    ...STOREFRONT,
    branch: "fix/flaky-login",
    source: "agent",
    name: "login-rate-limiter",
    description: "Why the sixth login in a minute loses its connection",
    content: `The rate limiter allows five logins a minute per address and **destroys the socket** of the sixth, so clients see \`ECONNRESET\` rather than 429.

It keeps its attempts in a variable of the module. Tests all come from \`127.0.0.1\`; files that share a worker share the attempts.`,
    readCount: 2,
    useCount: 4,
  },
  {
    repository: "lumen-shop/platform",
    branch: "main",
    source: "agent",
    name: "terraform-state-lock",
    description: "How to remove a lock that a cancelled job left",
    content: `1. Read the end of the job's log: did it stop between two resources?
2. \`terraform -chdir=envs/staging state pull > before.tfstate\`
3. \`force-unlock\` with the exact id
4. \`plan\`, and expect only the remaining changes`,
    readCount: 6,
    useCount: 9,
  },
];
