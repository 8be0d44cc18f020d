import { describe, expect, it } from "vitest";
import { catalogOf, fakeSource, toSession } from "../../test/cli/fake-source.ts";
import type { Problem } from "../model/problem.ts";
import { diagnose, inNeedOfRescue } from "./doctor.ts";
import { byWorkspace } from "./doctor-workspaces.ts";

const problem = (code: Problem["code"], more: Partial<Problem> = {}): Problem => ({
  code,
  source: "fake",
  session: "a",
  path: "/a.jsonl",
  message: `it is ${code}`,
  ...more,
});

describe("diagnose", () => {
  it("gathers what scan, readers and the closer look found: once each, worst first, with title and producer", async () => {
    const stale: Problem = { code: "lock-stale", source: "fake", path: "/lock", message: "left behind" };
    const source = fakeSource(
      [
        {
          id: "a",
          title: "Fix it",
          head: { producer: "1.2.3" },
          problems: [
            problem("record-unknown", { line: 2 }),
            problem("record-torn", { line: 9 }),
            problem("session-orphaned"),
          ],
        },
        { id: "b" },
      ],
      "fake",
      { scanProblems: [problem("session-orphaned")], examined: [stale, problem("session-orphaned")] },
    );
    const known = { title: "Fix it", producer: "1.2.3" };
    expect(await diagnose(catalogOf(source))).toEqual({
      problems: [
        { ...problem("record-torn", { line: 9 }), severity: "damage", ...known },
        { ...problem("session-orphaned"), severity: "trouble", ...known },
        { ...stale, severity: "oddity" },
        { ...problem("record-unknown", { line: 2 }), severity: "oddity", ...known },
      ],
      sessions: 2,
      sources: ["fake"],
      workspaces: [
        {
          workspace: "no workspace",
          sessions: 2,
          problems: { "record-torn": 1, "session-orphaned": 1, "lock-stale": 1, "record-unknown": 1 },
        },
      ],
    });
  });

  it("tells what is wrong with each session as soon as it is read, and how far it is", async () => {
    const source = fakeSource(
      [
        { id: "a", title: "Fix it", problems: [problem("record-torn")] },
        { id: "b" },
        { id: "c", title: "C", problems: [problem("record-torn", { session: "c" })] },
      ],
      "fake",
    );
    const told: string[] = [];
    await diagnose(catalogOf(source), {
      progress: (done, total) => void told.push(`${done} of ${total}`),
      found: (findings) => void told.push(...findings.map(({ title, severity }) => `${title}: ${severity}`)),
    });
    expect(told).toEqual(["0 of 3", "Fix it: damage", "1 of 3", "2 of 3", "C: damage", "3 of 3"]);
  });

  it("looks only at the sources asked for", async () => {
    const one = fakeSource([{ id: "a" }], "one", { examined: [problem("lock-stale", { source: "one" })] });
    const two = fakeSource([{ id: "b" }], "two");
    expect(await diagnose(catalogOf(one, two), { sources: ["two"] })).toEqual({
      problems: [],
      sessions: 1,
      sources: ["two"],
      workspaces: [{ workspace: "no workspace", sessions: 1, problems: {} }],
    });
  });
});

it("needs a rescue of the sessions that one is advised for, by their names and not as a shell spells them", async () => {
  const rescue = (session?: string): Partial<Problem> => ({
    remedy:
      session === undefined ? { action: "rescue", args: { vscode: true } } : { action: "rescue", session },
  });
  const problems = [
    problem("record-torn", { line: 1, ...rescue("fake:my chat") }),
    problem("record-torn", { line: 2, ...rescue("fake:my chat") }),
    problem("index-unreadable", rescue()),
    problem("workspace-missing", { remedy: { action: "show", session: "fake:a" } }),
    problem("format-newer", { fix: "rethread rescue fake:b" }),
  ];
  const diagnosis = await diagnose(catalogOf(fakeSource([{ id: "a", problems }], "fake")));
  expect(inNeedOfRescue(diagnosis)).toEqual(["fake:my chat"]);
});

it("says of no workspace what lies around sessions of several", () => {
  const around = (path: string) => [
    { code: "index-behind", source: "fake", path, message: "", severity: "oddity" } as const,
  ];
  const sessions = ["a", "b"].map((id) => ({
    ...toSession({ id, head: { workspace: `/work/${id}` } }),
    path: `/home/${id}/log`,
  }));
  const named = (path: string) =>
    byWorkspace(around(path), sessions).find(({ problems }) => problems["index-behind"])?.workspace;
  expect([named("/home/a/store.db"), named("/home/store.db")]).toEqual(["/work/a", "/home"]);
});
