/** A conversation with a program, through restarts and losses, in other folders, and several at once. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive } from "../../src/platform/process/processes.ts";
import { type ChatHome, createChatHome, PROGRAM, say } from "./home.ts";

let home: ChatHome;
beforeEach(() => {
  home = createChatHome();
});
afterEach(() => home.remove());

describe("a message", () => {
  it("begins a session under an id of our own, and the next one goes on with it, also after a restart", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const first = await say(chats, id, "one");
    expect(first).toMatchObject({ state: "whole", answer: "Heard 1: one", isImprecise: false });
    expect(first.usage).toEqual({ premiumRequests: 1, inputTokens: 100, outputTokens: 20, apiMs: 5 });
    expect(home.sessions()).toEqual([first.cliSession]);
    expect(await say(chats, id, "two")).toMatchObject({
      answer: "Heard 2: one | two",
      usage: { inputTokens: 200, outputTokens: 20, apiMs: 5 },
    });
    expect(await say(await home.app(), id, "three")).toMatchObject({
      answer: "Heard 3: one | two | three",
      cliSession: first.cliSession,
      notices: [],
    });
  });

  it("is told of as it is answered, tools with it, and kept with its answer", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const { events } = await say(chats, id, "one");
    expect(
      events.map((event) => (event.kind === "tool" ? `${event.kind} ${event.state}` : event.kind)),
    ).toEqual(["text", "text", "tool began", "tool done", "finished"]);
    expect(home.kept(id)).toMatchObject({
      title: "one",
      workspace: home.work,
      messages: [
        { role: "user", text: "one" },
        {
          role: "assistant",
          text: "Heard 1: one",
          state: "whole",
          tools: [{ name: "bash", says: "ls", isDone: true }],
        },
      ],
    });
  });

  it("that fails is kept with the reason, and the conversation goes on", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    expect(await say(chats, id, "please fail")).toMatchObject({
      state: "failed",
      reason: "the model is away",
    });
    expect(home.kept(id).messages.at(-1)).toMatchObject({ state: "failed", reason: "the model is away" });
    expect((await say(chats, id, "two")).answer).toBe("Heard 2: please fail | two");
  });

  it("that is cancelled stops the program, and the conversation goes on", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const cancel = new AbortController();
    let pid = 0;
    for await (const event of chats.send(id, "please wait", { signal: cancel.signal })) {
      if (event.kind === "text") {
        pid = (home.kept(id).answering as { pid: number }).pid;
        cancel.abort();
      } else expect(event).toMatchObject({ kind: "finished", state: "cancelled", answer: "Heard" });
    }
    expect(isAlive(pid)).toBe(false);
    expect(home.kept(id)).not.toHaveProperty("answering");
    expect((await say(chats, id, "two")).answer).toBe("Heard 2: please wait | two");
  });

  it("whose answer nobody wants to hear any more is cancelled, too", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    for await (const event of chats.send(id, "please wait")) if (event.kind === "text") break;
    expect(home.kept(id).messages.at(-1)).toMatchObject({ state: "cancelled", text: "Heard" });
    expect((await say(chats, id, "two")).state).toBe("whole");
  });

  it("may stand alone, and leaves the conversation as it was", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const { cliSession } = await say(chats, id, "one");
    const alone = await say(chats, id, "alone", { keepsContext: false });
    expect(alone.answer).toBe("Heard 1: alone");
    expect(await say(chats, id, "two")).toMatchObject({ cliSession, answer: "Heard 2: one | two" });
  });

  it("waits for the one before it, and does not wait for those of other conversations", async () => {
    const chats = await home.app();
    const [a, b] = [(await chats.begin({})).id, (await chats.begin({})).id];
    const answers = await Promise.all([
      say(chats, a, "a1"),
      say(chats, a, "a2"),
      say(chats, b, "b1"),
      say(chats, a, "a3"),
      say(chats, b, "b2"),
    ]);
    expect(answers.map(({ answer }) => answer)).toEqual([
      "Heard 1: a1",
      "Heard 2: a1 | a2",
      "Heard 1: b1",
      "Heard 3: a1 | a2 | a3",
      "Heard 2: b1 | b2",
    ]);
  });
});

it("remembers what was said in the program itself, and can write that anew as well", async () => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  const { cliSession = "" } = await say(chats, id, "one");
  spawnSync(PROGRAM, [`--resume=${cliSession}`, "--prompt=by hand"], {
    cwd: home.work,
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, COPILOT_HOME: home.copilot },
  });
  const next = await say(await home.app(), id, "two");
  expect(next.notices).toEqual([expect.stringContaining("was continued in the program itself")]);
  expect(home.kept(id).messages.map(({ text }) => text)).toEqual([
    "one",
    "Heard 1: one",
    "by hand",
    "Heard 2: one | by hand",
    "two",
    "Heard 3: one | by hand | two",
  ]);
  rmSync(join(home.copilot, "session-state", cliSession), { recursive: true });
  expect((await say(await home.app(), id, "three")).answer).toBe("Heard 4: one | by hand | two | three");
  expect((await say(await home.app(), id, "four")).notices).toEqual([]);
});

describe("another folder", () => {
  const another = (): string => {
    const folder = join(home.work, "..", "another");
    mkdirSync(folder, { recursive: true });
    return folder;
  };

  it("is told apart from the one that a conversation is about, and those in it", async () => {
    const chat = await (await home.app()).begin({});
    const inner = join(home.work, "src");
    mkdirSync(inner);
    const places = [home.work, inner, another()];
    const here = await Promise.all(places.map(async (place) => (await home.app({}, place)).isHere(chat)));
    expect(here).toEqual([true, true, false]);
  });

  it("takes the conversation where it is asked to, with all that was said, and leaves the session as it was", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const { cliSession = "" } = await say(chats, id, "one");
    const log = join(home.copilot, "session-state", cliSession, "events.jsonl");
    const before = readFileSync(log, "utf8");
    const there = await home.app({}, another());
    expect((await there.open(id, {})).workspace).toBe(home.work);
    const moved = await there.open(id, { workspace: "." });
    expect(moved).toMatchObject({ id, workspace: another(), earlier: [cliSession] });
    expect(await say(there, id, "two")).toMatchObject({
      answer: "Heard 2: one | two",
      cliSession: moved.cliSession,
    });
    expect(readFileSync(log, "utf8")).toBe(before);
    expect(
      readFileSync(join(home.copilot, "session-state", moved.cliSession ?? "", "workspace.yaml"), "utf8"),
    ).toContain(`cwd: ${another()}`);
  });
});

describe("a session that the program has lost", () => {
  it("is written anew from what is remembered, once, and people are told", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const { cliSession = "" } = await say(chats, id, "one");
    rmSync(join(home.copilot, "session-state", cliSession), { recursive: true });
    const again = await say(await home.app(), id, "two");
    expect(again.notices).toEqual([expect.stringContaining("rethread wrote it again from its own record")]);
    expect(again.answer).toBe("Heard 2: one | two");
    expect(again.cliSession).not.toBe(cliSession);
    expect(home.kept(id)).toMatchObject({ earlier: [cliSession], cliSession: again.cliSession });
    expect(
      readFileSync(join(home.copilot, "session-state", again.cliSession ?? "", "events.jsonl"), "utf8"),
    ).toContain("Heard 1: one");
    expect((await say(await home.app(), id, "three")).notices).toEqual([]);
  });
});

describe("an older program", () => {
  const OLD = { FAKE_OLD: "1" };

  it("has its session found by its folder and age, and is then told its id", async () => {
    const chats = await home.app(OLD);
    const { id } = await chats.begin({});
    const first = await say(chats, id, "one");
    expect(first).toMatchObject({ answer: "Heard 1: one", isImprecise: false });
    expect(home.sessions()).toEqual([first.cliSession]);
    expect((await say(await home.app(OLD), id, "two")).answer).toBe("Heard 2: one | two");
  });

  it("is asked for its last session only in the same run, and what is remembered serves after a restart", async () => {
    const chats = await home.app(OLD);
    const { id } = await chats.begin({});
    // Somebody else's session, made in the same folder at the same time: a guess would be a coin toss.
    const first = await say(chats, id, "one with a rival");
    expect(first.cliSession).toBeUndefined();
    // Nothing names the session that it continued.
    const second = await say(chats, id, "two");
    expect(second).toMatchObject({ answer: "Heard 2: one with a rival | two", isImprecise: true });
    expect(second.notices).toEqual([expect.stringContaining("continued its last one")]);
    expect(home.kept(id)).toMatchObject({ isImprecise: true });
    const restarted = await say(await home.app(OLD), id, "three");
    expect(restarted).toMatchObject({
      answer: "Heard 3: one with a rival | two | three",
      isImprecise: false,
    });
    expect(restarted.notices).toEqual([
      expect.stringContaining("rethread wrote it again from its own record"),
    ]);
  });
});

it("keeps no conversation in which nothing was said", async () => {
  const chats = await home.app();
  await chats.begin({});
  expect(chats.chats.list().chats).toEqual([]);
});

it("asks the program what it can do once for each version of it", async () => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  await say(chats, id, "one");
  for (const text of ["two", "three"]) await say(await home.app(), id, text);
  expect(readFileSync(join(home.copilot, "asked"), "utf8")).toBe("version\n");
});

it("takes up a session that the program has, and finds the same conversation again", async () => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  const { cliSession = "" } = await say(chats, id, "one");
  expect((await chats.open(cliSession, {})).id).toBe(id);
  chats.chats.remove(id);
  const restarted = await home.app();
  const adopted = await restarted.open(cliSession.slice(0, 8), {});
  expect(adopted).toMatchObject({
    cliSession,
    workspace: home.work,
    messages: [
      { role: "user", text: "one" },
      { role: "assistant", text: "Heard 1: one" },
    ],
  });
  expect((await say(restarted, adopted.id, "two")).answer).toBe("Heard 2: one | two");
  // What was said before it was taken up is remembered, too.
  rmSync(join(home.copilot, "session-state", cliSession), { recursive: true });
  expect((await say(restarted, adopted.id, "three")).answer).toBe("Heard 3: one | two | three");
});
