/** The web app in a real browser for a file of tests: one server and one page, which must stay without complaints. */
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type Browser, type Locator, type Look, openBrowser, type Page, type Watched } from "./browser.ts";
import { emptyPlace, type Place, type Served, serve } from "./served.ts";

/** The page unless a test asks for another. */
export const WIDE = { width: 1440, height: 900 };

export interface WebApp {
  readonly page: Page;
  readonly server: Served;
  readonly browser: Browser;
  readonly watched: Watched;
  readonly place: Place;
  /** Types an address; resolves when the view is there. */
  go(address: string): Promise<void>;
  /** One key after the other, whatever has the focus. */
  press(...keys: string[]): Promise<void>;
  /** Into the field that has the focus, once one has it. */
  type(text: string): Promise<void>;
  /** From view to view: `g` and this key, as quickly as one types them. */
  leap(key: string): Promise<void>;
  /** Where the page is, without the server's part. */
  address(): string;
  /** Kills the server as it is, and starts it again on the same port. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

export interface WebAppOptions {
  /** Behind `rethread serve`. */
  readonly words?: readonly string[];
  readonly look?: Look;
  /** Fills the homes before the server starts, and may say where other homes are. */
  readonly prepare?: (place: Place) => Promise<Readonly<Record<string, string>> | undefined> | undefined;
}

/** Call it at the top of a file of tests. */
export function useWebApp({ words = [], look, prepare }: WebAppOptions = {}): WebApp {
  const made = emptyPlace();
  let place: Place = made;
  let server: Served | undefined;
  let isGone = false;
  let browser: Browser | undefined;
  let opened: { page: Page; watched: Watched } | undefined;
  const there = <T>(what: T | undefined): T => {
    if (what === undefined) throw new Error("The web app is not open yet");
    return what;
  };
  const app: WebApp = {
    get page() {
      return there(opened).page;
    },
    get watched() {
      return there(opened).watched;
    },
    get server() {
      return there(server);
    },
    get browser() {
      return there(browser);
    },
    get place() {
      return place;
    },
    async go(address) {
      await app.page.goto(`${app.server.origin}${address}`);
      await settled(app.page);
    },
    async press(...keys) {
      for (const key of keys) await app.page.keyboard.press(key);
    },
    async type(text) {
      await app.page.locator(":is(input, textarea, [contenteditable=true]):focus").waitFor();
      await app.page.keyboard.type(text);
    },
    async leap(key) {
      await settled(app.page);
      await Promise.all([app.page.keyboard.press("g"), app.page.keyboard.press(key)]);
    },
    address: () => decodeURIComponent(app.page.url().slice(app.server.origin.length)),
    async kill() {
      isGone = true;
      await app.server.stop("SIGKILL");
    },
    async restart() {
      server = await serve(place, words, Number(new URL(app.server.origin).port));
      isGone = false;
    },
  };
  beforeAll(async () => {
    const vars = await prepare?.(made);
    if (vars) place = { ...made, vars: { ...made.vars, ...vars } };
    server = await serve(place, words);
    browser = await openBrowser();
    opened = await browser.open(server.url, look);
    await settled(opened.page);
  });
  afterEach(async ({ task }) => {
    // What one test left behind, a narrow page or an open dialog, must not fail all that follow.
    if (task.result?.state === "fail") {
      if (isGone) await app.restart();
      await recover(app, look);
    }
    const { complaints, foreign } = app.watched;
    expect({ complaints: complaints.splice(0), foreign }).toEqual({ complaints: [], foreign: [] });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    made.remove();
  });
  return app;
}

async function recover({ page, server }: WebApp, look: Look = {}): Promise<void> {
  await page.unrouteAll();
  await page.setViewportSize({ ...WIDE, ...look });
  await page.goto(server.origin);
}

/** The view is there, and nothing on it is still being loaded. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main h1, main h2, main [role=alert]").first().waitFor();
  // Not at every frame: each one is painted for that.
  await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" });
}

/** Waits until the page shows it, with this text where one is given. */
export async function shows(locator: Locator, text?: string | RegExp): Promise<void> {
  const wanted = text === undefined ? locator : locator.filter({ hasText: text });
  await expect(wanted.first().waitFor()).resolves.toBeUndefined();
}

/** Waits until the page does not show it any more. */
export async function hides(locator: Locator): Promise<void> {
  await expect(locator.first().waitFor({ state: "hidden" })).resolves.toBeUndefined();
}

export const textOf = async (locator: Locator): Promise<string> =>
  (await locator.first().textContent()) ?? "";
