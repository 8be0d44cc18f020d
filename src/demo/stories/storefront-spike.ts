/** A fork of the checkout session, to see what the other way would have looked like. */
import { type Chapter, copilot } from "../telling.ts";

const withLibrary = copilot(
  "checkout-library",
  {
    title: "Rebuild the checkout as a state machine (fork)",
    when: "65d 16:10",
    branch: "spike/checkout-library",
    forkOf: { name: "checkout-machine", keep: 3 },
  },
  `
  > For the review I want to have seen the other way once: the same flow with a state chart library, only the machine.
  @run npm install --save-dev chartflow # Install the library for the experiment
  | added 1 package in 2s
  @create src/checkout/chart.ts
  | export const checkout = chart({
  |   initial: "address",
  |   states: {
  |     address: { on: { addressGiven: "shipping" } },
  |     shipping: { on: { shippingChosen: "payment" } },
  |     payment: { on: { pay: "confirming" } },
  |     confirming: { after: { 90_000: "failed" }, on: { returned: [{ when: paid, to: "done" }, { to: "failed" }] } },
  |     failed: { on: { retried: "confirming" } },
  |     done: { final: true },
  |   },
  | });

  For comparison:

  | | reducer | library |
  |---|---|---|
  | lines | 96 | 41 |
  | bundle | 0 kB | +13 kB |
  | payment timeout | an effect | built in (´after´) |
  | impossible states | do not type-check | fail at run time |

  The picture it draws is lovely. What you would lose is the compiler: the data of each state is one loose context object.

  > The compiler wins. We stay with the reducer; keep this branch for the record.

  Then nothing to do here. The experiment is on ´spike/checkout-library´; the real work goes on in the other session.
`,
);

export const storefrontSpike: Chapter = {
  folder: "storefront",
  repository: "lumen-shop/storefront",
  tellings: [withLibrary],
};
