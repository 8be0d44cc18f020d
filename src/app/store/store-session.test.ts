import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Advice, toHint } from "../../model/remedy.ts";
import { localFs } from "../../platform/fs/local.ts";
import { openCatalog } from "../../sources/catalog.ts";
import { SOURCES } from "../../sources/registry.ts";
import { openStore, storePath } from "../../store/open.ts";
import { createStoreApp } from "./store.ts";
import { createStoreSession } from "./store-session.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
const corrupt = Object.assign(new Error("database disk image is malformed"), { errcode: 11 });
let folder: string;
let told: string[];
const notice = (advice: Advice): void => void told.push(toHint(advice));
const asides = (): string[] => readdirSync(folder).filter((name) => /\.corrupt-\w+$/.test(name));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-session-"));
  told = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("sets a store aside that turns out to be corrupt, and does the work with a new one", async () => {
  const session = createStoreSession({ folder, now, notice });
  const seen: number[] = [];
  const work = vi.fn(({ db }) => {
    seen.push(Number(db.prepare("SELECT count(*) AS n FROM problems").get()?.n));
    if (seen.length === 1) throw corrupt;
    return "done";
  });
  expect(await session.open(work)).toBe("done");
  expect({ losses: session.losses(), asides: asides(), told: told.length }).toEqual({
    losses: 1,
    asides: ["session-store.db.corrupt-20261115T120000"],
    told: 1,
  });
});

it("leaves a store alone that another process has put in the place of the corrupt one", async () => {
  const session = createStoreSession({ folder, now, notice });
  openStore({ folder, now, notice }).close();
  let calls = 0;
  const work = (): string => {
    if (calls++ > 0) return "done";
    renameSync(storePath(folder), join(folder, "moved-by-another"));
    openStore({ folder, now, notice }).close();
    throw corrupt;
  };
  expect(await session.open(work)).toBe("done");
  expect({ losses: session.losses(), asides: asides(), told }).toEqual({ losses: 0, asides: [], told: [] });
});

it("lets other failures pass", async () => {
  const session = createStoreSession({ folder, now, notice });
  const failing = (error: Error): Promise<never> =>
    session.open(() => {
      throw error;
    });
  await expect(failing(new Error("a defect"))).rejects.toThrow("a defect");
  await expect(failing(Object.assign(new Error("full"), { errcode: 13 }))).rejects.toMatchObject({
    code: "disk-full",
  });
  expect({ losses: session.losses(), asides: asides() }).toEqual({ losses: 0, asides: [] });
});

it("brings all sessions back when a watched store is lost, not only those that change", async () => {
  const home = join(folder, "home");
  cpSync(resolve(import.meta.dirname, "../../../test/fixtures/copilot-cli/everyday/home"), home, {
    recursive: true,
  });
  cpSync(resolve(import.meta.dirname, "../../../test/fixtures/copilot-cli/history/home"), home, {
    recursive: true,
  });
  const catalog = openCatalog(
    SOURCES.filter((source) => source.id === "copilot-cli"),
    { platform: "linux", homeDir: folder, vars: { COPILOT_HOME: home } },
    localFs,
  );
  const settings = { folder, now, vanished: "keep", archive: false, self: [], notice } as const;
  const app = createStoreApp(catalog, settings);
  const count = () =>
    app.ask({ refresh: false }, ({ db }) =>
      Number(db.prepare("SELECT count(*) AS n FROM sessions").get()?.n),
    );
  const watch = await app.watch({ onRefresh: () => undefined }, {});
  try {
    const before = await count();
    expect(before).toBeGreaterThan(1);
    writeFileSync(storePath(folder), Buffer.from(readFileSync(storePath(folder))).fill(7));
    const [artifact] = (await catalog.scan()).artifacts;
    appendFileSync(String(artifact?.path), "\n");
    await vi.waitFor(
      async () => expect({ n: asides().length, count: await count() }).toEqual({ n: 1, count: before }),
      {
        timeout: 20_000,
        interval: 200,
      },
    );
  } finally {
    await watch.close();
  }
});
