import { describe, expect, it } from "vitest";
import type { Story } from "../model/session/story.ts";
import { createMemoryFs, type MemoryFs } from "../platform/fs/memory.ts";
import { SOURCES as REAL_SOURCES } from "../sources/registry.ts";
import { defineSource, type Source } from "../sources/source.ts";
import { createDemo } from "./create.ts";
import { demoVars } from "./places.ts";

const NOW = new Date("2026-11-15T18:00:00.000Z");

/** Composes a line for each turn and a row in a list that all its stories share. */
const plainSource = (id: string): Source =>
  defineSource({
    id,
    label: id,
    locate: () => [],
    scan: async () => undefined,
    read: async () => {
      throw new Error("composes only");
    },
    demo: {
      compose: async (story: Story) => [
        {
          path: `logs/${story.id}.jsonl`,
          content: story.turns.map((turn) => `${JSON.stringify(turn)}\n`).join(""),
          mode: 0o640,
          mtime: story.createdAt,
        },
        { path: "list.db", content: { table: "Items", rows: { [story.id]: story.workspace } } },
      ],
      merge: async (images) => [
        ...images.filter((image) => image.path !== "list.db"),
        {
          path: "list.db",
          content: {
            table: "Items",
            rows: Object.assign(
              {},
              ...images.map(({ content }) =>
                typeof content === "object" && "rows" in content ? content.rows : {},
              ),
            ),
          },
        },
      ],
    },
  });
const SOURCES = ["copilot-cli", "claude-code", "vscode"].map(plainSource);

const createIn = (fs: MemoryFs, now = NOW) => createDemo({ fs, sources: SOURCES, home: "/data", now });
const contents = (fs: MemoryFs) =>
  [...fs.files].map(([path, { bytes, mtimeMs }]) => [path, bytes.toString("latin1"), mtimeMs]).sort();

describe("createDemo", () => {
  it("writes every source's files below its own root and says where and how many", async () => {
    const fs = createMemoryFs();
    expect(await createIn(fs)).toEqual({
      folder: "/data/demo",
      vars: {
        COPILOT_HOME: "/data/demo/copilot",
        CLAUDE_CONFIG_DIR: "/data/demo/claude",
        // It has no sessions there yet, but those of this machine are not the demo's.
        CODEX_HOME: "/data/demo/codex",
        VSCODE_STORAGE_PATH: "/data/demo/vscode/User/workspaceStorage",
      },
      sessions: 40,
      bySource: { "copilot-cli": 16, "claude-code": 12, vscode: 12 },
    });
    const logsBelow = (root: string) =>
      [...fs.files.keys()].filter((path) => path.startsWith(`${root}/logs/`)).length;
    expect(["copilot", "claude", "vscode/User"].map((root) => logsBelow(`/data/demo/${root}`))).toEqual([
      16, 12, 12,
    ]);
    expect(fs.files.get("/data/demo/copilot/list.db")?.bytes.subarray(0, 15).toString()).toBe(
      "SQLite format 3",
    );
  });

  it("gives files the modes and times they were composed with", async () => {
    const fs = createMemoryFs();
    await createIn(fs);
    const logs = [...fs.files].filter(([path]) => path.startsWith("/data/demo/copilot/logs/"));
    expect(new Set(logs.map(([, file]) => file.mode))).toEqual(new Set([0o640]));
    expect(Math.max(...logs.map(([, file]) => file.mtimeMs))).toBe(NOW.getTime() - 2 * 3_600_000);
  });

  it("makes the folders that the sessions are about, but not the one that was renamed", async () => {
    const fs = createMemoryFs();
    await createIn(fs);
    expect((await fs.readdir("/data/demo/work")).map(({ name }) => name)).toEqual([
      "handbook",
      "harbor-etl",
      "platform",
      "quill",
      "rates-api",
      "storefront",
      "trailhead",
    ]);
  });

  it("makes the same bytes for the same home and moment", async () => {
    const [one, other] = [createMemoryFs(), createMemoryFs()];
    await createIn(one);
    await createIn(other);
    expect(contents(one)).toEqual(contents(other));
  });

  it("replaces an older demo and leaves nothing beside it", async () => {
    const fs = createMemoryFs({
      "/data/demo/README.md": "# The Rethread demo\n",
      "/data/demo/copilot/old.jsonl": "old",
      "/data/state.db": "ours",
    });
    await createIn(fs);
    expect((await fs.readdir("/data")).map(({ name }) => name)).toEqual(["demo", "state.db"]);
    expect(await fs.exists("/data/demo/copilot/old.jsonl")).toBe(false);
  });

  it("keeps the older demo when a new one cannot be made", async () => {
    const before = { "/data/demo/README.md": "# The Rethread demo\n", "/data/demo/copilot/old.jsonl": "old" };
    const fs = createMemoryFs(before);
    const full: MemoryFs = {
      ...fs,
      write: async () => {
        throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      },
    };
    await expect(createIn(full)).rejects.toMatchObject({ code: "ENOSPC" });
    expect([...fs.files.keys()]).toEqual(Object.keys(before));
    expect((await fs.readdir("/data")).map(({ name }) => name)).toEqual(["demo"]);
  });

  it("leaves a folder alone that it did not make", async () => {
    const fs = createMemoryFs({ "/data/demo/thesis.md": "years of work" });
    await expect(createIn(fs)).rejects.toMatchObject({ code: "usage" });
    expect([...fs.files.keys()]).toEqual(["/data/demo/thesis.md"]);
  });
});

it("leads every source to the demo, so that none shows the sessions of this machine beside it", () => {
  const vars = demoVars("/data/demo");
  for (const source of REAL_SOURCES) {
    const env = { platform: "linux" as const, homeDir: "/home/ada", vars };
    const roots = typeof source.locate === "function" ? source.locate(env) : source.locate;
    expect(roots.length, source.id).toBeGreaterThan(0);
    for (const root of roots) expect(root, source.id).toMatch(/^\/data\/demo\//);
  }
});
