/** SQL: completed while typed, run, and saved as CSV. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { shows, type WebApp } from "../app.ts";

export function sql(app: WebApp): void {
  const result = () => app.page.getByRole("region", { name: "Result of the query" });
  const cells = (): Promise<string[]> => result().getByRole("gridcell").allTextContents();

  it("runs an example and gives its rows as CSV, by clicks", async () => {
    const { page } = app;
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "SQL" }).click();
    await page.getByRole("button", { name: "Sessions with the most tool calls" }).click();
    await page.getByRole("button", { name: "Run" }).click();
    await shows(result(), /rows? ·/);
    const [first = ""] = await cells();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      result().getByRole("button", { name: "CSV" }).click(),
    ]);
    const csv = readFileSync(await file.path(), "utf8");
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    expect(csv.split(/\r?\n/).length).toBeGreaterThan(3);
    expect(csv).toContain(first.trim());
  });

  it("completes a table, runs and says what is wrong, by keys alone", async () => {
    const { page, press } = app;
    await app.leap("q");
    await press("e", "Control+a", "Delete");
    await app.type("SELECT count(*) AS n FROM session_o");
    await shows(page.getByRole("option", { name: /session_overview/ }));
    // For a moment the editor takes no key for its list: one may have been typing on.
    await page.waitForTimeout(150);
    await press("Enter", "Control+Enter");
    await shows(result(), "1 row");
    const { total } = await app.server.api<{ total: number }>("/api/sessions?limit=1");
    expect(await cells()).toEqual([String(total)]);
    await press("Control+a", "Delete");
    await app.type("SELECT 1 FROM nowhere");
    await press("Escape", "Control+Enter");
    await shows(page.getByRole("alert"), "nowhere");
  });
}
