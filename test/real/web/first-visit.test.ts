/** What somebody meets who has just begun: no session on the machine, and no address that signs in. */
import { expect, it } from "vitest";
import { shows, textOf, useWebApp, WIDE } from "./app.ts";
import { AXE, serious } from "./axe.ts";
import type { Locator } from "./browser.ts";

/** As on a machine where no variable says where the agents keep their sessions, so all their folders are named. */
const app = useWebApp({
  prepare: async () => ({ COPILOT_HOME: "", CLAUDE_CONFIG_DIR: "", VSCODE_STORAGE_PATH: "" }),
});

const bottomOf = async (what: Locator): Promise<number> => {
  const { y, height } = (await what.boundingBox()) ?? { y: Number.NaN, height: 0 };
  return y + height;
};

it("explains an empty list below its filter, and not over it", async () => {
  const { page } = app;
  await page.addInitScript({ path: AXE });
  for (const size of [WIDE, { width: 1440, height: 500 }, { width: 420, height: 860 }]) {
    await page.setViewportSize(size);
    await app.go("/sessions");
    const state = page.locator("div").filter({ has: page.locator("> h2") });
    const fold = page.getByText(/folders looked for, and not there/);
    const absent = page.getByRole("list", { name: "Folders that are not there" });
    await fold.waitFor();
    expect(await absent.isVisible()).toBe(false);
    await fold.click();
    expect(await absent.locator("li").count()).toBeGreaterThan(15);
    const filter = await bottomOf(page.getByRole("textbox", { name: "Filter sessions" }));
    const title = page.getByRole("heading", { name: "There is no session on this machine yet" });
    const icon = state.locator("> div").first();
    for (const part of [icon, title])
      expect((await part.boundingBox())?.y, `${size.width} × ${size.height}`).toBeGreaterThan(filter);
    // The rest of it is scrolled to.
    await absent
      .locator("li")
      .last()
      .evaluate((folder) => folder.scrollIntoView());
    expect(await bottomOf(absent)).toBeLessThanOrEqual(size.height);
    expect(await serious(page)).toEqual([]);
  }
  await page.setViewportSize(WIDE);
});

it("tells a browser that is not signed in what to do, and shows nothing else", async () => {
  const { page, watched } = await app.browser.open(`${app.server.origin}/sessions`);
  await shows(page.getByRole("heading", { level: 1, name: "This browser is not signed in" }));
  await shows(page.locator("main code"), /^rethread serve$/);
  expect(await page.getByRole("navigation").count()).toBe(0);
  expect(await page.getByRole("button").allTextContents()).toEqual([""]);
  expect(await page.getByRole("button", { name: /copy/i }).count()).toBe(1);
  expect(await textOf(page.locator("main"))).not.toMatch(/`|token|Bearer/);
  await page.evaluate((code) => fetch(code), await app.server.entrance());
  await page.evaluate(() => {
    const { document, Event } = globalThis as unknown as {
      document: { dispatchEvent(event: unknown): void };
      Event: new (name: string) => unknown;
    };
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await shows(page.getByRole("heading", { name: "There is no session on this machine yet" }));
  expect(watched.complaints).toEqual([]);
});

it("says of an address that has been used how to get another one, in the colours of the app", async () => {
  const used = await app.server.entrance();
  await app.browser.open(used);
  for (const [theme, ink, ground] of [
    ["light", "rgb(28, 29, 31)", "rgb(255, 255, 255)"],
    ["dark", "rgb(232, 232, 230)", "rgb(23, 24, 26)"],
  ] as const) {
    const { page, watched } = await app.browser.open(used, { theme });
    await page.addInitScript({ path: AXE });
    await page.goto(used);
    await shows(page.getByRole("heading", { level: 1, name: "This address has been used" }));
    await shows(page.locator("code"), /^rethread serve$/);
    const colours = await page.locator("main").evaluate((main) => {
      const { color, backgroundColor } = main.ownerDocument.defaultView.getComputedStyle(main);
      return [color, backgroundColor];
    });
    expect(colours).toEqual([ink, ground]);
    expect(await serious(page)).toEqual([]);
    expect(watched.complaints).toEqual([]);
  }
});
