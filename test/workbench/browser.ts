/** The workbench in a headless browser: puts sessions where it looks for them, opens them, and tells what it shows. */
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { INDEX_KEY } from "../real/vscode-judge.ts";
import type { CodeServer } from "./code-server.ts";

/** As much of playwright as is used here; its own types are only there when it is installed. */
interface Page {
  goto(url: string): Promise<unknown>;
  waitForSelector(selector: string, options: { timeout: number }): Promise<unknown>;
  evaluate<A, R>(work: (argument: A) => Promise<R>, argument: A): Promise<R>;
  locator(selector: string): Locator;
  screenshot(options: { path: string }): Promise<unknown>;
  on(event: "console", listener: (message: { text(): string }) => void): void;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
}
interface Locator {
  first(): Locator;
  filter(options: { hasText: string }): Locator;
  count(): Promise<number>;
  click(): Promise<void>;
  allInnerTexts(): Promise<string[]>;
}

export interface Workbench {
  /** Session files and the list of them, as a folder of `workspaceStorage` holds them. */
  put(sessions: string, index: string): Promise<void>;
  /** The titles in the sessions view. */
  list(): Promise<string[]>;
  /** Opens a session by its title and waits until these texts are shown; tells those that are not. */
  open(title: string, texts: readonly string[]): Promise<{ missing: string[]; complaints: string[] }>;
  picture(path: string): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 90_000;
const SHOWN_WITHIN_MS = 20_000;
/** After so long nothing of the chat before is on the page. */
const LEFT_MS = 3000;
const ROWS = ".agent-sessions-viewer .monaco-list-row, .agent-sessions-control-container .monaco-list-row";
const CHAT = ".interactive-session .interactive-item-container";

export async function openWorkbench(server: CodeServer, profile: string): Promise<Workbench> {
  const browser = await launch(profile);
  const page: Page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (/ChatSessionStore|malformed session|Failed to parse chat/i.test(text)) complaints.push(text);
  });
  const visit = async (): Promise<void> => {
    await page.goto(`${server.url}/?folder=${encodeURIComponent(server.project)}`);
    for (const selector of [".monaco-workbench", ".part.statusbar", ".interactive-session"])
      await page.waitForSelector(selector, { timeout: PATIENCE_MS });
    await wait(4000); // the sessions view is filled some time after
  };

  return {
    async put(sessions, index) {
      // The first visit makes the workspace's folder and its database in the browser.
      await visit();
      const id = await within(PATIENCE_MS, async () => findWorkspace(server.storage));
      if (id === undefined) throw new Error("VS Code made no storage folder for the workspace");
      await page.goto(`${server.url}/healthz`);
      await wait(1500); // it saves when the page is left
      const target = join(server.storage, id, "chatSessions");
      mkdirSync(target, { recursive: true });
      cpSync(sessions, target, { recursive: true });
      await page.evaluate(putIntoDatabase, {
        prefix: `vscode-web-state-db-${id}`,
        key: INDEX_KEY,
        text: index,
      });
      await visit();
      await page.keyboard.press("F1");
      await wait(700);
      await page.keyboard.type("Show Agent Sessions Sidebar");
      await wait(1200);
      await page.keyboard.press("Enter");
      await within(SHOWN_WITHIN_MS, async () => ((await page.locator(ROWS).count()) > 0 ? true : undefined));
    },
    list: async () =>
      (await page.locator(ROWS).allInnerTexts()).map((text) => text.split("\n").find(Boolean) ?? ""),
    async open(title, texts) {
      complaints.length = 0;
      const row = page.locator(ROWS).filter({ hasText: title }).first();
      if ((await row.count()) === 0) return { missing: [`the title "${title}" in the list`], complaints: [] };
      await row.click();
      await wait(LEFT_MS); // what was shown before may have the same texts
      let missing = [...texts];
      await within(SHOWN_WITHIN_MS, async () => {
        const shown = squeeze((await page.locator(CHAT).allInnerTexts()).join("\n"));
        missing = texts.filter((text) => !shown.includes(squeeze(text)));
        return missing.length === 0 ? true : undefined;
      });
      return { missing, complaints: [...complaints] };
    },
    picture: async (path) => void (await page.screenshot({ path })),
    close: () => browser.close(),
  };
}

const squeeze = (text: string): string => text.replace(/\s+/g, " ");

async function within<T>(ms: number, find: () => Promise<T | undefined>): Promise<T | undefined> {
  for (const end = Date.now() + ms; ; await wait(500)) {
    const found = await find();
    if (found !== undefined || Date.now() > end) return found;
  }
}

const findWorkspace = (storage: string): string | undefined =>
  existsSync(storage)
    ? readdirSync(storage).find((name) => existsSync(join(storage, name, "meta.json")))
    : undefined;

/** Runs in the page: web builds keep the list of sessions in the browser. */
async function putIntoDatabase({
  prefix,
  key,
  text,
}: {
  prefix: string;
  key: string;
  text: string;
}): Promise<void> {
  const { indexedDB } = globalThis as unknown as { indexedDB: Untyped };
  const done = (request: Untyped, event: string): Promise<Untyped> =>
    new Promise((resolve, reject) => {
      request[event] = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const databases: { name: string }[] = await indexedDB.databases();
  const name = databases.map((each) => each.name).find((each) => each.startsWith(prefix));
  if (name === undefined) throw new Error(`The browser has no database ${prefix}…`);
  const database = await done(indexedDB.open(name), "onsuccess");
  const transaction = database.transaction("ItemTable", "readwrite");
  transaction.objectStore("ItemTable").put(text, key);
  await done(transaction, "oncomplete");
  database.close();
}

// biome-ignore lint/suspicious/noExplicitAny: the browser's own objects and the packages have no types here
type Untyped = any;

async function launch(profile: string): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }> {
  const load = (path: string): Promise<Untyped> =>
    import(pathToFileURL(join(import.meta.dirname, "node_modules", path)).href);
  const { default: chromium } = await load("@sparticuz/chromium/build/index.js");
  const { chromium: driver } = await load("playwright-core/index.mjs");
  return driver.launchPersistentContext(profile, {
    executablePath: await chromium.executablePath(),
    headless: true,
    viewport: { width: 1500, height: 900 },
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
}
