/** The change dialog, the doctor and the history: what is shown is done, and can be undone. */
import { expect, it } from "vitest";
import { hides, shows, type WebApp, WIDE } from "../app.ts";
import { CLAUDE, DAMAGED_TITLE, LATEST, LATEST_TITLE, LONG_TITLE } from "./demo.ts";
import { readClipboard } from "./home.ts";

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

  it("hands a session over to another program up to a turn, says what that gets, and undoes it", async () => {
    const { page } = app;
    await app.go(`/s/${LATEST}`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Continue in another program…" }).click();
    await shows(dialog().getByText("Choose the program that continues the session."));
    const offered = await dialog().getByLabel("Program").locator("option").allTextContents();
    expect(offered).toEqual([
      "Choose…",
      "GitHub Copilot Chat in VS Code",
      "Claude Code",
      "Codex CLI",
      "Any other agent, by a briefing",
    ]);
    await dialog().getByLabel("Program").selectOption("claude-code");
    await shows(dialog().getByText("7 prompts, 7 answers, 13 calls, 1 thought, 1 image"));
    await dialog().getByRole("checkbox", { name: "Only up to a turn" }).click();
    await dialog().getByRole("listbox", { name: "The last turn to hand over" }).focus();
    await app.press("Home", "ArrowDown");
    await shows(dialog().getByText("2 prompts, 2 answers, 4 calls"));
    await planned();
    await dialog()
      .getByRole("button", { name: /^Hand over/ })
      .click();
    await done("Session handed over");
    await dialog().getByRole("link", { name: "Open the new session" }).click();
    await hides(dialog());
    expect(app.address()).toContain("/s/claude-code:");
    const inClaude = async (): Promise<number[]> => {
      const all = await app.server.api<Listed>("/api/sessions?limit=200&source=claude-code");
      return all.sessions.filter(({ title }) => title === LATEST_TITLE).map(({ turns }) => turns);
    };
    expect(await inClaude()).toEqual([2]);
    await app.server.api("/api/plans/undo", { method: "POST", body: {} }).then((plan) =>
      app.server.api(`/api/plans/${(plan as { fingerprint: string }).fingerprint}/apply`, {
        method: "POST",
      }),
    );
    expect(await inClaude()).toEqual([]);
  });

  it("allows the budget that a handoff needs, and briefs an agent that has no sessions", async () => {
    const { page } = app;
    await app.go(`/s/${LATEST}`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Continue in another program…" }).click();
    const program = dialog().getByLabel("Program");
    await program.selectOption("codex");
    const name = dialog().getByRole("textbox", { name: "Name of the new session" });
    await name.fill("Kept");
    await dialog().getByRole("checkbox", { name: "Within a budget of tokens" }).click();
    await dialog().getByRole("textbox", { name: "Budget", exact: true }).fill("9");
    const allow = dialog().getByRole("button", { name: /^Allow [\d,]+ tokens$/ });
    await shows(allow);
    await page.setViewportSize({ width: 420, height: 860 });
    const [cancel, apply] = await Promise.all(
      [/^Cancel/, /^Hand over/].map((each) => dialog().getByRole("button", { name: each }).boundingBox()),
    );
    expect(apply?.y).toBeCloseTo(cancel?.y ?? 0, 0);
    await page.setViewportSize(WIDE);
    await allow.click();
    await planned();
    expect(await name.inputValue()).toBe("Kept");
    await program.selectOption("briefing");
    await shows(dialog().getByText("You are taking over work that another agent began"));
    await dialog().getByRole("button", { name: "Copy the briefing" }).click();
    expect(await readClipboard(app)).toMatch(/## Goal\nTurn 0:/);
    await dialog().getByRole("button", { name: "Done" }).click();
    await hides(dialog());
  });

  it("rewinds and compacts a session of Claude Code by clicks, and each is undone", async () => {
    const { page } = app;
    for (const [item, verb, heading] of [
      ["Rewind to here…", /^Rewind/, "Session rewound"],
      ["Compact…", /^Compact/, "Session compacted"],
    ] as const) {
      await app.go(`/s/${CLAUDE}?turn=1`);
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: item }).click();
      await planned();
      await dialog().getByRole("button", { name: verb }).click();
      await done(heading);
      await dialog().getByRole("button", { name: "Undo…" }).click();
      await planned();
      await dialog().getByRole("button", { name: "Undo", exact: false }).last().click();
      await done("Undone");
      await dialog().getByRole("button", { name: "Done" }).click();
      await hides(dialog());
    }
  });

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

    await app.go(`/s/${LATEST}`);
    await page.getByRole("button", { name: "Clone…" }).click();
    await planned();
    const named = dialog().getByRole("textbox", { name: "Name of the clone" });
    expect(await named.getAttribute("placeholder")).toBe(`${LATEST_TITLE} (clone 2)`);
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await hides(dialog());
    await page.goBack();

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
