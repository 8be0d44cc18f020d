/** Sessions without their secrets, judged by the real Copilot CLI. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lookAtAll } from "../edit/home.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { type Editing, openEditing } from "./copilot-editing.ts";
import { scripted } from "./scripted-model.ts";

const ID = "aaaaaaaa-0000-4000-8000-00000000d001";
const TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const PASSWORD = "Tr0ub4dor-and-3";
let copilot: Copilot;
let editing: Editing;

beforeAll(async () => {
  copilot = await startCopilot();
  const bash = (command: string) => ({ name: "bash", input: { command, description: "try" } });
  const headless = await copilot.headless();
  await headless.create(ID);
  const calls = [bash(`echo "DB_PASSWORD=${PASSWORD}"`)];
  await headless.say(ID, scripted(`Deploy with ${TOKEN}`, { say: "Looking.", calls }, { say: "Done." }));
  await headless.say(ID, `Was it ${PASSWORD}?`);
  await headless.close();
  editing = openEditing(copilot);
});
afterAll(() => copilot.close());

it("are resumed with a mark in the place of each secret, and all else", async () => {
  const { edit, contextOf } = editing;
  const folder = join(copilot.home, "session-state", ID);
  const [bytes, before] = [lookAtAll(folder), await contextOf(ID)];
  const plan = await edit.planScrub([ID]);
  expect(plan.redactions?.map(({ kind }) => kind)).toEqual(["github token", "password"]);
  const { operation } = await edit.apply(plan);
  const log = readFileSync(copilot.log(ID), "utf8");
  expect(log).not.toContain(TOKEN);
  expect(log).not.toContain(PASSWORD);

  const { code, messages = [] } = await copilot.resume(ID, { byCommand: true });
  expect(code).toBe(0);
  const sent = JSON.stringify(messages);
  const [token = "", password = ""] = ["github token", "password"].map(
    (kind) => new RegExp(`\\[redacted: ${kind} [0-9a-f]{8}\\]`).exec(sent)?.[0],
  );
  // The same secret has the same mark, in another turn, too.
  expect(messages).toEqual(
    JSON.parse(JSON.stringify(before).replaceAll(TOKEN, token).replaceAll(PASSWORD, password)),
  );

  await edit.apply(await edit.planUndo(operation));
  expect(lookAtAll(folder)).toEqual(bytes);
  edit.close();
});
