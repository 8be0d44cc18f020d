/** Reports: what was worked on, habits with their evidence, and lines for the instructions, written and undone. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hides, shows, type WebApp } from "../app.ts";
import { LATEST_TITLE } from "./demo.ts";
import { readClipboard } from "./home.ts";

export function reports(app: WebApp): void {
  const title = (name: string) => app.page.getByRole("heading", { level: 1, name });

  it("tells what was worked on, and copies it as Markdown, by clicks", async () => {
    const { page } = app;
    await app.go("/reports");
    await page.getByRole("button", { name: /^Time: / }).click();
    await page.getByRole("menuitem", { name: "7 days" }).click();
    await shows(page.getByRole("heading", { level: 2, name: /lumen-shop\/storefront/ }));
    await shows(page.getByRole("region", { name: "Left open" }), /Waits for an answer/i);
    await page.getByRole("button", { name: "Copy as Markdown" }).click();
    await shows(page.getByText("The report is copied"));
    expect(await readClipboard(app)).toContain(`- **${LATEST_TITLE}**`);
    await page.getByRole("link", { name: LATEST_TITLE }).first().click();
    await shows(title(LATEST_TITLE));
  });

  it("finds habits, and leads to where they were seen by keys alone", async () => {
    const { page, press } = app;
    await app.leap("r");
    await shows(title("Standup"));
    await app.go("/reports?report=tips");
    await shows(page.getByText(/have no instructions for agents/));
    await press("j", "Enter");
    await page.waitForURL(/\/s\/.*turn=/);
  });

  it("writes the chosen lines as the diff shows them, and undoes that", async () => {
    const { page } = app;
    const file = join(app.place.data, "demo/work/storefront/AGENTS.md");
    await app.go("/reports?report=improve");
    await page.getByLabel("Use uv, not pip.").click();
    await hides(page.getByText("+- Use uv, not pip."));
    await page.getByRole("button", { name: "Write 1 line" }).click();
    await shows(page.getByRole("status"), "Written, with a backup");
    expect(readFileSync(file, "utf8")).toContain("- Never round amounts more than once.");
    await page.getByRole("button", { name: "Undo…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /^Undo/ }).click();
    await shows(page.getByRole("dialog").getByText("Undone", { exact: true }));
    expect(existsSync(file)).toBe(false);
    await page.getByRole("button", { name: "Close" }).first().click();
  });

  it("says what cannot be written, and why", async () => {
    const { page } = app;
    const file = join(app.place.data, "demo/work/storefront/AGENTS.md");
    mkdirSync(file);
    try {
      await app.go("/reports?report=improve");
      await shows(page.getByText(/AGENTS\.md is a folder, so it is left alone/));
      await page.getByLabel("Use uv, not pip.").click();
      await shows(page.getByText("None of this can be written."));
      await hides(page.getByRole("button", { name: /^Write / }));
    } finally {
      rmSync(file, { recursive: true });
    }
  });
}
