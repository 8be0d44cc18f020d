/** Compactions that we make, judged by the real Copilot CLI: its model receives the summary and what stays, nothing twice. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Copilot, programPath, startCopilot } from "./copilot.ts";
import { type Editing, openEditing } from "./copilot-editing.ts";
import { type SentMessage, SUMMARY } from "./openai.ts";
import { scripted } from "./scripted-model.ts";

const LONG = "aaaaaaaa-0000-4000-8000-00000000d001";
let copilot: Copilot;
let editing: Editing;

const folderOf = (id: string): string => join(copilot.home, "session-state", id);
const logOf = (id: string) =>
  readFileSync(copilot.log(id), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const workspaceOf = (id: string): Record<string, unknown> =>
  parse(readFileSync(join(folderOf(id), "workspace.yaml"), "utf8")) as Record<string, unknown>;
const clone = async (id = LONG): Promise<string> =>
  (await editing.edit.apply(await editing.edit.planClone(id, { name: "A copy" }))).plan.session.id;
const compact = async (id: string, keep = 2) =>
  (await editing.edit.apply(await editing.edit.planCompact(id, { keep }))).plan;

/** Resumes it; the messages are those that `context` tells. */
async function resume(id: string): Promise<SentMessage[]> {
  const { code, messages, stderr } = await copilot.resume(id);
  expect({ code, messages }, stderr).toEqual({ code: 0, messages: await editing.contextOf(id) });
  return messages ?? [];
}

beforeAll(async () => {
  copilot = await startCopilot();
  const path = join(copilot.workspace, "states.txt");
  const headless = await copilot.headless();
  await headless.create(LONG);
  const create = { name: "create", input: { path, file_text: "0" } };
  const change = (from: string, to: string) => ({
    name: "edit",
    input: { path, old_str: from, new_str: to },
  });
  const fail = { name: "bash", input: { command: "exit 3", description: "fail" } };
  await headless.say(LONG, scripted("Write the states", { calls: [create] }, { say: "Written." }));
  await headless.say(LONG, scripted("Try it", { calls: [fail] }, { say: "It failed." }));
  await headless.say(LONG, scripted("Change it", { calls: [change("0", "1")] }, { say: "Changed." }));
  await headless.say(
    LONG,
    scripted("Change it again", { calls: [change("1", "2")] }, { say: "Changed again." }),
  );
  await headless.say(LONG, "And what now?");
  await headless.close();
  editing = openEditing(copilot);
});
afterAll(() => copilot.close());

describe("a compaction in place", () => {
  it("lets the program send the summary and the turns that stay, and none of the other prompts", async () => {
    const id = await clone();
    const before = await editing.contextOf(id);
    const { checkpoint } = await compact(id);
    const [summary, ...rest] = await resume(id);
    expect(rest).toEqual(before.slice(-6));
    expect(summary?.text).toContain(checkpoint?.summary);
    expect(summary?.text).not.toContain("<user_message>");
    expect(summary?.text).toContain("Write the states");
  });

  it("is compacted, rewound, forked and gone on with again, by us and by the program", async () => {
    const id = await clone();
    await compact(id, 3);
    await compact(id, 1);
    expect(await resume(id)).toHaveLength(3);
    const headless = await copilot.headless();
    await headless.resume(id);
    await headless.say(id, "Go on");
    await headless.call("session.history.compact", { sessionId: id });
    await headless.say(id, "And on");
    await headless.close();
    expect(readdirSync(join(folderOf(id), "checkpoints"))).toMatchObject([
      expect.stringMatching(/^001-/),
      expect.stringMatching(/^002-/),
      "003-looked-around.md",
      "index.md",
    ]);
    const fork = (await editing.edit.apply(await editing.edit.planFork(id, { at: 1 }))).plan.session.id;
    await resume(fork);
    await editing.edit.apply(await editing.edit.planRewind(id, 0));
    await resume(id);
    expect(workspaceOf(id)).toMatchObject({ summary_count: 2 });
  });

  it("can be had back as a new session after the program has continued the compacted one", async () => {
    const id = await clone();
    const before = await editing.contextOf(id);
    const { operation } = await editing.edit.apply(await editing.edit.planCompact(id, { keep: 1 }));
    await copilot.prompt(id, "Continue");
    await expect(editing.edit.planUndo(operation)).rejects.toMatchObject({ code: "changed-since" });
    const copy = await editing.edit.apply(await editing.edit.planBackupCopy(operation));
    expect(await resume(copy.plan.session.id)).toEqual(before);
    editing.edit.close();
  });

  it("leaves the program what it needs to rewind files", async () => {
    const id = "aaaaaaaa-0000-4000-8000-00000000d002";
    const path = join(copilot.workspace, "rewound.txt");
    const change = (from: string, to: string) => ({
      name: "edit",
      input: { path, old_str: from, new_str: to },
    });
    const calls = [{ name: "create", input: { path, file_text: "0" } }, change("0", "1"), change("1", "2")];
    for (const call of calls)
      await copilot.prompt(id, scripted("Go on", { calls: [call] }, { say: "Done." }));
    await compact(id, 2);
    const headless = await copilot.headless();
    await headless.resume(id);
    const { points } = await headless.call("session.history.listRewindPoints", { sessionId: id });
    expect(points).toMatchObject([{ canRestoreFiles: true }, { canRestoreFiles: true }]);
    const request = { sessionId: id, eventId: points[1].eventId, mode: "conversation-and-files" };
    expect(await headless.call("session.history.rewind", request)).toMatchObject({ outcome: "success" });
    await headless.close();
    expect(readFileSync(path, "utf8")).toBe("1");
  });
});

describe("an appended compaction", () => {
  it("leaves what the program's own leaves, file by file", async () => {
    const summary = SUMMARY.replace(">Looked around", ">Ext Title: with weird / chars, and more of it");
    const file = join(copilot.workspace, "summary.txt");
    writeFileSync(file, summary);
    const [ours, theirs] = [await clone(), await clone()];
    const request = { append: true, with: `cat '${file}'` };
    await editing.edit.apply(await editing.edit.planCompact(ours, request));
    const headless = await copilot.headless();
    await headless.resume(theirs);
    const customInstructions = scripted("", { say: summary });
    await headless.call("session.history.compact", { sessionId: theirs, customInstructions });
    await headless.close();
    expect(look(ours)).toEqual(look(theirs));
    // As the program does it, every prompt is sent along.
    expect((await resume(ours))[0]?.text).toContain("<user_message>\nWrite the states");
  });
});

/** All but what is made up anew each time, and what only the program knows: tokens and its call of the model. */
function look(id: string) {
  const { updated_at: _, created_at: __, id: ___, ...fields } = workspaceOf(id);
  const checkpoints = join(folderOf(id), "checkpoints");
  const records = logOf(id).filter(({ type }) => /compaction|user\.message/.test(type));
  return {
    fields,
    checkpoints: readdirSync(checkpoints).map((file) => [
      file,
      readFileSync(join(checkpoints, file), "utf8"),
    ]),
    records: records.map(({ type, data }) =>
      type === "user.message"
        ? data.content
        : {
            type,
            data: Object.fromEntries(
              Object.entries(data)
                .filter(
                  ([key]) =>
                    !/Tokens|tokenLimit|tokens|tokenAccounting|[mM]odel|trigger|customInstr|AttemptId/.test(
                      key,
                    ),
                )
                .map(([key, value]) => [
                  key,
                  typeof value === "string" ? value.replaceAll(id, "<id>") : value,
                ]),
            ),
          },
    ),
  };
}

describe("a summary that the user's own Copilot CLI writes", () => {
  it("comes from its model, and leaves no session of that behind", async () => {
    const bin = join(copilot.workspace, "bin");
    mkdirSync(bin);
    symlinkSync(programPath(), join(bin, "copilot"));
    chmodSync(bin, 0o755);
    const id = await clone();
    const vars = { ...copilot.env, PATH: `${bin}:${process.env.PATH}` };
    const { edit } = openEditing(copilot, { vars });
    const before = readdirSync(join(copilot.home, "session-state"));
    copilot.model.clear();
    const { plan } = await edit.apply(await edit.planCompact(id, { keep: 1, with: "copilot" }));
    expect(plan.checkpoint?.title).toBe("Looked around");
    expect(readdirSync(join(copilot.home, "session-state"))).toEqual(before);
    const asked = JSON.stringify(copilot.model.requests.at(-1)?.body);
    expect(asked).toContain("Change it again");
    expect(JSON.parse(asked).tools).toBeUndefined();
    expect((await resume(id))[0]?.text).toContain(SUMMARY);
  });
});

describe("a checkpoint beside the log", () => {
  it("changes nothing for the model, and the program counts on from it", async () => {
    const id = await clone();
    const before = await editing.contextOf(id);
    await editing.edit.apply(await editing.edit.planCheckpoint(id, { title: "Before the rewrite" }));
    expect(await resume(id)).toEqual(before);
    const headless = await copilot.headless();
    await headless.resume(id);
    await headless.call("session.history.compact", { sessionId: id });
    await headless.close();
    expect(readFileSync(join(folderOf(id), "checkpoints", "index.md"), "utf8")).toContain(
      "| 1 | Before the rewrite | 001-before-the-rewrite.md |\n| 2 | Looked around | 002-looked-around.md |\n",
    );
  });
});

describe("a clone without its oldest turns", () => {
  it.each([{}, { summarize: true }])("begins with what stands for them: %o", async (how) => {
    const { plan } = await editing.edit.apply(
      await editing.edit.planClone(LONG, { dropOldest: { count: 3 }, ...how }),
    );
    const [first, ...rest] = await resume(plan.session.id);
    expect(rest).toEqual((await editing.contextOf(LONG)).slice(-6));
    expect(first?.text).toContain(
      how.summarize
        ? "Here is a summary of the prior context"
        : "3 of the 5 turns of this session were left out",
    );
  });
});
