/** Conversations in trouble: programs that misbehave, processes that die, and what stands in the way. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive } from "../../src/platform/process/processes.ts";
import { lockFor } from "../../src/platform/process/write-lock.ts";
import { builtCommand } from "../built.ts";
import { pidLike } from "../lookalike.ts";
import { type ChatHome, createChatHome, PROGRAM, say } from "./home.ts";

let home: ChatHome;
beforeEach(() => {
  home = createChatHome();
});
afterEach(() => home.remove());

describe("a program that misbehaves", () => {
  it("and dies has said what it has said; the rest of the conversation is not lost", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    expect(await say(chats, id, "please die")).toMatchObject({
      state: "failed",
      answer: "Heard",
      reason: "SIGKILL",
    });
    expect(home.kept(id)).not.toHaveProperty("answering");
    expect(home.kept(id).messages.at(-1)).toMatchObject({ text: "Heard", state: "failed" });
    expect((await say(chats, id, "two")).answer).toBe("Heard 2: please die | two");
  });

  it("and says nothing any more is stopped after a while", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    expect(await say(chats, id, "please wait", { silenceMs: 1500 })).toMatchObject({
      state: "failed",
      reason: "the program printed nothing for too long and was stopped",
    });
    expect((await say(chats, id, "two")).state).toBe("whole");
  });

  it("and prints what nobody understands, or far too much of it, is understood all the same", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    expect((await say(chats, id, "please babble")).answer).toBe("Heard 1: please babble");
    expect((await say(chats, id, "please flood")).answer).toBe("Heard 2: please babble | please flood");
  });

  it.each([
    ["please be silent", "", "it ended without printing anything"],
    ["please garble", "", "it printed something that is not an answer: %%% no answer\u001b[2J"],
    ["please misshape", "", 'it printed something that is not an answer: {"type":"result"}'],
    ["please halve", "Half", "it stopped before the end of its answer"],
    ["please stray", "Elsewhere", "it answered in another session, 00000000-0000-4000-8000-00000000dead"],
    ["please end badly", "", "it reported a failure"],
  ])("and ends as if all were well has not answered: %s", async (asked, answer, reason) => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    await say(chats, id, "one");
    const { cliSession } = home.kept(id);
    expect(await say(chats, id, asked)).toMatchObject({ state: "failed", answer, reason });
    expect(home.kept(id)).toMatchObject({ cliSession });
    expect((await say(chats, id, "three")).answer).toBe(`Heard 3: one | ${asked} | three`);
  });

  it("and says twice that it is over, or names no session, has answered once", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const { cliSession } = await say(chats, id, "one");
    expect(await say(chats, id, "please repeat")).toMatchObject({
      state: "whole",
      answer: "Once",
      cliSession,
      usage: { premiumRequests: 1 },
    });
    expect(await say(chats, id, "please climb")).toMatchObject({ state: "whole", answer: "Up", cliSession });
  });

  it("and says nothing has not answered, in an older version either", async () => {
    const chats = await home.app({ FAKE_OLD: "1" });
    const { id } = await chats.begin({});
    expect(await say(chats, id, "please be silent")).toMatchObject({
      state: "failed",
      reason: "it ended without printing anything",
    });
  });

  it("is given a message of any length", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const long = `begin ${"x".repeat(300_000)} end`;
    expect((await say(chats, id, long)).answer).toBe(`Heard 1: ${long}`);
  });
});

describe("a process that died while the program was answering", () => {
  /** Sends it from a process of its own, which is killed once the program has the message or waits with it. */
  const crash = async (id: string, text: string) => {
    rmSync(join(home.copilot, "waited"), { force: true });
    const logs = (): string[] =>
      (existsSync(join(home.copilot, "session-state")) ? home.sessions() : [])
        .map((each) => join(home.copilot, "session-state", each, "events.jsonl"))
        .filter((log) => existsSync(log));
    const timesWritten = (): number =>
      logs().reduce((sum, log) => sum + readFileSync(log, "utf8").split(text).length - 1, 0);
    const before = timesWritten();
    const words = ["chat", id, "--send", text, "--copilot", PROGRAM];
    const child = spawn(process.execPath, [builtCommand(), ...words], {
      cwd: home.work,
      env: { PATH: dirname(process.execPath), COPILOT_HOME: home.copilot, RETHREAD_HOME: home.data },
      stdio: "ignore",
    });
    await expect
      .poll(() => timesWritten() > before || existsSync(join(home.copilot, "waited")), { timeout: 20_000 })
      .toBe(true);
    child.kill("SIGKILL");
    await once(child, "close");
    return { before: home.kept(id) };
  };
  const begun = async (): Promise<string> => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    await say(chats, id, "one");
    return id;
  };

  it("leaves a half answer, which is told; the program it left is ended, and the next message comes after it", async () => {
    const id = await begun();
    const { before } = await crash(id, "please wait");
    const { pid } = before.answering as { pid: number };
    const next = await say(await home.app(), id, "two");
    expect(next.notices).toEqual(["The last answer was interrupted"]);
    expect(next.answer).toBe("Heard 3: one | please wait | two");
    expect(isAlive(pid)).toBe(false);
    expect(home.kept(id).messages.map(({ state, text }) => state ?? text)).toEqual([
      "one",
      "whole",
      "please wait",
      "interrupted",
      "two",
      "whole",
    ]);
  });

  it("loses no message that the program had not written down: it comes with the next one", async () => {
    const id = await begun();
    await crash(id, "never written");
    const next = await say(await home.app(), id, "two");
    expect(next.notices).toHaveLength(2);
    expect(next.answer.match(/never written/g)).toHaveLength(1);
    expect(next.answer.match(/two/g)).toHaveLength(1);
  });

  it("loses none that had been asked before, either", async () => {
    const id = await begun();
    await crash(id, "never written");
    await say(await home.app(), id, "two");
    await crash(id, "never written");
    expect((await say(await home.app(), id, "three")).answer.match(/never written/g)).toHaveLength(2);
  });

  it("before there was anything to remember begins anew, with that message", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    void chats.send(id, "never written").next();
    await expect.poll(() => existsSync(join(home.copilot, "waited")), { timeout: 10_000 }).toBe(true);
    // As the system does when a process dies.
    rmSync(join(home.data, "chats", `.${id}.lock`));
    const log = join(home.copilot, "session-state", String(home.kept(id).cliSession), "events.jsonl");
    rmSync(lockFor(log, home.data));
    const next = await say(await home.app(), id, "two");
    expect(next.notices).toHaveLength(2);
    expect(next.answer).toBe("Heard 1: never written\n\ntwo");
  });
});

describe("what stands in the way", () => {
  it("is said: nobody is logged in, the folder is gone, the session is open elsewhere", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const { cliSession = "" } = await say(chats, id, "one");
    await expect(say(await home.app({ FAKE_LOGGED_OUT: "1" }), id, "two")).rejects.toMatchObject({
      code: "logged-out",
    });
    const lock = join(home.copilot, "session-state", cliSession, `inuse.${pidLike("copilot")}.lock`);
    writeFileSync(lock, `${pidLike("copilot")}\n`);
    await expect(say(chats, id, "two")).rejects.toMatchObject({ code: "session-busy" });
    rmSync(lock);
    rmSync(home.work, { recursive: true });
    await expect(say(chats, id, "two")).rejects.toMatchObject({ code: "workspace-missing" });
  });

  it("does not include another conversation of the same name, nor a session of another program", async () => {
    const chats = await home.app();
    await expect(chats.open("nothing-like-it", {})).rejects.toMatchObject({ code: "nothing-found" });
  });

  it("does not count as said: whoever logs in and asks again has asked once", async () => {
    const out = await home.app({ FAKE_LOGGED_OUT: "1" });
    const chat = await out.begin({});
    await expect(say(out, chat.id, "one")).rejects.toMatchObject({ code: "logged-out" });
    expect(await say(await home.app(), chat.id, "one")).toMatchObject({
      answer: "Heard 1: one",
      notices: [],
    });
  });
});
