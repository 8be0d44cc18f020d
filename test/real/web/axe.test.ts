/** Axe finds nothing serious on any view, dialog or result: in both themes, and on a page as narrow as a phone. */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { settled, useWebApp } from "./app.ts";
import { DAMAGED, LATEST, LONG, LONG_FORK, VSCODE } from "./views/demo.ts";

const AXE = join(import.meta.dirname, "../node_modules/axe-core/axe.min.js");
const app = useWebApp({ words: ["--demo"] });
// As a script of the browser itself: the pages take none but their own.
beforeAll(() => app.page.addInitScript({ path: AXE }));

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What would keep people from using the page, with the places where it is. */
async function serious(rule?: string): Promise<string[]> {
  const violations = await app.page.evaluate(async (only: string | undefined) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> };
    };
    return (await axe.run({ resultTypes: ["violations"], ...(only && { runOnly: [only] }) })).violations;
  }, rule);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
}

const setTheme = (theme: "light" | "dark"): Promise<void> =>
  app.page.evaluate((name: string) => {
    const { document } = globalThis as unknown as {
      document: { documentElement: { dataset: Record<string, string> } };
    };
    document.documentElement.dataset.theme = name;
  }, theme);

/** Everything in the light; what may differ in the dark, and on a phone. */
async function expectAccessible(): Promise<void> {
  const { page } = app;
  expect.soft(await serious(), "light").toEqual([]);
  await setTheme("dark");
  expect.soft(await serious("color-contrast"), "dark").toEqual([]);
  await page.setViewportSize({ width: 420, height: 860 });
  expect.soft(await serious(), "narrow and dark").toEqual([]);
  await setTheme("light");
  expect.soft(await serious("color-contrast"), "narrow and light").toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
}

const opened = (key: string) => async (): Promise<void> => {
  await app.press(key);
  await app.page.getByRole("dialog").waitFor();
  await settled(app.page);
};
const planned = (key: string) => async (): Promise<void> => {
  await opened(key)();
  await app.page.locator("[role=dialog] footer button[aria-disabled=false]").waitFor();
};

interface View {
  readonly name: string;
  readonly address: string;
  /** What a person does there first. */
  readonly act?: () => Promise<void>;
}

const VIEWS: readonly View[] = [
  { name: "home", address: "/" },
  {
    name: "sessions, some selected",
    address: "/sessions",
    async act() {
      await app.press("j", "x", "j", "x");
      await app.page.getByRole("region", { name: "Selected sessions" }).waitFor();
    },
  },
  {
    name: "a session with open calls, a budget and a word to find",
    address: `/s/${LONG}?turn=3`,
    async act() {
      await app.page.getByRole("slider", { name: "Budget in tokens" }).focus();
      await app.press("PageDown", "PageDown", "PageDown", "PageDown");
      await app.page.locator("[data-fate]").first().waitFor();
      await app.page.getByRole("button", { name: "List by size" }).click();
      await app.page.getByTestId("conversation").focus();
      await app.press("o", "Control+f");
      await app.page.keyboard.type("state");
      await app.page.getByRole("search").getByRole("status").filter({ hasText: /match/ }).waitFor();
    },
  },
  { name: "a damaged session", address: `/s/${DAMAGED}` },
  {
    name: "search with a preview",
    address: "/search?q=limiter",
    async act() {
      await app.page.getByRole("grid", { name: "Hits" }).waitFor();
      await app.press("ArrowDown", "ArrowDown", "ArrowRight");
      await app.page.getByRole("complementary", { name: "Preview" }).waitFor();
      await settled(app.page);
    },
  },
  { name: "search without a hit", address: "/search?q=zzqqxx" },
  { name: "tree", address: "/tree", act: () => app.press("x") },
  { name: "diff", address: `/diff?a=${LONG}&b=${LONG_FORK}` },
  {
    name: "SQL",
    address: `/sql?q=${encodeURIComponent("SELECT * FROM session_overview")}`,
    async act() {
      await app.page.getByRole("grid", { name: "Result" }).waitFor();
    },
  },
  { name: "chat", address: "/chat" },
  { name: "doctor", address: "/doctor" },
  { name: "settings", address: "/settings" },
  { name: "the clone page", address: `/clone?session=${VSCODE.split(":")[1]}` },
  { name: "no such page", address: "/no/such/page" },
  { name: "a session that is not there", address: "/s/copilot-cli:nothing" },
  { name: "the dialog of a clone", address: `/s/${LATEST}`, act: planned("c") },
  { name: "the dialog of a fork", address: `/s/${LATEST}?turn=2`, act: planned("f") },
  { name: "the dialog of an export", address: `/s/${LATEST}`, act: opened("e") },
  {
    name: "what was done",
    address: `/s/${LATEST}`,
    async act() {
      await planned("c")();
      await app.press("Control+Enter");
      await app.page.getByRole("heading", { name: "Session cloned" }).waitFor();
    },
  },
  { name: "history", address: "/history", act: () => app.press("j", "Enter") },
  {
    name: "the palette",
    address: "/sessions",
    async act() {
      await app.press("Control+k");
      await app.page.getByRole("option").first().waitFor();
    },
  },
  { name: "the keys", address: "/sessions", act: opened("?") },
];

describe("is usable for everybody:", () => {
  it.each(VIEWS.map((view) => [view.name, view] as const))("%s", async (_, { address, act }) => {
    await app.go(address);
    await act?.();
    await expectAccessible();
  });
});
