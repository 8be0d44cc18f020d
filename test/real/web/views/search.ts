/** Search: typed, narrowed, previewed, and opened at the turn of a hit. */
import { expect, it } from "vitest";
import { hides, shows, type WebApp } from "../app.ts";
import { LATEST, LATEST_TITLE } from "./demo.ts";

export function search(app: WebApp): void {
  const hits = () => app.page.getByRole("grid", { name: "Hits" });
  const preview = () => app.page.getByRole("complementary", { name: "Preview" });
  const field = () => app.page.getByRole("combobox", { name: "Search everything that was said" });

  it("finds as one types, previews and opens by clicks", async () => {
    const { page } = app;
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Search" }).click();
    await field().fill("limiter");
    await shows(hits().locator("mark"), /limiter/i);
    await shows(page.getByText(/^\d+ hits in \d+ session/));
    await page.getByRole("radio", { name: "You" }).check();
    await page.waitForURL(/role=user/);
    await page.getByRole("radio", { name: "All" }).check();
    await hits().getByRole("button", { name: "Preview turn 3" }).first().click();
    await shows(preview(), LATEST_TITLE);
    await shows(preview(), "createRateLimiter");
    await preview().getByRole("link", { name: "Open" }).click();
    await page.waitForURL(/turn=3/);
    await shows(page.getByRole("heading", { level: 1, name: LATEST_TITLE }));
  });

  it("finds, previews and opens at the turn by keys alone", async () => {
    const { page, press } = app;
    await app.leap("f");
    await field().waitFor();
    await app.type("rate limiter sixth");
    await shows(hits().getByRole("row", { name: /^turn 0/ }));
    await press("ArrowDown", "ArrowRight");
    await shows(preview());
    await press("ArrowLeft");
    await hides(preview());
    await press("Enter");
    await shows(page.getByRole("heading", { level: 1, name: LATEST_TITLE }));
    expect(app.address()).toMatch(new RegExp(`^/s/${LATEST}(\\?turn=0)?$`));
    await page.goBack();
    await shows(hits());
    expect(app.address()).toBe("/search?q=rate+limiter+sixth");
  });
}
