/** Conversations with Claude Code: the same matrix as with Copilot CLI, and which of the two is talked to. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderName } from "../../src/sources/claude-code/locate.ts";
import { type ChatHome, CLAUDE, createChatHome, PROGRAM, say } from "./home.ts";

let home: ChatHome;
beforeEach(() => {
  home = createChatHome({ agent: "claude-code", program: CLAUDE });
});
afterEach(() => home.remove());

const transcript = (id = "", folder = home.work): string =>
  join(home.claude, "projects", folderName(folder), `${id}.jsonl`);

describe("a message", () => {
  it("begins a session under an id of our own, and the next one goes on with it, also after a restart", async () => {
    const chats = await home.app();
    const { id, source } = await chats.begin({});
    expect(source).toBe("claude-code");
    const first = await say(chats, id, "one");
    expect(first).toMatchObject({ state: "whole", answer: "Heard 1: one", isImprecise: false });
    expect(first.usage).toEqual({ inputTokens: 100, outputTokens: 20, costUsd: 0.25, apiMs: 5 });
    expect(readdirSync(dirname(transcript()))).toEqual([`${first.cliSession}.jsonl`]);
    // The program counts from the beginning of the session; this is what the second answer took.
    expect((await say(chats, id, "two")).usage).toEqual({
      ...{ inputTokens: 190, outputTokens: 20, costUsd: 0.25, apiMs: 5 },
    });
    expect(await say(await home.app(), id, "--three")).toMatchObject({
      answer: "Heard 3: one | two | --three",
      cliSession: first.cliSession,
      notices: [],
    });
    expect(home.kept(id)).toMatchObject({ source: "claude-code", cliSession: first.cliSession });
  });

  it("that fails is kept with the reason, and one that needs a login says so", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    expect(await say(chats, id, "please fail")).toMatchObject({
      ...{ state: "failed", reason: "API Error: 529 overloaded", answer: "" },
    });
    expect((await say(chats, id, "two")).answer).toBe("Heard 2: please fail | two");
    await expect(say(await home.app({ FAKE_LOGGED_OUT: "1" }), id, "three")).rejects.toMatchObject({
      code: "logged-out",
      hint: "Start claude once and run /login there",
    });
  });

  it("that is cancelled stops the program, and the conversation goes on", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    for await (const event of chats.send(id, "please wait")) if (event.kind === "text") break;
    expect(home.kept(id).messages.at(-1)).toMatchObject({ state: "cancelled", text: "Heard" });
    expect((await say(chats, id, "two")).answer).toBe("Heard 2: please wait | two");
  });

  it("that the program had not written down when it was killed begins anew", async () => {
    const chats = await home.app();
    const { id } = await chats.begin({});
    const cancel = new AbortController();
    const answer = say(chats, id, "never written", { signal: cancel.signal });
    const cliSession = (): string =>
      existsSync(join(home.data, "chats", `${id}.json`)) ? String(home.kept(id).cliSession) : "";
    await expect.poll(() => existsSync(transcript(cliSession())), { timeout: 10_000 }).toBe(true);
    cancel.abort();
    expect(await answer).toMatchObject({ state: "cancelled" });
    expect((await say(chats, id, "two")).answer).toBe("Heard 1: two");
  });

  it("is in the session that an older program names", async () => {
    const old = { FAKE_OLD: "1" };
    const chats = await home.app(old);
    const { id } = await chats.begin({});
    const first = await say(chats, id, "one");
    expect(first).toMatchObject({ answer: "Heard 1: one", isImprecise: false });
    expect((await say(await home.app(old), id, "two")).answer).toBe("Heard 2: one | two");
  });
});

it("goes on in another folder, in a copy, and leaves the session as it was", async () => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  const { cliSession } = await say(chats, id, "one");
  const before = readFileSync(transcript(cliSession), "utf8");
  const another = join(home.work, "..", "another");
  mkdirSync(another);
  const moved = await (await home.app()).open(id, { workspace: another });
  expect(moved).toMatchObject({ workspace: another, earlier: [cliSession] });
  expect((await say(await home.app(), id, "two")).answer).toBe("Heard 2: one | two");
  expect(readFileSync(transcript(cliSession), "utf8")).toBe(before);
  expect(readFileSync(transcript(moved.cliSession, another), "utf8")).toContain("Heard 2: one | two");
});

it("writes a session again that the program has lost, once, and says so", async () => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  const { cliSession } = await say(chats, id, "one");
  rmSync(transcript(cliSession));
  const again = await say(await home.app(), id, "two");
  expect(again.notices).toEqual([expect.stringContaining("rethread wrote it again from its own record")]);
  expect(again.answer).toBe("Heard 2: one | two");
  expect(home.kept(id)).toMatchObject({ earlier: [cliSession], cliSession: again.cliSession });
  expect(readFileSync(transcript(again.cliSession), "utf8")).toContain("Heard 1: one");
  expect((await say(await home.app(), id, "three")).notices).toEqual([]);
});

it("takes up a session that the program has, and knows what was said in it since", async () => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  const { cliSession = "" } = await say(chats, id, "one");
  chats.chats.remove(id);
  const adopted = await (await home.app()).open(cliSession, {});
  expect(adopted).toMatchObject({
    ...{ source: "claude-code", cliSession, workspace: home.work },
    messages: [
      { role: "user", text: "one" },
      { role: "assistant", text: "Heard 1: one" },
    ],
  });
});

describe("the agent of a conversation", () => {
  /** Programs by the names that they have on the path. */
  const install = (...names: ("copilot" | "claude")[]): Record<string, string> => {
    const folder = join(home.work, "..", "bin");
    mkdirSync(folder, { recursive: true });
    for (const name of names) {
      copyFileSync(name === "claude" ? CLAUDE : PROGRAM, join(folder, name));
      chmodSync(join(folder, name), 0o755);
    }
    return { PATH: `${folder}:${dirname(process.execPath)}` };
  };
  beforeEach(() => {
    home.remove();
    home = createChatHome({});
  });

  it("is the first that is installed, or the one that is named", async () => {
    const claude = await home.app(install("claude"));
    expect(claude.agents().map(({ source, isInstalled }) => [source, isInstalled])).toEqual([
      ["claude-code", true],
      ["copilot-cli", false],
    ]);
    expect((await claude.begin({})).source).toBe("claude-code");
    await expect(claude.begin({ agent: "copilot-cli" })).rejects.toMatchObject({ code: "program-missing" });
    const both = await home.app(install("copilot", "claude"));
    expect((await both.begin({})).source).toBe("copilot-cli");
    expect((await both.begin({ agent: "claude-code" })).source).toBe("claude-code");
    await expect(both.begin({ agent: "vscode" })).rejects.toMatchObject({ code: "usage" });
  });

  it("stays the same, each with sessions of its own", async () => {
    const vars = install("copilot", "claude");
    const chats = await home.app(vars);
    const [one, other] = [await chats.begin({}), await chats.begin({ agent: "claude-code" })];
    const [ours, theirs] = await Promise.all([say(chats, one.id, "a"), say(chats, other.id, "b")]);
    expect(home.sessions()).toEqual([ours.cliSession]);
    expect(readdirSync(dirname(transcript()))).toEqual([`${theirs.cliSession}.jsonl`]);
    const restarted = await home.app(vars);
    expect((await say(restarted, other.id, "c")).answer).toBe("Heard 2: b | c");
    expect((await say(restarted, one.id, "d")).answer).toBe("Heard 2: a | d");
    expect((await restarted.open(theirs.cliSession ?? "", {})).id).toBe(other.id);
  });

  it("is Copilot CLI in records from before there was a choice", async () => {
    const chats = await home.app(install("copilot", "claude"));
    const { id } = await chats.begin({});
    await say(chats, id, "one");
    const { source: _, ...older } = home.kept(id);
    writeFileSync(join(home.data, "chats", `${id}.json`), JSON.stringify(older));
    expect((await say(await home.app(install("claude", "copilot")), id, "two")).answer).toBe(
      "Heard 2: one | two",
    );
  });

  it("says what is missing where none is installed", async () => {
    rmSync(join(home.work, "..", "bin"), { recursive: true, force: true });
    const none = { PATH: "/nowhere" };
    await expect((await home.app(none)).begin({})).rejects.toMatchObject({ code: "program-missing" });
  });
});
