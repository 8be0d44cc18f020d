/** Writes that wait until VS Code has ended: in the foreground, and as jobs of the background. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import type { App, Job } from "../../src/app/contract.ts";
import { createOutput } from "../../src/cli/output.ts";
import { printJobs } from "../../src/cli/print/changes/history.ts";
import { pinned, writeWhenClosed } from "../../src/cli/when-closed.ts";
import { deleteSession } from "../../src/operations/changes/delete.ts";
import { jobCancel } from "../../src/operations/changes/jobs.ts";
import { rename } from "../../src/operations/changes/rename.ts";
import { runJob } from "../../src/operations/changes/run-job.ts";
import { undo } from "../../src/operations/changes/undo.ts";
import { applyWhenClosed } from "../../src/operations/changes/when-closed.ts";
import { history } from "../../src/operations/questions/history.ts";
import { toFailure } from "../../src/present/failure.ts";
import { createStyle } from "../../src/present/text/style.ts";
import { pidLike } from "../lookalike.ts";
import {
  createVsCodeHome,
  ELSEWHERE,
  ID,
  INDEX_KEY,
  lookAtUser,
  OTHER,
  rowsOf,
  type VsCodeHome,
} from "./vscode-home.ts";

let home: VsCodeHome;
let app: App;
let now: Date;
beforeEach(async () => {
  home = createVsCodeHome();
  now = new Date("2026-11-15T12:00:00.000Z");
  const vars = { VSCODE_STORAGE_PATH: join(home.user, "workspaceStorage"), RETHREAD_HOME: home.data };
  app = await createApp(
    toConfig(
      {},
      {
        vars,
        platform: process.platform,
        homeDir: dirname(home.data),
        folder: home.user,
        stdout: {},
        stderr: {},
        // No process is started here: tests do what it would do.
        self: [process.execPath, "--version"],
        now: () => now,
      },
    ),
  );
});
afterEach(() => home.remove());

const lock = (): string => join(dirname(home.user), "code.lock");
const openEditor = (): void => writeFileSync(lock(), String(pidLike("code")));
const closeEditor = (): void => rmSync(lock());
const titles = (): Record<string, string> => {
  const row = rowsOf(home.file("state.vscdb"))[INDEX_KEY] as {
    list: { entries: Record<string, { title: string }> };
  };
  return Object.fromEntries(Object.entries(row.list.entries).map(([id, { title }]) => [id, title]));
};
const planRename = (name: string) => rename.run(app, { session: ID, name });

describe("in the foreground", () => {
  it("waits, says for what, and applies a plan that was made after the wait", async () => {
    openEditor();
    const first = await planRename("After");
    const told: unknown[] = [];
    const actions = [() => undefined, closeEditor];
    let plans = 0;
    const { write } = await applyWhenClosed(app, first, {
      plan: async () => {
        plans++;
        return planRename("After");
      },
      onWait: (found) => void told.push(found.map(({ pid }) => pid)),
      pause: async () => actions.shift()?.(),
    });
    expect({ told, plans, left: actions.length }).toEqual({ told: [[pidLike("code")]], plans: 1, left: 0 });
    expect(write?.operation).toMatch(/^[0-9a-f]{8}$/);
    expect(titles()[ID]).toBe("After");
  });

  it("waits again when VS Code was opened again before the write", async () => {
    let opened = 0;
    const { write } = await applyWhenClosed(app, undefined, {
      plan: () => planRename("After"),
      onWait: () => undefined,
      pause: async () => closeEditor(),
      begin: async () => {
        if (opened++ === 0) openEditor();
        return true;
      },
    });
    expect([opened, write !== undefined, titles()[ID]]).toEqual([2, true, "After"]);
  });

  it("ends with Ctrl-C and its exit code, and nothing is written", async () => {
    openEditor();
    const before = lookAtUser(home.user);
    const told: string[] = [];
    const page = { color: false, columns: 80, remarkColumns: 80, terminal: { stdout: false, stderr: false } };
    const out = {
      ...createOutput(page),
      note(text: string) {
        told.push(text);
        // What the terminal would send.
        setImmediate(() => process.listeners("SIGINT").at(-1)?.("SIGINT"));
      },
    };
    const first = await planRename("After");
    const waiting = writeWhenClosed(
      app,
      out,
      first,
      () => planRename("After"),
      async () => true,
    );
    await expect(waiting).rejects.toMatchObject({ code: "aborted", exitCode: 130 });
    expect(told).toEqual([expect.stringContaining(`until VS Code (process ${pidLike("code")}) has ended`)]);
    expect(lookAtUser(home.user)).toEqual(before);
  });

  it("asks again only where what would be done has changed meanwhile", async () => {
    openEditor();
    const asked: boolean[] = [];
    const page = { color: false, columns: 80, remarkColumns: 80, terminal: { stdout: false, stderr: false } };
    const out = { ...createOutput(page), note: closeEditor };
    for (const name of ["After", "Else"]) {
      const plan = () => planRename(name);
      const agree = async (_: unknown, isChanged: boolean) => asked.push(isChanged) === 0;
      await writeWhenClosed(app, out, await planRename("After"), plan, agree, 0);
      openEditor();
    }
    expect(asked).toEqual([false, true]);
  });
});

it("means the same session and the same write later, whatever else they are called by then", async () => {
  const named = await planRename("After");
  expect(pinned({ session: "First", name: "After" }, named)).toEqual({
    session: `vscode:${ID}`,
    name: "After",
  });
  const moved = await (await app.edit()).planMove({ session: ID.slice(0, 8), to: ELSEWHERE, text: false });
  expect(pinned({ sessions: ["First"], to: ELSEWHERE }, moved)).toMatchObject({ sessions: [`vscode:${ID}`] });
  const deleted = await deleteSession.run(app, { sessions: [ID.slice(0, 13), OTHER] });
  expect(pinned({ sessions: ["First", "Other"] }, deleted)).toEqual({
    sessions: [`vscode:${ID}`, `vscode:${OTHER}`],
  });
  const { operation } = await (await app.edit()).apply(named.fingerprint);
  expect(pinned({}, await undo.run(app, {}))).toEqual({ operation });
});

describe("a job in the background", () => {
  const start = (operation: string, input: object, command = "rethread rename"): Promise<Job> =>
    app.jobs().then((jobs) => jobs.start({ changes: [{ operation, input: { ...input } }], command }));
  const run = (id: string, pause: () => Promise<unknown> | unknown = neverPause): Promise<void> =>
    runJob(app, id, {
      now: () => now,
      pause: async () => void (await pause()),
      toFailure: (error) => {
        const { code, message, hint } = toFailure(error);
        return { code, message, hint };
      },
    });
  const neverPause = (): never => {
    throw new Error("there is nothing to wait for");
  };
  const jobsNow = async (): Promise<readonly Job[]> => (await history.run(app, {})).jobs;

  it("waits, writes, and is shown and undone by its name", async () => {
    openEditor();
    const before = lookAtUser(home.user);
    const { id } = await start("rename", { session: ID, name: "After" });
    expect(id).toMatch(/^job-[0-9a-f]{8}$/);
    await run(id, async () => {
      expect(await jobsNow()).toMatchObject([
        { id, state: "waiting", waitsFor: `VS Code (process ${pidLike("code")})` },
      ]);
      closeEditor();
    });
    const answer = await history.run(app, {});
    const [operation] = answer.writes.map((write) => write.operation);
    expect(history.toJson(answer, app).jobs).toEqual([
      {
        job: id,
        state: "done",
        command: "rethread rename",
        folder: home.user,
        createdAt: now.toISOString(),
        endedAt: now.toISOString(),
        waitsFor: expect.any(String),
        operations: [operation],
        error: null,
      },
    ]);
    expect(titles()[ID]).toBe("After");
    const { fingerprint } = await undo.run(app, { operation: id });
    await (await app.edit()).apply(fingerprint);
    expect(lookAtUser(home.user)).toEqual(before);
    await expect(jobCancel.run(app, { job: id })).rejects.toMatchObject({ code: "not-undoable" });
  });

  it("is cancelled while it waits, and then writes nothing", async () => {
    openEditor();
    const before = lookAtUser(home.user);
    const { id } = await start("delete", { session: ID });
    await run(id, async () => {
      expect((await jobCancel.run(app, { job: id.slice(0, 7) })).state).toBe("cancelled");
      closeEditor();
    });
    expect((await jobsNow()).map(({ state }) => state)).toEqual(["cancelled"]);
    expect(lookAtUser(home.user)).toEqual(before);
    await expect(undo.run(app, { operation: id })).rejects.toMatchObject({ code: "not-undoable" });
  });

  it("says why it failed, and asks for nothing that only a person may choose", async () => {
    const { id: gone } = await start("delete", { session: "no such session" });
    await run(gone);
    const { id: local } = await start("clone", { session: ID, summarize: true, with: "touch owned" });
    await run(local);
    const { id: other } = await start("prune", {});
    await run(other);
    const { id: none } = await start("__proto__", {});
    await run(none);
    expect(Object.fromEntries((await jobsNow()).map((job) => [job.id, job]))).toMatchObject({
      [other]: { state: "failed", error: { code: "usage", message: "prune is no change" } },
      [none]: { state: "failed", error: { code: "usage", message: "__proto__ is no change" } },
      [gone]: { state: "failed", error: { code: "session-not-found" } },
      [local]: { state: "failed", error: { code: "usage" } },
    });
  });

  it("runs after those that were started before it", async () => {
    openEditor();
    const first = await start("rename", { session: ID, name: "One" });
    now = new Date(now.getTime() + 1000);
    const second = await start("rename", { session: ID, name: "Two" });
    await run(second.id, async () => {
      const [own] = await jobsNow();
      expect(own).toMatchObject({ id: second.id, waitsFor: `${first.id}, which was started earlier` });
      closeEditor();
      await run(first.id);
      expect(titles()[ID]).toBe("One");
    });
    expect(titles()).toMatchObject({ [ID]: "Two", [OTHER]: "Other" });
  });

  it("is shown as interrupted once its process is gone, with the command to run it again", async () => {
    const command = "rethread delete First --when-closed --background --yes";
    const { id } = await start("delete", { session: ID }, command);
    now = new Date(now.getTime() + 3_600_000);
    const [job] = await jobsNow();
    expect(job?.state).toBe("interrupted");
    const page = { columns: 200, style: createStyle(false), now, isDemo: false };
    expect(printJobs([job as Job], page).join("\n")).toContain(
      `${id}: its process ended before it did. Run it again: cd ${home.user} && ${command}`,
    );
    expect((await jobCancel.run(app, { job: id })).state).toBe("cancelled");
  });

  it("knows its write although its process was killed before it could note it", async () => {
    const before = lookAtUser(home.user);
    const { id } = await start("rename", { session: ID, name: "After" });
    await run(id);
    const path = join(home.data, "jobs", `${id}.json`);
    const { endedAt: _, ...done } = JSON.parse(readFileSync(path, "utf8"));
    const killed = (begun: string) =>
      writeFileSync(path, JSON.stringify({ ...done, state: "running", operations: [], begun }));
    killed(done.begun);
    expect(await jobsNow()).toMatchObject([{ state: "done", operations: done.operations }]);
    await expect(jobCancel.run(app, { job: id })).rejects.toMatchObject({ code: "not-undoable" });
    const { fingerprint } = await undo.run(app, { operation: id });
    await (await app.edit()).apply(fingerprint);
    expect(lookAtUser(home.user)).toEqual(before);
    killed("00000000");
    expect(await jobsNow()).toMatchObject([{ state: "interrupted", operations: [] }]);
    expect((await jobCancel.run(app, { job: id })).state).toBe("cancelled");
  });

  it("can be cancelled again when VS Code was opened before its write", async () => {
    const before = lookAtUser(home.user);
    const { id } = await start("rename", { session: ID, name: "After" });
    const edit = await app.edit();
    const apply: typeof edit.apply = (fingerprint) => {
      openEditor();
      return edit.apply(fingerprint);
    };
    const reopened = { ...app, edit: async () => ({ ...edit, apply }) };
    await runJob(reopened, id, {
      now: () => now,
      pause: async () => {
        expect(await jobsNow()).toMatchObject([{ id, state: "waiting" }]);
        await jobCancel.run(app, { job: id });
        closeEditor();
      },
      toFailure,
    });
    expect(await jobsNow()).toMatchObject([{ id, state: "cancelled", operations: [] }]);
    expect(lookAtUser(home.user)).toEqual(before);
  });

  it("is not shown, nor removed by another name, when something else has written its file", async () => {
    const victim = join(home.data, "victim.json");
    const { id } = await start("rename", { session: ID, name: "After" });
    writeFileSync(victim, "{}");
    const path = join(home.data, "jobs", `${id}.json`);
    const job = { ...JSON.parse(readFileSync(path, "utf8")), state: "done", endedAt: "2020-01-01T00:00:00Z" };
    const hostile: object[] = [
      { ...job, id: "../victim" },
      { ...job, createdAt: { toString: 1 } },
      { ...job, state: "constructor" },
      { ...job, command: null },
      { ...job, operations: [{}] },
      { ...job, changes: [null] },
      { ...job, error: { code: 1 } },
    ];
    for (const each of hostile) {
      writeFileSync(path, JSON.stringify(each));
      expect(await jobsNow()).toEqual([]);
      await start("rename", { session: ID, name: "Another" });
      expect(existsSync(victim)).toBe(true);
      for (const { id: other } of await jobsNow()) rmSync(join(home.data, "jobs", `${other}.json`));
    }
    rmSync(path);
    mkdirSync(path);
    expect(await jobsNow()).toEqual([]);
  });

  it("holds no lock on sessions while it waits, so that others write meanwhile", async () => {
    openEditor();
    const { id } = await start("rename", { session: ID, name: "After" });
    let written = false;
    await run(id, async () => {
      closeEditor();
      const { fingerprint } = await deleteSession.run(app, { session: OTHER });
      await (await app.edit()).apply(fingerprint);
      written = true;
    });
    expect([written, existsSync(home.file("chatSessions", `${OTHER}.jsonl`)), titles()[ID]]).toEqual([
      true,
      false,
      "After",
    ]);
    expect(readFileSync(join(home.data, "jobs", `${id}.json`), "utf8")).toContain('"state": "done"');
  });
});
