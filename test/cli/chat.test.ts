/** `rethread chat` as scripts use it, with a program that behaves as Copilot CLI does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROGRAM } from "../bridge/home.ts";
import { builtCommand } from "../built.ts";
import { createHome, type Home } from "./home.ts";

let home: Home;
beforeEach(() => {
  const made = createHome();
  home = made.with({
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    COPILOT_HOME: join(made.path, ".copilot"),
  });
  mkdirSync(join(home.path, ".copilot"));
});
afterEach(() => home.remove());

const chat = (...words: string[]) => home.again("chat", ...words, "--copilot", PROGRAM);
const json = (...words: string[]) => JSON.parse(chat(...words, "--json").stdout);
const failure = (ran: { readonly stdout: string; readonly code: number | null }) => ({
  exit: ran.code,
  ...JSON.parse(ran.stdout).error,
});

describe("chat --rename, --delete and --restore", () => {
  it("change the record of a conversation, and say how to take it back", () => {
    const { session, cliSession } = json("--send", "one");
    const short = session.id.slice(0, 8);
    expect(chat(short, "--rename", "Retries").stdout).toBe(`${short} is called "Retries" now\n`);
    expect(json("--list").chats).toMatchObject([{ id: session.id, title: "Retries" }]);
    expect(chat(short, "--delete").stdout.replace(/\s+/g, " ")).toBe(
      `Deleted "Retries"; the program's own session stays. Bring it back within 30 days: rethread chat ${short} --restore `,
    );
    expect(json("--list").chats).toEqual([]);
    expect(readdirSync(join(home.path, ".copilot/session-state"))).toContain(cliSession);
    expect(json(short, "--restore")).toMatchObject({
      chat: { id: session.id, title: "Retries", cliSession },
    });
    expect(json(short, "--send", "two").answer).toBe("Heard 2: one | two");
  });

  it.each([
    [["--delete"], "usage"],
    [["0b1c2d3e", "--delete"], "session-not-found"],
    [["0b1c2d3e", "--restore"], "session-not-found"],
    [["0b1c2d3e", "--restore", "--delete"], "usage"],
    [["0b1c2d3e", "--rename", ""], "usage"],
  ])("refuse %j as %s", (words, code) => {
    expect(failure(chat(...words, "--json"))).toMatchObject({ code });
  });
});

describe("chat --send", () => {
  it("gives scripts one object, and goes on by the id in it", () => {
    const first = json("--send", "one");
    expect(first).toEqual({
      schemaVersion: 1,
      session: { id: expect.any(String) },
      cliSession: expect.any(String),
      imprecise: false,
      state: "whole",
      answer: "Heard 1: one",
      usage: { inputTokens: 100, outputTokens: 20, apiMs: 5, premiumRequests: 1 },
      notices: [],
    });
    const second = json(first.session.id.slice(0, 8), "--send", "two");
    expect(second).toMatchObject({
      session: first.session,
      cliSession: first.cliSession,
      answer: "Heard 2: one | two",
    });
    // The session of the program leads to the same conversation.
    expect(json(`copilot-cli:${first.cliSession}`, "--send", "three")).toMatchObject({
      session: first.session,
    });
  });

  it("prints the answer, and beside it what was done for it", () => {
    expect(chat("--send", "one")).toEqual({ code: 0, stdout: "Heard 1: one\n", stderr: "· bash  ls\n" });
  });

  it("talks in the demo's home where the demo is meant", () => {
    const { cliSession } = json("--send", "one", "--demo");
    expect(readdirSync(join(home.dataHome, "demo/copilot/session-state"))).toContain(cliSession);
    expect(json("--list").chats).toEqual([]);
    expect(json("--list", "--demo").chats).toMatchObject([{ title: "one" }]);
  });

  it("says once that the conversation is about another folder, and takes it here when asked to", () => {
    const { session } = json("--send", "one");
    mkdirSync(join(home.path, "elsewhere"));
    const above = home.shell(`cd / && rethread chat ${session.id} --send two --json --copilot ${PROGRAM}`);
    const { notices, answer } = JSON.parse(above.stdout);
    expect(answer).toBe("Heard 2: one | two");
    expect(notices).toEqual([
      `This conversation continues in ${home.path}. To move it here: rethread chat ${session.id.slice(0, 8)} --workspace . To start a new one here: rethread chat`,
    ]);
    const taken = json(session.id, "--send", "three", "--workspace", "elsewhere");
    expect(taken.answer).toBe("Heard 3: one | two | three");
    expect(json("--list").chats[0].workspace).toBe(join(home.path, "elsewhere"));
  });

  it("streams what happens as JSON lines, and ends with how it ended", () => {
    const lines = (...words: string[]) => {
      const { code, stdout, stderr } = chat(...words, "--jsonl");
      expect(stderr).toBe("");
      return {
        code,
        said: stdout
          .trimEnd()
          .split("\n")
          .map((each) => JSON.parse(each)),
      };
    };
    const { code, said } = lines("--send", "one");
    expect(code).toBe(0);
    expect(said.map(({ kind }) => kind)).toEqual(["opened", "text", "text", "tool", "tool", "finished"]);
    expect(said[0]).toMatchObject({ schemaVersion: 1, id: expect.any(String), isHere: true });
    expect(said.at(-1)).toMatchObject({ state: "whole", answer: "Heard 1: one", isImprecise: false });
    const failing = lines(said[0].id, "--send", "please fail");
    expect([failing.code, failing.said.at(-1)]).toMatchObject([
      4,
      { state: "failed", reason: "the model is away" },
    ]);
    expect(lines().said).toMatchObject([{ schemaVersion: 1, error: { code: "usage" } }]);
  });

  it("promises no conversation in which nothing was answered, and marks it in the list", () => {
    const before = failure(chat("--send", "please fail", "--json"));
    expect(before).toMatchObject({
      code: "program-failed",
      hint: expect.not.stringContaining("rethread chat"),
    });
    expect(json("--list").chats).toMatchObject([{ title: "please fail", isUnanswered: true }]);
    expect(chat("--list").stdout).toMatch(/\(no answer yet\) please fail/);
    const { session } = json("--send", "one");
    const after = failure(chat(session.id, "--send", "please fail", "--json"));
    expect(after.hint).toBe(`Your message is kept; continue with: rethread chat ${session.id.slice(0, 8)}`);
    expect(json("--list").chats).toMatchObject([
      { title: "one", isUnanswered: false },
      { isUnanswered: true },
    ]);
  });

  it("stops a program that says nothing, and keeps what was asked", () => {
    const ran = failure(chat("--send", "please wait", "--timeout", "1", "--json"));
    expect(ran).toMatchObject({ code: "program-failed" });
    expect(ran.message).toContain("printed nothing for too long");
    expect(json("--list").chats).toMatchObject([{ title: "please wait" }]);
  });
});

describe("chat --send that is interrupted", () => {
  it("stops the program, tells what came of the answer, and ends as shells expect", async () => {
    const child = spawn(
      process.execPath,
      [builtCommand(), "chat", "--send", "please wait", "--json", "--copilot", PROGRAM],
      { env: home.env, cwd: home.path, stdio: ["ignore", "pipe", "inherit"] },
    );
    let told = "";
    child.stdout.on("data", (piece) => {
      told += piece;
    });
    const log = join(home.path, ".copilot/session-state");
    await expect.poll(() => existsSync(log) && readdirSync(log).length, { timeout: 30_000 }).toBe(1);
    await expect
      .poll(() => readFileSync(join(log, readdirSync(log)[0] ?? "", "events.jsonl"), "utf8"), {
        timeout: 10_000,
      })
      .toContain("please wait");
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect([code, JSON.parse(told)]).toMatchObject([130, { state: "cancelled" }]);
  });
});

describe("chat --list", () => {
  it("shows the conversations, the latest first, and sets damaged ones aside", () => {
    expect(chat("--list").stdout).toBe("No conversations yet. Start one: rethread chat\n");
    for (const text of ["alpha", "beta"]) json("--send", text);
    const folder = join(home.dataHome, "chats");
    writeFileSync(join(folder, "0000dead.json"), "{ torn");
    const { stdout } = chat("--list");
    expect(stdout.match(/alpha|beta/g)).toEqual(["beta", "alpha"]);
    expect(stdout).toContain("Not readable (not JSON");
    expect(readdirSync(folder)).toContain("0000dead.json.damaged");
    expect(json("--list")).toMatchObject({ chats: [{ title: "beta" }, { title: "alpha" }], unreadable: [] });
  });
});

describe("what cannot be done", () => {
  it("is said with the next step: no program, one that does not exist, one that is too old, nobody logged in", () => {
    expect(failure(home.again("chat", "--send", "one", "--json"))).toMatchObject({
      exit: 4,
      code: "program-missing",
      hint: expect.stringContaining("npm install -g @github/copilot"),
    });
    expect(failure(home.again("chat", "--send", "one", "--json", "--copilot", "./nowhere"))).toMatchObject({
      code: "program-missing",
    });
    const ancient = join(home.path, "ancient");
    writeFileSync(ancient, "#!/bin/sh\necho 0.0.300\n", { mode: 0o755 });
    expect(failure(home.again("chat", "--send", "one", "--json", "--copilot", ancient))).toMatchObject({
      code: "program-too-old",
      hint: "Update it: npm install -g @github/copilot",
    });
    expect(
      failure(
        home.with({ FAKE_LOGGED_OUT: "1" }).again("chat", "--send", "one", "--json", "--copilot", PROGRAM),
      ),
    ).toMatchObject({ code: "logged-out", hint: "Start copilot once and run /login there" });
  });

  it("is said with the next step: no terminal, nothing to send, no such conversation or folder", () => {
    expect(failure(chat("--json"))).toMatchObject({ code: "usage" });
    expect(failure(chat("--send", " ", "--json"))).toMatchObject({ code: "usage" });
    expect(failure(chat("nowhere-to-be-found", "--send", "one", "--json"))).toMatchObject({
      code: "nothing-found",
    });
    expect(failure(chat("--send", "one", "--workspace", "nowhere", "--json"))).toMatchObject({
      code: "usage",
    });
    expect(json("--list").chats).toEqual([]);
  });

  it("leads to the program of a session that cannot be talked to", () => {
    const list = home.again("list", "--demo", "--json", "--source", "vscode").stdout;
    const { id } = JSON.parse(list).sessions[0];
    const ran = failure(chat(`vscode:${id}`, "--send", "one", "--json", "--demo"));
    expect(ran).toMatchObject({ code: "not-supported" });
    expect(ran.hint).toContain("rethread resume vscode:");
  });

  it("names the agents that there are, and lets none take over another's conversation", () => {
    expect(failure(chat("--agent", "vscode", "--send", "one", "--json"))).toMatchObject({
      code: "usage",
      hint: "Name copilot-cli or claude-code",
    });
    const { session } = json("--send", "one");
    expect(failure(chat(session.id, "--agent", "claude-code", "--send", "two", "--json"))).toMatchObject({
      code: "usage",
      message: "A conversation stays with its agent",
    });
    expect(failure(chat("--claude", PROGRAM, "--send", "two", "--json"))).toMatchObject({
      message: "--copilot and --claude exclude each other",
    });
  });
});
