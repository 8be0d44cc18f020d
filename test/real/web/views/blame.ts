/** Blame: a file is found, its lines lead to their sessions, and what must not be read is refused. */
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { hides, shows, textOf, type WebApp } from "../app.ts";
import { LATEST } from "./demo.ts";

/** Seventeen lines by two agents and a person. */
const MONEY = "src/money.ts";
const COUPONS = "Review: stackable coupons";

export function blame(app: WebApp): void {
  const lines = () => app.page.getByRole("region", { name: /^Lines of / });
  const details = () => app.page.getByRole("complementary", { name: "About the line" });
  const selected = () => app.page.locator("main li[aria-current=true]");

  it("leads from a file to the turn that wrote a line, by clicks", async () => {
    const { page } = app;
    await app.go("/");
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Blame" }).click();
    await page.getByRole("textbox", { name: "Filter the files" }).fill("money");
    await page.getByRole("link", { name: /money\.ts/ }).click();
    await shows(page.getByRole("heading", { level: 1, name: "money.ts" }));
    await shows(page.getByRole("status"), "14 of 17 lines by 2 sessions");
    await lines().getByText("shareOfAll").click();
    await page.waitForURL(/line=13/);
    await shows(details(), COUPONS);
    await shows(details(), "multiply the rates, then round once");
    await lines().getByRole("link", { name: COUPONS }).click();
    await page.waitForURL(/\/s\/claude-code.*turn=1/);
    await page.goBack();
    await shows(selected(), "shareOfAll");
  });

  it("does so by keys alone", async () => {
    const { page, press } = app;
    await app.leap("l");
    await shows(page.getByRole("heading", { level: 1, name: "Blame" }));
    await press("/");
    await app.type("money");
    await shows(page.getByRole("status"), "1 file");
    await press("Enter");
    await lines().waitFor();
    await press("j", "j", "k", "]");
    await shows(selected(), "11");
    await shows(details(), COUPONS);
    await press("[");
    await shows(selected(), "Amounts are whole cents");
    await press("]", "j", "Enter");
    await page.waitForURL(/\/s\/claude-code.*turn=1/);
  });

  it("opens the file that was typed, also when Enter comes before the answer", async () => {
    const { page, press } = app;
    await app.go("/blame");
    await shows(page.getByRole("status"), /files/);
    await page.route("**/api/files?**", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await press("/");
    await app.type("money");
    await press("Enter");
    await shows(page.getByRole("heading", { level: 1, name: "money.ts" }));
    await page.unrouteAll();
  });

  it("tells who wrote a line that is pointed at, before it is selected", async () => {
    const { page } = app;
    await app.go(`/blame?file=${encodeURIComponent(await pathOf(app))}`);
    await lines().getByText("RangeError").hover();
    await shows(details(), "Cart total is one cent off");
    await lines().getByText("TODO").hover();
    await shows(details(), "No session wrote line 16.");
    expect(app.address()).not.toContain("line=");
    await page.getByRole("link", { name: "Other file" }).click();
    await shows(page.getByRole("heading", { level: 1, name: "Blame" }));
  });

  it("opens at the line of its address, from a file that a session changed, and from the palette", async () => {
    const { page, press } = app;
    await app.go(`/blame?file=${encodeURIComponent(await pathOf(app))}&line=14`);
    await shows(selected(), "rates.reduce");
    await press("Escape");
    await hides(selected());
    await app.go(`/s/${LATEST}`);
    await page.getByRole("link", { name: /^Who wrote .*rate-limiter/ }).click();
    await shows(page.getByRole("heading", { level: 1, name: "rate-limiter.ts" }));
    await press("Control+k");
    await page.getByRole("combobox", { name: "Find" }).waitFor();
    await app.type("blame");
    await page.getByRole("option", { name: /^Go to Blame/ }).click();
    await shows(page.getByRole("heading", { level: 1, name: "Blame" }));
  });

  it("says that git could not be asked, and calls no line uncommitted", async () => {
    const file = await pathOf(app);
    const git = join(dirname(dirname(file)), ".git");
    writeFileSync(git, "gitdir: nowhere\n");
    try {
      await app.go(`/blame?file=${encodeURIComponent(file)}&line=16`);
      await shows(app.page.getByRole("note"), "git could not be asked (not a git repository");
      await shows(app.page.getByRole("status"), "3 by others");
      await shows(details(), "No session wrote line 16.");
      expect(await textOf(app.page.locator("main"))).not.toContain("not committed");
    } finally {
      rmSync(git);
    }
  });

  it("says why a file is not shown", async () => {
    const { page } = app;
    await app.go("/blame?file=/etc/passwd");
    await shows(page.getByRole("alert"), "file-refused");
    await app.go("/blame?file=relative.ts");
    await shows(page.getByRole("alert"), "usage");
    expect(await textOf(page.locator("main h1"))).toBe("relative.ts");
    await app.go("/blame");
    await page.getByRole("textbox", { name: "Filter the files" }).fill("zzqqxx");
    await shows(page.getByText("No file matches “zzqqxx”"));
  });
}

async function pathOf({ server }: WebApp): Promise<string> {
  const { files } = await server.api<{ files: readonly { path: string }[] }>(`/api/files?q=${MONEY}`);
  return files[0]?.path ?? "";
}
