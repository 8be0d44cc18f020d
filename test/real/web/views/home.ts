/** Home: go on where one was, search at once, repair what is wrong. */
import { expect, it } from "vitest";
import { shows, type WebApp } from "../app.ts";
import { DAMAGED_TITLE, LATEST, LATEST_TITLE } from "./demo.ts";

export function home(app: WebApp): void {
  it("continues a session, opens one, searches and repairs by clicks", async () => {
    const { page } = app;
    await app.go("/");
    await shows(page.getByRole("note"), "These are sample sessions");
    await page.getByRole("button", { name: `Continue ${LATEST_TITLE}: copy the command` }).click();
    await shows(page.getByText(/copied/i));
    expect(await readClipboard(app)).toBe(`rethread resume ${LATEST} --demo`);
    await page.getByRole("button", { name: `Repair… ${DAMAGED_TITLE}` }).click();
    await shows(page.getByRole("dialog", { name: "Repair session" }).getByText(/Repairs/));
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("textbox", { name: "Search everything that was said" }).fill("rate limiter");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await shows(page.getByRole("grid", { name: "Hits" }), LATEST_TITLE);
    await page.goBack();
    await page.getByRole("link", { name: LATEST_TITLE }).click();
    await shows(page.getByRole("heading", { level: 1, name: LATEST_TITLE }));
  });

  it("has the cursor in its search, so that keys alone find", async () => {
    const { page, press } = app;
    await app.leap("h");
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await app.type("rate limiter");
    await press("Enter");
    await shows(page.getByRole("grid", { name: "Hits" }), LATEST_TITLE);
    expect(app.address()).toBe("/search?q=rate+limiter");
  });
}

export const readClipboard = ({ page }: Pick<WebApp, "page">): Promise<string> =>
  page.evaluate(() =>
    (
      globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }
    ).navigator.clipboard.readText(),
  );
