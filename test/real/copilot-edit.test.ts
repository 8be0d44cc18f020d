/** What we write for Copilot CLI, judged by the real one: it resumes it, and its model receives what was meant. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { EditCore } from "../../src/app/edit/core.ts";
import { linksBelow, moveBehindLink } from "../edit/linking.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { type Editing, openEditing } from "./copilot-editing.ts";
import { scripted } from "./scripted-model.ts";

const LONG = "aaaaaaaa-0000-4000-8000-00000000e001";
const TURNS = 5;
let copilot: Copilot;
let edit: EditCore;
let contextOf: Editing["contextOf"];

const folderOf = (id: string): string => join(copilot.home, "session-state", id);
const logOf = (id: string): string[] => readFileSync(copilot.log(id), "utf8").trimEnd().split("\n");
const workspaceOf = (id: string): Record<string, unknown> =>
  parse(readFileSync(join(folderOf(id), "workspace.yaml"), "utf8")) as Record<string, unknown>;

/** The ids of the records that begin turns. */
const promptsOf = (id: string): string[] =>
  logOf(id)
    .map((line) => JSON.parse(line))
    .filter(({ type, agentId }) => type === "user.message" && agentId === undefined)
    .map((record) => record.id);

/** Created and edited files, a failed command, a compaction, a prompt of several lines. */
beforeAll(async () => {
  copilot = await startCopilot();
  const file = join(copilot.workspace, "a.txt");
  const headless = await copilot.headless();
  await headless.create(LONG);
  const create = { name: "create", input: { path: file, file_text: "hello\n" } };
  await headless.say(LONG, scripted('Make a "file"\nand say so', { calls: [create] }, { say: "Made." }));
  await headless.say(
    LONG,
    scripted(
      "Run it",
      { calls: [{ name: "bash", input: { command: "exit 3", description: "fail" } }] },
      { say: "It failed." },
    ),
  );
  await headless.call("session.history.compact", { sessionId: LONG });
  const change = { name: "edit", input: { path: file, old_str: "hello", new_str: "bye" } };
  await headless.say(LONG, scripted("Change it", { calls: [change] }, { say: "Changed." }));
  await headless.say(LONG, "Fourth: a #question");
  await headless.close();
  await copilot.prompt(LONG, "Fifth, in a new process");

  ({ edit, contextOf } = openEditing(copilot));
});
afterAll(() => copilot.close());

describe("a clone", () => {
  it("is resumed, and its model receives what that of the original would", async () => {
    const { plan } = await edit.apply(await edit.planClone(LONG, {}));
    const { code, messages, stderr } = await copilot.resume(plan.session.id);
    expect({ code, messages }, stderr).toEqual({ code: 0, messages: await contextOf(LONG) });
    expect(messages).toEqual(await contextOf(plan.session.id));
  });

  it("differs from the original in session.start and workspace.yaml alone", async () => {
    const { plan } = await edit.apply(await edit.planClone(LONG, {}));
    const { id } = plan.session;
    expect(logOf(id).slice(1)).toEqual(logOf(LONG).slice(1));
    const [theirs, ours] = [workspaceOf(LONG), workspaceOf(id)];
    const times = { created_at: expect.any(String), updated_at: expect.any(String) };
    const name = expect.stringMatching(/^Make a "file" and say so .* \(clone( \d+)?\)$/);
    expect(ours).toEqual({ ...theirs, id, name, fork_count: 0, ...times });
  });

  it("takes a new name and folder, which the program then goes by", async () => {
    const other = join(copilot.workspace, "other");
    mkdirSync(other);
    const { plan } = await edit.apply(await edit.planClone(LONG, { name: 'New: "name" #1', to: "other" }));
    const { id } = plan.session;
    const run = await copilot.run([
      "--resume",
      'New: "name" #1',
      "-p",
      scripted(
        "Where?",
        { calls: [{ name: "bash", input: { command: "pwd > here.txt", description: "where" } }] },
        { say: "There." },
      ),
      "-s",
      "--allow-all-tools",
    ]);
    expect(run.code, run.stderr).toBe(0);
    expect(existsSync(join(other, "here.txt"))).toBe(true);
    expect(workspaceOf(id)).toMatchObject({ name: 'New: "name" #1', user_named: true, cwd: other });
  });
});

describe("a fork", () => {
  it.each(Array.from({ length: TURNS }, (_, turn) => turn))(
    "at turn %i is resumed with exactly the messages that `context` tells",
    async (turn) => {
      const { plan } = await edit.apply(await edit.planFork(LONG, { at: turn }));
      expect(plan.expected?.turns).toBe(turn + 1);
      const { code, messages, stderr } = await copilot.resume(plan.session.id);
      expect({ code, messages }, stderr).toEqual({ code: 0, messages: await contextOf(plan.session.id) });
    },
  );

  it.each([0, 1, 3])("at turn %i is what the program's own fork is", async (turn) => {
    const prompts = promptsOf(LONG);
    const { plan } = await edit.apply(await edit.planFork(LONG, { at: turn }));
    // The count is raised by ours, so the next default name is the one after it.
    const headless = await copilot.headless();
    const { sessionId } = await headless.call("sessions.fork", {
      sessionId: LONG,
      toEventId: prompts[turn + 1],
    });
    await headless.close();
    const { id } = plan.session;
    expect(look(id)).toEqual(look(sessionId));
    // What it leaves behind and people miss: the file states, so that a fork can be rewound.
    const kept = (folder: string): string[] =>
      readdirSync(folder).filter((name) => name !== ".workspace-fork.lock");
    expect(kept(folderOf(id))).toEqual(
      [...kept(folderOf(sessionId)), ...(hasSnapshots() ? ["rewind-file-snapshots"] : [])].sort(),
    );
  });
});

const hasSnapshots = (): boolean => existsSync(join(folderOf(LONG), "rewind-file-snapshots"));

/** A fork without what is made up anew each time: ids, times and the number in its name. */
function look(id: string) {
  const neutral = (text: string): string =>
    text
      .replaceAll(id, "<id>")
      .replaceAll(/ \(fork( \d+)?\)/g, " (fork)")
      .replaceAll(/ ?\(fork\)/g, "(fork)");
  const lines = logOf(id).map((line) => JSON.parse(neutral(line)));
  const [start, last] = [lines[0], lines.at(-1)];
  start.timestamp = start.data.startTime = last.timestamp = last.id = "<new>";
  const { name, created_at: _, updated_at: __, ...fields } = workspaceOf(id);
  return {
    lines,
    fields: { ...fields, id: "<id>" },
    name: neutral(String(name)),
    checkpoints: readdirSync(join(folderOf(id), "checkpoints")).map((file) => [
      file,
      readFileSync(join(folderOf(id), "checkpoints", file), "utf8"),
    ]),
  };
}

describe("a rewind", () => {
  const clone = async (): Promise<string> =>
    (await edit.apply(await edit.planClone(LONG, { name: "A copy" }))).plan.session.id;

  it.each(Array.from({ length: TURNS }, (_, turn) => turn))(
    "to turn %i is resumed with exactly the messages that `context` tells",
    async (turn) => {
      const id = await clone();
      const before = readFileSync(copilot.log(id), "utf8");
      const plan = await edit.planRewind(id, turn);
      if (plan.steps.length > 0) await edit.apply(plan);
      expect(promptsOf(id)).toEqual(promptsOf(LONG).slice(0, turn + 1));
      expect(before.startsWith(readFileSync(copilot.log(id), "utf8"))).toBe(true);
      const { code, messages, stderr } = await copilot.resume(id);
      expect({ code, messages }, stderr).toEqual({ code: 0, messages: await contextOf(id) });
    },
  );

  it.each([0, 1, 3])("to turn %i leaves what the program's own rewind leaves", async (turn) => {
    const [ours, theirs] = [await clone(), await clone()];
    await edit.apply(await edit.planRewind(ours, turn));
    const headless = await copilot.headless();
    await headless.resume(theirs);
    const eventId = promptsOf(theirs)[turn + 1];
    const request = { sessionId: theirs, eventId, mode: "conversation" };
    expect(await headless.call("session.history.rewind", request)).toMatchObject({ outcome: "success" });
    const left = lookBeside(theirs);
    await headless.close();
    expect(lookBeside(ours)).toEqual(left);
  });

  it("leaves the program's own rewind the file states it needs", async () => {
    const id = "aaaaaaaa-0000-4000-8000-00000000e002";
    const path = join(copilot.workspace, "states.txt");
    const change = (from: string, to: string) => ({
      name: "edit",
      input: { path, old_str: from, new_str: to },
    });
    const create = { name: "create", input: { path, file_text: "0" } };
    for (const call of [create, change("0", "1")])
      await copilot.prompt(id, scripted("Go on", { calls: [call] }, { say: "Done." }));
    await edit.apply(await edit.planRewind(id, 0));
    expect(readFileSync(path, "utf8")).toBe("1");
    await copilot.prompt(id, scripted("Another way", { calls: [change("1", "2")] }, { say: "Done." }));
    const headless = await copilot.headless();
    await headless.resume(id);
    const { points } = await headless.call("session.history.listRewindPoints", { sessionId: id });
    const restorable = { canRestoreFiles: true, turnChangedFiles: true };
    expect(points).toMatchObject(promptsOf(id).map((eventId) => ({ eventId, ...restorable })));
    const request = { sessionId: id, eventId: promptsOf(id)[1], mode: "conversation-and-files" };
    expect(await headless.call("session.history.rewind", request)).toMatchObject({
      outcome: "success",
      restoredFiles: [path],
    });
    await headless.close();
    expect(readFileSync(path, "utf8")).toBe("1");
  });
});

/** A rewound session, times aside, and records of the model's calls, which its own rewind loses. */
function lookBeside(id: string) {
  const { updated_at: _, created_at: __, ...fields } = workspaceOf(id);
  const checkpoints = join(folderOf(id), "checkpoints");
  return {
    lines: logOf(id)
      .map((line) => JSON.parse(line.replaceAll(id, "<id>")))
      .filter(({ type }) => !type.startsWith("model.")),
    fields: { ...fields, id: "<id>" },
    checkpoints: readdirSync(checkpoints).map((file) => [
      file,
      readFileSync(join(checkpoints, file), "utf8"),
    ]),
    snapshots: hasSnapshots()
      ? readdirSync(join(folderOf(id), "rewind-file-snapshots"), { recursive: true })
      : [],
  };
}

describe("a renamed session", () => {
  it("goes by its new name in the program", async () => {
    await edit.apply(await edit.planRename(LONG, "Renamed: it's #1"));
    const { code, stderr } = await copilot.run(["--resume", "renamed: it's #1", "-p", "Still there?", "-s"]);
    expect(code, stderr).toBe(0);
    expect(workspaceOf(LONG)).toMatchObject({ name: "Renamed: it's #1", user_named: true });
  });
});

describe("a deleted session", () => {
  it("is gone for the program, and back once that is undone", async () => {
    const { operation } = await edit.apply(await edit.planDelete(LONG));
    const gone = await copilot.run(["--resume", LONG, "-p", "There?", "-s"]);
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain("No session, task, or name matched");
    await edit.apply(await edit.planUndo(operation));
    const { code, messages } = await copilot.resume(LONG);
    expect({ code, messages }).toEqual({ code: 0, messages: await contextOf(LONG) });
  });
});

it("goes on with a session behind links that was changed through them", async () => {
  const { id } = (await edit.apply(await edit.planClone(LONG, {}))).plan.session;
  const [there, log] = [join(copilot.home, "..", "elsewhere"), join(copilot.home, "..", "log.jsonl")];
  moveBehindLink(join(folderOf(id), "events.jsonl"), log);
  moveBehindLink(folderOf(id), there);
  await edit.apply(await edit.planRewind(id, 1));
  await edit.apply(await edit.planRename(id, "Behind links"));
  expect(await copilot.prompt(id, "Sixth, behind links")).toMatchObject({ code: 0 });
  expect(promptsOf(id)).toHaveLength(3);
  expect(readFileSync(log, "utf8")).toContain("Sixth, behind links");
  expect(workspaceOf(id).name).toBe("Behind links");
  expect(linksBelow(folderOf(id), there)).toEqual({
    [folderOf(id)]: there,
    [join(there, "events.jsonl")]: log,
  });
});
