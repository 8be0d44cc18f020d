import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pidLike } from "../../../test/lookalike.ts";
import type { Problem } from "../../model/problem.ts";
import type { Artifact } from "../../model/session/session.ts";
import { localFs } from "../../platform/fs/local.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { toKeyValueDb } from "../../platform/sqlite/key-value-db.ts";
import { diagnose } from "./health.ts";
import { INDEX_KEY, TABLE } from "./index-db/state-db.ts";
import { scan } from "./scan.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-scan-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const putIndex = (path: string, ...ids: string[]): void => {
  const entries = Object.fromEntries(
    ids.map((id) => [
      id,
      { sessionId: id, title: `Title ${id}`, lastMessageDate: 1, initialLocation: "panel" },
    ]),
  );
  put(path, toKeyValueDb(TABLE, { [INDEX_KEY]: JSON.stringify({ version: 1, entries }) }));
};

async function scanAll(fs: SessionFs = localFs, home = root) {
  const artifacts: Artifact[] = [];
  const problems: Problem[] = [];
  await scan(fs, home, {
    artifact: (artifact) => void artifacts.push(artifact),
    problem: (problem) => void problems.push(problem),
  });
  return {
    found: artifacts.map(({ id, listed }) => [id, listed?.state]),
    artifacts,
    problems: problems.map(({ code, session }) => [code, session]),
    reports: problems,
  };
}

describe("scanning", () => {
  it("finds sessions of workspaces and of windows without a folder", async () => {
    put("workspaceStorage/w1/chatSessions/a.jsonl", "{}\n");
    put("workspaceStorage/w1/chatSessions/b.json", "{}");
    put("workspaceStorage/w1/chatSessions/notes.txt", "");
    putIndex("workspaceStorage/w1/state.vscdb", "a", "b");
    put("workspaceStorage/no-workspace/chatSessions/c.json", "{}");
    put("globalStorage/emptyWindowChatSessions/d.jsonl", "{}\n");
    putIndex("globalStorage/state.vscdb", "c", "d");
    put("globalStorage/transferredChatSessions/e.json", "{}");
    expect(await scanAll()).toMatchObject({
      found: [
        ["a", "listed"],
        ["b", "listed"],
        ["d", "listed"],
        ["c", "listed"],
      ],
      problems: [],
    });
  });

  it("takes a folder of any other name for the storage of workspaces", async () => {
    put("w1/chatSessions/a.jsonl", "{}\n");
    expect((await scanAll()).found).toEqual([["a", undefined]]);
  });

  it("opens no session file", async () => {
    put("workspaceStorage/w1/chatSessions/a.jsonl", "{}\n");
    put("workspaceStorage/w1/workspace.json", '{"folder":"file:///srv/a"}');
    const opened: string[] = [];
    const watched: SessionFs = {
      ...localFs,
      read: (path, range) => {
        opened.push(path);
        return localFs.read(path, range);
      },
    };
    await scanAll(watched);
    expect(opened.filter((path) => path.includes("chatSessions"))).toEqual([]);
  });

  it("finds nothing, and no fault, where there is nothing", async () => {
    expect(await scanAll(localFs, join(root, "none"))).toMatchObject({ found: [], problems: [] });
  });

  it("tells orphans, ghosts and twins", async () => {
    put("workspaceStorage/w1/chatSessions/orphan.jsonl", "{}\n");
    put("workspaceStorage/w1/chatSessions/both.jsonl", "{}\n");
    put("workspaceStorage/w1/chatSessions/both.json", "{}");
    putIndex("workspaceStorage/w1/state.vscdb", "both", "ghost");
    expect(await scanAll()).toMatchObject({
      found: [
        ["both", "listed"],
        ["orphan", "orphan"],
      ],
      problems: [
        ["twin-stale", "both"],
        ["session-orphaned", "orphan"],
        ["session-ghost", "ghost"],
      ],
    });
  });

  it("offers the transcript of a listed session whose file is gone", async () => {
    putIndex("workspaceStorage/w1/state.vscdb", "ghost");
    put("workspaceStorage/w1/GitHub.copilot-chat/transcripts/ghost.jsonl", "{}\n");
    const { artifacts, problems } = await scanAll();
    expect(problems).toEqual([["session-ghost", "ghost"]]);
    expect(artifacts).toMatchObject([{ id: "ghost", listed: { state: "ghost", title: "Title ghost" } }]);
  });

  it("prefers the listed one of two copies", async () => {
    put("workspaceStorage/w1/chatSessions/a.jsonl", "{}\n");
    putIndex("workspaceStorage/w1/state.vscdb", "a");
    put("workspaceStorage/w2/chatSessions/a.jsonl", "{}\n");
    putIndex("workspaceStorage/w2/state.vscdb");
    const { artifacts, problems } = await scanAll();
    expect(artifacts.map((artifact) => artifact.path)).toEqual([
      join(root, "workspaceStorage/w1/chatSessions/a.jsonl"),
    ]);
    expect(problems).toEqual([
      ["session-orphaned", "a"],
      ["twin-stale", "a"],
    ]);
  });

  it("knows of no list where the file system is not the disk", async () => {
    const memory = createMemoryFs({ "/User/workspaceStorage/w/chatSessions/a.jsonl": "{}\n" });
    expect((await scanAll(memory, "/User")).found).toEqual([["a", undefined]]);
  });

  it("reports links and folders where sessions should be, and reads on around them", async () => {
    const at = (path: string): string => join(root, "workspaceStorage", path);
    put("workspaceStorage/file/chatSessions", "");
    symlinkSync("loop", at("loop"));
    symlinkSync("away", at("dangling"));
    put("workspaceStorage/w/chatSessions/folder.jsonl/keep", "");
    put("workspaceStorage/w/chatSessions/good.jsonl", "{}\n");
    put("workspaceStorage/w/chatSessions/older.jsonl/keep", "");
    put("workspaceStorage/w/chatSessions/older.json", "{}");
    symlinkSync("link.jsonl", at("w/chatSessions/link.jsonl"));
    putIndex("workspaceStorage/w/state.vscdb", "folder", "good", "link", "older");
    const { artifacts, reports } = await scanAll();
    expect(artifacts.map(({ path }) => path)).toEqual([
      at("w/chatSessions/good.jsonl"),
      at("w/chatSessions/older.json"),
    ]);
    const unreadable = { code: "session-unreadable", source: "vscode" };
    const closed = { code: "folder-unreadable", source: "vscode" };
    const loop = "too many symbolic links encountered";
    expect(reports).toEqual([
      { ...closed, path: at("dangling"), message: "the folder cannot be read: no such file or directory" },
      { ...closed, path: at("loop"), message: `the folder cannot be read: ${loop}` },
      { ...closed, path: at("file/chatSessions"), message: "the folder cannot be read: not a directory" },
      {
        ...unreadable,
        session: "folder",
        path: at("w/chatSessions/folder.jsonl"),
        message: "there is a folder in place of the file",
      },
      {
        ...unreadable,
        session: "link",
        path: at("w/chatSessions/link.jsonl"),
        message: `the file cannot be read: ${loop}`,
      },
      {
        ...unreadable,
        session: "older",
        path: at("w/chatSessions/older.jsonl"),
        message: "there is a folder in place of the file",
      },
    ]);
  });

  it("reports once that it is not known which folder the sessions belong to", async () => {
    put("workspaceStorage/w1/chatSessions/a.jsonl", "{}\n");
    put("workspaceStorage/w1/chatSessions/b.jsonl", "{}\n");
    put("workspaceStorage/w1/workspace.json", '{"fold');
    expect((await scanAll()).problems).toEqual([["sidecar-unreadable", undefined]]);
  });

  it("calls no session an orphan when the list cannot be opened", async () => {
    put("workspaceStorage/w1/chatSessions/a.jsonl", "{}\n");
    put("workspaceStorage/w1/state.vscdb/keep", "");
    expect(await scanAll()).toMatchObject({
      found: [["a", undefined]],
      problems: [["index-unavailable", undefined]],
    });
  });

  it("reads the list while a writer keeps everybody out", async () => {
    put("workspaceStorage/w1/chatSessions/a.jsonl", "{}\n");
    putIndex("workspaceStorage/w1/state.vscdb", "a");
    const writer = new DatabaseSync(join(root, "workspaceStorage/w1/state.vscdb"));
    writer.exec("BEGIN EXCLUSIVE");
    expect(await scanAll()).toMatchObject({ found: [["a", "listed"]], problems: [] });
    writer.close();
  });

  it("reports a database that is none", async () => {
    put("workspaceStorage/w1/chatSessions/a.jsonl", "{}\n");
    put("workspaceStorage/w1/state.vscdb", "no database ".repeat(100));
    expect((await scanAll()).problems).toEqual([["index-unreadable", undefined]]);
  });
});

describe("a closer look", () => {
  const look = async (): Promise<[string, string | undefined][]> => {
    const problems: Problem[] = [];
    await diagnose(localFs, join(root, "User"), { problem: (problem) => void problems.push(problem) });
    return problems.map(({ code, session }) => [code, session]);
  };

  it("finds the sessions of a folder that is gone, but not of one still there or never here", async () => {
    const store = (name: string, workspace: object): void => {
      put(`User/workspaceStorage/${name}/chatSessions/${name}.jsonl`, "{}\n");
      put(`User/workspaceStorage/${name}/workspace.json`, JSON.stringify(workspace));
    };
    store("gone", { folder: `file://${root}/renamed` });
    store("gone-file", { workspace: `file://${root}/x.code-workspace` });
    store("there", { folder: `file://${root}` });
    store("remote", { folder: "vscode-remote://ssh-remote%2Bbox/srv/x" });
    store("brought-along", { folder: `file://${root}/no-such-home/x` });
    store("of-windows", { folder: "file:///c%3A/src/x" });
    store("of-the-network", { folder: "file://server/" });
    expect(await look()).toEqual([
      ["workspace-missing", "gone"],
      ["workspace-missing", "gone-file"],
    ]);
  });

  it("notices the lock of an editor that no longer runs", async () => {
    put("User/globalStorage/keep", "");
    put("code.lock", String(pidLike("code")));
    expect(await look()).toEqual([]);
    put("code.lock", "999999999");
    expect(await look()).toEqual([["lock-stale", undefined]]);
  });
});
