/** Settings: a theme and a setting that stay. */
import { expect, it } from "vitest";
import { settled, shows, type WebApp } from "../app.ts";

export function settings(app: WebApp): void {
  const theme = (): Promise<string | null> => app.page.locator("html").getAttribute("data-theme");

  it("keeps a theme and a setting that were clicked", async () => {
    const { page } = app;
    await app.go("/settings");
    await page.getByRole("radio", { name: "Dark" }).check();
    expect(await theme()).toBe("dark");
    await page.reload();
    await settled(page);
    expect(await theme()).toBe("dark");
    await page.getByRole("textbox", { name: "Keep backups for" }).fill("30");
    await page.getByRole("button", { name: "Save" }).click();
    await shows(page.getByText("Keep backups for: saved"));
    const { settings: kept } = await app.server.api<{ settings: { name: string; value: unknown }[] }>(
      "/api/settings",
    );
    expect(kept.find(({ name }) => name === "backupDays")?.value).toBe(30);
  });

  it("changes both by keys alone, and refuses what makes no sense", async () => {
    const { page, press } = app;
    const dark = page.getByRole("radio", { name: "Dark" });
    await dark.focus();
    await press("ArrowUp");
    expect(await theme()).toBe("light");
    await press("ArrowUp");
    expect(await theme()).toBeNull();
    const days = page.getByRole("textbox", { name: "Keep backups for" });
    await days.focus();
    await press("Control+a");
    await app.type("for ever");
    await press("Enter");
    await shows(page.getByText(/backupDays|days/).filter({ hasText: /number|whole|invalid|valid/i }));
    await press("Escape");
    await expect.poll(() => days.inputValue()).toBe("30");
  });
}
