import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Artifact } from "../model/session/session.ts";
import { localFs } from "../platform/fs/local.ts";
import { collect, openCatalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import { openStore } from "../store/open.ts";
import { createSessionStore } from "../store/session-store.ts";
import { type Archive, openArchive } from "../store/state/archive.ts";
import { createVaultFs } from "../store/vault/fs.ts";
import { openVault } from "../store/vault/vault.ts";
import { archiveSessions, planArchive } from "./archive.ts";
import { rebuild } from "./rebuild.ts";
import { refresh } from "./refresh.ts";
import type { Fate } from "./vanished.ts";

const now = () => new Date("2026-11-15T12:00:00Z");

describe("planArchive", () => {
  const artifact = (id: string, more: Partial<Artifact> = {}): Artifact => ({
    source: "copilot-cli",
    id,
    root: "/r",
    path: `/r/${id}`,
    fingerprint: { size: 1, mtimeMs: 1, ino: 1 },
    ...more,
  });
  const gone = (id: string): Artifact => artifact(id, { vanishedAt: "2026-11-01" });
  const changed = artifact("a", { fingerprint: { size: 2, mtimeMs: 2, ino: 1 } });
  const moved = artifact("a", { path: "/new/a" });
  const ghost = artifact("a", { path: "/left/a", listed: { state: "ghost" } });
  const plan = (artifacts: Artifact[], archived: Artifact[], fate: Fate = "keep", isOn = true) => {
    const sight = { artifacts, scanned: ["copilot-cli"], fateOf: () => fate };
    const { copy, vanished, returned, forget } = planArchive(sight, archived, isOn);
    const ids = (list: readonly Artifact[]) => list.map(({ path }) => path);
    return { copy: ids(copy), vanished: ids(vanished), returned: ids(returned), forget: ids(forget) };
  };
  const nothing = { copy: [], vanished: [], returned: [], forget: [] };

  it.each<[string, Artifact[], Artifact[], object]>([
    ["a new session", [artifact("a")], [], { copy: ["/r/a"] }],
    ["one that is as it was", [artifact("a")], [artifact("a")], {}],
    ["one that changed", [changed], [artifact("a")], { copy: ["/r/a"] }],
    ["one that is gone", [], [artifact("a")], { vanished: ["/r/a"] }],
    ["one that was gone before", [gone("a")], [gone("a")], {}],
    ["one that is back", [artifact("a")], [gone("a")], { returned: ["/r/a"] }],
    ["one that moved", [moved], [artifact("a")], { copy: ["/new/a"], forget: ["/r/a"] }],
    ["what is left of one that is gone", [ghost], [artifact("a")], { vanished: ["/r/a"] }],
    ["what is left of one that was gone before", [ghost], [gone("a")], {}],
    ["what is left of one that nobody copied", [ghost], [], { copy: ["/left/a"] }],
    ["one of a source nobody looked at", [], [artifact("a", { source: "vscode" })], {}],
  ])("knows what to do about %s", (_case, artifacts, archived, wanted) => {
    expect(plan(artifacts, archived)).toEqual({ ...nothing, ...wanted });
  });

  it("makes no new copies when it is off, but minds those it has", () => {
    expect(plan([artifact("a")], [], "keep", false)).toEqual(nothing);
    expect(plan([], [artifact("a")], "keep", false)).toEqual({ ...nothing, vanished: ["/r/a"] });
  });

  it("drops copies with what is to be removed, and leaves those of what it may not look at", () => {
    expect(plan([], [artifact("a"), gone("b")], "remove")).toEqual({ ...nothing, forget: ["/r/a", "/r/b"] });
    expect(plan([], [artifact("a"), gone("b")], "leave")).toEqual(nothing);
  });
});

describe.each(SOURCES.map((source) => [source.id, source] as const))("the archive of %s", (id, source) => {
  let folder: string;
  let home: string;
  let archive: Archive;
  const kept = {
    list: async () => archive.vanished(),
    open: async (artifact: Artifact) => createVaultFs(archive.vault, archive.filesOf(artifact)),
  };
  const catalogOf = () =>
    openCatalog(
      [{ ...source, locate: () => readdirSync(home).map((name) => join(home, name, "home")) }],
      { platform: "linux", homeDir: folder, vars: {} },
      localFs,
      kept,
    );
  const index = async (isOn = true, isTimeUp = () => false) => {
    const db = openStore({ folder, now, notice: () => undefined });
    try {
      const { archived } = await refresh(catalogOf(), createSessionStore(db), {
        outputHead: 256,
        now,
        archiving: (sight, pace) =>
          archiveSessions(catalogOf(), archive, planArchive(sight, archive.sessions(), isOn), now, {
            ...pace,
            isTimeUp,
          }),
      });
      return archived;
    } finally {
      db.close();
    }
  };
  const readAll = async () => {
    const catalog = catalogOf();
    const { artifacts } = await catalog.scan();
    const all = new Map<string, unknown>();
    for (const artifact of artifacts) {
      const { session, events } = await collect(catalog, artifact);
      const { resume: _, openIn: __, vanishedAt: ___, ...rest } = session;
      all.set(artifact.path, {
        ...rest,
        sidecars: session.sidecars?.map(({ kind, path }) => ({ kind, path })),
        events,
      });
    }
    return all;
  };
  const rows = (sql: string) => {
    const db = openStore({ folder, now, notice: () => undefined });
    const found = db.prepare(sql).all();
    db.close();
    return found;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rethread-archive-"));
    home = join(folder, "homes");
    cpSync(resolve(import.meta.dirname, "../../test/fixtures", id), home, { recursive: true });
    archive = openArchive(folder, now);
  });
  afterEach(() => {
    archive.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("gives every session whose files are gone to the same reader, and the same events come out", async () => {
    const before = await readAll();
    expect(before.size).toBeGreaterThan(5);
    expect(await index()).toBe(before.size);
    renameSync(home, join(folder, "away"));
    cpSync(join(folder, "away"), home, { recursive: true, filter: (path) => !/\.\w+$/.test(path) });
    await index();
    const after = await readAll();
    for (const [path, session] of before) expect(after.get(path), path).toEqual(session);
    expect(rows("SELECT count(*) AS n FROM sessions WHERE vanished_at IS NULL")).toEqual([{ n: 0 }]);
  });

  it("copies what changed, keeps no block that nothing needs, and knows what is back", async () => {
    expect(await index(true, () => true)).toBe(0); // no time; so the next one does it
    const count = await index();
    expect(count).toBeGreaterThan(5);
    expect(await index()).toBe(0);
    const [artifact] = (await catalogOf().scan()).artifacts;
    appendFileSync(String(artifact?.path), "\n");
    expect(await index()).toBe(1);
    const named = new Set(
      archive.sessions().flatMap((each) => archive.filesOf(each).flatMap(({ blocks }) => blocks)),
    );
    expect(new Set(archive.vault.hashes())).toEqual(named);
    renameSync(home, join(folder, "away"));
    cpSync(join(folder, "away"), home, { recursive: true, filter: (path) => !/\.\w+$/.test(path) });
    await index();
    expect(archive.vanished().length).toBe(count);
    rmSync(home, { recursive: true });
    renameSync(join(folder, "away"), home);
    expect(await index()).toBe(0);
    expect(archive.vanished()).toEqual([]);
  });

  it("copies a session again whose copy went bad while its files are still there", async () => {
    const before = await readAll();
    await index();
    const [rotten = "", ...others] = archive.vault.hashes();
    truncateSync(archive.vault.pathOf(rotten), 5);
    const isReadable = (artifact: Artifact): boolean =>
      archive.filesOf(artifact).every(({ blocks }) => blocks.every(openVault(folder).isWhole));
    const sight = {
      artifacts: (await catalogOf().scan()).artifacts,
      scanned: [id],
      fateOf: (): Fate => "keep",
    };
    archive.close();
    archive = openArchive(folder, now);
    const plan = planArchive(sight, archive.sessions(), true, isReadable);
    const affected = plan.copy.length;
    expect([affected > 0, affected < before.size]).toEqual([true, true]);
    const pace = { isTimeUp: () => false, isThorough: true };
    expect(await archiveSessions(catalogOf(), archive, plan, now, pace)).toBe(affected);
    expect(openVault(folder).isWhole(rotten)).toBe(true);
    expect(archive.vault.hashes().length).toBe(others.length + 1);
  });

  it("keeps the rows of sessions that are gone when their copies went bad, whoever reads them anew", async () => {
    await index();
    rmSync(home, { recursive: true });
    cpSync(resolve(import.meta.dirname, "../../test/fixtures", id), home, {
      recursive: true,
      filter: (path) => !/\.\w+$/.test(path),
    });
    await index();
    const counted =
      "SELECT s.vendor_id, s.path, title, count(t.id) AS turns FROM sessions s LEFT JOIN turns t ON t.session_id = s.id WHERE vanished_at IS NOT NULL GROUP BY s.id ORDER BY 1, 2";
    const before = rows(counted);
    for (const hash of archive.vault.hashes()) truncateSync(archive.vault.pathOf(hash), 5);
    rows("UPDATE fingerprints SET version = -1 RETURNING 1");
    await index();
    expect(rows(counted)).toEqual(before);
    await rebuild(catalogOf(), folder, { outputHead: 256, now });
    expect(rows(counted)).toEqual(before);
  });

  it("makes the rows of sessions that are gone again when the store was deleted", async () => {
    await index();
    const counted =
      "SELECT s.vendor_id, s.path, title, count(t.id) AS turns FROM sessions s LEFT JOIN turns t ON t.session_id = s.id GROUP BY s.id ORDER BY 1, 2";
    const before = rows(counted);
    rmSync(home, { recursive: true });
    cpSync(resolve(import.meta.dirname, "../../test/fixtures", id), home, {
      recursive: true,
      filter: (path) => !/\.\w+$/.test(path),
    });
    await index();
    for (const name of readdirSync(folder).filter((each) => each.startsWith("session-store")))
      rmSync(join(folder, name));
    await index(false);
    expect(rows(counted)).toEqual(before);
    expect(rows("SELECT count(*) AS n FROM sessions WHERE vanished_at IS NULL")).toEqual([{ n: 0 }]);
  });
});

it("keeps the copies of files that are out of reach for a while, but not of those that are gone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rethread-reach-"));
  const archive = openArchive(folder, now);
  try {
    const session = join(folder, "home/session-state/one");
    mkdirSync(join(session, "checkpoints"), { recursive: true });
    const names = ["events.jsonl", "plan.md", "linked.md", "checkpoints/1.md"];
    for (const name of names) writeFileSync(join(session, name), `${name}\n`);
    const outside = join(folder, "outside");
    const linked = ["linked.md", "checkpoints"];
    mkdirSync(outside);
    for (const name of linked) {
      renameSync(join(session, name), join(outside, name));
      symlinkSync(join(outside, name), join(session, name));
    }
    const catalog = openCatalog(
      SOURCES.filter((source) => source.id === "copilot-cli").map((source) => ({
        ...source,
        locate: () => [join(folder, "home")],
      })),
      { platform: "linux", homeDir: folder, vars: {} },
      localFs,
    );
    const copy = async (): Promise<string[]> => {
      const { artifacts } = await catalog.scan();
      const plan = { copy: artifacts, vanished: [], returned: [], forget: [] };
      await archiveSessions(catalog, archive, plan, now, { isTimeUp: () => false, isThorough: true });
      const files = artifacts.flatMap((artifact) => archive.filesOf(artifact));
      for (const { blocks } of files) for (const hash of blocks) archive.vault.get(hash);
      return files.map(({ path }) => relative(session, path)).sort();
    };
    expect(await copy()).toEqual([...names].sort());
    renameSync(outside, `${outside}-away`);
    rmSync(join(session, "plan.md"));
    expect(await copy()).toEqual(["checkpoints/1.md", "events.jsonl", "linked.md"]);
    for (const name of linked) rmSync(join(session, name));
    expect(await copy()).toEqual(["events.jsonl"]);
  } finally {
    archive.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it("prefers the copy of a whole VS Code chat to the transcript that is left of it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rethread-ghost-"));
  const root = join(folder, "home");
  const archive = openArchive(folder, now);
  const db = openStore({ folder, now, notice: () => undefined });
  try {
    cpSync(resolve(import.meta.dirname, "../../test/fixtures/vscode/agent-session/home"), root, {
      recursive: true,
    });
    const kept = {
      list: async () => archive.vanished(),
      open: async (artifact: Artifact) => createVaultFs(archive.vault, archive.filesOf(artifact)),
    };
    const catalog = openCatalog(
      SOURCES.filter((source) => source.id === "vscode").map((source) => ({
        ...source,
        locate: () => [root],
      })),
      { platform: "linux", homeDir: folder, vars: {} },
      localFs,
      kept,
    );
    const index = () =>
      refresh(catalog, createSessionStore(db), {
        outputHead: 256,
        now,
        archiving: (sight, pace) =>
          archiveSessions(catalog, archive, planArchive(sight, archive.sessions(), true), now, pace),
      });
    const rows = () =>
      db
        .prepare("SELECT vendor_id, path, turn_count, vanished_at IS NULL AS there FROM sessions ORDER BY 1")
        .all();
    await index();
    const listed = (await catalog.scan()).artifacts.find((artifact) => artifact.listed?.state === "listed");
    if (!listed) throw new Error("the fixture has a listed session");
    const before = rows();
    const { events } = await collect(catalog, listed);
    const transcripts = join(listed.path, "../../GitHub.copilot-chat/transcripts");
    mkdirSync(transcripts, { recursive: true });
    const line = {
      type: "user.message",
      data: { content: "all that is left" },
      id: "1",
      timestamp: "2026-11-01T10:00:00Z",
    };
    writeFileSync(join(transcripts, `${listed.id}.jsonl`), `${JSON.stringify(line)}\n`);
    rmSync(listed.path);
    for (let round = 0; round < 3; round++) await index();
    const found = (await catalog.scan()).artifacts.filter(({ id }) => id === listed.id);
    expect(found.map(({ path, vanishedAt }) => [path, vanishedAt !== undefined])).toEqual([
      [listed.path, true],
    ]);
    expect((await collect(catalog, found[0] as Artifact)).events).toEqual(events);
    expect(rows()).toEqual(before.map((row) => (row.vendor_id === listed.id ? { ...row, there: 0 } : row)));
  } finally {
    db.close();
    archive.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
