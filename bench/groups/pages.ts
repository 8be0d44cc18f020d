/** How long a person waits for the pages: for the first paint, for a session that is clicked, for a key that filters. */
import type { Page } from "../../test/real/web/browser.ts";
import { median, type Table } from "../table.ts";

const ROUNDS = 7;
/** What the server still does for the page before must not count. */
const CALM_MS = 1500;
/** A word of the titles in the corpus, as it is typed and taken back. */
const KEYS = ["l", "o", "Backspace", "Backspace", "s", "e", "Backspace", "Backspace"];

export async function measurePages(table: Table, page: Page, origin: string): Promise<void> {
  const home = await measureLoads(page, `${origin}/`);
  table.number(`home, loaded anew: first paint, median of ${ROUNDS}`, home, "most", 300, " ms");
  await page.goto(`${origin}/sessions?sort=size`);
  await page.waitForTimeout(CALM_MS);
  const clicks: number[] = [];
  for (let at = 0; at < ROUNDS; at++) {
    clicks.push(await page.evaluate(clickSession, at));
    await page.goBack();
    await page.waitForTimeout(CALM_MS);
  }
  table.number(
    `the ${ROUNDS} largest sessions (the first has 50 MB), from the click to the first screen, slowest`,
    Math.max(...clicks),
    "most",
    200,
    " ms",
  );
  await page.goto(`${origin}/sessions`);
  await page.waitForTimeout(CALM_MS);
  await page.getByRole("textbox", { name: "Filter sessions" }).focus();
  const keys: number[] = [];
  for (const key of KEYS) {
    await page.evaluate(noteNextChange);
    await page.keyboard.press(key);
    await page.waitForFunction(() => (globalThis as unknown as Noted).changedAfter !== undefined);
    keys.push(await page.evaluate(() => (globalThis as unknown as Noted).changedAfter ?? 0));
  }
  table.number("from a key to the filtered list of 10,000 sessions, median", median(keys), "most", 50, " ms");
}

async function measureLoads(page: Page, address: string): Promise<number> {
  const paints: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.goto("about:blank");
    await page.waitForTimeout(CALM_MS);
    await page.goto(address);
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    paints.push(
      await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0),
    );
  }
  return median(paints);
}

/** What runs in the page; the bench has no types of browsers. */
interface Noted {
  changedAfter?: number;
  readonly document: { querySelectorAll(selector: string): Iterable<Element> };
  requestAnimationFrame(work: () => void): void;
  addEventListener(event: string, work: () => void, options: object): void;
}
interface Element {
  readonly textContent: string;
  click(): void;
  closest(selector: string): unknown;
}

const clickSession = (at: number): Promise<number> =>
  new Promise((resolve) => {
    const { document, requestAnimationFrame: next } = globalThis as unknown as Noted;
    const began = performance.now();
    [...document.querySelectorAll("main a[href*='/s/']")][at]?.click();
    const look = (): void => {
      const [said] = document.querySelectorAll("[data-testid=conversation] [data-turn] p");
      if (said && said.closest("[data-waiting]") === null) next(() => resolve(performance.now() - began));
      else next(look);
    };
    look();
  });

const noteNextChange = (): void => {
  const page = globalThis as unknown as Noted;
  const list = (): string =>
    [...page.document.querySelectorAll("main [role=status], main [role=row]")]
      .map((each) => each.textContent)
      .join();
  const before = list();
  delete page.changedAfter;
  const note = (): void => {
    const began = performance.now();
    const look = (): void => {
      if (list() === before) page.requestAnimationFrame(look);
      else page.changedAfter = performance.now() - began;
    };
    page.requestAnimationFrame(look);
  };
  page.addEventListener("keydown", note, { once: true, capture: true });
};
