/** Axe finds nothing serious on any view, dialog or result: in both themes, and on a page as narrow as a phone. */
import { beforeAll, describe, expect, it } from "vitest";
import { hides, settled, useWebApp } from "./app.ts";
import { AXE, serious, setTheme } from "./axe.ts";
import { DAMAGED, LATEST, LONG, LONG_FORK, VSCODE } from "./views/demo.ts";

const app = useWebApp({ words: ["--demo"], look: { width: 1440, height: 700 } });
// As a script of the browser itself: the pages take none but their own.
beforeAll(async () => {
  await app.page.addInitScript({ path: AXE });
  await app.go("/");
});

const [WIDE, NARROW] = [
  { width: 1440, height: 700 },
  { width: 420, height: 700 },
];
/** Both themes and both widths; with RETHREAD_FULL=1 each theme at each width. */
const LOOKS = [
  ["light", WIDE],
  ["dark", NARROW],
  ...(process.env.RETHREAD_FULL === undefined
    ? []
    : ([
        ["dark", WIDE],
        ["light", NARROW],
      ] as const)),
] as const;

async function expectAccessible(): Promise<void> {
  for (const [theme, size] of LOOKS) {
    await app.page.setViewportSize(size);
    await setTheme(app.page, theme);
    expect.soft(await serious(app.page), `${theme}, ${size.width} px wide`).toEqual([]);
  }
  await app.page.setViewportSize(WIDE);
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
    address: "/sessions?q=quill",
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
    name: "a picture",
    address: `/s/${LATEST}`,
    async act() {
      await app.page.getByRole("button", { name: /^Open image/ }).click();
      await app.page.getByRole("dialog").locator("img").waitFor();
    },
  },
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
  { name: "files to blame", address: "/blame" },
  {
    name: "a file with its sessions",
    address: "/blame",
    async act() {
      await app.page.getByRole("link", { name: /money\.ts/ }).click();
      await app.page.getByRole("region", { name: /^Lines of / }).waitFor();
      await app.press("]", "]");
      await app.page.getByText("multiply the rates").first().waitFor();
    },
  },
  { name: "a file that is refused", address: "/blame?file=/etc/passwd" },
  {
    name: "SQL",
    address: `/sql?q=${encodeURIComponent("SELECT source, title, turns FROM session_overview LIMIT 5")}`,
    async act() {
      await app.page.getByRole("grid", { name: "Result" }).waitFor();
    },
  },
  { name: "chat", address: "/chat" },
  { name: "an item of the board", address: "/board?item=lumen-shop/storefront * money-in-cents" },
  { name: "a new item of the board", address: "/board", act: opened("n") },
  { name: "what can be pruned from the board", address: "/board?q=", act: opened("p") },
  { name: "what sessions suggest for the board", address: "/board?q=e", act: opened("s") },
  { name: "doctor", address: "/doctor" },
  { name: "settings", address: "/settings" },
  { name: "the clone page", address: `/clone?session=${VSCODE.split(":")[1]}` },
  { name: "no such page", address: "/no/such/page" },
  { name: "a session that is not there", address: "/s/copilot-cli:nothing" },
  { name: "the dialog of a clone", address: `/s/${LATEST}`, act: planned("c") },
  { name: "the dialog of a fork", address: `/s/${LATEST}`, act: planned("f") },
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
    address: "/history",
    async act() {
      await app.press("Control+k");
      await app.page.getByRole("option").first().waitFor();
    },
  },
  { name: "the keys", address: "/history", act: opened("?") },
];

describe("is usable for everybody:", () => {
  it.each(VIEWS.map((view) => [view.name, view] as const))("%s", async (_, { address, act }) => {
    // What the view before has opened is closed; a page is loaded only where another one is wanted.
    await app.press("Escape");
    if (app.address() !== decodeURIComponent(address)) await app.go(address);
    await hides(app.page.getByRole("dialog"));
    await act?.();
    await expectAccessible();
  });
});
