/** Nothing moves once it is seen: the browser itself counts what shifts while a view is loaded. */
import { expect, it } from "vitest";
import type { WebApp } from "../app.ts";
import type { Page } from "../browser.ts";
import { LONG } from "./demo.ts";

const ADDRESSES = [
  "/",
  "/sessions",
  `/s/${LONG}`,
  `/s/${LONG}?turn=7`,
  "/search?q=login",
  "/tree",
  "/sql",
  "/chat",
  "/board",
  "/board?item=lumen-shop/storefront%20*%20money-in-cents",
  "/doctor",
  "/history",
  "/reports?since=7d",
  "/reports?report=improve",
  "/settings",
];

/**
 * Notes every shift. A view that is still waiting after its patience is shown with what will be there in grey; that is
 * the machine's fault, so patience is long here.
 */
const NOTE_SHIFTS = `
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (work, ms, ...rest) => wait(work, ms === 300 ? 15_000 : ms, ...rest);
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries())
      for (const { node, previousRect, currentRect } of sources)
        globalThis.shifts.push((node?.className || node?.nodeName) + ": " + previousRect.y + " to " + currentRect.y);
  }).observe({ type: "layout-shift", buffered: true });
`;

/** What moved at each address, in a page that has not been elsewhere yet. */
export async function shiftsAt(
  page: Page,
  origin: string,
  addresses: readonly string[],
): Promise<Record<string, unknown>> {
  await page.addInitScript({ content: NOTE_SHIFTS });
  const seen: Record<string, unknown> = {};
  for (const address of addresses) {
    await page.goto(`${origin}${address}`);
    // On a narrow screen the first heading may be hidden.
    await page.locator("main h1").first().waitFor({ state: "attached" });
    await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" });
    // Two frames later whatever would move has moved.
    seen[address] = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const { requestAnimationFrame: next, shifts } = globalThis as unknown as Window;
          next(() => next(() => resolve(shifts)));
        }),
    );
  }
  return seen;
}

export const nothingAt = (addresses: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(addresses.map((address) => [address, []]));

export function steady(app: WebApp): void {
  it.each([1440, 420])("on a screen %i pixels wide", async (width) => {
    const { page } = await app.browser.open(await app.server.entrance(), { width });
    const seen = await shiftsAt(page, app.server.origin, ADDRESSES);
    await page.close();
    expect(seen).toEqual(nothingAt(ADDRESSES));
  });
}

interface Window {
  requestAnimationFrame(work: () => void): void;
  readonly shifts: readonly string[];
}
