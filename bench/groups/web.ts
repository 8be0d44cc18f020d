/** What the web app and its API cost: bytes to load, answers against the work they need, a server that only waits. */
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, globSync, readFileSync } from "node:fs";
import { Agent, get as request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { storePath } from "../../src/store/open.ts";
import { search } from "../../src/store/search/search.ts";
import { makeCopilot } from "../corpus/copilot-cli.ts";
import type { Home } from "../corpus/homes.ts";
import type { Texts } from "../corpus/text.ts";
import { median, type Table } from "../table.ts";
import { storeOf } from "./index.ts";
import { measurePages } from "./pages.ts";
import { builtCommand, homeVars } from "./start-up.ts";
import { cpuMs } from "./watch.ts";

const ROUNDS = 40;
const WARM_UP = 8;
const IDLE_MS = 30_000;
const PAGE = 200;
const LONG_BYTES = 50_000_000;
/** What a first screen asks for. */
const FIRST_TURNS = 9;
const APPENDS = 5;

export async function measureWeb(table: Table, folder: string, home: Home, texts: Texts): Promise<void> {
  measureFirstPage(table);
  // Before the server looks, so that it is indexed when the server is ready.
  const long = makeCopilot(texts, home.root, { seed: 424_242, bytes: LONG_BYTES });
  const id = long.path.split("/").at(-2) ?? "";
  const server = await startServer(homeVars(storeOf(folder), home));
  try {
    await measureAnswers(table, folder, server);
    await measureLongSession(table, server, `copilot-cli:${id}`, long.bytes);
    await measureIdle(table, server, home.sessions);
    await measurePixels(table, server, `copilot-cli:${id}`, long.path);
  } finally {
    server.child.kill("SIGTERM");
  }
}

/** The script of the page, what it imports, and the home view with what that imports; each file as gzip packs it. */
function measureFirstPage(table: Table): void {
  const assets = join(builtCommand(), "..", "web", "assets");
  const read = (name: string): string => readFileSync(join(assets, name), "utf8");
  const page = readFileSync(join(assets, "..", "index.html"), "utf8");
  const [home] = globSync("home-*.js", { cwd: assets });
  const needed = new Set([...page.matchAll(/assets\/([\w-]+\.js)/g)].map(([, name = ""]) => name));
  if (home !== undefined) needed.add(home);
  for (const name of needed)
    for (const [, other = ""] of read(name).matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g))
      needed.add(other);
  const bytes = [...needed].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);
  table.number(
    `JavaScript of the first page, ${needed.size} files, compressed`,
    bytes / 1000,
    "most",
    250,
    " kB",
  );
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  get(path: string): Promise<string>;
}

async function startServer(env: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn(process.execPath, [builtCommand(), "serve", "--no-open", "--port", "0", "--json"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  const line = await new Promise<string>((settle, reject) => {
    child.stdout.on("data", (piece) => {
      out += piece;
      if (out.includes("\n")) settle(out);
    });
    child.once("close", () => reject(new Error("serve ended")));
  });
  const { url, token } = JSON.parse(line);
  const { hostname: host, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  child.once("close", () => agent.destroy());
  // Not with fetch: that alone takes this process longer than the server takes for a whole answer.
  const get = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      request({ host, port, path, agent, headers }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.on("error", reject);
        answer.on("end", () => {
          const text = Buffer.concat(pieces).toString();
          if (answer.statusCode === 200) resolve(text);
          else reject(new Error(`${path}: ${answer.statusCode} ${text}`));
        });
      }).on("error", reject);
    });
  // It is ready before it begins to read; until the first refresh is done, questions wait for it.
  await sleep(500);
  while (JSON.parse(await get("/api/index")).isIndexing) await sleep(100);
  return { child, url, get };
}

async function measureAnswers(table: Table, folder: string, { get }: Server): Promise<void> {
  const db = new DatabaseSync(storePath(storeOf(folder)), { readOnly: true });
  const page = db.prepare("SELECT * FROM session_overview ORDER BY active_at DESC, session LIMIT ?");
  const now = new Date();
  const questions = ["qzneedlemid", "qzneedleoften", "error", "connection reset"];
  const times = { sql: [] as number[], list: [] as number[], found: [] as number[], asked: [] as number[] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const text = questions.at(round % questions.length) ?? "";
    const once = {
      sql: await time(() => JSON.stringify(page.all(PAGE))),
      list: await time(() => get(`/api/sessions?limit=${PAGE}&owners=0`)),
      found: await time(() => search(db, { text, filter: {}, limit: 20, now })),
      asked: await time(() => get(`/api/search?q=${encodeURIComponent(text)}`)),
    };
    // A server lives for weeks: what either side does only the first time, such as loading its code, is not an answer.
    if (round >= 0)
      for (const what of ["sql", "list", "found", "asked"] as const) times[what].push(once[what]);
  }
  db.close();
  table.number(
    `list API, a page of ${PAGE} of 10,000 sessions, against the bare SQL as JSON`,
    median(times.list) / median(times.sql),
    "most",
    3,
  );
  table.number(
    "search API, against the search itself (sum over the questions)",
    sum(times.asked) / sum(times.found),
    "most",
    1.3,
  );
}

async function measureLongSession(table: Table, server: Server, key: string, size: number): Promise<void> {
  const open = async (session: string): Promise<void> => {
    const path = `/api/sessions/${encodeURIComponent(session)}`;
    await server.get(path);
    await server.get(`${path}/turns?from=0&to=${FIRST_TURNS}`);
  };
  // What the program reads of itself, the first time, is not the session's.
  const { sessions } = JSON.parse(await server.get("/api/sessions?limit=2&sort=size"));
  for (const { source, id } of sessions) if (`${source}:${id}` !== key) await open(`${source}:${id}`);
  const before = bytesRead(server.child);
  await open(key);
  const first = bytesRead(server.child) - before;
  // The second time SQLite holds the pages of the store, and all that is read is the session's.
  await open(key);
  const again = bytesRead(server.child) - before - first;
  const what = "first screen of a session of 50 MB";
  table.number(`${what}: share of its bytes that is read`, (again / size) * 100, "most", 2, " %");
  table.number(`${what}: the same with what is read of the store`, (first / size) * 100, "most", 3, " %");
}

async function measureIdle(table: Table, { child }: Server, sessions: number): Promise<void> {
  await sleep(5000);
  const before = cpuMs(child);
  await sleep(IDLE_MS);
  const share = ((cpuMs(child) - before) / IDLE_MS) * 100;
  table.number(`serving ${sessions} sessions, idle: share of a core`, share, "most", 1, " %");
  table.number(`serving ${sessions} sessions, idle: memory`, memoryMb(child), "most", 120, " MB");
}

/** From a turn in the log to its words on the page, in a real browser. */
async function measurePixels(table: Table, server: Server, key: string, log: string): Promise<void> {
  const what = "a turn on the page after the agent wrote it";
  const { isInstalled } = await import("../../test/real/installing.ts");
  if (!isInstalled()) {
    table.skipped(what, "the browser of the tests is not installed", "≤ 1000 ms");
    return;
  }
  const { openBrowser } = await import("../../test/real/web/browser.ts");
  const browser = await openBrowser();
  const { page } = await browser.open(server.url);
  await page.goto(`${new URL(server.url).origin}/s/${key}`);
  await page.locator("[data-testid=conversation]").waitFor();
  await page.keyboard.press("End");
  const delays: number[] = [];
  for (let turn = 0; turn < APPENDS; turn++) {
    const word = `qzpixel${process.pid}x${turn}`;
    const id = `00000000-0000-4000-8000-${String(900 + turn).padStart(12, "0")}`;
    const record = {
      type: "user.message",
      data: { content: word },
      id,
      timestamp: new Date(),
      parentId: null,
    };
    const began = performance.now();
    appendFileSync(log, `${JSON.stringify(record)}\n`);
    await page.getByText(word).first().waitFor({ timeout: 30_000 });
    delays.push(performance.now() - began);
  }
  table.number(`${what}, median of ${APPENDS}`, median(delays), "most", 1000, " ms");
  await measurePages(table, page, new URL(server.url).origin);
  await browser.close();
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

async function time(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** What the process has read so far, from files and sockets. */
const bytesRead = ({ pid }: ChildProcess): number =>
  Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);

const memoryMb = ({ pid }: ChildProcess): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;
