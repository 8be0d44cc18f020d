import { expect, it } from "vitest";
import { pidLike } from "../../../test/lookalike.ts";
import type { Problem } from "../../model/problem.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { startTicks } from "../../platform/process/processes.ts";
import { diagnose } from "./health.ts";

const ID = "6f1c2b7e-8a34-4d0b-9c55-0d2f6a1be901";
const PATH = `/c/projects/shop/${ID}.jsonl`;

async function examined(files: Record<string, string>): Promise<Problem[]> {
  const problems: Problem[] = [];
  await diagnose(createMemoryFs(files), "/c", { problem: (problem) => void problems.push(problem) });
  return problems;
}

it("misses a workspace that is gone, and none that is there", async () => {
  const row = '{"type":"mode"}\nnot json\n{"type":"user","cwd":"/srv/shop"}\n';
  expect(await examined({ [PATH]: row, "/srv/shop/a.ts": "" })).toEqual([]);
  expect(await examined({ [PATH]: row, "/srv/another/a.ts": "" })).toEqual([
    {
      code: "workspace-missing",
      source: "claude-code",
      session: ID,
      path: PATH,
      message: "the session belongs to /srv/shop, which is gone; Claude Code lists it only there",
      remedy: { action: "move", args: { from: "/srv/shop" }, asks: { to: "folder" } },
    },
  ]);
});

it("opens no log for a workspace that the caller knows, and none at all where none may be opened", async () => {
  const opened: string[] = [];
  const fs = createMemoryFs({ [PATH]: '{"type":"user","cwd":"/srv/shop"}\n', "/srv/another/a.ts": "" });
  const counting: typeof fs = {
    ...fs,
    chunks(path, range) {
      opened.push(path);
      return fs.chunks(path, range);
    },
  };
  const codes = async (look?: Parameters<typeof diagnose>[3]): Promise<string[]> => {
    const problems: Problem[] = [];
    await diagnose(counting, "/c", { problem: (problem) => void problems.push(problem) }, look);
    return problems.map(({ code }) => code);
  };
  expect(await codes({ workspaceOf: () => "/srv/gone" })).toEqual(["workspace-missing"]);
  expect(await codes({ workspaceOf: () => undefined, opensNone: true })).toEqual([]);
  expect(opened).toEqual([]);
  expect(await codes({ workspaceOf: () => undefined })).toEqual(["workspace-missing"]);
  expect(opened).toEqual([PATH]);
});

it("misses no workspace of another machine or system", async () => {
  const row = (cwd: string): string => `${JSON.stringify({ type: "user", cwd })}\n`;
  for (const cwd of ["/srv/shop", "C:\\work\\shop", "\\\\server\\shop", "shop"])
    expect(await examined({ [PATH]: row(cwd) }), cwd).toEqual([]);
});

it("tells a process that ended, or whose number another has now, from one that runs", async () => {
  const stale = async (holder: object): Promise<string[]> =>
    (await examined({ "/c/sessions/7.json": JSON.stringify({ sessionId: ID, ...holder }) })).map(
      ({ code }) => code,
    );
  expect(await stale({ pid: 4_194_999 })).toEqual(["lock-stale"]);
  expect(await stale({ pid: pidLike("claude") })).toEqual([]);
  expect(await stale({ pid: pidLike("vim") })).toEqual(["lock-stale"]);
  const ticks = startTicks(process.pid);
  if (ticks === undefined) return; // this system does not tell
  expect(await stale({ pid: process.pid, procStart: ticks })).toEqual([]);
  expect(await stale({ pid: process.pid, procStart: "1" })).toEqual(["lock-stale"]);
});

it("reports a process file it cannot read, and leaves keys alone", async () => {
  const problems = await examined({ "/c/sessions/7.json": "{", "/c/sessions/7.ab.key": "secret" });
  expect(problems.map(({ code, path }) => [code, path])).toEqual([
    ["sidecar-unreadable", "/c/sessions/7.json"],
  ]);
});
