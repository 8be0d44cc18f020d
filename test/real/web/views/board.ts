/** The context board: read, written, suggested and pruned, by clicks and by keys. */
import { expect, it } from "vitest";
import { hides, shows, textOf, type WebApp } from "../app.ts";

interface Listed {
  readonly items: readonly { name: string; content: string; readCount: number; keptBy: string }[];
}

export function board(app: WebApp): void {
  const items = async () => (await app.server.api<Listed>("/api/board?all=1")).items;
  const named = async (name: string) => (await items()).find((item) => item.name === name);
  const heading = (name: string) => app.page.getByRole("heading", { level: 2, name });
  const dialog = () => app.page.getByRole("dialog");
  const row = (name: string) =>
    app.page.getByRole("navigation", { name: "Board items" }).getByRole("link", { name });

  it("lists items by repository and branch, narrows them, and typesets one that is clicked", async () => {
    const { page } = app;
    await app.go("/board");
    const list = page.getByRole("navigation", { name: "Board items" });
    await shows(list.getByText("6 items"));
    await shows(list.getByRole("region", { name: "lumen-shop/storefront, every branch" }));
    await page.getByRole("textbox", { name: "Filter the board" }).fill("ECONNRESET socket");
    await shows(list.getByText("1 item"));
    await row("login-rate-limiter").click();
    await shows(heading("login-rate-limiter"));
    await shows(page.getByText("kept by GitHub Copilot CLI"));
    expect(await textOf(page.locator("article strong").first())).toBe("destroys the socket");
    await page.getByRole("combobox", { name: "Repository" }).selectOption("tidewater/harbor-etl");
    await shows(list.getByText("No item matches."));
    await list.getByRole("button", { name: "Show all 6" }).click();
    await shows(list.getByText("6 items"));
    await page.getByRole("combobox", { name: "Repository" }).selectOption("lumen-shop/storefront");
    await page.getByRole("combobox", { name: "Branch" }).selectOption("*");
    await shows(list.getByText("2 items"));
    expect(app.address()).toBe("/board?repo=lumen-shop/storefront&branch=*");
  });

  it("is read by keys alone, and counts what stays open", async () => {
    const { page, press } = app;
    await app.go("/board?repo=lumen-shop/storefront");
    const before = (await named("money-in-cents"))?.readCount ?? 0;
    await press("j", "j", "j", "k", "k");
    await shows(heading("money-in-cents"));
    await press("Enter");
    await shows(page.locator("article:focus"));
    await expect
      .poll(async () => (await named("money-in-cents"))?.readCount, { timeout: 20_000 })
      .toBe(before + 1);
    expect((await named("running-tests"))?.readCount).toBe(9);
    await shows(page.getByText(`read ${before + 1} times`));
    await page.goBack();
    await shows(page.getByText("Pick an item to read it"));
  });

  it("refuses secrets and bad names while one types, shows the room that is left, and adds", async () => {
    const { press } = app;
    await app.go("/board?repo=lumen-shop/storefront");
    await press("n");
    await shows(dialog().getByText("0 of 64"));
    expect(await dialog().getByRole("combobox", { name: "Repository" }).inputValue()).toBe(
      "lumen-shop/storefront",
    );
    // A new one is written where the list is narrowed to, so the name comes first.
    await app.type("deploy it");
    await shows(dialog().getByText(/"deploy it" cannot be a name/));
    await press("Backspace", "Backspace", "Backspace");
    await hides(dialog().getByText(/cannot be a name/));
    await press("Tab", "Tab");
    await app.type("API_TOKEN=abc123xyz789");
    await shows(dialog().getByText("The content contains a secret (token), and the board keeps none"));
    await press("Control+Enter");
    await shows(dialog());
    await press("Control+a");
    await app.type("Ask the **bot** in the channel.");
    await hides(dialog().getByText(/contains a secret/));
    await dialog().getByRole("radio", { name: "Preview" }).check();
    expect(await textOf(dialog().locator("strong"))).toBe("bot");
    await dialog().getByRole("radio", { name: "Write" }).check();
    await dialog().getByRole("button", { name: "Add" }).click();
    await hides(dialog());
    await shows(heading("deploy"));
    expect(await named("deploy")).toMatchObject({ content: "Ask the **bot** in the channel." });
  });

  it("says that a name is taken, and changes an item unless somebody else did meanwhile", async () => {
    const { page, press } = app;
    await app.go("/board?repo=lumen-shop/storefront");
    await press("n");
    await app.type("deploy");
    await shows(dialog().getByText("This board already has an item of that name"));
    await press("Escape");
    await hides(dialog());
    await row("deploy").click();
    await press("e");
    const content = dialog().getByRole("textbox", { name: /^Content/ });
    await content.fill("Mine.");
    await app.server.api("/api/board/deploy", {
      method: "PUT",
      body: { repository: "lumen-shop/storefront", branch: "*", content: "Theirs." },
    });
    await dialog().getByRole("button", { name: "Save" }).click();
    await shows(dialog().getByRole("alert"), /deploy was changed since you read it/);
    await press("Escape");
    await shows(page.locator("article").getByText("Theirs."));
    await press("e");
    await content.fill("Mine.");
    await press("Control+Enter");
    await hides(dialog());
    await shows(page.locator("article").getByText("Mine."));
    await page.getByRole("button", { name: "Undo" }).last().click();
    await shows(page.locator("article").getByText("Theirs."));
  });

  it("makes an item of another program one's own, and removes it again", async () => {
    const { page } = app;
    await app.go("/board");
    await row("terraform-state-lock").click();
    expect(await page.getByRole("button", { name: "Remove", exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Edit as your own" }).click();
    await shows(dialog().getByText(/GitHub Copilot CLI keeps this item/));
    await dialog()
      .getByRole("textbox", { name: /^Content/ })
      .fill("Ask first.");
    await dialog().getByRole("button", { name: "Save" }).click();
    await shows(page.locator("article").getByText("Ask first."));
    expect((await named("terraform-state-lock"))?.keptBy).toBe("rethread");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await expect.poll(async () => (await named("terraform-state-lock"))?.keptBy).toBe("copilot-cli");
  });

  it("shows what would be pruned, removes what is checked, and brings it back", async () => {
    const { page, press } = app;
    await app.go("/board");
    await press("p");
    await shows(dialog().getByRole("checkbox", { name: "checkout-machine-open-ends" }));
    await dialog().getByRole("checkbox", { name: "Never read" }).click();
    await shows(dialog().getByText("Choose what to go by."));
    await dialog().getByRole("combobox", { name: "Age" }).selectOption("30");
    await shows(dialog().getByRole("button", { name: "Remove 3 items" }));
    await dialog().getByRole("checkbox", { name: "money-in-cents" }).click();
    await dialog().getByRole("button", { name: "Remove 2 items" }).click();
    await hides(dialog());
    await hides(row("times-are-utc"));
    expect(await named("money-in-cents")).toBeDefined();
    await page.getByRole("button", { name: "Undo" }).last().click();
    await shows(row("times-are-utc"));
  });

  it("suggests what sessions say, opens the turn that shows it, and proposes it once", async () => {
    const { page, press } = app;
    await app.go("/board?repo=lumen-shop/storefront");
    await press("s");
    const name = "decisions-checkout-as-a-state-machine";
    await shows(dialog().getByRole("checkbox", { name: new RegExp(name) }));
    await dialog()
      .getByRole("link", { name: /Rebuild the checkout/ })
      .first()
      .click();
    await expect.poll(() => app.address()).toMatch(/^\/s\/copilot-cli:.*turn=10$/);
    // Until the session is there, the board is still what is shown.
    await shows(page.getByRole("region", { name: /Rebuild the checkout/ }));
    await page.goBack();
    await shows(page.getByRole("heading", { level: 1, name: "Board" }));
    await press("s");
    await dialog()
      .getByRole("button", { name: /^Add \d/ })
      .click();
    await hides(dialog());
    await row(name).click();
    await shows(page.getByText("Where it comes from"));
    await shows(page.getByText("made from sessions"));
    await press("s");
    await shows(dialog().getByText("Nothing new"));
    await press("Escape");
  });

  it("is followed live, is in the palette, and lists its changes in history", async () => {
    const { page, press } = app;
    await app.go("/board");
    await app.server.api("/api/board", {
      method: "POST",
      body: { repository: "acme/shop", branch: "main", name: "from-elsewhere", content: "x" },
    });
    await shows(row("from-elsewhere"));
    await press("Control+k");
    await page.getByRole("combobox", { name: "Find" }).waitFor();
    await app.type("new board");
    await press("Enter");
    await shows(page.getByRole("dialog", { name: "New board item" }));
    await press("Escape");
    await app.go("/history");
    await page.getByText(/changes of the/).click();
    const change = page.getByRole("listitem").filter({ hasText: "from-elsewhere" });
    await change.getByRole("button", { name: "Undo" }).click();
    await shows(change.getByText("undone").first());
    expect(await named("from-elsewhere")).toBeUndefined();
  });
}
