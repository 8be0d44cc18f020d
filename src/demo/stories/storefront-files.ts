/** Files of the shop that were there before its sessions, or that people changed since. */

const MONEY = `/** Amounts are whole cents. Decimals exist only at the edges, as text. */
export type Cents = number & { readonly unit: "cent" };

export const cents = (value: number): Cents => {
  if (!Number.isInteger(value)) throw new RangeError("not a whole number of cents: " + value);
  return value as Cents;
};

/** Rounds half up, once, after everything that belongs to the amount has been multiplied. */
export const share = (amount: Cents, rate: number): Cents => cents(Math.round(amount * rate));

/** Several rates at once: multiplied first and rounded once, so that their order does not matter. */
export const shareOfAll = (amount: Cents, rates: readonly number[]): Cents =>
  share(amount, rates.reduce((product, rate) => product * rate, 1));

// TODO: the invoice still has a copy of this
export const toDecimal = (amount: Cents): string => (amount / 100).toFixed(2);
`;

const TOTAL = `import { type Cents, cents, share } from "@shop/money";
import type { Cart, CartLine, Coupon } from "@shop/cart";

export function itemPrice(line: CartLine, coupon: Coupon): Cents {
  return share(cents(line.price * line.quantity), 1 - coupon.rate);
}

export const cartTotal = (cart: Cart): Cents =>
  cents(cart.lines.reduce((sum, line) => sum + itemPrice(line, cart.coupon), 0));
`;

const MACHINE = `/** The checkout as data: where a customer can be, what can happen, and what follows. Knows nothing of React. */
export type State =
  | { readonly at: "address"; readonly cart: Cart }
  | { readonly at: "shipping"; readonly cart: Cart; readonly address: Address }
  | { readonly at: "payment"; readonly cart: Cart; readonly address: Address; readonly shipping: Shipping }
  | { readonly at: "confirming"; readonly order: Order; readonly attempt: number }
  | { readonly at: "failed"; readonly order: Order; readonly reason: string; readonly attempt: number }
  | { readonly at: "done"; readonly order: Order };

const TABLE: Table = {
  address: { addressGiven, cartChanged },
  shipping: { shippingChosen, cartChanged },
  payment: { pay, cartChanged },
  confirming: { returned, timedOut },
  failed: { retried, returned: (state, event) => (event.paid ? { at: "done", order: state.order } : state) },
  done: {},
};

/** An event that makes no sense in a state leaves it as it is: late answers must not move anybody. */
export function next(state: State, event: Event): State {
  const handler = TABLE[state.at][event.kind];
  return handler ? handler(state as never, event as never) : state;
}
`;

const ESTIMATE = `const calendar = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Berlin" });
const shopDay = (date: Date): Date => new Date(calendar.format(date) + "T00:00:00Z");

export function estimate(ordered: Date, days: number): Date {
  const date = shopDay(ordered);
  while (days > 0) {
    date.setUTCDate(date.getUTCDate() + 1);
    if (date.getUTCDay() !== 0 && date.getUTCDay() !== 6) days--;
  }
  return date;
}
`;

const HEADER = `:root {
  --header-height: 64px;
}

@media (max-width: 40rem) {
  :root {
    --header-height: 104px;
  }
}

.header {
  height: var(--header-height);
  position: sticky;
  top: 0;
}
`;

const BASE = `* {
  box-sizing: border-box;
}

html {
  scroll-padding-top: calc(var(--header-height) + 1rem);
}
`;

const MIGRATE = `export async function run(db: Database, files: readonly Migration[]): Promise<void> {
  for (const { name, sql } of files) {
    const began = performance.now();
    if (sql.includes("-- migrate: no-transaction")) await db.query(sql);
    else await db.transaction((tx) => tx.query(sql));
    console.log(name, (performance.now() - began) / 1000, "s");
  }
}
`;

export const STOREFRONT_FILES: Readonly<Record<string, string>> = {
  "src/money.ts": MONEY,
  "src/cart/total.ts": TOTAL,
  "src/checkout/machine.ts": MACHINE,
  "src/delivery/estimate.ts": ESTIMATE,
  "src/styles/header.css": HEADER,
  "src/styles/base.css": BASE,
  "src/migrate/run.ts": MIGRATE,
};
