/** What lies beside a Copilot CLI log: found, read only when it changed, and gone with its file. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../platform/fs/local.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";
import { openCatalog } from "../sources/catalog.ts";
import copilotCli from "../sources/copilot-cli/index.ts";
import { MOST_FILES, MOST_FOLDERS } from "../sources/copilot-cli/workspace/sidecar-texts.ts";
import { openStore } from "../store/open.ts";
import { search } from "../store/search/search.ts";
import { createSessionStore } from "../store/session-store.ts";
import { rebuild } from "./rebuild.ts";
import { refresh } from "./refresh.ts";

const now = () => new Date("2026-11-15T12:00:00Z");
const ID = "0b6a0000-0000-4000-8000-000000000001";
let folder: string;
let db: Database;
/** The files that were opened and the folders that were listed, by their names in the session's folder. */
let opened: string[];
let listed: string[];

const inSession = (name = ""): string => join(folder, "home/session-state", ID, name);
const nameOf = (path: string): string => path.slice(inSession().length + 1);
const counting: SessionFs = {
  ...localFs,
  async *chunks(path, range) {
    opened.push(nameOf(path));
    yield* localFs.chunks(path, range);
  },
  async read(path, range) {
    opened.push(nameOf(path));
    return localFs.read(path, range);
  },
  async readdir(path) {
    if (path.includes(ID)) listed.push(nameOf(path));
    return localFs.readdir(path);
  },
};
const catalog = () =>
  openCatalog(
    [copilotCli],
    { platform: "linux", homeDir: folder, vars: { COPILOT_HOME: join(folder, "home") } },
    counting,
  );
const options = { outputHead: 256, now };
const index = (into = db) => {
  [opened, listed] = [[], []];
  return refresh(catalog(), createSessionStore(into), options);
};

let step = 0;
const record = (type: string, data: object): string =>
  `${JSON.stringify({
    type,
    data,
    id: `81aa0000-0000-4000-8000-${String(++step).padStart(12, "0")}`,
    timestamp: new Date(Date.UTC(2026, 10, 15, 10, 0, step)).toISOString(),
    parentId: null,
  })}\n`;
const START = record("session.start", { sessionId: ID, version: 1, producer: "copilot-agent" });
const compaction = (checkpointNumber: number, about: string): string =>
  record("session.compaction_complete", {
    success: true,
    checkpointNumber,
    summaryContent: `<overview>${about}</overview><checkpoint_title>On ${about}</checkpoint_title>`,
  });
const put = (name: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(inSession(name)), { recursive: true });
  writeFileSync(inSession(name), content);
};

const TABLES = ["sessions", "turns", "checkpoints", "logged_checkpoints", "search_texts"];
const rowsOf = (from: Database) => {
  from.exec("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 0)");
  return TABLES.map((table) =>
    from
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => JSON.stringify({ ...row, id: 0, number: 0 }))
      .sort(),
  );
};
/** What an index that is made now has. */
const anew = async () => {
  const fresh = openStore({ folder: join(folder, `fresh-${++step}`), now, notice: () => undefined });
  try {
    await index(fresh);
    return rowsOf(fresh);
  } finally {
    fresh.close();
  }
};
const checkpoints = (from = db): string[] =>
  from
    .prepare("SELECT checkpoint_number, title, overview, file FROM checkpoints ORDER BY 1")
    .all()
    .map((row) => Object.values(row).join(" | "));
const labelsFor = (text: string, from = db): (string | undefined)[] =>
  search(from, { text, filter: {}, limit: 20, now: now() }).hits.map(({ label }) => label);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-sidecars-"));
  db = openStore({ folder, now, notice: () => undefined });
  put(
    "events.jsonl",
    START + record("user.message", { content: "Tidy the greenhouse" }) + compaction(1, "tomatoes"),
  );
  put("checkpoints/index.md", "| # | Title | File |\n|---|---|---|\n| 2 | Two of five | 002-two.md |\n");
  put("checkpoints/001-one.md", "<overview>tomatoes, ripened by hand</overview>");
  put("checkpoints/002-two.md", "<overview>cucumbers</overview>\n<next_steps>water them</next_steps>");
  put("checkpoints/003-three.md", "Just aubergines, without any sections");
  put("plan.md", "- [ ] order quinces");
  put("files/notes.md", "The hose leaks: SIPHON-7");
  put("files/deep/er/more.txt", "mulch");
  put("research/soil.md", "Loam holds water");
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("finds checkpoints, the plan, files and research, and says what each hit is in", async () => {
  expect(await index()).toMatchObject({ indexed: 1 });
  expect(checkpoints()).toEqual([
    "1 | On tomatoes | tomatoes, ripened by hand | checkpoints/001-one.md",
    "2 | Two of five | cucumbers | checkpoints/002-two.md",
    "3 |  | Just aubergines, without any sections | checkpoints/003-three.md",
  ]);
  expect(labelsFor('"two of five"')).toEqual(["checkpoint 2"]);
  const found = ["ripened", "cucumbers", "aubergines", "quinces", "SIPHON-7", "mulch", "loam", "greenhouse"];
  const labels = found.map((word) => labelsFor(word)[0]);
  expect(labels).toEqual([
    "checkpoint 1",
    "checkpoint 2",
    "checkpoint 3",
    "plan.md",
    "files/notes.md",
    "files/deep/er/more.txt",
    "research/soil.md",
    undefined,
  ]);
  expect(
    db.prepare("SELECT source_type, source_id FROM search_texts WHERE label = 'files/notes.md'").all(),
  ).toEqual([
    { source_type: "workspace_artifact", source_id: `${ID}:workspace:${inSession("files/notes.md")}` },
  ]);
});

it("makes the same rows in a rebuild", async () => {
  await index();
  const before = rowsOf(db);
  db.close();
  await rebuild(catalog(), folder, options);
  db = openStore({ folder, now, notice: () => undefined });
  expect(rowsOf(db)).toEqual(before);
});

it("opens no file and lists no folder when nothing changed", async () => {
  await index();
  expect(await index()).toMatchObject({ indexed: 0, unchanged: 1 });
  expect({ opened, listed }).toEqual({ opened: [], listed: [] });
});

it("passes over what is not text, and keeps no more of a large file than its beginning", async () => {
  put("files/picture.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff));
  put("files/nul.txt", "one\0nulled");
  put("files/blank.md", " \n");
  put("files/large.log", `FIRSTWORD ${"é".repeat(400_000)} LASTWORD`);
  writeFileSync(join(folder, "secret"), "ELSEWHERE");
  symlinkSync(join(folder, "secret"), inSession("files/link.md"));
  await index();
  const { bytes } = db
    .prepare(
      "SELECT sum(length(CAST(content AS BLOB))) AS bytes FROM search_texts WHERE label LIKE 'files/%'",
    )
    .get() as { bytes: number };
  expect(bytes).toBeGreaterThan(250 << 10);
  expect(bytes).toBeLessThan(257 << 10);
  expect(["FIRSTWORD", "LASTWORD", "ELSEWHERE", "nulled"].map((word) => labelsFor(word))).toEqual([
    ["files/large.log"],
    [],
    [],
    [],
  ]);
});

it("reads nothing that a link in the place of the plan or of a folder leads to", async () => {
  mkdirSync(join(folder, "outside"));
  writeFileSync(join(folder, "outside/secret.md"), "ELSEWHERE");
  const lead = (name: string, to: string): void => {
    rmSync(inSession(name), { recursive: true });
    symlinkSync(join(folder, to), inSession(name));
  };
  lead("plan.md", "outside/secret.md");
  lead("research", "outside");
  await index();
  lead("files", "outside");
  lead("checkpoints", "outside");
  await index();
  expect(labelsFor("ELSEWHERE")).toEqual([]);
  expect(opened).toEqual([]);
  expect(rowsOf(db)).toEqual(await anew());
});

it("looks at no more folders than can have searchable files, and at some hundred at most", async () => {
  for (let number = 0; number < 300; number++)
    mkdirSync(inSession(`files/tree/${number}`), { recursive: true });
  await index();
  expect(listed.length).toBeLessThanOrEqual(MOST_FOLDERS + 2);
  for (let number = 0; number < MOST_FILES; number++) put(`files/${number}.txt`, "leaf");
  await index();
  expect(listed).toEqual(["", "checkpoints", "files"]);
});

it.each<[string, () => void, string[]]>([
  ["a plan that was edited in place", () => put("plan.md", "- [x] order medlars!"), ["plan.md"]],
  ["a file that came", () => put("files/new.md", "compost"), ["files/new.md"]],
  ["a file in a new folder", () => put("research/deep/new.md", "peat"), ["research/deep/new.md"]],
  ["a file that went", () => rmSync(inSession("files/notes.md")), []],
  ["a folder that went", () => rmSync(inSession("research"), { recursive: true }), []],
  ["a plan that became unreadable as text", () => put("plan.md", Uint8Array.of(0xff, 0xfe)), ["plan.md"]],
  [
    "a checkpoint that was edited",
    () => put("checkpoints/001-one.md", "<overview>only basil</overview>"),
    ["checkpoints/001-one.md"],
  ],
  [
    "a checkpoint that the log has, too, and that went",
    () => rmSync(inSession("checkpoints/001-one.md")),
    [],
  ],
  ["a checkpoint that only its file had", () => rmSync(inSession("checkpoints/002-two.md")), []],
])("reads only %s", async (_case, change, read) => {
  await index();
  change();
  expect(await index()).toMatchObject({ indexed: 1, turns: 0 });
  const sidecarsOpened = opened.filter((name) => name !== "checkpoints/index.md");
  expect(sidecarsOpened).toEqual(read);
  const rows = rowsOf(db);
  expect(rows).toEqual(await anew());
  expect(await index()).toMatchObject({ indexed: 0 });
});

it("goes back to what the log says when the file of a checkpoint is gone", async () => {
  await index();
  rmSync(inSession("checkpoints"), { recursive: true });
  await index();
  expect(checkpoints()).toEqual(["1 | On tomatoes | tomatoes | "]);
  expect([labelsFor("ripened"), labelsFor("cucumbers")]).toEqual([[], []]);
});

it("takes the title of a checkpoint from the table when that comes later", async () => {
  await index();
  put("checkpoints/index.md", "| # | Title | File |\n|---|---|---|\n| 3 | Aubergines | 003-three.md |\n");
  await index();
  expect(checkpoints()[2]).toBe(
    "3 | Aubergines | Just aubergines, without any sections | checkpoints/003-three.md",
  );
  expect(rowsOf(db)).toEqual(await anew());
});

it("reads what was appended to the log and what changed beside it, and nothing else", async () => {
  await index();
  appendFileSync(
    inSession("events.jsonl"),
    compaction(2, "gherkins") + record("user.message", { content: "And the shed" }),
  );
  put("files/notes.md", "The hose was mended");
  expect(await index()).toMatchObject({ indexed: 1, turns: 2 });
  expect(opened.filter((name) => /^(files|research|plan)/.test(name))).toEqual(["files/notes.md"]);
  expect(checkpoints()[1]).toBe("2 | On gherkins | cucumbers | checkpoints/002-two.md");
  expect(rowsOf(db)).toEqual(await anew());
});
