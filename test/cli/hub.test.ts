/** What `rethread hub` prints to the operator of a hub, on an embedded PostgreSQL of its own. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runHere } from "../fuzz/in-process.ts";
import { reachableFolder } from "../hub/prepared.ts";

const home = reachableFolder("hub-cli-");
afterAll(() => rmSync(home, { recursive: true, force: true }));

const hub = (...words: string[]) =>
  runHere(["hub", ...words], { HOME: home, RETHREAD_HOME: join(home, "data"), PATH: process.env.PATH ?? "" });

const TOKEN = /^rth_[0-9a-f]{32}_[\w-]{43}$/;

it("makes a hub and lists its people as tables, without a token in them", async () => {
  const made = await hub("init", "--expires", "never");
  expect(made.stdout.split("\n")[0]).toBe('The hub is ready, with the user admin and the team "team".');
  expect(made.stdout.split("\n")[1]).toMatch(TOKEN);
  expect(made.stderr).toContain("shown once");
  expect((await hub("user", "add", "robin", "--scopes", "read")).stdout).toContain("robin may use the hub");
  expect((await hub("user", "add", "kim")).code).toBe(0);
  expect((await hub("user", "revoke", "kim")).stdout).toBe(
    "kim may no longer use the hub (1 token ended). What was pushed is still there.\n",
  );
  expect((await hub("user", "rotate", "robin")).stdout).toMatch(
    /^robin has a new token \(1 earlier one ended\)/,
  );
  const { stdout } = await hub("user", "list");
  const shown = stdout.trimEnd().split("\n");
  expect(shown[0]).toMatch(/^USER {3}MAY +ENDS +USED {2}TEAMS$/);
  expect(shown[1]).toMatch(/^admin {2}push, read, admin {2}never +– +team$/);
  expect(shown[2]).toMatch(/^kim {4}revoked +– +team$/);
  expect(shown[3]).toMatch(/^robin {2}read +\d{4}-\d\d-\d\d +– +team$/);
  expect(stdout).not.toContain("rth_");
  expect((await hub("team", "list")).stdout).toBe("TEAM  MEMBERS\nteam  admin, kim, robin\n");
});

it("says that somebody is in no team, where there are several to choose from", async () => {
  expect((await hub("team", "add", "platform")).stdout).toBe(
    'Added the team "platform". Add people to it: rethread hub team join platform <user>\n',
  );
  const { stdout, stderr } = await hub("user", "add", "lee");
  expect(stdout).toContain("lee may use the hub, and is in no team yet.");
  expect(stderr).toContain("rethread hub team join");
});

it("keeps a backup that is there, and offers nothing that it does not have", async () => {
  const file = join(home, "hub.backup");
  expect((await hub("backup", file, "--portable")).code).toBe(0);
  const { stderr } = await hub("backup", file, "--portable");
  expect(stderr).toContain("already exists (file-exists)\nName another file");
});

it.each([
  [[], "Use one of serve, init, user, team"],
  [["user"], "hub user needs an action"],
  [["user", "paint"], "hub user has no action paint"],
  [["user", "add"], "hub user add needs a name"],
  [["user", "add", "a", "b"], 'hub user add <name> does not expect "b"'],
  [["user", "add", "robin"], "robin"],
  [["user", "add", "sam", "--scopes", "root"], "There is no such scope"],
  [["user", "add", "sam", "--expires", "soon"], '"soon" is no lifetime of a token'],
  [["team", "join", "nobody", "robin"], "nobody"],
])("refuses %j", async (words, message) => {
  const { code, stdout, stderr } = await hub(...words);
  expect({ code: code > 0, stdout }).toEqual({ code: true, stdout: "" });
  expect(stderr).toContain(message);
});
