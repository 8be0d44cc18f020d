/** What the event writer keeps beside the log, so that neither Copilot CLI nor `doctor` misses anything. */
import { expect, it } from "vitest";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { diagnose } from "../../../query/doctor.ts";
import { openCatalog } from "../../catalog.ts";
import copilotCli from "../index.ts";
import type { NewEvent } from "./event.ts";
import { createEventWriter } from "./writer.ts";

const ID = "5e551017-0000-4000-8000-00000000000b";
const FOLDER = `/h/session-state/${ID}`;
const NOW = new Date("2026-03-04T09:00:00.000Z");

const START: NewEvent = {
  type: "session.start",
  data: {
    sessionId: ID,
    version: 1,
    producer: "my-app",
    copilotVersion: "1.0.102",
    startTime: "2026-03-04T08:00:00.000Z",
    context: { cwd: "/srv/shop", repository: "lumen/shop", branch: "main" },
  },
};
const ask = (content: string): NewEvent => ({ type: "user.message", data: { content } });
const answer = (content: string): NewEvent => ({
  type: "assistant.message",
  data: { messageId: `m-${content.length}`, content },
});
const compaction = (about: string): NewEvent => ({
  type: "session.compaction_complete",
  data: {
    success: true,
    summaryContent: `<overview>${about}</overview>\n<checkpoint_title>All about ${about}</checkpoint_title>`,
  },
});

const open = (fs: SessionFs) =>
  createEventWriter({ fs, folder: FOLDER, onFailure: () => undefined, now: () => NOW });
const text = async (fs: SessionFs, name: string): Promise<string> =>
  Buffer.from(await fs.read(`${FOLDER}/${name}`)).toString("utf8");
const problemsIn = async (fs: SessionFs): Promise<string[]> => {
  const env = { platform: "linux", homeDir: "/", vars: { COPILOT_HOME: "/h" } } as const;
  const { problems, sessions } = await diagnose(openCatalog([copilotCli], env, fs));
  expect(sessions).toBe(1);
  return problems.map(({ code, message }) => `${code}: ${message}`);
};

it("writes a session of which doctor has nothing to say", async () => {
  const fs = createMemoryFs({});
  const writer = await open(fs);
  for (const event of [START, ask("Why is the total wrong?"), answer("It rounds twice.")])
    await writer.write(event);
  await writer.plan("- [ ] round once");
  await writer.file("notes/rounding.md", "Cents, not euros");
  await writer.write(compaction("rounding"));
  await writer.write(ask("And now?"));
  await writer.write(answer("Now it is right."));
  await writer.close();
  expect(await problemsIn(fs)).toEqual([]);
  expect([...fs.files.keys()].map((path) => path.slice(FOLDER.length + 1)).sort()).toEqual([
    "checkpoints/001-all-about-rounding.md",
    "checkpoints/index.md",
    "events.jsonl",
    "files/notes/rounding.md",
    "plan.md",
    "workspace.yaml",
  ]);
  expect((await text(fs, "workspace.yaml")).split("\n").sort()).toEqual([
    "",
    "branch: main",
    "client_name: my-app",
    'created_at: "2026-03-04T08:00:00.000Z"',
    "cwd: /srv/shop",
    "fork_count: 0",
    `id: "${ID}"`,
    "name: Why is the total wrong?",
    "repository: lumen/shop",
    "summary_count: 1",
    'updated_at: "2026-03-04T09:00:00.000Z"',
    "user_named: false",
  ]);
  expect(await text(fs, "checkpoints/001-all-about-rounding.md")).toBe("<overview>rounding</overview>");
  expect(await text(fs, "checkpoints/index.md")).toMatch(
    /\| 1 \| All about rounding \| 001-all-about-rounding.md \|\n$/,
  );
  const types = (await text(fs, "events.jsonl")).trimEnd().split("\n");
  const records = types.map((line) => JSON.parse(line));
  expect(records.find(({ type }) => type === "session.compaction_complete").data).toMatchObject({
    checkpointNumber: 1,
    checkpointPath: `${FOLDER}/checkpoints/001-all-about-rounding.md`,
  });
  expect(records.filter(({ type }) => /changed$/.test(type)).map(({ data }) => data)).toEqual([
    { operation: "create" },
    { path: "notes/rounding.md", operation: "create" },
  ]);
});

it("continues what is there: names and unknown fields stay, checkpoints are counted on, files go", async () => {
  const fs = createMemoryFs({});
  const first = await open(fs);
  for (const event of [START, ask("One"), compaction("one thing")]) await first.write(event);
  await first.plan("old");
  await first.close();
  const yaml = await text(fs, "workspace.yaml");
  await fs.write(`${FOLDER}/workspace.yaml`, `${yaml.replace("name: One", "name: Mine")}mc_task_id: 7\n`);
  const second = await open(fs);
  await second.write(ask("Two"));
  await second.plan("new");
  await second.plan(undefined);
  await second.write(compaction("two things"));
  await second.close();
  expect((await text(fs, "workspace.yaml")).split("\n")).toEqual(
    expect.arrayContaining(["name: Mine", "summary_count: 2", "mc_task_id: 7"]),
  );
  expect((await text(fs, "checkpoints/index.md")).match(/^\| \d.*$/gm)).toEqual([
    "| 1 | All about one thing | 001-all-about-one-thing.md |",
    "| 2 | All about two things | 002-all-about-two-things.md |",
  ]);
  expect(await fs.exists(`${FOLDER}/plan.md`)).toBe(false);
  expect(await problemsIn(fs)).toEqual([]);
});

it("makes up for a log that was written without, and leaves the rest to others when told to", async () => {
  const fs = createMemoryFs({});
  const without = await createEventWriter({
    fs,
    folder: FOLDER,
    onFailure: () => undefined,
    now: () => NOW,
    sidecars: false,
  });
  for (const event of [START, ask("First words")]) await without.write(event);
  await without.close();
  expect([...fs.files.keys()]).toEqual([`${FOLDER}/events.jsonl`]);
  const writer = await open(fs);
  await writer.write(answer("Later"));
  await writer.close();
  expect((await text(fs, "workspace.yaml")).split("\n")).toEqual(
    expect.arrayContaining(["cwd: /srv/shop", "name: First words"]),
  );
});

it("tries again what the disk refused, and says so when it stays refused", async () => {
  const memory = createMemoryFs({});
  let refusals = 2;
  const fs: SessionFs = {
    ...memory,
    async rename(from, to) {
      if (refusals-- > 0)
        throw Object.assign(new Error("ENOSPC: no space left on device, rename"), { code: "ENOSPC" });
      return memory.rename(from, to);
    },
  };
  const writer = await open(fs);
  await writer.write(START);
  await writer.write(ask("Hello"));
  await writer.close();
  expect(await problemsIn(memory)).toEqual([]);
  refusals = Number.POSITIVE_INFINITY;
  const refused = await open(fs);
  await refused.plan("no room for it");
  await expect(refused.close(300)).rejects.toMatchObject({
    code: "write-failed",
    message: expect.stringContaining("beside the log"),
  });
});

it.each(["", "/etc/passwd", "../../x", "a/../b", "a//b", "C:\\x", "a\0b"])(
  "takes %j for no name of a file",
  async (name) => {
    const writer = await open(createMemoryFs({}));
    await expect(writer.file(name, "x")).rejects.toMatchObject({ code: "usage" });
    await writer.close();
  },
);
