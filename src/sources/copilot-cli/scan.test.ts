import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pidLike } from "../../../test/lookalike.ts";
import type { Problem } from "../../model/problem.ts";
import type { Artifact } from "../../model/session/session.ts";
import { localFs } from "../../platform/fs/local.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { diagnose } from "./health.ts";
import { read } from "./read.ts";
import { inspect, scan } from "./scan.ts";
import { locate } from "./workspace/locate.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "rethread-scan-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text = ""): void => {
  const target = join(root, "session-state", path);
  mkdirSync(join(target, ".."), { recursive: true });
  writeFileSync(target, text);
};

async function scanRoot(fs: SessionFs = localFs) {
  const artifacts: Artifact[] = [];
  const problems: Problem[] = [];
  const sink = {
    artifact: (it: Artifact) => void artifacts.push(it),
    problem: (it: Problem) => void problems.push(it),
  };
  await scan(fs, root, sink);
  return { ids: artifacts.map(({ id }) => id).sort(), artifacts, problems };
}

describe("finding Copilot CLI sessions", () => {
  it("looks where COPILOT_HOME says, else in the home folder, as each platform spells it", () => {
    expect(locate({ platform: "linux", homeDir: "/home/dev", vars: {} })).toEqual(["/home/dev/.copilot"]);
    expect(locate({ platform: "win32", homeDir: "C:\\Users\\dev", vars: {} })).toEqual([
      "C:\\Users\\dev\\.copilot",
    ]);
    expect(locate({ platform: "linux", homeDir: "/home/dev", vars: { COPILOT_HOME: "/srv/c" } })).toEqual([
      "/srv/c",
    ]);
  });

  it("finds nothing, and nothing wrong, in a home that does not exist", async () => {
    root = join(root, "nowhere");
    expect(await scanRoot()).toEqual({ ids: [], artifacts: [], problems: [] });
  });

  it("finds folders and flat files, and opens none of them", async () => {
    put("one/events.jsonl", "{}\n");
    put("two.jsonl", "{}\n");
    put(".session-operation-locks/one.lock");
    put("notes.txt");
    const closed: SessionFs = {
      ...localFs,
      read: () => Promise.reject(new Error("opened")),
      chunks: () => {
        throw new Error("opened");
      },
    };
    const { ids, artifacts, problems } = await scanRoot(closed);
    expect(ids).toEqual(["one", "two"]);
    expect(problems).toEqual([]);
    expect(artifacts[0]).toMatchObject({ source: "copilot-cli", root, fingerprint: { size: 3 } });
  });

  it("reports a folder without a log, unless its program has just opened it", async () => {
    put("never-asked/workspace.yaml", "id: x\n");
    put("just-opened/workspace.yaml", "id: y\n");
    put(`just-opened/inuse.${pidLike("copilot")}.lock`);
    const { ids, problems } = await scanRoot();
    expect(ids).toEqual([]);
    expect(problems).toMatchObject([{ code: "session-empty", session: "never-asked" }]);
  });

  it("prefers the folder when an early version's file lies beside it", async () => {
    put("one/events.jsonl");
    put("one.jsonl");
    const { ids, problems } = await scanRoot();
    expect(ids).toEqual(["one"]);
    expect(problems).toMatchObject([{ code: "twin-stale", session: "one" }]);
  });

  it("reports links that lead in circles or nowhere, and follows the others", async () => {
    put("real/events.jsonl");
    const state = join(root, "session-state");
    symlinkSync(join(state, "loop"), join(state, "loop"));
    symlinkSync(join(state, "gone"), join(state, "dangling"));
    symlinkSync(join(state, "real"), join(state, "linked"));
    const { ids, problems } = await scanRoot();
    expect(ids).toEqual(["linked", "real"]);
    expect(problems.map(({ code }) => code)).toEqual(["folder-unreadable", "folder-unreadable"]);
  });

  it("gives a session whose log is a link to nowhere, or in a circle, to a reader that says so", async () => {
    for (const [id, target] of Object.entries({ circle: "events.jsonl", nowhere: "gone.jsonl" })) {
      put(`${id}/workspace.yaml`, `name: In a ${id}\n`);
      symlinkSync(target, join(root, "session-state", id, "events.jsonl"));
    }
    const { artifacts, problems } = await scanRoot();
    expect(problems).toEqual([]);
    const told: unknown[] = [];
    for (const artifact of artifacts) {
      const sink = {
        event: () => undefined,
        problem: ({ code, session, message }: Problem) => void told.push([code, session, message]),
      };
      const { id, title, bytes, updatedAt } = await read(localFs, artifact, sink);
      told.push([id, title, bytes, Date.parse(updatedAt ?? "") > 0]);
    }
    expect(told).toEqual([
      ["session-unreadable", "circle", expect.stringContaining("too many symbolic links")],
      ["circle", "In a circle", 0, true],
      ["session-unreadable", "nowhere", "no such file or directory"],
      ["nowhere", "In a nowhere", 0, true],
    ]);
  });

  it("changes the fingerprint when a session is renamed, but not when it was active or how large it is", async () => {
    put("one/events.jsonl", "{}\n");
    put("one/workspace.yaml", "name: Old\n");
    const at = (name: string) => join(root, "session-state/one", name);
    utimesSync(at("events.jsonl"), 2_000, 2_000);
    utimesSync(at("workspace.yaml"), 1_000, 1_000);
    const [before] = (await scanRoot()).artifacts;
    put("one/workspace.yaml", "name: New\n");
    utimesSync(at("workspace.yaml"), 3_000, 3_000);
    const [after] = (await scanRoot()).artifacts;
    if (!before || !after) throw new Error("the session was not found");
    expect(before.fingerprint).toMatchObject({ size: 3, mtimeMs: 2_000_000 });
    expect(after.fingerprint).toEqual({ ...before.fingerprint, mtimeMs: 3_000_000 });
    const sink = { event: () => undefined, problem: () => undefined };
    expect(await read(localFs, after, sink)).toMatchObject({
      title: "New",
      bytes: 3,
      updatedAt: new Date(2_000_000).toISOString(),
    });
  });

  it("looks at one session again as the scan would", async () => {
    put("one/events.jsonl", "{}\n");
    put("two.jsonl", "{}\n");
    const before = (await scanRoot()).artifacts;
    const again = () => Promise.all(before.map((artifact) => inspect(localFs, artifact)));
    expect(await again()).toEqual(before);
    put("one/workspace.yaml", "name: New\n");
    put("two.jsonl", "{}\n{}\n");
    expect(await again()).toEqual((await scanRoot()).artifacts);
    rmSync(join(root, "session-state"), { recursive: true });
    expect(await again()).toEqual([undefined, undefined]);
  });

  it("reports a folder that the system refuses to open", async () => {
    put("mine/events.jsonl");
    put("theirs/events.jsonl");
    const refuse = (path: string): void => {
      if (path.includes("theirs"))
        throw Object.assign(new Error(`EACCES: permission denied, stat '${path}'`), { code: "EACCES" });
    };
    const { statEach: _oneByOne, ...slow } = localFs;
    const guarded: SessionFs = {
      ...slow,
      stat: async (path) => {
        refuse(path);
        return localFs.stat(path);
      },
      readdir: async (path) => {
        refuse(path);
        return localFs.readdir(path);
      },
    };
    const { ids, problems } = await scanRoot(guarded);
    expect(ids).toEqual(["mine"]);
    expect(problems).toMatchObject([
      { code: "folder-unreadable", session: "theirs", message: "permission denied" },
    ]);
  });

  it("finds stale locks on a closer look, and leaves those of living processes alone", async () => {
    for (const name of ["one", "three", "two"]) {
      put(`${name}/events.jsonl`);
      put(`${name}/workspace.yaml`, `id: ${name}\n`);
    }
    put("one/inuse.99999999.lock", "99999999\n");
    put(`two/inuse.${pidLike("copilot")}.lock`, `${pidLike("copilot")}\n`);
    put(`three/inuse.${pidLike("vim")}.lock`, `${pidLike("vim")}\n`);
    const problems: Problem[] = [];
    await diagnose(localFs, root, { problem: (it) => void problems.push(it) });
    expect(problems).toEqual([
      {
        code: "lock-stale",
        source: "copilot-cli",
        session: "one",
        path: join(root, "session-state/one/inuse.99999999.lock"),
        message: "the lock names process 99999999, which no longer runs",
        remedy: { action: "rescue", session: "copilot-cli:one" },
      },
      {
        code: "lock-stale",
        source: "copilot-cli",
        session: "three",
        path: join(root, `session-state/three/inuse.${pidLike("vim")}.lock`),
        message: `the lock names process ${pidLike("vim")}, which is another program`,
        remedy: { action: "rescue", session: "copilot-cli:three" },
      },
    ]);
  });
});
