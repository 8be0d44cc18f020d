/** Work begun on one machine and continued on another through the hub, judged by the real Copilot CLI. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { pictureAt } from "../../src/demo/pictures.ts";
import { runHere } from "../fuzz/in-process.ts";
import { newHub, type TestHub } from "../hub/cluster.ts";
import { type People, peopleOf } from "../hub/people.ts";
import { type ServedHub, serveHub } from "../hub/served.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import type { SentMessage } from "./openai.ts";
import { scripted } from "./scripted-model.ts";

const PLAIN = "aaaaaaaa-0000-4000-8000-00000000c001";
const SEALED = "aaaaaaaa-0000-4000-8000-00000000c002";
const PICTURED = "aaaaaaaa-0000-4000-8000-00000000c003";
/** Bytes of a picture that says more than one point. */
const SCREENSHOT = Buffer.from(pictureAt("ci-runs.png").data, "base64");
const KEY = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

interface Machine {
  readonly copilot: Copilot;
  /** A clone of the same repository; each machine has it elsewhere. */
  readonly clone: string;
  readonly data: string;
  rethread(...words: string[]): Promise<Record<string, unknown>>;
}

let hub: TestHub;
let people: People;
let served: ServedHub;
let folder: string;
let [laptop, workstation]: (Machine | undefined)[] = [];

async function newMachine(name: string, token: string): Promise<Machine> {
  const copilot = await startCopilot();
  const home = join(folder, name);
  const clone = join(home, name === "laptop" ? "work/shop" : "src/github/acme-shop");
  mkdirSync(clone, { recursive: true });
  for (const words of [
    ["init", "-q"],
    ["remote", "add", "origin", "https://github.com/acme/shop.git"],
  ])
    expect(spawnSync("git", words, { cwd: clone }).status).toBe(0);
  const vars = {
    ...{ HOME: home, RETHREAD_HOME: join(home, "rethread"), PATH: process.env.PATH ?? "" },
    ...{ COPILOT_HOME: copilot.home, RETHREAD_HUB_URL: served.url, RETHREAD_HUB_TOKEN: token },
  };
  return {
    copilot,
    clone,
    data: vars.RETHREAD_HOME,
    async rethread(...words) {
      const { stdout, stderr } = await runHere([...words, "--json"], vars, clone);
      const answer = JSON.parse(stdout);
      expect(answer.error, `${words.join(" ")}: ${stderr}`).toBeUndefined();
      return answer;
    },
  };
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-sync-")));
  hub = await newHub();
  people = await peopleOf(hub);
  served = await serveHub(hub);
  const { token } = await people.add("robin");
  laptop = await newMachine("laptop", token);
  workstation = await newMachine("workstation", token);
});
afterAll(async () => {
  await laptop?.copilot.close();
  await workstation?.copilot.close();
  await served.close();
  await people.close();
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

const contextOf = async ({ rethread }: Machine, id: string): Promise<SentMessage[]> => {
  const { messages } = (await rethread("context", id)) as {
    messages: (SentMessage & { toolCallId: string | null })[];
  };
  return messages.map(({ role, text, toolCalls, toolCallId }) => ({
    ...{ role, text },
    ...(toolCalls?.length && {
      toolCalls: toolCalls.map(({ id: call, name, arguments: input }) => ({
        id: call,
        name,
        arguments: input,
      })),
    }),
    ...(toolCallId && { toolCallId }),
  }));
};

/** What the program sends to its model when it is resumed here, in the folder that the session is about. */
async function resumed({ copilot, clone }: Machine, id: string): Promise<readonly SentMessage[]> {
  const found = parse(readFileSync(join(copilot.home, "session-state", id, "workspace.yaml"), "utf8"));
  expect(found.cwd).toBe(clone);
  const { code, stderr, messages } = await copilot.resume(id, { byCommand: true });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return messages ?? [];
}

describe("a session that was begun on the laptop", () => {
  it("is continued on the workstation with the whole conversation, in the clone that is there", async () => {
    if (!laptop || !workstation) throw new Error("no machines");
    const headless = await laptop.copilot.headless();
    const bash = { name: "bash", input: { command: "echo $((6 * 7))", description: "count" } };
    for (const id of [PLAIN, SEALED]) {
      await headless.create(id, { workingDirectory: laptop.clone });
      await headless.say(
        id,
        scripted(`Look around with ${KEY}`, { say: "Looking.", calls: [bash] }, { say: "42." }),
      );
      await headless.say(id, `What did ${id.slice(-1) === "1" ? "you" : "we"} find?`);
    }
    await headless.close();
    await laptop.rethread("hub", "key", "new");
    await laptop.rethread("sync", "seal", "--session", SEALED);
    expect(await laptop.rethread("sync", "--yes")).toMatchObject({ outcome: "clean", created: 2, failed: 0 });
    const pulled = { outcome: "pulled", machine: expect.any(String), folder: workstation.clone };
    expect(await workstation.rethread("sync", "--pull", PLAIN, "--to", workstation.clone)).toMatchObject({
      outcome: "clean",
      sessions: [{ ...pulled, isUpdate: false }],
    });
    // It goes on where it began, and what was pulled follows in its place.
    const again = await laptop.copilot.headless();
    await again.resume(PLAIN);
    await again.say(
      PLAIN,
      scripted("And once more", { say: "Once more.", calls: [bash] }, { say: "Still 42." }),
    );
    await again.close();
    const before = await contextOf(laptop, PLAIN);
    expect(before.map(({ role }) => role)).toEqual(
      "user assistant tool assistant user assistant user assistant tool assistant".split(" "),
    );
    expect(await laptop.rethread("sync")).toMatchObject({ outcome: "clean", created: 0, updated: 1 });
    // The laptop is gone, and with it the folder that the session was about.
    const { identity } = (await laptop.rethread("hub", "key", "show")) as { identity: string };
    const former = laptop.clone;
    await laptop.copilot.close();
    laptop = undefined;
    rmSync(former, { recursive: true });

    expect(await workstation.rethread("sync", "--pull", PLAIN)).toMatchObject({
      outcome: "clean",
      sessions: [{ ...pulled, isUpdate: true, isCopy: false, session: { id: PLAIN } }],
    });
    const sent = await resumed(workstation, PLAIN);
    // The key never left the laptop; all else is as it was.
    const mark = /\[redacted: github token [0-9a-f]{8}\]/.exec(JSON.stringify(sent))?.[0] ?? "";
    expect(mark).not.toBe("");
    const moved = JSON.stringify(before).replaceAll(KEY, mark).replaceAll(former, workstation.clone);
    expect(sent).toEqual(JSON.parse(moved));

    // What the hub cannot read needs the key.
    const refused = (await workstation.rethread("sync", "--pull", SEALED)) as {
      sessions: { problem: { message: string } }[];
    };
    expect(refused.sessions[0]?.problem.message).toContain("sealed");
    const raw = JSON.stringify(await people.ask("SELECT * FROM hub.raw_events"));
    expect(raw).not.toContain("What did we find");
    expect(Buffer.byteLength(raw)).toBeGreaterThan(1000);
    const { createApp } = await import("../../src/app/app.ts");
    const { readConfig } = await import("../../src/app/config.ts");
    const app = await createApp({ ...readConfig(), dataHome: workstation.data });
    await (await app.sync()).key({ action: "import", identity });
    expect(await workstation.rethread("sync", "--pull", SEALED)).toMatchObject({
      outcome: "clean",
      sessions: [{ outcome: "pulled", folder: workstation.clone }],
    });
    const opened = await resumed(workstation, SEALED);
    expect(opened.map(({ role }) => role)).toEqual(before.slice(0, -4).map(({ role }) => role));
    expect(opened.at(-2)?.text).toContain("What did we find?");
    expect(JSON.stringify(opened)).not.toContain(KEY);
  });

  it("goes on without the pictures that stayed there, each with one of the same format in its place", async () => {
    if (!workstation) throw new Error("no machine");
    const { token } = await people.add("casey");
    const tablet = await newMachine("tablet", token);
    const desk = await newMachine("desk", token);
    const shot = join(tablet.clone, "shot.png");
    writeFileSync(shot, SCREENSHOT);
    const headless = await tablet.copilot.headless();
    await headless.create(PICTURED, { workingDirectory: tablet.clone });
    const view = { name: "view", input: { path: shot } };
    await headless.say(PICTURED, scripted("Look", { say: "Looking.", calls: [view] }, { say: "Grey." }), {
      attachments: [
        { type: "file", path: shot, displayName: "shot.png" },
        {
          type: "blob",
          data: SCREENSHOT.toString("base64"),
          mimeType: "image/png",
          displayName: "pasted.png",
        },
      ],
    });
    await headless.close();
    expect(readFileSync(tablet.copilot.log(PICTURED), "utf8")).toContain(SCREENSHOT.toString("base64"));
    const here = await tablet.copilot.resume(PICTURED, { byCommand: true });
    expect(here.code).toBe(0);
    expect(JSON.stringify(here.messages)).toContain("[image]");
    expect(await tablet.rethread("sync", "--yes")).toMatchObject({ outcome: "clean", created: 1 });
    expect(await desk.rethread("sync", "--pull", PICTURED, "--to", desk.clone)).toMatchObject({
      outcome: "clean",
      sessions: [{ outcome: "pulled" }],
    });
    const log = readFileSync(desk.copilot.log(PICTURED), "utf8");
    expect(log).not.toContain(SCREENSHOT.toString("base64").slice(60, 100));
    const sent = await resumed(desk, PICTURED);
    const anywhere = (messages: unknown): string =>
      [tablet.clone, desk.clone].reduce(
        (all, clone) => all.replaceAll(clone, "/clone"),
        JSON.stringify(messages),
      );
    expect(anywhere(sent)).toBe(anywhere(here.messages));
    await tablet.copilot.close();
    await desk.copilot.close();
  });

  it("goes on there, and comes to the hub as the workstation's own", async () => {
    if (!workstation) throw new Error("no machine");
    const headless = await workstation.copilot.headless();
    await headless.resume(PLAIN);
    await headless.say(PLAIN, "And now?");
    await headless.close();
    expect(await workstation.rethread("sync", "--yes")).toMatchObject({ outcome: "clean", created: 1 });
    const names = await people.ask("SELECT id FROM hub.sessions WHERE id LIKE $1", [`%${PLAIN}%`]);
    expect(names).toHaveLength(2);
  });
});
