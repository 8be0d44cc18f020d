/** What works in every view: the palette, the list of keys, addresses and the back button, a server that goes and comes. */
import { expect, it } from "vitest";
import { hides, settled, shows, textOf, type WebApp } from "../app.ts";

/** Each with what its heading says. */
const VIEWS = [
  ["Sessions", "/sessions"],
  ["Search", "/search"],
  ["Tree", "/tree"],
  ["Blame", "/blame"],
  ["SQL", "/sql"],
  ["Chat", "/chat"],
  ["Board", "/board"],
  ["Doctor", "/doctor"],
  ["History", "/history"],
  ["Settings", "/settings"],
  ["Home", "/"],
] as const;

export function everywhere(app: WebApp): void {
  it("is reached from the rail, has an address, and is left by the back button", async () => {
    const { page } = app;
    await app.go("/");
    const rail = page.getByRole("navigation", { name: "Views" });
    for (const [name, address] of VIEWS) {
      await rail.getByRole("link", { name: new RegExp(`^${name}`) }).click();
      await page.waitForURL(`${app.server.origin}${address}`);
      await shows(page.getByRole("heading", { level: 1, name }));
    }
    for (const [name] of VIEWS.toReversed().slice(1)) {
      await page.goBack();
      await shows(page.getByRole("heading", { level: 1, name }));
    }
  });

  it("is there again when its address is loaded anew", async () => {
    const { page } = app;
    for (const address of ["/sessions?q=quill&sort=turns", "/doctor"]) {
      await app.go(address);
      const before = await textOf(page.locator("main h1"));
      await page.reload();
      await settled(page);
      expect([app.address(), await textOf(page.locator("main h1"))]).toEqual([address, before]);
    }
    expect(await page.getByRole("link", { name: "Doctor" }).first().getAttribute("aria-current")).toBe(
      "page",
    );
    await app.go("/no/such/page");
    await shows(page.getByText("There is no such page"));
  });

  it("opens sessions, views and actions from the palette", async () => {
    const { page, press } = app;
    await app.go("/settings");
    const palette = page.getByRole("dialog", { name: "Find any session or action" });
    const find = async (words: string): Promise<void> => {
      await press("Control+k");
      await palette.getByRole("combobox", { name: "Find" }).waitFor();
      await app.type(words);
    };
    await find("one cent");
    await shows(palette.getByRole("option", { name: /Cart total is one cent off/ }));
    await press("Enter");
    await shows(page.getByRole("heading", { level: 1, name: "Cart total is one cent off" }));
    await hides(palette);
    await find("hand over");
    await shows(palette.getByRole("option", { name: "Continue in another program" }));
    await press("Enter");
    await shows(page.getByRole("dialog", { name: "Continue in another program" }));
    await press("Escape");
    await hides(page.getByRole("dialog"));
    await find("go to tree");
    await palette.getByRole("option", { name: /Go to Tree/ }).click();
    await shows(page.getByRole("heading", { level: 1, name: "Tree" }));
    await find("clock change");
    await palette.getByRole("option", { name: /Search everything/ }).click();
    await page.waitForURL(/\/search\?q=clock\+change/);
  });

  it("lists its keys, which work", async () => {
    const { page, press } = app;
    await press("Escape");
    await app.go("/sessions");
    await press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    for (const label of ["Go to Doctor", "Open the session", "Find any session or action"])
      await shows(keys.getByText(label));
    await press("Escape");
    await hides(keys);
    await app.leap("d");
    await shows(page.getByRole("heading", { level: 1, name: "Doctor" }));
  });

  it("keeps what it shows while the server is gone, says so, and recovers by itself", async () => {
    const { page } = app;
    await app.go("/sessions");
    const banner = page.getByRole("alert").filter({ hasText: "The server is not running" });
    await app.kill();
    await shows(banner);
    expect(await page.getByRole("grid", { name: "Sessions" }).getByRole("row").count()).toBeGreaterThan(10);
    await app.restart();
    await hides(banner);
    await page.getByRole("textbox", { name: "Filter sessions" }).fill("quill");
    await shows(page.getByText(/sessions match/));
  });

  it("says that there are new pages, keeps what it shows, and loads them when asked to", async () => {
    const { page } = app;
    await app.go("/sessions");
    const fresh = '<script type="module" src="/assets/index-00000000.js"></script><div id="root"></div>';
    await page.route(/\/assets\/history-/, (route) => route.fulfill({ status: 404 }));
    await page.route(`${app.server.origin}/`, (route) =>
      route.fulfill({ status: 200, contentType: "text/html", body: fresh }),
    );
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "History" }).click();
    await shows(page.getByRole("status").filter({ hasText: "A new version is served" }));
    expect(await page.getByRole("grid", { name: "Sessions" }).getByRole("row").count()).toBeGreaterThan(5);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload" }).click();
    await shows(page.getByRole("heading", { level: 1, name: "History" }));
  });
}
