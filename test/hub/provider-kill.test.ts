/** A process that is killed while it writes leaves whole records, all that were acknowledged among them. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type HubSessions, openHubSessions } from "../../src/hub/provider/contract.ts";
import { folderOf } from "../../src/hub/provider/places.ts";
import { builtHubProgram } from "../built.ts";
import { newAccount, type TestAccount, urlOf } from "./account.ts";
import { newHub, type TestHub } from "./cluster.ts";

let hub: TestHub;
let account: TestAccount;
let sessions: HubSessions;
beforeAll(async () => {
  hub = await newHub();
  account = await newAccount(hub);
  sessions = await openHubSessions({ url: urlOf(hub), token: account.token });
});
afterAll(async () => {
  await sessions.close();
  await hub.close();
});

it.each([3, 17, 40])("after record %i", async (last) => {
  const id = randomUUID();
  const child = spawn(process.execPath, [builtHubProgram("appending"), urlOf(hub), account.token, id], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let acknowledged = -1;
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    acknowledged = Number(text.trim().split("\n").at(-1));
    // The next one is under way by now.
    if (acknowledged >= last) child.kill("SIGKILL");
  });
  await ended;
  // Its lease runs out by itself, and nobody has to steal it.
  const provider = sessions.provider({ sessionId: id });
  await expect
    .poll(() =>
      sessions.take(id).then(
        () => "taken",
        () => "busy",
      ),
    )
    .toBe("taken");
  const lines = (await provider.readFile("/session/events.jsonl")).split("\n");
  expect(lines.pop()).toBe("");
  expect(lines.map((line) => JSON.parse(line).number)).toEqual(lines.map((_, number) => number));
  expect(lines.length).toBeGreaterThan(acknowledged);
  expect(lines.length).toBeLessThanOrEqual(acknowledged + 2);
  await provider.appendFile("/session/events.jsonl", "{}\n");
  expect((await sessions.fs.stat(`${folderOf(id)}/events.jsonl`)).size).toBe(
    Buffer.byteLength(`${lines.join("\n")}\n{}\n`),
  );
});
