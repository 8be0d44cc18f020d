/** An app that runs for weeks: each call is a request of its own, can be stopped, and carries out only plans that we made. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApp } from "../src/app/app.ts";
import { toConfig } from "../src/app/config.ts";
import type { App, Call } from "../src/app/contract.ts";
import { localFs } from "../src/platform/fs/local.ts";
import { builtSelf } from "./built.ts";

let folder: string;
let app: App;
const told: string[] = [];
const config = (vars: Record<string, string> = {}) =>
  toConfig(
    { demo: "on" },
    {
      vars: { RETHREAD_HOME: join(folder, "data"), ...vars },
      platform: "linux",
      homeDir: join(folder, "home"),
      folder,
      stdout: {},
      stderr: {},
      self: builtSelf(),
      now: () => new Date(),
    },
  );
let name: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rethread-requests-"));
  app = await createApp(config(), (sentence) => told.push(sentence));
  const { sessions } = await app.list();
  const [session] = sessions.filter(({ source, turns }) => source === "copilot-cli" && turns > 2);
  name = `copilot-cli:${session?.id}`;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const visitor = { head: () => undefined, preamble: () => undefined, turn: () => undefined };
/** Every call that takes a signal and reads something. */
const CALLS: Record<string, (call: Call) => Promise<unknown>> = {
  list: (call) => app.list({}, call),
  show: (call) => app.show(name, {}, visitor, call),
  context: (call) => app.context(name, call),
  checkpoints: (call) => app.checkpoints(name, call),
  diff: (call) => app.diff(name, name, call),
  doctor: (call) => app.doctor({}, call),
  damaged: (call) => app.damaged(call),
  overview: (call) => app.overview({}, call),
  stats: (call) => app.stats({}, call),
  dividedStats: (call) => app.dividedStats({}, "day", call),
  tree: (call) => app.tree({ name }, call),
  search: (call) => app.search({ text: "test", limit: 5 }, call),
  sql: (call) => app.sql({ sql: "SELECT 1" }, call),
  schema: (call) => app.schema(call),
  launch: (call) => app.launch(name, call),
  export: (call) =>
    app.export(
      {
        names: [name],
        where: {},
        format: { extension: "md", isJoined: false, page: () => ({ ...visitor, end: () => undefined }) },
        write: () => undefined,
        force: false,
        redact: false,
        whole: false,
      },
      call,
    ),
  exportBundle: (call) =>
    app.exportBundle(
      { names: [name], where: {}, out: join(folder, "never.tar.gz"), force: true, madeBy: "test" },
      call,
    ),
  clone: async (call) => (await app.edit()).planClone(name, {}, call),
  rewind: async (call) => (await app.edit()).planRewind(name, { to: 0 }, call),
  compact: async (call) => (await app.edit()).planCompact(name, {}, call),
  delete: async (call) => (await app.edit()).planDelete(name, call),
  rescue: async (call) => (await app.edit()).planRescue(name, call),
  "rescue all": async (call) => (await app.edit()).planRescueAll("vscode", {}, call),
  migrate: async (call) =>
    (await app.migrating()).plan({ to: join(folder, "elsewhere"), madeBy: "test" }, call),
};

describe("a call that is stopped", () => {
  it.each(Object.keys(CALLS))("%s: is refused when it was stopped before it began", async (call) => {
    const signal = AbortSignal.abort();
    await expect(CALLS[call]?.({ signal })).rejects.toMatchObject({ code: "aborted" });
  });

  it.each(["show", "context", "doctor", "damaged", "clone", "compact", "export", "exportBundle", "migrate"])(
    "%s: reads nothing more, and leaves nothing behind",
    async (call) => {
      const control = new AbortController();
      let after = 0;
      const read = localFs.chunks;
      const chunks = vi.spyOn(localFs, "chunks").mockImplementation((path, range) => {
        if (control.signal.aborted) after++;
        control.abort();
        return read(path, range);
      });
      try {
        await expect(CALLS[call]?.({ signal: control.signal })).rejects.toMatchObject({ code: "aborted" });
      } finally {
        chunks.mockRestore();
      }
      expect(control.signal.aborted).toBe(true);
      expect(after).toBe(0);
      expect(readdirSync(folder).sort()).toEqual(["data"]);
    },
  );

  it("ends the process of a query", async () => {
    const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    const control = new AbortController();
    const asked = app.sql({ sql: endless }, { signal: control.signal, freshness: "stored" });
    setTimeout(() => control.abort(), 300);
    await expect(asked).rejects.toMatchObject({ code: "aborted" });
  });

  it("of an index run says what is left", async () => {
    const control = new AbortController();
    const onProgress = (): void => control.abort();
    const report = await app.index({ rebuild: true }, { signal: control.signal, onProgress });
    expect(report.pending).toBeGreaterThan(0);
    expect((await app.index()).pending).toBe(0);
  });
});

describe("each call", () => {
  it("reads the settings of its moment", async () => {
    const path = join(folder, "data", "config.json");
    writeFileSync(path, "{ broken");
    await expect(app.list()).rejects.toMatchObject({ code: "config-invalid" });
    rmSync(path);
    expect((await app.list()).total).toBeGreaterThan(0);
  });

  it("tells its own caller what had to be done, every time", async () => {
    const store = join(folder, "data", "demo", "session-store.db");
    const notices: string[][] = [];
    for (let time = 0; time < 2; time++) {
      writeFileSync(store, Buffer.alloc(8192, 7));
      for (const companion of ["-wal", "-shm"]) rmSync(store + companion, { force: true });
      const mine: string[] = [];
      await app.list({}, { onNotice: (sentence) => mine.push(sentence) });
      notices.push(mine);
    }
    expect(notices.map(({ length }) => length)).toEqual([1, 1]);
    expect(told).toEqual([]);
  });

  it("settles what another process left half-done meanwhile", async () => {
    const staging = join(folder, "data", "demo", "staging", "deadbeef");
    mkdirSync(staging, { recursive: true });
    await app.list();
    expect(readdirSync(join(staging, ".."))).toEqual([]);
  });
});

describe("a plan", () => {
  it("is carried out by its fingerprint, once", async () => {
    const edit = await app.edit();
    const plan = await edit.planRename(name, "Renamed once");
    const { operation } = await edit.apply(plan.fingerprint);
    expect(await edit.history()).toMatchObject([{ operation, kind: "rename" }]);
    await expect(edit.apply(plan.fingerprint)).rejects.toMatchObject({ code: "plan-not-found" });
    expect(await edit.history()).toHaveLength(1);
  });

  it("is known to every part of the app, and no plan of others is", async () => {
    const plan = await (await app.edit()).planRename(name, "By another request");
    await (await app.edit()).apply(plan.fingerprint);
    const own = await (await createApp(config())).edit();
    const foreign = { ...(await (await app.edit()).planDelete(name)) };
    await expect(own.apply(foreign.fingerprint)).rejects.toMatchObject({ code: "plan-not-found" });
    await expect(own.apply(foreign as unknown as string)).rejects.toMatchObject({ code: "plan-not-found" });
  });

  it("is written as it was kept, whatever the caller does to the one it got", async () => {
    const edit = await app.edit();
    const plan = await edit.planRename(name, "As planned");
    Object.assign(plan, { kind: "delete", steps: [{ does: "remove", path: folder }] });
    const { plan: written } = await edit.apply(plan.fingerprint);
    expect(written.kind).toBe("rename");
    const { sessions } = await app.list();
    expect(sessions.map(({ title }) => title)).toContain("As planned");
  });

  it("of an import keeps its unpacked file until it is carried out or let go of", async () => {
    const out = join(folder, "data", "bundle.tar.gz");
    mkdirSync(join(folder, "out"));
    const bundle = join(folder, "out", "one.tar.gz");
    await expect(
      app.exportBundle({ names: [name], where: {}, out, force: true, madeBy: "test" }),
    ).rejects.toMatchObject({ code: "place-protected" });
    await app.exportBundle({ names: [name], where: {}, out: bundle, force: true, madeBy: "test" });
    const unpacked = (): number => readdirSync(join(folder, "data", "demo", "unpacked")).length;
    const [first, second] = [await app.edit(), await app.edit()];
    const plan = await first.planImport(bundle, { newId: true });
    await second.planImport(bundle, { newId: true });
    expect(unpacked()).toBe(2);
    second.close();
    expect(unpacked()).toBe(1);
    const { plan: written } = await first.apply(plan.fingerprint);
    expect(unpacked()).toBe(0);
    expect(readFileSync(written.session.path).length).toBeGreaterThan(0);
  });
});
