/** One program on one session: conversations, resumes and writes of any rethread keep out of each other's way. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import type { ChatApp } from "../../src/app/contract.ts";
import { startInTerminal } from "../../src/app/launching.ts";
import { claimSession } from "../../src/edit/apply/locks.ts";
import type { Session } from "../../src/model/session/session.ts";
import { lockFor, takeWriteLock } from "../../src/platform/process/write-lock.ts";
import { startLookalike } from "../lookalike.ts";
import { type ChatHome, createChatHome, say } from "./home.ts";

let home: ChatHome;
let chats: ChatApp;
let id: string;
let cliSession: string;
beforeEach(async () => {
  home = createChatHome();
  chats = await home.app();
  ({ id } = await chats.begin({}));
  ({ cliSession = "" } = await say(chats, id, "one"));
});
afterEach(() => home.remove());

const log = (): string => join(home.copilot, "session-state", cliSession, "events.jsonl");
const asked = (): string[] =>
  readFileSync(log(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .flatMap(({ type, data }) => (type === "user.message" ? [data.content] : []));
const session = (): Session => ({ source: "copilot-cli", id: cliSession, path: log() }) as Session;

/** A message whose answer goes on until it is cancelled. */
async function talking(): Promise<() => Promise<void>> {
  const answer = chats.send(id, "please wait");
  await answer.next();
  return async () => void (await answer.return(undefined));
}

const config = (vars: Record<string, string> = {}) =>
  toConfig(
    {},
    {
      vars: { COPILOT_HOME: home.copilot, RETHREAD_HOME: home.data, ...vars },
      platform: process.platform,
      homeDir: home.work,
      folder: home.work,
      stdout: {},
      stderr: {},
      self: [],
      now: () => new Date(),
    },
  );
const editOf = async (vars: Record<string, string> = {}) => (await createApp(config(vars))).edit();

it("refuses a second conversation on the session, whatever its data folder, until the first has its answer", async () => {
  const stop = await talking();
  for (const vars of [{}, { RETHREAD_HOME: join(home.data, "other") }]) {
    const others = await home.app(vars);
    // The same conversation where the data folder is the same, else one of its own.
    const other = "RETHREAD_HOME" in vars ? await others.open(cliSession, {}) : { id };
    await expect(say(others, other.id, "two")).rejects.toMatchObject({
      code: "session-busy",
      hint: expect.stringMatching(/^Wait for its answer/),
    });
  }
  expect(asked()).toEqual(["one", "please wait"]);
  await stop();
  const others = await home.app({ RETHREAD_HOME: join(home.data, "other") });
  const { id: other } = await others.open(cliSession, {});
  expect((await say(others, other, "two")).answer).toContain("two");
});

it("refuses writes to the session meanwhile, and resume; a copy can be made", async () => {
  const stop = await talking();
  for (const vars of [{}, { RETHREAD_HOME: join(home.data, "other") }]) {
    const edit = await editOf(vars);
    const plan = await edit.planRename(cliSession, "Other");
    await expect(edit.apply((await edit.ignoreLocks(plan.fingerprint)).fingerprint)).rejects.toMatchObject({
      code: "session-busy",
    });
  }
  const program = { session: session(), words: ["no-such-program", cliSession] };
  await expect(startInTerminal(config(), undefined, program, home.work)).rejects.toMatchObject({
    code: "session-busy",
  });
  const edit = await editOf();
  await edit.apply((await edit.planClone(cliSession, {})).fingerprint);
  await stop();
  await edit.apply((await edit.planRename(cliSession, "Other")).fingerprint);
  expect(await startInTerminal(config(), undefined, program, home.work)).toBeUndefined();
});

it("is not begun while its program was started on the session, by resume or by hand", async () => {
  const release = await claimSession(home.data, session());
  await expect(say(chats, id, "two")).rejects.toMatchObject({ code: "session-busy" });
  release();
  if (process.platform !== "linux") return;
  const program = startLookalike("copilot", ["--resume", cliSession], {
    env: { PATH: process.env.PATH, COPILOT_HOME: home.copilot },
  });
  await expect(say(chats, id, "two")).rejects.toMatchObject({
    code: "session-busy",
    message: expect.stringContaining(`process ${program.pid}`),
  });
  const ignoring = await say(chats, id, "three", { ignoreLock: true });
  expect(ignoring.notices).toEqual([expect.stringContaining(`Process ${program.pid} seems`)]);
  await program.end();
  expect((await say(chats, id, "four")).answer).toContain("four");
});

it("waits for a write to the sessions around it", async () => {
  const unlock = takeWriteLock(lockFor(join(home.copilot, "session-state"), home.data));
  let isTaken = false;
  const claiming = claimSession(home.data, session()).then((release) => {
    isTaken = true;
    return release;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isTaken).toBe(false);
  unlock?.();
  (await claiming)();
  expect(existsSync(log())).toBe(true);
});
