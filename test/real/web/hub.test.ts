/** The pages of a hub in a real browser: who sees what, by clicks and by keys, and hostile text stays text. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Person } from "../../hub/people.ts";
import { hides, settled, shows, textOf } from "./app.ts";
import { AXE, serious, setTheme } from "./axe.ts";
import { type Browser, openBrowser, type Page, type Watched } from "./browser.ts";
import { NEEDLE } from "./hostile-home.ts";
import { HOSTILE_NAME, newTeamHub, type TeamHub } from "./hub-team.ts";
import { findIntruders } from "./intruders.ts";
import { readClipboard } from "./views/home.ts";
import { nothingAt, shiftsAt } from "./views/steady.ts";

let hub: TeamHub;
let browser: Browser;
let page: Page;
let watched: Watched;
/** One session of each, by the beginning of its title. */
let keyOf: (title: string) => string;

interface Listed {
  readonly sessions: readonly { readonly hubSession: string; readonly title: string }[];
}

beforeAll(async () => {
  hub = await newTeamHub();
  const all: { hubSession: string; title: string }[] = [];
  for (const who of [hub.robin, hub.ada, hub.sam])
    all.push(...(await hub.ask<Listed>(who, "/api/sessions")).sessions);
  keyOf = (title) => all.find((each) => each.title.startsWith(title))?.hubSession ?? "none";
  browser = await openBrowser();
  ({ page, watched } = await browser.open(`${hub.origin}/icon.svg`));
  await page.addInitScript({ path: AXE });
}, 120_000);
afterEach(() => {
  const { complaints, foreign } = watched;
  expect({ complaints: complaints.splice(0), foreign }).toEqual({ complaints: [], foreign: [] });
});
afterAll(async () => {
  await browser.close();
  await hub.close();
});

const go = async (address: string): Promise<void> => {
  await page.goto(`${hub.origin}${address}`);
  await settled(page);
};
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const session = (title: string): string => `/s/${encodeURIComponent(keyOf(title))}`;

async function signIn(token: string): Promise<void> {
  await page.getByLabel("Your token").fill(token);
  await press("Enter");
}
/** By an address that works once, as the server prints it. */
async function enterAs(who: Person): Promise<void> {
  await page.goto(hub.entrance(who));
  await settled(page);
}
async function signOut(): Promise<void> {
  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await shows(heading(/^Sign in to/));
}

describe("signing in", () => {
  it("says what is wrong with a token, keeps none of it, and goes to where one was", async () => {
    await page.goto(`${hub.origin}/people`);
    await shows(heading(/^Sign in to/));
    await signIn("rth_not-a-token");
    await shows(page.getByText("The hub does not know this token"));
    expect(await serious(page)).toEqual([]);
    await signIn(hub.ada.token);
    await shows(heading("People"));
    expect(page.url()).toBe(`${hub.origin}/people`);
    const kept = await page.evaluate(() => {
      const { localStorage, sessionStorage, document } = globalThis as unknown as Record<string, object>;
      return JSON.stringify([localStorage, sessionStorage, (document as { cookie: string }).cookie]);
    });
    expect(kept).not.toContain(hub.ada.token.slice(8, 40));
  });

  it("shows nothing of the hub to who has signed out, nor to whose sign-in has ended", async () => {
    await shows(page.getByRole("link", { name: /^robin/ }));
    await signOut();
    await hides(page.getByText("storefront"));
    await signIn(hub.ada.token);
    await shows(heading("People"));
    await hub.people.ask("UPDATE hub.tokens SET revoked_at = now() WHERE kind = 'web'");
    await press("g", "s");
    await shows(heading(/^Sign in to/));
  });
});

describe("who has shared nothing, and whom nobody shares with", () => {
  it("sees only their own, and how to begin", async () => {
    await enterAs(await hub.people.add("nobody"));
    await shows(page.getByText("Nobody has shared anything yet"));
    await shows(page.getByText(`rethread hub login ${hub.origin}`));
    await go("/people");
    await shows(page.getByText("You are in no team yet"));
  });
});

describe("sharing", () => {
  it("is private at first, says who will see how much, and is made private again by clicks", async () => {
    await enterAs(hub.ada);
    await go("/sharing");
    await shows(page.getByText("Nothing. Choose a repository below"));
    await page.getByRole("button", { name: "Share lumen-shop/storefront" }).click();
    const dialog = page.getByRole("dialog");
    await shows(dialog.getByRole("status"), "robin will see 3 sessions of yours");
    expect(await serious(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Share", exact: true }).click();
    await hides(dialog);
    await shows(page.getByRole("button", { name: "Stop sharing lumen-shop/storefront" }));
    expect(await seenBy(hub.robin, "ada")).toBe(3);
    await page.getByRole("button", { name: "Stop sharing lumen-shop/storefront" }).click();
    await dialog.getByRole("button", { name: "Stop sharing", exact: true }).click();
    await shows(page.getByText("Nothing. Choose a repository below"));
    expect(await seenBy(hub.robin, "ada")).toBe(0);
  });

  it("is done for one session from its page", async () => {
    await enterAs(hub.ada);
    await go(session("Tracking drains"));
    await shows(page.getByText("Private: nobody else sees it."));
    await page.getByRole("button", { name: "Share…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Share", exact: true }).click();
    await shows(page.getByText('Shared with the team "storefront".'));
    expect(await seenBy(hub.robin, "ada")).toBe(1);
    await page.getByRole("button", { name: "Stop sharing…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing", exact: true }).click();
    await shows(page.getByText("Private: nobody else sees it."));
  });
});

const seenBy = async (who: Person, person: string): Promise<number> =>
  (await hub.ask<{ total: number }>(who, `/api/sessions?person=${person}`)).total;

describe("a team's history", () => {
  beforeAll(async () => {
    await hub.ask(hub.ada, "/api/hub/shares", { team: "storefront", repository: "lumen-shop/storefront" });
    await hub.ask(hub.robin, "/api/hub/shares", { team: "storefront", repository: "lumen-shop/storefront" });
    await hub.ask(hub.sam, "/api/hub/shares", { team: "platform", session: keyOf("Plan the PostgreSQL") });
    await enterAs(hub.robin);
  });

  it("is at home: who did what by repository, and a search with the cursor in it", async () => {
    await go("/");
    await shows(page.locator("main section").filter({ hasText: "lumen-shop/storefront" }), /ada/);
    await page.keyboard.type("limiter");
    await press("Enter");
    await page.waitForURL(/\/search\?q=limiter/);
  });

  it("is searched across people, and narrowed to one of them", async () => {
    const hits = page.getByRole("grid", { name: "Hits" });
    await shows(hits, /Flaky login test in CI/);
    await shows(hits, /ada/);
    await page.getByRole("complementary", { name: "Filters" }).getByRole("button", { name: /^ada/ }).click();
    await page.waitForURL(/person=ada/);
    await shows(hits, /Flaky login test in CI/);
    await go("/search?q=limiter&person=sam");
    await shows(hits, /sam/);
    expect(await textOf(hits)).not.toContain("Flaky");
  });

  it("is listed with whose each session is, and opened by keys", async () => {
    await go("/sessions");
    const grid = page.getByRole("grid", { name: "Sessions" });
    await shows(grid.getByRole("row", { name: /ada.*Flaky login test in CI.*storefront/ }));
    await shows(grid.getByRole("row", { name: /robin.*Search for the handbook.*private/ }));
    expect(await textOf(grid)).not.toContain("Certificate expires");
    await page.getByRole("textbox", { name: "Filter sessions" }).fill("flaky");
    await shows(page.getByText("1 session matches"));
    await press("Enter");
    await shows(heading("Flaky login test in CI"));
  });

  it("opens a team mate's session read-only: outline, find, raw record, link; and the audit log has it", async () => {
    await go(session("Flaky login"));
    await shows(page.getByText('Shared with the team "storefront".'));
    expect(await page.getByRole("button", { name: /Fork|Clone|Rewind|Continue/ }).count()).toBe(0);
    await shows(page.getByRole("slider", { name: "Turn" }));
    await shows(page.getByRole("button", { name: /^Open image/ }).locator("img[data-look]"));
    await press("Control+f");
    await page.keyboard.type("limiter");
    await shows(page.getByRole("search").getByRole("status"), /match/);
    await press("Escape", "y");
    await shows(page.getByText("Link copied"));
    await page.getByRole("heading", { name: "Turn 1" }).hover();
    await page.getByRole("button", { name: "Raw record" }).first().click();
    await shows(page.getByRole("dialog"), /Line \d+/);
    await press("Escape");
    await go("/audit");
    const row = page.getByRole("row", { name: /robin.*read a session.*Flaky login/ });
    await shows(row);
    expect(await row.getByRole("link").first().getAttribute("title")).toBe(keyOf("Flaky login"));
  });

  it("gives the command that continues one's own session elsewhere", async () => {
    await go(session("Review: stackable"));
    await page.getByRole("button", { name: "Continue" }).click();
    await shows(page.getByText(`rethread sync --pull ${keyOf("Review: stackable")}`));
    await press("Escape");
  });

  it("says the same of a session that is private and of one that does not exist", async () => {
    const words: string[] = [];
    for (const address of [session("Certificate expires"), "/s/copilot-cli%3Anothing%4000000001"]) {
      await go(address);
      await shows(page.getByRole("heading", { name: "Not found, or not shared with you" }));
      words.push(await textOf(page.locator("main section, main h2").last()));
    }
    expect(words[0]).toBe(words[1]);
  });

  it("reports what the team did, for a team and for one person", async () => {
    await go("/reports?since=90d");
    await shows(page.locator("main"), /Flaky login test in CI/);
    await page.getByRole("button", { name: /^Team:/ }).click();
    await page.getByRole("menuitem", { name: "storefront" }).click();
    await page.getByRole("button", { name: /^Person:/ }).click();
    await page.getByRole("menuitem", { name: "ada" }).click();
    await page.waitForURL(/person=ada/);
    await settled(page);
    const report = page.locator("main");
    await shows(report, /Cart total is one cent off/);
    await hides(report.getByText("Plan the PostgreSQL 18 upgrade"));
    await press("y");
    await shows(page.getByText("The report is copied"));
    expect(await readClipboard({ page })).toContain("ada: Flaky login test in CI");
  });

  it("blames the lines of a file on people, by keys alone", async () => {
    await go("/blame");
    await page.getByRole("textbox", { name: "Filter the files" }).fill("money.ts");
    await shows(page.getByText(/^1 file that/));
    await press("Enter");
    await shows(page.getByRole("region", { name: /^Lines of/ }), /shareOfAll/);
    await press("]", "]");
    const about = page.getByRole("complementary", { name: "About the line" });
    await shows(about, /robin/);
    await press("[");
    await shows(about, /ada/);
    await press("Enter");
    await shows(heading("Cart total is one cent off"));
  });

  it("is counted by day, person, repository, model, agent and tool", async () => {
    await go("/stats?since=90d");
    await shows(page.locator("main canvas"));
    for (const name of ["ada", "robin", "lumen-shop/storefront"])
      await shows(page.locator("main").getByRole("link", { name, exact: true }));
    await shows(page.locator("main").getByRole("link", { name: "Claude Code", exact: true }));
    await shows(
      page
        .locator("main")
        .getByText(/^\d+ calls/)
        .first(),
    );
    await page.locator("main").getByRole("link", { name: "ada", exact: true }).click();
    await page.waitForURL(/\/sessions\?person=ada/);
  });

  it("is asked with SQL, which sees what one may see", async () => {
    await go(`/sql?q=${encodeURIComponent("SELECT DISTINCT person FROM session_overview ORDER BY 1")}`);
    const result = page.getByRole("grid", { name: "Result" });
    await shows(result, /ada/);
    await go(`/sql?q=${encodeURIComponent("SELECT title FROM session_overview WHERE person = 'sam'")}`);
    await shows(result, /Plan the PostgreSQL/);
    expect(await textOf(result)).not.toContain("Certificate");
    await go(`/sql?q=${encodeURIComponent("DELETE FROM sessions")}`);
    await shows(page.locator("main").getByRole("alert"));
  });
});

describe("keys", () => {
  it("lead everywhere, and the palette has only what is here", async () => {
    await go("/people");
    await press("g", "s");
    await shows(heading("Sessions"));
    await press("j", "j", "k", "Enter");
    await page.waitForURL(/\/s\//);
    await press("Control+k");
    const palette = page.getByRole("dialog", { name: /^Find/ });
    await palette.getByRole("combobox").waitFor();
    await page.keyboard.type("go to");
    await shows(palette.getByRole("option", { name: /Go to Audit log/ }));
    const offered = await palette.getByRole("option").allTextContents();
    expect(offered.join(" ")).not.toMatch(/Doctor|Board|Chat|Tree|History|Settings|Fork|Clone/);
    await press("Escape");
    await go("/doctor");
    await shows(page.getByText("There is no such page"));
  });
});

describe("for admins only", () => {
  it("are the audit log and the status, which others are refused and not shown", async () => {
    await go("/status");
    await shows(page.locator("main"), /Everything that was pushed can be searched|wait/);
    await enterAs(hub.sam);
    expect(await page.getByRole("link", { name: /Audit|Status/ }).count()).toBe(0);
    await go("/audit");
    await shows(page.getByRole("alert"), /scope admin/);
    await enterAs(hub.robin);
  });
});

const VIEWS = (): string[] => [
  "/",
  "/sessions",
  session("Flaky login"),
  "/search?q=login",
  "/reports?since=90d",
  "/blame",
  "/stats?since=90d",
  `/sql?q=${encodeURIComponent("SELECT person, title FROM session_overview")}`,
  "/sharing",
  "/people",
  "/audit",
  "/status",
];

describe("every view", () => {
  it("can be used by everybody, in both themes and as narrow as a phone", async () => {
    for (const address of VIEWS()) {
      await go(address);
      for (const [theme, width] of [
        ["light", 1440],
        ["dark", 420],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await setTheme(page, theme);
        expect.soft(await serious(page), `${address} in ${theme}`).toEqual([]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  }, 120_000);

  it("moves nothing once it is seen", async () => {
    const narrow = VIEWS().filter((_, at) => at % 3 === 0 || process.env.RETHREAD_FULL !== undefined);
    for (const [width, addresses] of [
      [1440, VIEWS()],
      [420, narrow],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      expect(await shiftsAt(page, hub.origin, addresses)).toEqual(nothingAt(addresses));
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }, 120_000);
});

describe("hostile people and sessions", () => {
  it("do nothing on any view", async () => {
    await hub.addHostile();
    const { sessions } = await hub.ask<Listed>(
      hub.robin,
      `/api/sessions?person=${encodeURIComponent(HOSTILE_NAME)}`,
    );
    expect(sessions.length).toBeGreaterThan(3);
    const addresses = [
      ...VIEWS().filter((address) => !/^\/(s\/|status|search)/.test(address)),
      `/search?q=${NEEDLE}`,
      `/sessions?person=${encodeURIComponent(HOSTILE_NAME)}`,
      ...sessions.map(({ hubSession }) => `/s/${encodeURIComponent(hubSession)}`),
    ];
    for (const address of addresses) {
      await go(address);
      expect(await findIntruders(page), address).toEqual([]);
    }
    await go("/people");
    expect(await textOf(page.locator("main"))).toContain(HOSTILE_NAME);
    await go("/sharing");
    await page
      .getByRole("button", { name: /^Share fernwerk/ })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("radio").last().check();
    expect(await findIntruders(page)).toEqual([]);
    await press("Escape");
    expect(hub.defects).toEqual([]);
  }, 120_000);
});

describe("a hub that is gone", () => {
  it("leaves what is shown, says so, and is back by itself", async () => {
    await go("/sessions");
    await hub.stop();
    await press("g", "p");
    const banner = page.getByRole("alert").filter({ hasText: "The hub does not answer" });
    await shows(banner);
    await hub.start();
    await hides(banner);
  });
});
