/** Files that go back with a rewind: the same as after the real program's own, and forks and clones can be rewound by it. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { lookAtAll } from "../edit/home.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { type Editing, openEditing } from "./copilot-editing.ts";
import { scripted } from "./scripted-model.ts";

const ID = "aaaaaaaa-0000-4000-8000-00000000f001";
let copilot: Copilot;
let edit: EditCore;
let contextOf: Editing["contextOf"];
/** The folder of the session, and what it and its surroundings were like when the session ended. */
let shop: string;
let kept: string;

const folderOf = (id: string): string => join(copilot.home, "session-state", id);
const promptsOf = (id: string): string[] =>
  readFileSync(copilot.log(id), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "user.message")
    .map((record) => record.id);

beforeAll(async () => {
  copilot = await startCopilot();
  shop = join(copilot.workspace, "shop");
  kept = join(copilot.workspace, "..", "kept");
  mkdirSync(shop);
  const at = (name: string): string => join(shop, name);
  const put = (name: string, text: string): void => writeFileSync(at(name), text);
  put("a.txt", "one\ntwo\n");
  put("gone.txt", "gone\n");
  put("run.sh", "echo\n");
  chmodSync(at("run.sh"), 0o755);
  put("real.txt", "real\n");
  symlinkSync("real.txt", at("link.txt"));
  writeFileSync(at("../outside.txt"), "out\n");

  const call = (name: string, input: object) => ({ name, input });
  const change = (name: string, from: string, to: string) =>
    call("edit", { path: at(name), old_str: from, new_str: to });
  const bash = (command: string) => call("bash", { command, description: "Run it" });
  const headless = await copilot.headless();
  await headless.create(ID, { workingDirectory: shop, enableFileChangeTracking: true });
  const turn = (text: string, ...calls: { name: string; input: object }[]): Promise<void> =>
    headless.say(ID, scripted(text, ...calls.map((each) => ({ calls: [each] })), { say: "Done." }));
  await turn(
    "Begin",
    change("a.txt", "one", "1\n1"),
    call("create", { path: at("new.txt"), file_text: "n\n" }),
  );
  await turn("Go on", change("a.txt", "two", "2"), bash("mkdir -p d/e; echo f > d/e/f; rm gone.txt"));
  await headless.call("session.history.compact", { sessionId: ID });
  await turn("More", change("run.sh", "echo", "echo 1"), change("link.txt", "real", "REAL"));
  await turn("Last", change("../outside.txt", "out", "in"), bash("rm new.txt; echo 3 >> a.txt"));
  await turn("Nothing");
  await headless.close();
  cpSync(copilot.workspace, kept, { recursive: true, verbatimSymlinks: true });
  ({ edit, contextOf } = openEditing(copilot));
});
afterAll(() => copilot.close());

const clone = async (): Promise<string> => (await edit.apply(await edit.planClone(ID, {}))).plan.session.id;

function putBack(): void {
  rmSync(copilot.workspace, { recursive: true });
  cpSync(kept, copilot.workspace, { recursive: true, verbatimSymlinks: true });
}

/** What a rewind leaves: the workspace without times, the recorded states, the checkpoints, the log. */
function lookAfter(id: string) {
  const [snapshots, checkpoints] = [
    join(folderOf(id), "rewind-file-snapshots"),
    join(folderOf(id), "checkpoints"),
  ];
  const files = Object.entries(lookAtAll(copilot.workspace)).map(([name, look]) => [
    name,
    look.replace(/^(file \d+) \d+/, "$1"),
  ]);
  const index = join(snapshots, "index.json");
  return {
    files: Object.fromEntries(files),
    states: existsSync(index) ? JSON.parse(readFileSync(index, "utf8")).snapshots : [],
    backups: readdirSync(join(snapshots, "backups")).sort(),
    checkpoints: readdirSync(checkpoints).map((name) => readFileSync(join(checkpoints, name), "utf8")),
    prompts: promptsOf(id),
  };
}

describe("a rewind with files", () => {
  it.each([0, 1, 2])("to turn %i does what the program's own does, and is undone", async (turn) => {
    const [ours, theirs] = [await clone(), await clone()];
    const headless = await copilot.headless();
    await headless.resume(theirs);
    const eventId = promptsOf(theirs)[turn + 1];
    const preview = await headless.call("session.history.previewRewind", { sessionId: theirs, eventId });

    const before = [lookAtAll(copilot.workspace), lookAtAll(folderOf(ours))];
    const plan = await edit.planRewind(ours, turn, { files: true, outside: true });
    expect(
      plan.files?.map(({ path, change: changeType, linesAdded, linesRemoved }) => ({
        path,
        changeType,
        linesAdded,
        linesRemoved,
      })),
    ).toEqual(preview.files);
    const { operation } = await edit.apply(plan);
    const after = lookAfter(ours);
    const { code, messages, stderr } = await copilot.resume(ours);
    expect({ code, messages }, stderr).toEqual({ code: 0, messages: await contextOf(ours) });
    await edit.apply(await edit.planUndo(operation));
    expect([lookAtAll(copilot.workspace), lookAtAll(folderOf(ours))]).toEqual(before);

    const request = { sessionId: theirs, eventId, mode: "conversation-and-files" };
    expect(await headless.call("session.history.rewind", request)).toMatchObject({
      outcome: "success",
      skippedFiles: [],
    });
    expect(after).toEqual(lookAfter(theirs));
    await headless.close();
    putBack();
  });
});

it("leaves files alone that somebody changed since, as the program does", async () => {
  const [ours, theirs] = [await clone(), await clone()];
  const touch = (): void => {
    putBack();
    writeFileSync(join(shop, "a.txt"), "mine\n");
    writeFileSync(join(shop, "gone.txt"), "mine, too\n");
  };
  touch();
  const eventId = promptsOf(ours)[1] ?? "";
  const plan = await edit.planRewind(ours, eventId, { files: true, outside: true });
  const skipped = plan.files?.flatMap(({ path, skipped: reason }) => (reason ? [{ path, reason }] : []));
  const linesBefore = readFileSync(copilot.log(ours), "utf8").split("\n").length;
  await edit.apply(plan);
  const linesAfter = readFileSync(copilot.log(ours), "utf8").split("\n").length;
  expect(plan.removed).toEqual({ events: linesBefore - linesAfter, from: eventId });
  const after = lookAfter(ours);

  touch();
  const headless = await copilot.headless();
  await headless.resume(theirs);
  const rewound = headless.event(theirs, "session.snapshot_rewind");
  const request = { sessionId: theirs, eventId, mode: "conversation-and-files" };
  expect(await headless.call("session.history.rewind", request)).toMatchObject({
    outcome: "success",
    skippedFiles: skipped,
  });
  expect(await rewound).toMatchObject({ data: { upToEventId: plan.removed?.from } });
  expect(skipped?.map(({ reason }) => reason)).toEqual(["user-modified", "user-modified"]);
  expect(after).toEqual(lookAfter(theirs));
  await headless.close();
  putBack();
});

describe("a copy", () => {
  it.each(["clone", "fork"])("made by %s can be rewound with its files by the program", async (how) => {
    const plan = how === "clone" ? await edit.planClone(ID, {}) : await edit.planFork(ID, { at: 3 });
    const { id } = (await edit.apply(plan)).plan.session;
    const headless = await copilot.headless();
    const pointsOf = async (sessionId: string) => {
      await headless.resume(sessionId);
      const { fileChangeTrackingEnabled, points } = await headless.call("session.history.listRewindPoints", {
        sessionId,
      });
      return { fileChangeTrackingEnabled, points };
    };
    const [theirs, ours] = [await pointsOf(ID), await pointsOf(id)];
    expect(theirs).toMatchObject({ fileChangeTrackingEnabled: true, points: { length: 5 } });
    // A fork that ends with turn 3 has no later one; what its own turns did is told the same.
    expect(ours).toEqual({ ...theirs, points: theirs.points.slice(0, how === "clone" ? 5 : 4) });
    const request = { sessionId: id, eventId: promptsOf(id)[1], mode: "conversation-and-files" };
    const result = await headless.call("session.history.rewind", request);
    await headless.close();
    expect(result).toMatchObject({ outcome: "success", skippedFiles: [] });
    const text = (name: string): string => readFileSync(join(shop, name), "utf8");
    expect(["a.txt", "new.txt", "gone.txt", "real.txt", "../outside.txt"].map(text)).toEqual([
      "1\n1\ntwo\n",
      "n\n",
      "gone\n",
      "real\n",
      "out\n",
    ]);
    putBack();
  });
});
