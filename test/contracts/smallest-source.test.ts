/** A source begins with two functions. What it lacks is refused in words, and everything else works with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { refresh } from "../../src/indexer/refresh.ts";
import type { Turn } from "../../src/model/session/turns.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { diagnose } from "../../src/query/doctor.ts";
import { listFromFiles } from "../../src/query/list.ts";
import { showSession } from "../../src/query/show.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { defineSource } from "../../src/sources/source.ts";
import { openStore } from "../../src/store/open.ts";
import { search } from "../../src/store/search/search.ts";
import { createSessionStore } from "../../src/store/session-store.ts";

/** Sessions are files of lines that begin with `me: ` or `bot: `. */
const notes = defineSource({
  id: "notes",
  label: "Notes",
  locate: ["~/notes"],
  async scan(fs, root, sink) {
    for (const { name } of await fs.readdir(root)) {
      const path = `${root}/${name}`;
      const { size, mtimeMs, ino } = await fs.stat(path);
      sink.artifact({ source: "notes", id: name, root, path, fingerprint: { size, mtimeMs, ino } });
    }
  },
  async read(fs, { source, id, path, fingerprint }, sink) {
    const lines = Buffer.from(await fs.read(path))
      .toString()
      .split("\n");
    for (const [index, line] of lines.entries()) {
      const [, who, text = ""] = /^(me|bot): (.*)$/.exec(line) ?? [];
      const origin = { line: index + 1, start: 0, end: 0 };
      if (who) sink.event({ kind: who === "me" ? "prompt" : "text", text, origin });
    }
    const turns = lines.filter((line) => line.startsWith("me: ")).length;
    return { source, id, title: id, turns, problems: 0, models: [], path, bytes: fingerprint.size };
  },
});

const now = new Date("2026-11-15T12:00:00Z");
const fs = createMemoryFs({
  "/home/dev/notes/monday": "me: Hello\nbot: Good morning\nme: Where is the lighthouse?\nbot: On the cliff\n",
  "/home/dev/notes/tuesday": "me: Bye\n",
});
const catalog = openCatalog([notes], { platform: "linux", homeDir: "/home/dev", vars: {} }, fs);
const [artifact] = (await catalog.scan()).artifacts;
if (!artifact) throw new Error("nothing was found");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-smallest-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is listed, shown and examined", async () => {
  const { sessions, total } = await listFromFiles(catalog, {});
  expect(total).toBe(2);
  expect(sessions.map(({ id, turns }) => [id, turns]).sort()).toEqual([
    ["monday", 2],
    ["tuesday", 1],
  ]);
  const turns: Turn[] = [];
  const visitor = {
    head: () => undefined,
    preamble: () => undefined,
    turn: (turn: Turn) => void turns.push(turn),
  };
  await showSession(catalog, "monday", {}, visitor);
  expect(turns.map(({ user, assistant }) => [user, assistant])).toEqual([
    ["Hello", "Good morning"],
    ["Where is the lighthouse?", "On the cliff"],
  ]);
  expect((await diagnose(catalog)).problems).toEqual([]);
});

it("is indexed and searched, and read again only when it has changed", async () => {
  const db = openStore({ folder, now: () => now, notice: () => undefined });
  try {
    const index = () => refresh(catalog, createSessionStore(db), { outputHead: 256, now: () => now });
    expect(await index()).toMatchObject({ indexed: 2, unreadable: 0 });
    expect(await index()).toMatchObject({ indexed: 0, unchanged: 2 });
    const { hits } = search(db, { text: "lighthouse", filter: {}, limit: 5, now });
    expect(hits).toMatchObject([{ session: { source: "notes", id: "monday" }, turn: 1 }]);
    await fs.append("/home/dev/notes/tuesday", "bot: To the lighthouse\n");
    expect(await index()).toMatchObject({ indexed: 1, unchanged: 1 });
    expect(search(db, { text: "lighthouse", filter: {}, limit: 5, now }).hits).toHaveLength(2);
  } finally {
    db.close();
  }
});

it("is watched, copied and asked for owners as one file, without a function of its own", async () => {
  expect(catalog.watchPoints.newSessionFolders).toEqual([]);
  expect(await catalog.watchPoints.inspect([artifact])).toEqual([artifact]);
  expect(await catalog.files(artifact)).toEqual([artifact.path]);
  expect(await catalog.owners([artifact])).toEqual(new Map());
});

it("says in words what it cannot do", async () => {
  await expect(catalog.context(artifact)).rejects.toMatchObject({ code: "not-supported" });
  await expect(catalog.editing(artifact)).rejects.toMatchObject({ code: "not-supported" });
});
