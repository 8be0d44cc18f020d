/** What comes out of sessions is hostile text: whatever it tries, on whichever page, it stays text. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, openBrowser, type Page, type Watched } from "./browser.ts";
import { NEEDLE, writeHostileHome } from "./hostile-home.ts";
import { findIntruders } from "./intruders.ts";
import { PAYLOADS } from "./payloads.ts";
import { emptyPlace, type Served, serve } from "./served.ts";

const place = emptyPlace();
let keys: string[];
let server: Served;
let browser: Browser;
let page: Page;
let watched: Watched;

beforeAll(async () => {
  keys = await writeHostileHome(place, join(place.vars.HOME ?? "", "work"));
  server = await serve(place);
  browser = await openBrowser();
  ({ page, watched } = await browser.open(server.url));
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  place.remove();
});

async function expectHarmless(): Promise<void> {
  expect(await findIntruders(page)).toEqual([]);
  expect(watched.complaints).toEqual([]);
  expect(watched.foreign).toEqual([]);
  expect(watched.failures.filter((failure) => failure.startsWith("5"))).toEqual([]);
}

const loaded = (): Promise<unknown> =>
  page.waitForFunction(
    () =>
      (globalThis as unknown as { document: Untyped }).document.querySelector("[aria-busy=true]") === null,
  );
/** What was clicked and scrolled to has been rendered. */
const painted = (): Promise<unknown> =>
  page.evaluate(() => {
    const frame = (globalThis as unknown as { requestAnimationFrame: (then: () => void) => void })
      .requestAnimationFrame;
    return new Promise<void>((resolve) => frame(() => frame(() => resolve())));
  });
const settled = async (): Promise<void> => {
  await page.locator("main h1, main h2, main [role=alert]").first().waitFor();
  await loaded();
};

// biome-ignore lint/suspicious/noExplicitAny: objects of the browser, which have no types here
type Untyped = any;

it("has more than sixty of them, each once", () => {
  expect(PAYLOADS.length).toBeGreaterThan(60);
  expect(new Set(PAYLOADS.map(({ text }) => text)).size).toBe(PAYLOADS.length);
});

describe("hostile texts do nothing", () => {
  it.each([
    "/",
    "/sessions",
    "/sessions?q=script",
    `/search?q=${NEEDLE}`,
    `/search?q=${encodeURIComponent("<script>window.__owned=1</script>")}`,
    "/tree",
    "/blame",
    "/doctor",
    "/history",
    "/settings",
    "/chat",
    "/board",
    `/sql?q=${encodeURIComponent("SELECT title, prompt, answer FROM turn_overview LIMIT 50")}`,
  ])("at %s", async (address) => {
    await page.goto(`${server.origin}${address}`);
    await settled();
    await expectHarmless();
  });

  it("in every part of every session, opened, where they are shown as what they are", async () => {
    let shown = "";
    for (const key of keys.filter(isOpened)) {
      await page.goto(`${server.origin}/s/${encodeURIComponent(key)}`);
      await settled();
      shown += await openEverything();
      await expectHarmless();
    }
    const tags = PAYLOADS.filter(({ text }) => text.startsWith("<")).map(({ text }) => text.slice(0, 20));
    expect(tags.length).toBeGreaterThan(30);
    expect(tags.filter((text) => !shown.includes(squeeze(text)))).toEqual([]);
  }, 300_000);

  it("in the lines and in the name of a file", async () => {
    const folder = join(place.vars.HOME ?? "", "work");
    const file = join(folder, "<img src=x onerror=alert(1)>.html");
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, PAYLOADS.map(({ text }) => `${text.toWellFormed().replaceAll("\0", "")}\n`).join(""));
    await page.goto(`${server.origin}/blame?file=${encodeURIComponent(file)}&line=5`);
    await settled();
    await page.getByRole("region", { name: /^Lines of/ }).waitFor();
    await expectHarmless();
  });

  it("on the board, in every item that another program wrote, and in its dialogs", async () => {
    await page.goto(`${server.origin}/board`);
    await settled();
    const items = page.getByRole("navigation", { name: "Board items" }).getByRole("link");
    expect(await items.count()).toBe(PAYLOADS.length);
    for (let at = 0; at < PAYLOADS.length; at++) {
      await page.keyboard.press("j");
      if (at % 8 === 0) await expectHarmless();
    }
    await page.keyboard.press("e");
    await page.getByRole("dialog").waitFor();
    await expectHarmless();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("s");
    await page.getByRole("dialog").waitFor();
    await loaded();
    await expectHarmless();
  });

  it("in a comparison, in the palette, and in the change dialog", async () => {
    await page.goto(`${server.origin}/diff?a=${keys[0]}&b=${keys[1]}`);
    await settled();
    await expectHarmless();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("<");
    await expectHarmless();
    await page.goto(`${server.origin}/s/${encodeURIComponent(keys[0] ?? "")}`);
    await settled();
    await page.keyboard.press("c");
    await page.getByRole("dialog").waitFor();
    await expectHarmless();
  });
});

const textOf = (): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as { document: Untyped }).document.body.textContent);

const squeeze = (text: string): string => text.replaceAll(/\s+/g, " ");

/** Every payload in one source, and some of the sessions of the others, whose pages are made of the same parts. */
const isOpened = (key: string, at: number): boolean =>
  key.startsWith("copilot-cli:") || at % 3 === 0 || process.env.RETHREAD_FULL !== undefined;

/** Scrolls through the conversation, and opens what is folded, screen by screen. Gives back what is to be read there. */
async function openEverything(): Promise<string> {
  let shown = "";
  for (let screen = 0; screen < 60; screen++) {
    shown += squeeze(await textOf());
    const isAtEnd = await page.evaluate(() => {
      const { document } = globalThis as unknown as { document: Untyped };
      for (const toggle of document.querySelectorAll("main [aria-expanded=false]") as Iterable<Untyped>)
        if (toggle.getAttribute("aria-haspopup") === null) toggle.click();
      for (const fold of document.querySelectorAll("main details:not([open])") as Iterable<Untyped>)
        fold.open = true;
      const scroller = document.querySelector("[data-testid=conversation]");
      if (!scroller) return true;
      const before = scroller.scrollTop;
      scroller.scrollTop += scroller.clientHeight * 2;
      return scroller.scrollTop === before;
    });
    await painted();
    await loaded();
    if (isAtEnd && screen > 2) break;
  }
  return shown;
}
