import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AppError } from "../model/errors.ts";
import { watchFolders } from "../platform/disk/watch.ts";
import { localFs } from "../platform/fs/local.ts";
import { type Catalog, openCatalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { type RefreshResult, refresh } from "./refresh.ts";
import { type IndexWatch, type WatchParts, watchIndex } from "./watch.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
let folder: string;
let watch: IndexWatch | undefined;
const refreshes: RefreshResult[] = [];
const notices: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-watch-"));
  refreshes.length = 0;
  notices.length = 0;
});
afterEach(async () => {
  await watch?.close();
  watch = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const record = (type: string, data: object): string =>
  `${JSON.stringify({ type, data, id: crypto.randomUUID(), timestamp: "2026-11-15T11:00:00.000Z", parentId: null })}\n`;
const start = (sessionId: string): string =>
  record("session.start", {
    sessionId,
    version: 1,
    producer: "copilot-agent",
    startTime: "2026-11-15T11:00:00.000Z",
  });
const prompt = (content: string): string => record("user.message", { content });
const log = (id: string): string => join(folder, "copilot/session-state", id, "events.jsonl");
function write(id: string, ...lines: string[]): void {
  mkdirSync(join(log(id), ".."), { recursive: true });
  writeFileSync(log(id), start(id) + lines.join(""));
}

/** Catalog, store and watch as the app puts them together. */
function catalogOf(): Catalog {
  const vars = { COPILOT_HOME: join(folder, "copilot"), CLAUDE_CONFIG_DIR: join(folder, "claude") };
  return openCatalog(SOURCES, { platform: "linux", homeDir: folder, vars }, localFs);
}
async function withStore<T>(
  work: (store: ReturnType<typeof createSessionStore>) => Promise<T> | T,
): Promise<T> {
  const db = openStore({ folder: join(folder, "data"), now, notice: () => undefined });
  try {
    return await work(createSessionStore(db));
  } finally {
    db.close();
  }
}
const startWatch = async (parts: Partial<WatchParts> = {}): Promise<void> => {
  watch = await watchIndex({
    catalog: catalogOf(),
    refresh: (shown) => withStore((store) => refresh(shown, store, { outputHead: 256, now })),
    watchFolders,
    onRefresh: (result) => void refreshes.push(result),
    onNotice: (sentence) => void notices.push(sentence),
    ...parts,
  });
};
const prompts = (): Promise<unknown[]> =>
  withStore(({ db }) =>
    db
      .prepare("SELECT user_message FROM turns ORDER BY id")
      .all()
      .map((row) => row.user_message),
  );
const sessions = (): Promise<unknown[]> =>
  withStore(({ db }) =>
    db
      .prepare("SELECT vendor_id FROM sessions WHERE vanished_at IS NULL ORDER BY vendor_id")
      .all()
      .map((row) => row.vendor_id),
  );
const soon = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 20_000, interval: 25 });

it("brings in what is there, then what is appended, reading nothing else and looking at nothing else", async () => {
  write("one", prompt("first"));
  write("two", prompt("other"));
  await startWatch();
  expect((await prompts()).sort()).toEqual(["first", "other"]);
  const [first] = refreshes.splice(0);
  expect(first).toMatchObject({ indexed: 2, turns: 2 });
  const line = prompt("second");
  appendFileSync(log("one"), line);
  await soon(async () => expect(await prompts()).toContain("second"));
  expect(refreshes).toMatchObject([{ indexed: 1, removed: 0, unchanged: 0, bytesRead: line.length }]);
});

it("notices a new session whose log comes after its folder, a renamed one, and a deleted one", async () => {
  write("one", prompt("first"));
  await startWatch();
  mkdirSync(join(folder, "copilot/session-state/two"));
  await new Promise((resolve) => setTimeout(resolve, 400));
  write("two", prompt("new here"));
  await soon(async () => expect(await prompts()).toContain("new here"));
  writeFileSync(join(log("two"), "../workspace.yaml"), "id: two\nname: Renamed\n");
  await soon(() =>
    withStore(({ db }) =>
      expect(db.prepare("SELECT title FROM sessions WHERE vendor_id = 'two'").get()).toMatchObject({
        title: "Renamed",
      }),
    ),
  );
  rmSync(join(log("one"), ".."), { recursive: true });
  await soon(async () => expect(await sessions()).toEqual(["two"]));
});

it("notices a file beside a log, in the session's folder and in one below it", async () => {
  write("one", prompt("first"));
  const beside = (name: string): string => join(log("one"), "..", name);
  mkdirSync(beside("files"));
  await startWatch();
  refreshes.length = 0;
  const labels = () =>
    withStore(({ db }) =>
      db
        .prepare("SELECT label FROM search_texts WHERE label IS NOT NULL ORDER BY label")
        .all()
        .map((row) => row.label),
    );
  writeFileSync(beside("plan.md"), "- [ ] dig");
  await soon(async () => expect(await labels()).toEqual(["plan.md"]));
  writeFileSync(beside("files/notes.md"), "the well is deep");
  await soon(async () => expect(await labels()).toEqual(["files/notes.md", "plan.md"]));
  expect(refreshes.map(({ bytesRead }) => bytesRead)).toEqual([9, 16]);
});

it("notices an agent that is installed later", async () => {
  await startWatch();
  const project = join(folder, "claude/projects/-srv-shop");
  mkdirSync(project, { recursive: true });
  const row = {
    type: "user",
    uuid: crypto.randomUUID(),
    parentUuid: null,
    sessionId: "5f0c9a52-3c5b-4a8e-9a53-6a1df1f0a001",
    timestamp: "2026-11-15T11:00:00.000Z",
    cwd: "/srv/shop",
    message: { role: "user", content: "hello from elsewhere" },
  };
  writeFileSync(join(project, `${row.sessionId}.jsonl`), `${JSON.stringify(row)}\n`);
  await soon(async () => expect(await prompts()).toEqual(["hello from elsewhere"]));
});

it("watches around the place where the first session will be", async () => {
  mkdirSync(join(folder, "copilot"));
  await startWatch();
  expect(watch?.watches).toBe(1);
  write("one", prompt("first"));
  await soon(async () => expect(await prompts()).toEqual(["first"]));
  expect(watch?.watches).toBe(2);
});

it("keeps up with an agent that never pauses", async () => {
  write("one", prompt("first"));
  await startWatch();
  let count = 0;
  const writing = setInterval(() => appendFileSync(log("one"), prompt(`word ${count++}`)), 20);
  try {
    await soon(async () => expect((await prompts()).length).toBeGreaterThan(20));
    expect(count - (await prompts()).length).toBeLessThan(200);
    expect(refreshes.length).toBeLessThan(count);
  } finally {
    clearInterval(writing);
  }
  await soon(async () => expect(await prompts()).toContain(`word ${count - 1}`));
});

it.skipIf(process.platform !== "linux")("takes no more than 200 watches for 300 sessions", async () => {
  for (let i = 0; i < 300; i++) write(`session-${i}`, prompt(`word ${i}`));
  await startWatch();
  const held = inotifyWatches();
  expect(held).toBeGreaterThan(100);
  expect(held).toBeLessThanOrEqual(200);
  expect(watch?.watches).toBeLessThanOrEqual(200);
  await watch?.close();
  expect(inotifyWatches()).toBeLessThan(held - 100);
});

it("goes on without watches where the system allows none, and says so once", async () => {
  write("one", prompt("first"));
  await startWatch({
    watchFolders: (listener) =>
      watchFolders(listener, () => {
        throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
      }),
  });
  expect(watch?.watches).toBe(0);
  appendFileSync(log("one"), prompt("second"));
  await soon(async () => expect(await prompts()).toContain("second"));
  expect(notices).toEqual([expect.stringMatching(/allows no more file watches/)]);
});

it("outlives a store that cannot be written for a while, and then brings in what it missed", async () => {
  write("one", prompt("first"));
  let isBusy = false;
  await startWatch({
    refresh: (shown) => {
      if (isBusy) throw new AppError("store-busy", "Somebody writes the store", "Wait");
      return withStore((store) => refresh(shown, store, { outputHead: 256, now }));
    },
  });
  isBusy = true;
  appendFileSync(log("one"), prompt("second"));
  await soon(() => expect(notices).toEqual(["Somebody writes the store. Wait"]));
  isBusy = false;
  await soon(async () => expect(await prompts()).toEqual(["first", "second"]));
  expect(notices.length).toBe(1);
});

it("ends with what is wrong when it cannot even begin", async () => {
  const failure = new AppError("store-unusable", "It cannot be written", "Choose another folder");
  await expect(startWatch({ refresh: () => Promise.reject(failure) })).rejects.toBe(failure);
});

/** As the kernel counts them, for this process. */
function inotifyWatches(): number {
  return readdirSync("/proc/self/fdinfo")
    .map((fd) => {
      try {
        return readFileSync(`/proc/self/fdinfo/${fd}`, "utf8").match(/^inotify wd:/gm)?.length ?? 0;
      } catch {
        return 0; // closed since it was listed
      }
    })
    .reduce((sum, count) => sum + count, 0);
}
