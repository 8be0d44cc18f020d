/** The change dialog, the doctor and the history: what is shown is done, and can be undone. */
import { expect, it } from "vitest";
import { hides, shows, type WebApp } from "../app.ts";
import { DAMAGED_TITLE, LATEST, LATEST_TITLE, LONG_TITLE } from "./demo.ts";

const SOON = { timeout: 20_000 };

interface Listed {
  readonly total: number;
  readonly sessions: readonly { readonly title: string; readonly turns: number }[];
}

export function changes(app: WebApp): void {
  const dialog = () => app.page.getByRole("dialog");
  const done = (words: string): Promise<void> =>
    shows(dialog().getByRole("heading", { name: words, exact: true }));
  /** The plan is there, so that the keys can apply it. */
  const planned = (): Promise<void> => shows(dialog().locator("footer button[aria-disabled=false]"));
  const listed = (q: string): Promise<Listed> =>
    app.server.api<Listed>(`/api/sessions?q=${encodeURIComponent(q)}`);

  it("clones with a budget, renames and deletes by clicks, and each is undone", async () => {
    const { page } = app;
    await app.go(`/s/${LATEST}`);
    await page.getByRole("button", { name: "Clone…" }).click();
    await dialog().getByRole("checkbox", { name: "Fit a budget" }).click();
    await dialog().getByRole("textbox", { name: "Budget in tokens" }).fill("1k");
    await dialog().getByRole("textbox", { name: "Name of the clone" }).fill("A small clone");
    await shows(dialog(), /shortened/);
    await dialog()
      .getByRole("button", { name: /^Clone/ })
      .click();
    await done("Session cloned");
    await dialog().getByRole("link", { name: "Open the new session" }).click();
    await shows(page.getByRole("heading", { level: 1, name: "A small clone" }));
    await hides(dialog());

    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    await dialog().getByRole("textbox", { name: "New name" }).fill("A smaller clone");
    await dialog()
      .getByRole("button", { name: /^Rename/ })
      .click();
    await done("Session renamed");
    await dialog().getByRole("button", { name: "Done" }).click();
    await shows(page.getByRole("heading", { level: 1, name: "A smaller clone" }));

    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await dialog()
      .getByRole("button", { name: /^Delete/ })
      .click();
    await done("Deleted");
    await expect.poll(async () => (await listed("smaller clone")).total, SOON).toBe(0);
    await dialog().getByRole("button", { name: "Undo…" }).click();
    await dialog().getByRole("button", { name: "Undo", exact: false }).last().click();
    await done("Undone");
    await expect.poll(async () => (await listed("smaller clone")).total, SOON).toBe(1);
    await dialog().getByRole("button", { name: "Done" }).click();
  });

  it("forks at a turn and undoes it by keys alone", async () => {
    const { page, press } = app;
    await app.go(`/s/${LATEST}?turn=2`);
    await page.getByRole("heading", { level: 2, name: "Turn 2" }).waitFor();
    await press("f");
    const turns = dialog().getByRole("listbox", { name: "The last turn of the fork" });
    await turns.waitFor();
    await shows(dialog().getByRole("option").filter({ hasText: /^2/ }));
    await press("ArrowDown");
    await shows(dialog().locator("[role=option][aria-selected=true]"), /^3/);
    await planned();
    await press("Control+Enter");
    await done("Session forked");
    expect((await listed(LATEST_TITLE)).sessions.map(({ turns: count }) => count).sort()).toContain(4);
    await press("Escape");
    await hides(dialog());
    await press("u");
    await shows(dialog().getByRole("heading", { name: "Undo", exact: true }));
    await planned();
    await press("Control+Enter");
    await done("Undone");
    await press("Escape");
    await hides(dialog());
  });

  it("repairs a session in the doctor by clicks, and all that is left by keys", async () => {
    const { page, press } = app;
    await app.go("/doctor");
    const repair = page.getByRole("button", { name: `Repair… ${DAMAGED_TITLE}` });
    await repair.click();
    await dialog()
      .getByRole("button", { name: /^Repair/ })
      .click();
    await done("Repaired");
    await dialog().getByRole("button", { name: "Done" }).click();
    await hides(repair);
    await shows(page.getByRole("button", { name: "Repair… Tracking drains the battery" }));
    await press("Shift+R");
    await shows(dialog().getByRole("heading", { name: /^Repair/ }));
    await planned();
    await press("Control+Enter");
    await done("Repaired");
    await press("Escape");
    await hides(page.getByRole("button", { name: "Repair… Tracking drains the battery" }));
  });

  it("lists every write, and undoes one by clicks and one by keys", async () => {
    const { page, press } = app;
    await app.go("/history");
    const undo = page.getByRole("button", { name: `Undo: Repaired ${DAMAGED_TITLE}` });
    await undo.click();
    await dialog().getByRole("button", { name: /^Undo/ }).click();
    await done("Undone");
    await dialog().getByRole("button", { name: "Done" }).click();
    await hides(undo);
    await hides(dialog());
    await press("j", "Enter");
    await shows(page.locator("button[data-row][aria-expanded=true]"));
    // The undo itself is the first one; what was cloned is further down.
    await press("u");
    await planned();
    await press("Control+Enter");
    await done("Undone");
    await press("Escape");
    expect((await listed(LONG_TITLE)).total).toBe(2);
  });
}
