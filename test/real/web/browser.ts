/** A real Chromium for the tests of the pages, and what went wrong on a page while a test looked at it. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const modules = join(import.meta.dirname, "..", "node_modules");
const load = (path: string): Promise<Untyped> => import(pathToFileURL(join(modules, path)).href);

// biome-ignore lint/suspicious/noExplicitAny: the packages have no types until the test command has installed them
type Untyped = any;

/** As much of playwright as the tests use; its own types are only there when it is installed. */
export interface Locator {
  click(options?: { button?: "left" | "right"; force?: boolean }): Promise<void>;
  fill(text: string): Promise<void>;
  press(key: string): Promise<void>;
  check(): Promise<void>;
  focus(): Promise<void>;
  hover(): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  count(): Promise<number>;
  textContent(): Promise<string | null>;
  allTextContents(): Promise<string[]>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  isVisible(): Promise<boolean>;
  waitFor(options?: {
    state?: "visible" | "hidden" | "attached" | "detached";
    timeout?: number;
  }): Promise<void>;
  first(): Locator;
  last(): Locator;
  nth(at: number): Locator;
  filter(options: { hasText?: string | RegExp; has?: Locator }): Locator;
  locator(selector: string): Locator;
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean; level?: number }): Locator;
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator;
  getByLabel(text: string | RegExp): Locator;
  getByTestId(id: string): Locator;
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
  evaluate<R>(work: (element: Untyped) => R): Promise<R>;
}

export interface Page
  extends Pick<Locator, "locator" | "getByRole" | "getByText" | "getByLabel" | "getByTestId"> {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  evaluate<R, A = undefined>(work: (argument: A) => R | Promise<R>, argument?: A): Promise<R>;
  waitForFunction<A = undefined>(
    work: (argument: A) => unknown,
    argument?: A,
    options?: { timeout?: number },
  ): Promise<unknown>;
  waitForURL(url: string | RegExp | ((url: URL) => boolean), options?: { timeout?: number }): Promise<void>;
  waitForEvent(event: "download"): Promise<{ suggestedFilename(): string; path(): Promise<string> }>;
  waitForTimeout(ms: number): Promise<void>;
  screenshot(options: { path: string; fullPage?: boolean }): Promise<unknown>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  addInitScript(options: { path: string } | { content: string }): Promise<unknown>;
  /** Answers requests in the place of the server. */
  route(
    url: string | RegExp,
    answer: (route: {
      fulfill(with_: { status: number; contentType?: string; body?: string }): Promise<void>;
      continue(): Promise<void>;
    }) => Promise<void>,
  ): Promise<void>;
  unrouteAll(): Promise<void>;
  on(event: string, listener: (what: Untyped) => void): void;
  close(): Promise<void>;
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
  readonly mouse: {
    move(x: number, y: number, options?: { steps?: number }): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
    wheel(x: number, y: number): Promise<void>;
  };
}

export interface Look {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: "reduce" | "no-preference";
}

/** What must not happen on any page. */
export interface Watched {
  /** Errors in the console, exceptions, dialogs, and what the Content-Security-Policy stopped. */
  readonly complaints: string[];
  /** Requests to other addresses than the server's. */
  readonly foreign: string[];
  /** What the API answered with an error. */
  readonly failures: string[];
}

export interface Browser {
  /** A page with cookies of its own. */
  open(url: string, look?: Look): Promise<{ page: Page; watched: Watched }>;
  close(): Promise<void>;
}

const PATIENCE_MS = 20_000;
let shared: Promise<Untyped> | undefined;

/** One browser for all files of a worker; it ends with the process. */
function launch(): Promise<Untyped> {
  shared ??= (async () => {
    const { chromium: driver } = await load("playwright-core/index.mjs");
    return driver.launch({
      executablePath: unpacked(),
      headless: true,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--force-color-profile=srgb",
      ],
    });
  })();
  return shared;
}

/**
 * Where the browser is. Its package has it compressed; it is unpacked once, beside the package, and put into place as a
 * whole: two workers may want it at the same time.
 */
function unpacked(): string {
  const { version } = JSON.parse(readFileSync(join(modules, "@sparticuz/chromium/package.json"), "utf8"));
  const folder = join(modules, ".cache", `chromium-${version}`);
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    const entry = pathToFileURL(join(modules, "@sparticuz/chromium/build/index.js")).href;
    // It unpacks into the folder for temporary files.
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `await (await import(${JSON.stringify(entry)})).default.executablePath()`,
      ],
      { encoding: "utf8", env: { ...process.env, TMPDIR: fresh } },
    );
    if (status !== 0) throw new Error(`The browser could not be unpacked: ${stderr}`);
    try {
      renameSync(fresh, folder);
    } catch (error) {
      // Another worker was faster.
      if (!existsSync(folder)) throw error;
      rmSync(fresh, { recursive: true });
    }
  }
  return join(folder, "chromium");
}

export async function openBrowser(): Promise<Browser> {
  const browser = await launch();
  const contexts: Untyped[] = [];
  return {
    async open(url, { theme = "light", width = 1440, height = 900, reducedMotion = "reduce" } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        reducedMotion,
        // The browser of npm has none of its own, which some libraries do not expect.
        locale: "en-US",
        acceptDownloads: true,
        permissions: ["clipboard-read", "clipboard-write"],
      });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      const watched: Watched = { complaints: [], foreign: [], failures: [] };
      const page: Page = await context.newPage();
      watch(page, new URL(url).origin, watched);
      await page.goto(url);
      return { page, watched };
    },
    async close() {
      for (const context of contexts) await context.close();
    },
  };
}

function watch(page: Page, origin: string, { complaints, foreign, failures }: Watched): void {
  page.on("console", (message) => {
    // The browser itself reports answers such as 404; tests look at `failures` for them.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url: string = request.url();
    if (!url.startsWith(origin) && !/^(data|blob|about):/.test(url)) foreign.push(url);
  });
  page.on("response", (response) => {
    if (response.status() >= 400)
      failures.push(
        `${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`,
      );
  });
}
