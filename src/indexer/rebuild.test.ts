import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../platform/fs/local.ts";
import { openCatalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { rebuild } from "./rebuild.ts";
import type { RefreshOptions } from "./refresh.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
let folder: string;
const build = (options: Partial<RefreshOptions> = {}) => {
  const vars = { COPILOT_HOME: join(folder, "copilot"), CLAUDE_CONFIG_DIR: join(folder, "claude") };
  const catalog = openCatalog(SOURCES, { platform: "linux", homeDir: folder, vars }, localFs);
  return rebuild(catalog, folder, { outputHead: 256, now, ...options });
};
/** What the store knows: each session by its last digit, marked where it is gone, with how many turns there are of it. */
const known = (): string[] => {
  const db = openStore({ folder, now, notice: () => undefined });
  try {
    const sessions = db.prepare(
      "SELECT substr(id, -1) || iif(vanished_at IS NULL, '', '†') || ' ' || (SELECT count(*) FROM turns WHERE session_id = s.id) AS gist FROM sessions s ORDER BY id",
    );
    return sessions.all().map(({ gist }) => String(gist));
  } finally {
    db.close();
  }
};
const id = (n: number): string => `0b1c0000-0000-4000-8000-00000000000${n}`;
const place = (n: number): string =>
  n < 3
    ? join(folder, "copilot/session-state", id(n), "events.jsonl")
    : join(folder, "claude/projects/-srv-shop", `${id(n)}.jsonl`);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "rethread-rebuild-"));
  const timestamp = "2026-10-01T10:00:00.000Z";
  for (const n of [1, 2, 3, 4]) {
    const record =
      n < 3
        ? { type: "user.message", data: { content: "Hello" }, id: id(n), timestamp, parentId: null }
        : {
            type: "user",
            message: { role: "user", content: "Hello" },
            uuid: id(n),
            parentUuid: null,
            timestamp,
          };
    mkdirSync(dirname(place(n)), { recursive: true });
    writeFileSync(place(n), `${JSON.stringify(record)}\n`);
  }
  await build();
  expect(known()).toEqual(["1 1", "2 1", "3 1", "4 1"]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("keeps, marked, what went since the store was last brought up to date", async () => {
  rmSync(dirname(place(1)), { recursive: true });
  expect(await build()).toMatchObject({ indexed: 3, removed: 1, kept: 1 });
  expect(known()).toEqual(["1† 1", "2 1", "3 1", "4 1"]);
  expect(await build()).toMatchObject({ indexed: 3, removed: 0, kept: 0 });
  expect(known()).toEqual(["1† 1", "2 1", "3 1", "4 1"]);
});

it("removes that when told to, but not where nothing at all is left", async () => {
  rmSync(dirname(place(1)), { recursive: true });
  renameSync(join(folder, "claude"), join(folder, "unmounted"));
  expect(await build({ vanished: "remove" })).toMatchObject({ indexed: 1, removed: 3, kept: 2 });
  expect(known()).toEqual(["2 1", "3† 1", "4† 1"]);
});

it("keeps as it was what cannot be looked at now", async () => {
  rmSync(place(3));
  symlinkSync(place(3), place(3)); // leads in a circle
  expect(await build()).toMatchObject({ indexed: 3, removed: 0, kept: 0, unreadable: 1 });
  expect(known()).toEqual(["1 1", "2 1", "3 1", "4 1"]);
});

it("leaves the sessions of other sources alone when only one is read again", async () => {
  rmSync(place(3));
  expect(await build({ sources: ["copilot-cli"] })).toMatchObject({ indexed: 2, removed: 0, kept: 0 });
  expect(known()).toEqual(["1 1", "2 1", "3 1", "4 1"]);
});
