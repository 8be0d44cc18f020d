/** The command, where a variable says that sessions are on a hub. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newToken } from "../../src/hub/database/credentials.ts";
import { type HubSessions, openHubSessions } from "../../src/hub/provider/contract.ts";
import { createHome, type Home } from "../cli/home.ts";
import { createEditHome, type EditHome, ID } from "../edit/home.ts";
import { newAccount, urlOf } from "./account.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { lookAt, putSessions } from "./provider-home.ts";

let hub: TestHub;
let sessions: HubSessions;
let there: EditHome;
let home: Home;
let token: string;
beforeAll(async () => {
  hub = await newHub();
  ({ token } = await newAccount(hub));
  sessions = await openHubSessions({ url: urlOf(hub), token, holder: "an app" });
  there = createEditHome();
  await putSessions(sessions, there.copilot);
  home = createHome();
});
afterAll(async () => {
  await sessions.close();
  await hub.close();
  there.remove();
  home.remove();
});

const onHub = (vars: Record<string, string> = {}): Home =>
  home.with({ RETHREAD_PROVIDER_URL: urlOf(hub), RETHREAD_HUB_TOKEN: token, ...vars });
const json = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout);

describe("with RETHREAD_PROVIDER_URL, the command", () => {
  it("shows what applications keep there, and not what is on this machine", () => {
    home.session("33333333-aaaa-4bbb-8ccc-000000000003", []);
    expect(json(home.again("list", "--json")).sessions).toHaveLength(1);
    const { sessions: found } = json(onHub().again("list", "--json"));
    expect(found).toMatchObject([{ id: ID, source: "copilot-cli", turns: 3, resume: null }]);
    expect(onHub().again("overview").stdout).toContain("GitHub Copilot CLI on the hub");
    expect(json(onHub().again("list", "--demo", "--json")).sessions.length).toBeGreaterThan(10);
  });

  it("changes it, lists that in the history, and undoes it by the line that it prints", async () => {
    const before = await lookAt(sessions.fs, sessions.home);
    // As a process of its own, which ends by itself.
    const { stdout, code } = onHub().shell(`rethread rewind ${ID} --to 0 --yes`);
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 of 3 turns")]);
    expect(json(onHub().again("history", "--json")).writes).toMatchObject([
      { kind: "rewind", state: "done" },
    ]);
    expect(json(home.again("history", "--json")).writes).toEqual([]);
    const [, undo = ""] = /undo +rethread (.+)/.exec(stdout) ?? [];
    expect(onHub().again(...undo.split(" "), "--yes").code).toBe(0);
    expect(await lookAt(sessions.fs, sessions.home)).toEqual(before);
  });

  it("completes their names, once they were listed", () => {
    const complete = (from: Home) => from.shell("rethread __complete sessions 1").stdout;
    expect([complete(onHub()), complete(home)]).toEqual([expect.stringMatching(/^11111111\b/), ""]);
  });

  it("says who holds a session", async () => {
    await sessions.take(ID);
    const { code, stderr } = onHub().again("rename", ID, "Another", "--yes");
    expect(stderr).toContain(
      `error: Session ${ID} is being written by an app (session-busy)\nClose it there`,
    );
    expect(code).toBe(5);
    await sessions.release(ID);
  });

  it.each([
    ["a program of this machine", "chat", "--send", "hello"],
    ["the settings of one", "mcp", "install", "copilot-cli"],
    ["a home", "migrate", "--to", "elsewhere"],
    ["a program to continue it in", "resume", ID],
  ])("needs no %s", (_, ...words) => {
    expect(json(onHub().again(...words, "--json")).error.code).toBe("not-supported");
  });

  it.each([
    ["a token", { RETHREAD_HUB_TOKEN: "" }, "hub-not-set"],
    ["what looks like a token", { RETHREAD_HUB_TOKEN: "nonsense" }, "not-signed-in"],
    ["the token of an account", { RETHREAD_HUB_TOKEN: newToken(randomUUID()) }, "not-signed-in"],
    ["an address", { RETHREAD_PROVIDER_URL: "http://u:geheim@localhost" }, "usage"],
    [
      "a database that answers",
      { RETHREAD_PROVIDER_URL: "postgres://rethread_app:geheim@127.0.0.1:1/hub" },
      "database-unavailable",
    ],
  ])("needs %s, and tells no password", (_, vars, code) => {
    const ran = onHub({ RETHREAD_HOME: join(home.path, "other"), ...vars }).again("list", "--json");
    expect(json(ran).error).toMatchObject({ code });
    expect(ran.stdout + ran.stderr).not.toContain("geheim");
  });
});
