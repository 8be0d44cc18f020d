/**
 * Takes a picture of every view in both themes, at the width of a desk and of a phone, on the demo and on a hub: `npm run
 * screenshots`, then look at all of them. A word behind it takes only the views whose names contain it.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { openBrowser, type Page } from "./browser.ts";
import { openHub } from "./hub-views.ts";
import { emptyPlace, type Served, serve } from "./served.ts";

const root = resolve(import.meta.dirname, "../../..");
const folder = join(root, "screenshots");
const wanted = process.argv[2] ?? "";
/** What the server needs to read a session, to render it, or to plan. */
const SETTLE_MS = 900;

export interface View {
  readonly name: string;
  readonly address: string;
  /** What a person does there before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

interface Listed {
  readonly sessions: readonly { source: string; id: string; title: string; turns: number }[];
}

/** The demo's own sessions, by what makes them worth a picture. */
async function viewsOf(server: Served): Promise<View[]> {
  const { sessions } = await server.api<Listed>("/api/sessions?limit=200");
  const keyOf = (title: string): string => {
    const found = sessions.find((each) => each.title.startsWith(title));
    if (!found) throw new Error(`The demo has no session called ${title}`);
    return `${found.source}:${found.id}`;
  };
  const flaky = keyOf("Flaky login test in CI");
  const [long, fork] = [keyOf("Rebuild the checkout"), keyOf("Rebuild the checkout as a state machine (")];
  const polars = keyOf("Move the transforms from pandas");
  const { files } = await server.api<{ files: readonly { path: string }[] }>("/api/files?q=src/money.ts");
  const money = encodeURIComponent(files[0]?.path ?? "");
  const chat = sessions.find(({ source }) => source === "vscode");
  return [
    { name: "home", address: "/" },
    { name: "sessions", address: "/sessions" },
    { name: "sessions-selected", address: "/sessions", act: press("j", "x", "j", "x") },
    { name: "session", address: `/s/${flaky}?turn=2` },
    { name: "session-claude", address: `/s/${keyOf("Bring the pipeline")}` },
    { name: "session-damaged", address: `/s/${keyOf("Backfill script")}` },
    {
      name: "lens",
      address: `/s/${long}?turn=2`,
      act: async (page) => {
        // On a phone it is in the drawer.
        const drawer = page.getByRole("button", { name: /details/i });
        if ((await page.getByRole("slider").count()) === 0 && (await drawer.count()) > 0)
          await drawer.first().click();
        const handle = page.getByRole("slider").first();
        await handle.waitFor();
        await handle.focus();
        for (let step = 0; step < 5; step++) await handle.press("PageDown");
        await page.getByText(/^Clone at/).waitFor();
      },
    },
    { name: "find", address: `/s/${flaky}`, act: type("Control+f", "limiter") },
    { name: "change-clone", address: `/s/${flaky}`, act: opened("c") },
    { name: "change-rewind", address: `/s/${flaky}?turn=3`, act: opened("r") },
    { name: "change-handoff", address: `/s/${flaky}`, act: handingOver("claude-code") },
    { name: "change-claude-clone", address: `/s/${polars}`, act: opened("c") },
    { name: "change-claude-rewind", address: `/s/${polars}?turn=9`, act: opened("r") },
    { name: "change-claude-compact", address: `/s/${polars}`, act: chosen(/^Compact/) },
    { name: "change-claude-handoff", address: `/s/${polars}`, act: handingOver("vscode") },
    { name: "change-briefing", address: `/s/${polars}`, act: briefing },
    { name: "search", address: "/search?q=rate limiter" },
    { name: "search-nothing", address: "/search?q=zzqqxx" },
    { name: "tree", address: "/tree" },
    { name: "diff", address: `/diff?a=${long}&b=${fork}` },
    { name: "blame", address: `/blame?file=${money}` },
    { name: "blame-line", address: `/blame?file=${money}&line=13` },
    { name: "blame-files", address: "/blame" },
    {
      name: "sql",
      address: `/sql?q=${encodeURIComponent("SELECT repository, count(*) AS sessions, sum(turns) AS turns\nFROM session_overview\nGROUP BY 1 ORDER BY 2 DESC")}`,
      act: press("Control+Enter"),
    },
    { name: "chat", address: "/chat" },
    { name: "board", address: "/board?item=lumen-shop/storefront%20*%20money-in-cents" },
    { name: "board-new", address: "/board", act: opened("n") },
    { name: "board-prune", address: "/board", act: opened("p") },
    { name: "board-suggestions", address: "/board", act: opened("s") },
    { name: "doctor", address: "/doctor" },
    { name: "history", address: "/history" },
    { name: "reports-standup", address: "/reports?since=7d" },
    { name: "reports-tips", address: "/reports?report=tips" },
    { name: "reports-improve", address: "/reports?report=improve" },
    { name: "settings", address: "/settings" },
    { name: "clone-page", address: `/clone?session=${chat?.id ?? ""}` },
    { name: "palette", address: "/sessions", act: type("Control+k", "log") },
    { name: "keys", address: "/sessions", act: press("?") },
    { name: "nothing-here", address: "/no/such/page" },
  ];
}

const press =
  (...keys: string[]) =>
  async (page: Page): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
const type = (key: string, text: string) => async (page: Page) => {
  await page.keyboard.press(key);
  await page.waitForTimeout(200);
  await page.keyboard.type(text);
};
const opened = (key: string) => async (page: Page) => {
  await page.keyboard.press(key);
  await page.getByRole("dialog").waitFor();
};

/** A change that has no key: in the menu of the session. */
const chosen = (name: RegExp) => async (page: Page) => {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name }).click();
  await page.getByRole("dialog").waitFor();
};
const handingOver = (to: string) => async (page: Page) => {
  await chosen(/another program/)(page);
  await page.locator("dialog select, [role=dialog] select").first().selectOption(to);
  await page.getByText("What the other program gets").waitFor();
};

const briefing = async (page: Page): Promise<void> => {
  await chosen(/another program/)(page);
  await page.locator("dialog select, [role=dialog] select").first().selectOption("briefing");
  await page.getByRole("button", { name: "Copy the briefing" }).waitFor();
};

/** Some writes, so that the history has something to show. */
async function makeHistory(server: Served): Promise<void> {
  const { sessions } = await server.api<Listed>("/api/sessions?limit=200&source=copilot-cli");
  const [first, second] = sessions.filter(({ turns, title }) => turns > 2 && !title.startsWith("Flaky"));
  const write = async (operation: string, body: object): Promise<void> => {
    const { fingerprint } = await server.api<{ fingerprint: string }>(`/api/plans/${operation}`, {
      method: "POST",
      body,
    });
    await server.api(`/api/plans/${fingerprint}/apply`, { method: "POST" });
  };
  if (!first || !second) return;
  await write("fork", { session: `${first.source}:${first.id}`, at: 1 });
  await write("rename", { session: `${second.source}:${second.id}`, name: `${second.title}, explained` });
  await write("undo", {});
}

/** What is looked at: addresses that work, and a way in for each browser. */
export interface Site {
  readonly origin: string;
  entrance(): Promise<string>;
  readonly views: readonly View[];
  close(): Promise<void>;
}

async function openLocal(): Promise<Site> {
  const place = emptyPlace();
  const server = await serve(place, ["--demo"]);
  await makeHistory(server);
  return {
    origin: server.origin,
    entrance: () => server.entrance(),
    views: await viewsOf(server),
    async close() {
      await server.stop();
      place.remove();
    },
  };
}

async function takePictures({ origin, entrance, views }: Site): Promise<number> {
  const asked = views.filter(({ name }) => name.includes(wanted));
  if (asked.length === 0) return 0;
  for (const theme of ["light", "dark"] as const) {
    const { page, watched } = await browser.open(await entrance(), { theme });
    for (const width of [1440, 420]) {
      await page.setViewportSize({ width, height: width < 700 ? 860 : 900 });
      for (const { name, address, act } of asked) {
        await page.unrouteAll();
        await page.goto(`${origin}${address}`);
        await page.locator("main :is(h1, h2)").first().waitFor({ state: "attached" });
        await page.waitForTimeout(SETTLE_MS);
        await act?.(page).catch((error: unknown) => console.error(`${name} at ${width}: ${error}`));
        await page.waitForTimeout(SETTLE_MS);
        await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
      }
    }
    for (const complaint of watched.complaints) console.error(`${theme}: ${complaint}`);
  }
  return asked.length * 4;
}

const browser = await openBrowser();
let count = 0;
try {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const open of [openLocal, openHub]) {
    const site = await open();
    try {
      count += await takePictures(site);
    } finally {
      await site.close();
    }
  }
  console.log(`${count} pictures in screenshots/`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
  process.exit();
}
