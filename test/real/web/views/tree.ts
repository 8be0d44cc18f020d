/** Tree and diff: two relatives are chosen, and where they part is shown. */
import { expect, it } from "vitest";
import { shows, type WebApp, WIDE } from "../app.ts";
import { LONG, LONG_TITLE } from "./demo.ts";

export function tree(app: WebApp): void {
  it("leads from two relatives to where they part, by clicks", async () => {
    const { page } = app;
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Tree" }).click();
    await page.getByRole("checkbox", { name: `Compare ${LONG_TITLE}`, exact: true }).click();
    await page.getByRole("checkbox", { name: `Compare ${LONG_TITLE} (fork)` }).click();
    await page.getByRole("button", { name: /^Compare/ }).click();
    await shows(page.getByRole("status"), "Turns 0–2 are the same");
    await expect.poll(() => page.getByRole("article", { name: "Turn 3" }).count()).toBe(2);
    await page.getByRole("link", { name: "Turn 3" }).first().click();
    await page.waitForURL(/turn=3/);
    expect(app.address()).toContain(LONG);
  });

  it("does so by keys alone", async () => {
    const { page, press } = app;
    await app.leap("t");
    await page.getByRole("checkbox", { name: `Compare ${LONG_TITLE}`, exact: true }).waitFor();
    await press("x", "j", "x", "d");
    await shows(page.getByRole("status"), /^Turns? 0/);
    const sides = page.getByRole("region", { name: /^On the / });
    const before = await sides.allTextContents();
    await press("s");
    await expect.poll(() => sides.allTextContents()).not.toEqual(before);
  });

  it("draws the lane of each session below its title on a phone", async () => {
    const { page } = app;
    await page.setViewportSize({ width: 420, height: 860 });
    await app.leap("t");
    const title = page.getByRole("link", { name: LONG_TITLE, exact: true });
    await title.waitFor();
    const lane = page.locator("svg g[data-source] rect").last();
    const box = await lane.boundingBox();
    const above = await page.getByRole("link", { name: `${LONG_TITLE} (fork)` }).boundingBox();
    await page.setViewportSize(WIDE);
    expect(box?.y).toBeGreaterThan((above?.y ?? Number.POSITIVE_INFINITY) + (above?.height ?? 0) - 1);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(420);
  });
}
