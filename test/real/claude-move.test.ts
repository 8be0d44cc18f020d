/**
 * A folder that moved with the sessions that follow it, and a copy for another folder, judged by the real Claude Code: it
 * finds them there, sends what `context` tells, works there, and takes files back there.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EditPlan } from "../../src/model/plan.ts";
import { type ClaudeHome, createHome, openClaude, type Run, transcriptOf } from "./claude.ts";
import { type ClaudeEditing, openClaudeEditing } from "./claude-editing.ts";
import { NEWER_MODEL } from "./claude-models.ts";
import { writeTranscript } from "./claude-rows.ts";
import { remindersIn } from "./claude-wire.ts";
import { scripted } from "./scripted-model.ts";

const ID = "c0de0000-0000-4000-8000-0000000a0001";
const claude = openClaude();
const home = createHome();
const [from, to] = [home.workspace, join(dirname(home.workspace), "my store")];
const there: ClaudeHome = { ...home, workspace: to };
/** Lets it record the states of files, as it does in a terminal. */
const env = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "1" };
const bash = (command: string) => ({ name: "Bash", input: { command } });
const where = scripted("Where are we?", { calls: [bash("pwd")] }, { say: "Here." });
const { edit, contextOf }: ClaudeEditing = openClaudeEditing(home);
let plan: EditPlan;

const rowsOf = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const textOf = (at: ClaudeHome, id: string): string => readFileSync(transcriptOf(at, id), "utf8");

/** What a run appended to a transcript: its rows, and what was announced to the model. */
async function appended(at: ClaudeHome, id: string, run: () => Promise<Run>) {
  const before = textOf(at, id).length;
  const { code, stderr } = await run();
  const text = textOf(at, id).slice(before);
  expect(code, stderr).toBe(0);
  const rows = rowsOf(text);
  const printed = rows.flatMap(({ toolUseResult }) => toolUseResult?.stdout ?? []);
  const prompt = rows.flatMap(({ shape }) => shape?.system?.map((part: { text: string }) => part.text) ?? []);
  return { printed, announced: remindersIn(text).join("\n"), prompt: prompt.join("\n") };
}

beforeAll(async () => {
  writeFileSync(join(from, "CLAUDE.md"), "Always run the tests.\n");
  writeFileSync(join(from, "price.ts"), "export const price = 42;\n");
  const file_path = join(from, "price.ts");
  const steps = [
    { calls: [bash("pwd; seq 1 20000")] },
    { calls: [{ name: "Edit", input: { file_path, old_string: "42", new_string: "43" } }] },
    { calls: [{ name: "Write", input: { file_path: join(from, "notes.md"), content: "one\n" } }] },
    { say: "It is 43." },
  ];
  await claude.startSession(home, ID, scripted("Explain @price.ts", ...steps), { env, model: NEWER_MODEL });
  renameSync(from, to);
  plan = await edit.planMove({ from, to, text: false });
  await edit.apply(plan);
}, 60_000);
afterAll(async () => {
  await claude.close();
  home.remove();
});

describe("a session that followed its folder", () => {
  it("sends by its id what context tells, and names the old folder only in words", async () => {
    const ours = await contextOf(ID);
    expect(await claude.messagesSent(there, ID)).toEqual(ours);
    const told = ours.flatMap(({ text }) => (text.startsWith("<system-reminder>") ? [text] : [])).join("\n");
    expect(told).toContain(`Primary working directory: ${to}`);
    expect(told).not.toContain(from);
    const calls = ours.flatMap(({ toolCalls = [] }) => toolCalls);
    expect(calls[1]?.arguments).toMatchObject({ file_path: join(to, "price.ts") });
    expect(plan.move).toMatchObject({ toolCalls: 2, attachments: 3, fileStates: 2, isHere: true });
  }, 30_000);

  it("is the one that --continue takes there, works there, and keeps its notes there", async () => {
    const { printed, announced, prompt } = await appended(there, ID, () =>
      claude.continueLast(there, where, { env }),
    );
    expect(printed).toEqual([to]);
    // Nothing has changed for the program: neither the folder nor the instructions are announced again.
    expect(announced).not.toContain("working directory");
    expect(announced).not.toContain("CLAUDE.md");
    expect(prompt).toContain(join(dirname(transcriptOf(there, ID)), "memory"));
    expect(prompt).not.toContain(join(dirname(transcriptOf(home, ID)), "memory"));
  }, 30_000);

  it("is no session of the old folder any more", async () => {
    mkdirSync(from);
    const { requests } = await claude.continueLast(home, "Anybody there?");
    expect(JSON.stringify(requests[0]?.body.messages)).not.toContain("Explain @price.ts");
  }, 30_000);

  it("has its files taken back by the program, in the new folder", async () => {
    const first = rowsOf(textOf(there, ID)).find(({ type }) => type === "user");
    const { stdout, stderr } = await claude.resume(there, ID, "", {
      args: ["--rewind-files", first.uuid],
      env,
    });
    expect(stdout, stderr).toContain("Files rewound");
    expect(readFileSync(join(to, "price.ts"), "utf8")).toBe("export const price = 42;\n");
  }, 30_000);
});

it("a copy for another folder is continued there, with a system prompt of its own", async () => {
  const other: ClaudeHome = { ...home, workspace: join(dirname(home.workspace), "garden") };
  mkdirSync(other.workspace);
  writeFileSync(join(other.workspace, "price.ts"), "export const price = 1;\n");
  const made = await edit.planClone(ID, { to: other.workspace });
  await edit.apply(made);
  const { id } = made.session;
  expect(made.session.path).toBe(transcriptOf(other, id));
  expect(made.paths).toMatchObject({ rule: "existing" });
  const ours = await contextOf(id);
  expect(await claude.messagesSent(other, id)).toEqual(ours);
  const calls = ours.flatMap(({ toolCalls = [] }) => toolCalls).map((call) => call.arguments);
  expect(calls.slice(1, 3)).toMatchObject([
    { file_path: join(other.workspace, "price.ts") },
    { file_path: join(to, "notes.md") },
  ]);
  const { printed, prompt } = await appended(other, id, () => claude.continueLast(other, where));
  expect(printed).toEqual([other.workspace]);
  expect(prompt).toContain(join(dirname(made.session.path), "memory"));
}, 30_000);

it("a session of Windows is continued where its folder is here: by a map, with paths and notes of this machine", async () => {
  const windows = "C:\\Users\\Ann B\\shop";
  const id = "c0de0000-0000-4000-8000-0000000a0002";
  const base = join(dirname(home.workspace), "ann");
  const here: ClaudeHome = { ...home, workspace: join(base, "shop") };
  mkdirSync(here.workspace, { recursive: true });
  writeFileSync(join(here.workspace, "price.ts"), "export const price = 42;\n");
  const transcript = writeTranscript();
  const of = { cwd: windows, sessionId: id, gitBranch: "HEAD" };
  transcript.prompt("Read the price.", of);
  const snapshot = {
    ...{ workingDirectory: windows, isWorktree: false, isGitRepo: false, additionalWorkingDirectories: [] },
    ...{ platform: "win32", shell: "PowerShell", osVersion: "Windows 11 Pro" },
  };
  transcript.row({
    ...{ type: "attachment", ...of, attachment: { type: "environment", snapshot } },
    rendered: [
      { content: `<system-reminder>\n - Primary working directory: ${windows}\n</system-reminder>` },
    ],
  });
  const systemPrompt = [
    `You keep notes at \`C:\\Users\\Ann B\\.claude\\projects\\C--Users-Ann-B-shop\\memory\\\`.`,
  ];
  transcript.row({ type: "attachment", ...of, attachment: { type: "prompt_snapshot", systemPrompt } });
  const read = {
    type: "tool_use",
    id: "toolu_1",
    name: "Read",
    input: { file_path: `${windows}\\price.ts` },
  };
  transcript.answer([read], of);
  transcript.result("toolu_1", { ...of, toolUseResult: { file: { filePath: `${windows}\\price.ts` } } });
  transcript.answer("It is 42.", of);
  const path = transcriptOf({ ...home, workspace: windows }, id);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, transcript.text());

  await edit.apply(await edit.planMove({ maps: [{ from: "c:/users/ann b", to: base }], text: false }));
  const ours = await contextOf(id);
  expect(await claude.messagesSent(here, id)).toEqual(ours);
  const [call] = ours.flatMap(({ toolCalls = [] }) => toolCalls);
  expect(call?.arguments).toEqual({ file_path: join(here.workspace, "price.ts") });
  const { printed, announced, prompt } = await appended(here, id, () => claude.continueLast(here, where));
  expect(printed).toEqual([here.workspace]);
  // That the system is another one, the program says itself.
  expect(announced).toContain("Platform: linux");
  expect(announced).not.toContain("Ann B");
  expect(prompt).toContain(`\`${dirname(transcriptOf(here, id))}/memory/\``);
}, 30_000);
