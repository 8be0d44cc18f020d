/** Conversations with the real Claude Code: whatever happens to either process, the model hears every message once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ChatApp, openRethread } from "../../src/index.ts";
import { say } from "../bridge/home.ts";
import { builtCommand } from "../built.ts";
import { anthropic, isModelCall } from "./anthropic.ts";
import { type ClaudeHome, createHome, findProgram, offline, transcriptOf } from "./claude.ts";
import { toSent } from "./claude-wire.ts";
import { type ScriptedModel, scripted, startModel } from "./scripted-model.ts";

vi.setConfig({ testTimeout: 120_000 });

let home: ClaudeHome;
let model: ScriptedModel;
let vars: NodeJS.ProcessEnv;
beforeAll(async () => {
  home = createHome();
  model = await startModel(anthropic);
  vars = { ...offline(home, model), RETHREAD_HOME: join(dirname(home.workspace), "data") };
});
afterAll(async () => {
  await model.close();
  home.remove();
});

const AGENT = { agent: "claude-code", program: findProgram() };
/** As after a restart: nothing is remembered but what is on disk. */
const restart = async (): Promise<ChatApp> =>
  (await openRethread({ vars, folder: home.workspace })).chat(AGENT);
const tell = (text: string, answer: string): string => scripted(text, { say: answer });

/** What people and the model had said when the model was last asked, the new message included. */
const heard = (): [string, string][] => {
  const request = model.requests.filter(isModelCall).at(-1);
  return (request?.body.messages ?? [])
    .flatMap(toSent)
    .map(({ role, text }: { role: string; text: string }): [string, string] => [role, plainly(text)])
    .filter(([, text]: [string, string]) => text !== "");
};
/** Without reminders, and without the script behind. */
const plainly = (text: string): string =>
  text
    .replace(/<system-reminder>.*?<\/system-reminder>/gs, "")
    .replace(/ SCRIPT\[.*/s, "")
    .trim();

/** The program's own queue repeats a prompt some time before its row is written, and is no part of the conversation. */
const isWritten = (path: string, prompt: string): boolean =>
  readFileSync(path, "utf8")
    .split("\n")
    .some((row) => row.includes('"type":"user"') && row.includes(`"content":"${prompt}`));

/** Sends a message that is never answered, and kills our process once the model was asked and this holds. */
async function killWhileAnswering(id: string, text: string, holds: () => boolean): Promise<void> {
  model.clear();
  const message = scripted(text, { say: "never heard", delayMs: 60_000 });
  const child = spawn(
    process.execPath,
    [builtCommand(), ...["chat", id, "--send", message, "--claude", AGENT.program]],
    { cwd: home.workspace, env: vars, stdio: "ignore" },
  );
  const wasAsked = (): boolean => model.requests.some(isModelCall) && holds();
  await expect.poll(wasAsked, { timeout: 60_000 }).toBe(true);
  child.kill("SIGKILL");
  await once(child, "close");
  model.clear();
}

describe("a conversation", () => {
  it("survives our process being killed in the middle of an answer", async () => {
    const chats = await restart();
    const { id } = await chats.begin({});
    const first = await say(chats, id, tell("First", "One."));
    expect(first).toMatchObject({ state: "whole", answer: "One." });
    expect(first.usage).toEqual({
      ...{ inputTokens: 100, outputTokens: 20, costUsd: expect.any(Number), apiMs: expect.any(Number) },
    });
    const second = await say(await restart(), id, tell("Second", "Two."));
    expect(second.usage).toMatchObject({ inputTokens: 100, costUsd: first.usage.costUsd });
    const path = transcriptOf(home, first.cliSession ?? "");
    await killWhileAnswering(id, "Third", () => isWritten(path, "Third"));
    const fourth = await say(await restart(), id, tell("Fourth", "Four."));
    expect(fourth).toMatchObject({
      ...{ notices: ["The last answer was interrupted"], cliSession: first.cliSession, answer: "Four." },
    });
    expect(heard()).toEqual([
      ["user", "First"],
      ["assistant", "One."],
      ["user", "Second"],
      ["assistant", "Two."],
      ["user", "Third"],
      ["assistant", "No response requested."],
      ["user", "Fourth"],
    ]);
  });

  it("is not written into while somebody else has its session open", async () => {
    const chats = await restart();
    const { id } = await chats.begin({});
    const { cliSession = "" } = await say(chats, id, tell("Hello", "Hi."));
    model.clear();
    const mine = scripted("Mine", { say: "never", delayMs: 60_000 });
    const words = ["-p", "--resume", cliSession, mine];
    const stranger = spawn(AGENT.program, words, { cwd: home.workspace, env: vars, stdio: "ignore" });
    await expect.poll(() => model.requests.some(isModelCall), { timeout: 60_000 }).toBe(true);
    await expect(say(chats, id, "Mine, too")).rejects.toMatchObject({ code: "session-busy" });
    stranger.kill("SIGKILL");
    await once(stranger, "close");
  });

  it("keeps its context when the program has lost the session, and when it goes on in another folder", async () => {
    const chats = await restart();
    const { id } = await chats.begin({});
    const { cliSession = "" } = await say(chats, id, tell("Remember the word lantern", "I will."));
    rmSync(transcriptOf(home, cliSession));
    const next = await say(await restart(), id, tell("Which word?", "lantern"));
    expect(next.notices).toEqual([expect.stringContaining("rethread wrote it again from its own record")]);
    expect(next.cliSession).not.toBe(cliSession);
    const said: [string, string][] = [
      ["user", "Remember the word lantern"],
      ["assistant", "I will."],
      ["user", "Which word?"],
    ];
    expect(heard()).toEqual(said);

    const another = join(dirname(home.workspace), "another");
    mkdirSync(another);
    const moved = await chats.open(id, { workspace: another });
    const pwd = await say(
      await restart(),
      id,
      scripted(
        "And where?",
        { calls: [{ name: "Bash", input: { command: "pwd", description: "Look" } }] },
        { say: "There." },
      ),
    );
    expect(pwd.answer).toBe("There.");
    expect(pwd.events.flatMap((event) => (event.kind === "tool" ? [event.state] : []))).toEqual([
      ...["began", "done"],
    ]);
    expect(heard().slice(0, 5)).toEqual([...said, ["assistant", "lantern"], ["user", "And where?"]]);
    expect(heard().find(([role]) => role === "tool")?.[1]).toBe(another);
    expect(existsSync(transcriptOf({ ...home, workspace: another }, moved.cliSession ?? ""))).toBe(true);
  });

  it("says why nothing was answered", async () => {
    const chats = await restart();
    const { id } = await chats.begin({});
    const failed = await say(chats, id, scripted("Hello", { status: 400 }));
    expect(failed).toMatchObject({ state: "failed", reason: expect.stringContaining("API Error: 400") });
    const loggedOut = await openRethread({
      vars: { ...vars, ANTHROPIC_API_KEY: "" },
      folder: home.workspace,
    });
    const answer = say(await loggedOut.chat(AGENT), id, "Hello?");
    await expect(answer).rejects.toMatchObject({ code: "logged-out" });
    const { answer: again } = await say(await restart(), id, tell("And now?", "Now I can."));
    expect(again).toBe("Now I can.");
  });
});
