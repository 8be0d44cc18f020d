import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Problem } from "../../model/problem.ts";
import type { Artifact } from "../../model/session/session.ts";
import { localFs } from "../../platform/fs/local.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { inspect, scan } from "./scan.ts";

const ID = "6f1c2b7e-8a34-4d0b-9c55-0d2f6a1be901";
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rethread-claude-scan-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function scanned(fs: SessionFs = localFs, at = root) {
  const artifacts: Artifact[] = [];
  const problems: Problem[] = [];
  await scan(fs, at, {
    artifact: (artifact) => void artifacts.push(artifact),
    problem: (problem) => void problems.push(problem),
  });
  return { artifacts, problems };
}

it("finds nothing, and no problem, where Claude Code was never used", async () => {
  expect(await scanned()).toEqual({ artifacts: [], problems: [] });
});

it("opens no session file", async () => {
  const fs = createMemoryFs({ [`/c/projects/any folder/${ID}.jsonl`]: "not even JSON" });
  const closed = { ...fs, read: refuse, chunks: refuse } as unknown as SessionFs;
  const { artifacts } = await scanned(closed, "/c");
  expect(artifacts).toEqual([
    {
      source: "claude-code",
      id: ID,
      root: "/c",
      path: `/c/projects/any folder/${ID}.jsonl`,
      fingerprint: { size: 13, mtimeMs: 0, ino: 1 },
    },
  ]);
});
const refuse = (): never => {
  throw new Error("a session file was opened");
};

it.each(["subagents/agent-1.jsonl", "custom-title.json"])(
  "is as new as its %s, also for whoever looks again",
  async (beside) => {
    const folder = join(root, "projects/-srv-shop");
    mkdirSync(join(folder, ID, "subagents"), { recursive: true });
    writeFileSync(join(folder, `${ID}.jsonl`), "{}\n");
    writeFileSync(join(folder, ID, beside), "{}\n");
    utimesSync(join(folder, `${ID}.jsonl`), 1000, 1000);
    utimesSync(join(folder, ID, beside), 2000, 2000);
    const [artifact] = (await scanned()).artifacts;
    expect(artifact?.fingerprint).toMatchObject({ size: 3, mtimeMs: 2_000_000 });
    expect(artifact && (await inspect(localFs, artifact))).toEqual(artifact);
  },
);

it("finds a transcript with a name that is no UUID, and says that Claude Code hides it", async () => {
  const path = "/c/projects/shop/old copy.jsonl";
  const { artifacts, problems } = await scanned(
    createMemoryFs({ [path]: "{}\n", "/c/projects/shop/agent-5c0ffee1.jsonl": "{}\n" }),
    "/c",
  );
  expect(artifacts.map(({ id }) => id)).toEqual(["old copy"]);
  expect(problems).toEqual([
    {
      code: "session-hidden",
      source: "claude-code",
      session: "old copy",
      path,
      message: "the file's name is not a UUID, so Claude Code does not list it",
      remedy: { action: "resume", session: "claude-code:old copy" },
    },
  ]);
});

it("reports a folder that has the name of a transcript", async () => {
  const folder = `/c/projects/shop/${ID}.jsonl`;
  expect(await scanned(createMemoryFs({ [`${folder}/x`]: "" }), "/c")).toEqual({
    artifacts: [],
    problems: [
      {
        code: "session-unreadable",
        source: "claude-code",
        session: ID,
        path: folder,
        message: "a folder with the name of a transcript",
      },
    ],
  });
});

it("keeps the letters of an id as they are, because Claude Code looks for just that file", async () => {
  const fs = createMemoryFs({ [`/c/projects/shop/${ID.toUpperCase()}.jsonl`]: "{}" });
  expect((await scanned(fs, "/c")).artifacts.map(({ id }) => id)).toEqual([ID.toUpperCase()]);
});

it("reports a folder it may not read, and goes on", async () => {
  const fs = createMemoryFs({ [`/c/projects/open/${ID}.jsonl`]: "{}", "/c/projects/locked/x": "" });
  const denied = Object.assign(new Error("EACCES: permission denied, scandir"), { code: "EACCES" });
  const guarded: SessionFs = {
    ...fs,
    readdir: (path) => (path.endsWith("locked") ? Promise.reject(denied) : fs.readdir(path)),
  };
  const { artifacts, problems } = await scanned(guarded, "/c");
  expect(artifacts.map(({ id }) => id)).toEqual([ID]);
  expect(problems).toEqual([
    {
      code: "folder-unreadable",
      source: "claude-code",
      path: "/c/projects/locked",
      message: "permission denied",
    },
  ]);
});

it("reports links that go in a circle, and counts a session behind two links once", async () => {
  mkdirSync(join(root, "projects/real"), { recursive: true });
  writeFileSync(join(root, "projects/real", `${ID}.jsonl`), "{}\n");
  symlinkSync(join(root, "projects/real"), join(root, "projects/linked"));
  symlinkSync(join(root, "projects/circle"), join(root, "projects/circle"));
  const { artifacts, problems } = await scanned();
  expect(artifacts.length).toBe(1);
  expect(problems).toEqual([
    {
      code: "folder-unreadable",
      source: "claude-code",
      path: join(root, "projects/circle"),
      message: "the link leads nowhere or to itself",
    },
  ]);
});
