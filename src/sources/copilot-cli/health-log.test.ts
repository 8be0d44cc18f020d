import { expect, it } from "vitest";
import type { Problem } from "../../model/problem.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { diagnose, lookCloser } from "./health.ts";

const record = (type: string, content = "x"): string =>
  JSON.stringify({
    type,
    data: {
      content,
      sessionId: "s",
      version: 1,
      producer: "p",
      copilotVersion: "1",
      startTime: "2026-01-01T00:00:00Z",
    },
    id: "5e551011-aaaa-4bbb-8ccc-000000000001",
    timestamp: "2026-01-01T00:00:00Z",
    parentId: null,
  });
const START = record("session.start");
const PROMPT = record("user.message");
const look = async (text: string) =>
  (await lookCloser(createMemoryFs({ "/log": text }), "/log")).map(({ code, line }) => [code, line]);

it("has nothing to say of a sound log, whatever its lines tell of session.start", async () => {
  expect(await look(`${START}\n${PROMPT}\n${record("user.message", 'say "session.start"')}\n`)).toEqual([]);
  expect(await look("")).toEqual([]);
});

it("finds a byte order mark at the beginning and inside, and separators in texts, each kind once", async () => {
  expect(await look(`\ufeff${START}\n${PROMPT}\n`)).toEqual([["record-marked", 1]]);
  expect(await look(`${START}\n\ufeff${PROMPT}\n`)).toEqual([["record-marked", 2]]);
  const separated = record("user.message", "a\u2028b\u2029");
  expect(await look(`${START}\n${PROMPT}\n${separated}\n${separated}`)).toEqual([["record-marked", 3]]);
});

it("finds a session.start that is not in front; a second one does not count", async () => {
  expect(await look(`${PROMPT}\n${START}\n`)).toEqual([["session-start-late", 2]]);
  expect(await look(`\n${START}\n${PROMPT}\n${START}\n`)).toEqual([]);
});

it("finds files of checkpoints that the log or the table names and that are gone", async () => {
  const compaction = (checkpointNumber: number): string =>
    JSON.stringify({
      ...JSON.parse(START),
      type: "session.compaction_complete",
      data: {
        success: true,
        summaryContent: "<overview>x</overview>",
        checkpointNumber,
        checkpointPath: `/h/session-state/one/checkpoints/00${checkpointNumber}-x.md`,
      },
    });
  const folder = "/h/session-state/one";
  const files: Record<string, string> = {
    [`${folder}/events.jsonl`]: `${[START, PROMPT, compaction(1), compaction(2)].join("\n")}\n`,
    [`${folder}/workspace.yaml`]: "id: one\n",
    [`${folder}/checkpoints/index.md`]: [1, 2, 3].map((n) => `| ${n} | T | 00${n}-x.md |\n`).join(""),
    [`${folder}/checkpoints/001-x.md`]: "<overview>x</overview>",
    [`${folder}/checkpoints/002-x.md`]: "<overview>x</overview>",
    [`${folder}/checkpoints/003-x.md`]: "<overview>x</overview>",
  };
  let opened = 0;
  const found = async (): Promise<string[]> => {
    const problems: Problem[] = [];
    const fs = createMemoryFs(files);
    const counting: typeof fs = {
      ...fs,
      chunks(path, range) {
        if (path.endsWith("events.jsonl")) opened++;
        return fs.chunks(path, range);
      },
    };
    await diagnose(counting, "/h", { problem: (problem) => void problems.push(problem) });
    return problems.map(({ code, path, message }) => `${code} ${path.slice(folder.length + 1)}: ${message}`);
  };
  expect(await found()).toEqual([]);
  // Once for all that is looked for.
  expect(opened).toBe(1);
  delete files[`${folder}/checkpoints/002-x.md`];
  delete files[`${folder}/checkpoints/003-x.md`];
  expect(await found()).toEqual([
    "sidecar-missing checkpoints/002-x.md: the file of checkpoint 2 is missing; its summary is still in the log",
    "sidecar-missing checkpoints/003-x.md: the file of checkpoint 3 is missing; its summary is in no other place",
  ]);
  for (const name of ["index.md", "001-x.md"]) delete files[`${folder}/checkpoints/${name}`];
  expect((await found()).map((line) => line.slice(16, 38))).toEqual([
    "checkpoints/001-x.md: ",
    "checkpoints/002-x.md: ",
  ]);
});
