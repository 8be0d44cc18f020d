/** A change of a session on the hub that is killed at any moment is there as a whole or not at all, and the journal knows. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRethread } from "../../src/app/library.ts";
import { providedFolder } from "../../src/app/provided.ts";
import { unfinished } from "../../src/edit/apply/stage.ts";
import { type HubSessions, openHubSessions } from "../../src/hub/provider/contract.ts";
import { builtHubProgram } from "../built.ts";
import { createEditHome, type EditHome, ID } from "../edit/home.ts";
import { newAccount, type TestAccount, urlOf } from "./account.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { lookAt, putSessions } from "./provider-home.ts";
import { type KillMoment, MOMENTS } from "./provider-killed.ts";

let hub: TestHub;
let account: TestAccount;
let sessions: HubSessions;
let home: EditHome;
beforeAll(async () => {
  hub = await newHub();
  account = await newAccount(hub);
  sessions = await openHubSessions({ url: urlOf(hub), token: account.token });
  home = createEditHome();
  await putSessions(sessions, home.copilot);
});
afterAll(async () => {
  await sessions.close();
  await hub.close();
  home.remove();
});

const look = () => lookAt(sessions.fs, sessions.home);
/** What must have become of it; one that is killed while the database commits may be either. */
const DONE: Record<KillMoment, boolean | undefined> = {
  building: false,
  noted: false,
  "half-way": false,
  verified: false,
  committing: undefined,
  committed: true,
};

it.each(MOMENTS)("killed while it is %s", async (moment) => {
  const told: string[] = [];
  const open = () =>
    openRethread({ sessions, vars: { RETHREAD_HOME: home.data }, notice: (each) => told.push(each) });
  const data = providedFolder(home.data, sessions);
  const edit = await (await open()).edit();
  const before = await look();
  const { fingerprint, ...plan } = await edit.planRewind(ID, { to: 0 });
  const file = join(home.copilot, "plan.json");
  writeFileSync(file, JSON.stringify(plan));
  const operation = fingerprint.slice(0, 8);
  const child = builtHubProgram("provider-killed");
  const words = [child, urlOf(hub), account.token, data, file, moment, operation];
  const { signal } = spawnSync(process.execPath, words, { stdio: "inherit" });
  expect(signal).toBe("SIGKILL");
  expect(unfinished(data)).toEqual([operation]);

  const { sessions: found } = await (await open()).list();
  const written = (await edit.history()).find((each) => each.operation === operation);
  const isDone = DONE[moment] ?? written?.state === "done";
  expect(found).toMatchObject([{ id: ID, turns: isDone ? 1 : 3 }]);
  expect(written?.state).toBe(moment === "building" ? undefined : isDone ? "done" : "failed");
  expect(told.join()).toMatch(
    moment === "building" ? /^$/ : isDone ? /was interrupted when all of it was written/ : /has been undone/,
  );
  expect(unfinished(data)).toEqual([]);
  if (isDone) await edit.apply((await edit.planUndo(operation)).fingerprint);
  expect(await look()).toEqual(before);
});
