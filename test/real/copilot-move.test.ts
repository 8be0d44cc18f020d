/** A folder that moved, and the sessions that follow it, judged by the real program: it works there, and can be rewound there. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { EditCore } from "../../src/app/edit/core.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { type Editing, openEditing } from "./copilot-editing.ts";
import type { SentMessage } from "./openai.ts";
import { scripted } from "./scripted-model.ts";

const IDS = ["aaaaaaaa-0000-4000-8000-00000000f101", "aaaaaaaa-0000-4000-8000-00000000f102"] as const;
const [ID, BELOW] = IDS;
let copilot: Copilot;
let edit: EditCore;
let contextOf: Editing["contextOf"];
let [from, to] = ["", ""];
/** What the model would have received before the folder moved. */
let before: SentMessage[];

const bash = (command: string) => ({ name: "bash", input: { command, description: "Run it" } });

beforeAll(async () => {
  copilot = await startCopilot();
  from = join(copilot.workspace, "shop");
  to = join(copilot.workspace, "my store");
  mkdirSync(join(from, "api"), { recursive: true });
  execFileSync("git", ["init", "-q", "-b", "main", from]);
  const file = join(from, "a.txt");
  writeFileSync(file, "one\n");
  const headless = await copilot.headless();
  await headless.create(ID, { workingDirectory: from, enableFileChangeTracking: true });
  const change = (old_str: string, new_str: string) => ({
    name: "edit",
    input: { path: file, old_str, new_str },
  });
  await headless.say(
    ID,
    scripted(
      "Change it",
      { calls: [{ name: "view", input: { path: file } }] },
      { calls: [change("one", "two")] },
      { say: `Changed ${from}/a.txt.` },
    ),
    { attachments: [{ type: "file", path: file, displayName: "a.txt" }] },
  );
  const create = { name: "create", input: { path: join(from, "b.txt"), file_text: "b\n" } };
  await headless.say(
    ID,
    scripted("And more", { calls: [change("two", "three"), create, bash(`ls ${from}`)] }, { say: "Done." }),
  );
  await headless.create(BELOW, { workingDirectory: join(from, "api") });
  await headless.say(BELOW, "Hello");
  await headless.close();

  ({ edit, contextOf } = openEditing(copilot));
  before = await contextOf(ID);
  renameSync(from, to);
  await edit.apply(await edit.planMove({ from, to, text: false }));
});
afterAll(() => copilot.close());

describe("sessions that followed their folder", () => {
  it("are resumed, and their model receives what `context` tells", async () => {
    for (const id of IDS) {
      const { code, messages, stderr } = await copilot.resume(id);
      expect({ code, messages }, stderr).toEqual({ code: 0, messages: await contextOf(id) });
      expect(stderr).not.toContain("ignoring persisted cwd");
    }
  });

  it("are found by their new paths in the program's own store", () => {
    const store = new DatabaseSync(join(copilot.home, "session-store.db"), { readOnly: true });
    const cwds = store.prepare("SELECT cwd FROM sessions ORDER BY id").all();
    const files = store.prepare("SELECT file_path FROM session_files ORDER BY file_path").all();
    store.close();
    expect(cwds).toEqual([{ cwd: to }, { cwd: join(to, "api") }]);
    expect(files).toEqual([{ file_path: join(to, "a.txt") }, { file_path: join(to, "b.txt") }]);
  });

  it("have other messages only where a path is: in calls, and in what was attached", async () => {
    const moved = (text: string): string => text.replaceAll(from, to);
    expect(await contextOf(ID)).toEqual(
      before.map(({ text, toolCalls, ...message }) => ({
        ...message,
        text: text.replace(/<tagged_files>[\s\S]*/, moved),
        ...(toolCalls && {
          toolCalls: toolCalls.map((call) =>
            call.name === "bash"
              ? call
              : { ...call, arguments: JSON.parse(moved(JSON.stringify(call.arguments))) },
          ),
        }),
      })),
    );
    expect(JSON.stringify(await contextOf(ID))).toContain(`Changed ${from}/a.txt.`);
  });

  it("are continued by the program in the new place", async () => {
    const where = scripted("Where?", { calls: [bash("pwd > where.txt")] }, { say: "Here." });
    const run = await copilot.run(["--resume", ID, "-p", where, "-s", "--allow-all-tools"]);
    expect(run.code, run.stderr).toBe(0);
    expect(readFileSync(join(to, "where.txt"), "utf8")).toBe(`${to}\n`);
    const fields = parse(readFileSync(join(copilot.home, "session-state", BELOW, "workspace.yaml"), "utf8"));
    expect(fields).toMatchObject({ cwd: join(to, "api"), git_root: to });
  });

  it("are rewound by the program with the files in the new place", async () => {
    const headless = await copilot.headless();
    await headless.resume(ID);
    const { points } = await headless.call("session.history.listRewindPoints", { sessionId: ID });
    const request = { sessionId: ID, eventId: points[1].eventId, mode: "conversation-and-files" };
    const result = await headless.call("session.history.rewind", request);
    await headless.close();
    expect(result).toMatchObject({ outcome: "success", skippedFiles: [] });
    expect(readFileSync(join(to, "a.txt"), "utf8")).toBe("two\n");
    expect([join(to, "b.txt"), from].map((path) => existsSync(path))).toEqual([false, false]);
  });
});
