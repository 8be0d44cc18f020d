/** The list of sessions: filtered, narrowed, sorted, several selected, one opened. */
import { expect, it } from "vitest";
import { hides, shows, textOf, type WebApp, WIDE } from "../app.ts";
import { LATEST_TITLE } from "./demo.ts";

const FORK = "Rebuild the checkout as a state machine (fork)";

export function sessions(app: WebApp): void {
  const grid = () => app.page.getByRole("grid", { name: "Sessions" });
  const titles = (): Promise<string[]> => grid().locator("a").allTextContents();
  const count = () => app.page.getByRole("region", { name: "Sessions" }).getByRole("status").first();

  it("is filtered, narrowed by a facet, sorted, and opened by clicks", async () => {
    const { page } = app;
    await page.getByRole("navigation").getByRole("link", { name: "Sessions" }).click();
    await shows(count(), /^40 sessions$/);

    await page.getByRole("textbox", { name: "Filter sessions" }).fill("checkout");
    await shows(count(), /^2 sessions match$/);
    expect(await titles()).toEqual(["Rebuild the checkout as a state machine", FORK]);
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await shows(count(), /^40 sessions$/);

    const filters = page.getByRole("complementary", { name: "Filters" });
    const facet = filters.getByRole("button", { name: /^Claude Code/ });
    const claude = Number(/\d+$/.exec(await textOf(facet))?.[0]);
    expect(claude).toBeGreaterThan(5);
    await facet.click();
    await shows(count(), `${claude} sessions match`);
    expect(await facet.getAttribute("aria-pressed")).toBe("true");
    expect(app.address()).toBe("/sessions?source=claude-code");
    await page.goBack();
    await shows(count(), /^40 sessions$/);
    await filters.getByRole("button", { name: /^Forks and clones/ }).click();
    await shows(count(), /^2 sessions match$/);
    await page.goBack();

    await page.getByRole("button", { name: /^Sorted by/ }).click();
    await page.getByRole("menuitem", { name: "Most turns" }).click();
    await page.waitForURL(/sort=turns/);
    await shows(grid().getByRole("row").nth(1), "Rebuild the checkout as a state machine");
    await grid().getByRole("button", { name: "Title" }).click();
    await page.waitForURL(/sort=title/);
    await shows(grid().getByRole("row").nth(1), "Android build fails");

    await grid().getByRole("link", { name: "Cart total is one cent off" }).click();
    await shows(page.getByRole("heading", { level: 1, name: "Cart total is one cent off" }));
  });

  it("is filtered, selected in and opened by keys alone", async () => {
    const { page, press } = app;
    await app.leap("s");
    await shows(count(), /^40 sessions$/);
    await press("/");
    await app.type("quill search");
    await shows(count(), /^2 sessions match$/);
    await press("ArrowDown", "ArrowDown", "Enter");
    await shows(page.getByRole("heading", { level: 1, name: "quill search is slow in large vaults" }));
    await page.goBack();
    await shows(count(), /^2 sessions match$/);
    await press("/", "Escape", "Escape");
    await shows(count(), /^40 sessions$/);

    await press("j", "x", "j", "j", "Shift+X");
    const bar = page.getByRole("region", { name: "Selected sessions" });
    await shows(bar.getByRole("status"), "3 selected");
    await press("k", "x");
    await shows(bar.getByRole("status"), "2 selected");
    await shows(bar.getByRole("button", { name: "Compare" }));
    await press("Control+a");
    await shows(bar.getByRole("status"), "40 selected");
    await press("Escape");
    await hides(bar);
  });

  it("gives the selected sessions a tag, is narrowed by it, and takes it back", async () => {
    const { page, press } = app;
    await press("Home", "x", "j", "x", "t");
    const dialog = page.getByRole("dialog");
    await shows(dialog, "Tags of 2 sessions");
    await app.type("To Review");
    await press("Enter");
    await shows(dialog.getByRole("checkbox", { name: "to review" }));
    await dialog.getByRole("button", { name: "Save" }).click();
    await hides(dialog);
    await press("Escape");
    await page
      .getByRole("complementary", { name: "Filters" })
      .getByRole("button", { name: "to review 2" })
      .click();
    await shows(count(), /^2 sessions match$/);
    expect(app.address()).toBe("/sessions?tag=to+review");
    await shows(grid().getByText("to review", { exact: true }));
    await page.getByRole("button", { name: "Undo" }).click();
    await shows(page.getByRole("heading", { name: "No session matches" }));
    await page.getByRole("button", { name: "Show all sessions" }).click();
    await shows(count(), /^40 sessions$/);
  });

  it("is selected in by a button, or by a finger that rests, on a phone", async () => {
    const { page } = app;
    await page.setViewportSize({ width: 420, height: 860 });
    const bar = page.getByRole("region", { name: "Selected sessions" });
    await page.getByRole("button", { name: "Select", exact: true }).click();
    await page.getByRole("checkbox", { name: LATEST_TITLE }).check();
    await shows(bar.getByRole("status"), "1 selected");
    await page.getByRole("button", { name: "Done" }).click();
    await hides(bar);
    await page.getByRole("link", { name: LATEST_TITLE }).evaluate((link) => {
      const { PointerEvent } = link.ownerDocument.defaultView;
      const finger = { bubbles: true, isPrimary: true, pointerType: "touch", clientX: 100, clientY: 300 };
      link.dispatchEvent(new PointerEvent("pointerdown", { ...finger, pointerId: 7 }));
      const mouse = { bubbles: true, pointerType: "mouse", clientX: 300, clientY: 20 };
      link.dispatchEvent(new PointerEvent("pointermove", { ...mouse, pointerId: 1 }));
    });
    await shows(bar.getByRole("status"), "1 selected");
    await bar.getByRole("button", { name: "Select none" }).click();
    await hides(bar);
    await page.setViewportSize(WIDE);
    await shows(grid());
  });
}
