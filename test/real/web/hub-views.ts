/** A hub with people and sessions in it, for pictures of its views. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "./browser.ts";
import type { Site, View } from "./screenshots.ts";

interface Listed {
  readonly sessions: readonly { readonly hubSession: string; readonly title: string }[];
}

export async function openHub(): Promise<Site> {
  // The database's own user must reach its files, so they lie in a folder that nothing else uses.
  const folder = mkdtempSync(join(tmpdir(), "rethread-pictures-"));
  process.env.TMPDIR = folder;
  const { newTeamHub } = await import("./hub-team.ts");
  const hub = await newTeamHub();
  const { robin, ada, sam, origin } = hub;
  for (const who of [robin, ada])
    await hub.ask(who, "/api/hub/shares", { team: "storefront", repository: "lumen-shop/storefront" });
  const mine = await hub.ask<Listed>(sam, "/api/sessions");
  for (const { hubSession: session } of mine.sessions)
    await hub.ask(sam, "/api/hub/shares", { team: "platform", session });
  const { sessions } = await hub.ask<Listed>(robin, "/api/sessions");
  const addressOf = (title: string): string => {
    const found = sessions.find((each) => each.title.startsWith(title));
    if (!found) throw new Error(`Nobody shares a session called ${title}`);
    return `/s/${encodeURIComponent(found.hubSession)}`;
  };
  const views: View[] = [
    { name: "hub-home", address: "/" },
    { name: "hub-sessions", address: "/sessions" },
    { name: "hub-session", address: `${addressOf("Flaky login")}?turn=2` },
    { name: "hub-session-own", address: addressOf("Review: stackable"), act: click("Continue") },
    { name: "hub-session-not-found", address: "/s/copilot-cli:nothing@00000001" },
    { name: "hub-search", address: "/search?q=test" },
    { name: "hub-standup", address: "/reports?since=90d" },
    { name: "hub-blame-files", address: "/blame" },
    { name: "hub-blame", address: "/blame?repo=lumen-shop/storefront&file=src/money.ts&line=13" },
    { name: "hub-stats", address: "/stats?since=90d" },
    {
      name: "hub-sql",
      address: `/sql?q=${encodeURIComponent("SELECT person, repository, count(*) AS sessions, sum(turns) AS turns\n  FROM session_overview\n GROUP BY 1, 2 ORDER BY 4 DESC")}`,
    },
    { name: "hub-sharing", address: "/sharing" },
    { name: "hub-share", address: "/sharing", act: click(/^Share fernwerk/) },
    { name: "hub-people", address: "/people" },
    { name: "hub-audit", address: "/audit" },
    { name: "hub-status", address: "/status" },
    { name: "hub-palette", address: "/", act: (page) => page.keyboard.press("Control+k") },
    { name: "hub-sign-in", address: "/", act: asStranger },
  ];
  return {
    origin,
    views,
    entrance: async () => hub.entrance(robin),
    async close() {
      await hub.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const click = (name: string | RegExp) => async (page: Page) =>
  page.getByRole("button", { name }).first().click();

/** As a browser that never was here; the next view is asked of the hub again. */
async function asStranger(page: Page): Promise<void> {
  await page.route(/\/api\/hub\/me$/, (route) =>
    route.fulfill({
      status: 401,
      contentType: "application/json",
      body: '{"error":{"code":"not-signed-in"}}',
    }),
  );
  await page.reload();
}
