/** Rescue, over every kind of damage at many places: nothing is refused afterwards, and no text is lost that was there. */
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentOf } from "../../src/edit/apply/content.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { rescueLog } from "../../src/sources/copilot-cli/edit/rescue/log.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { MUTATIONS, seeded, soundLines } from "../real/copilot-rescue-mutations.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";

const PATH = `/home/session-state/${ID}/events.jsonl`;
const artifactOf = (size: number) => ({
  source: "copilot-cli" as const,
  id: ID,
  root: "/home",
  path: PATH,
  fingerprint: { size, mtimeMs: Date.UTC(2026, 0, 1), ino: 0 },
});

async function rescued(log: string | Buffer) {
  const fs = createMemoryFs({ [PATH]: log });
  const { pieces, repairs } = await rescueLog(fs, artifactOf(log.length));
  const parts: Buffer[] = [];
  for await (const chunk of contentOf(pieces, { fs })) parts.push(Buffer.from(chunk));
  return { bytes: Buffer.concat(parts), repairs };
}

async function textsOf(log: string | Buffer): Promise<string[]> {
  const messages = await copilotCli.context?.messages(
    createMemoryFs({ [PATH]: log }),
    artifactOf(log.length),
  );
  return (messages ?? []).map(({ text }) => text);
}

async function problemsOf(log: Buffer): Promise<string[]> {
  const codes: string[] = [];
  const sink = { event: () => undefined, problem: ({ code }: { code: string }) => void codes.push(code) };
  await copilotCli.read(createMemoryFs({ [PATH]: log }), artifactOf(log.length), sink);
  return codes.filter((code) => !["call-unanswered", "result-orphan", "too-large"].includes(code));
}

const SOUND = `${soundLines(ID).join("\n")}\n`;
/** After which every message can be what it was. */
const WHOLE = [
  "a NUL tail",
  "two joined lines",
  "all lines joined",
  "U+2028 between lines",
  "a byte order mark",
  "a byte order mark inside",
  "an id that is none",
  "no id",
  "no timestamp",
  "a timestamp without a timezone",
  "no parentId",
  "a parentId that is none",
  "no session.start",
  "a torn session.start",
  "session.start elsewhere",
  "one record written into another",
  "one line written into another",
];

describe("a rescued log", () => {
  it.each(Object.entries(MUTATIONS))(
    "has nothing left that the program refuses: %s",
    async (name, mutate) => {
      for (let seed = 1; seed <= (name.includes("5 MB") ? 1 : 12); seed++) {
        const damaged = Buffer.from(mutate(soundLines(ID), seeded(seed)) as string);
        const { bytes, repairs } = await rescued(damaged);
        expect(repairs, `seed ${seed}`).not.toEqual([]);
        expect(await problemsOf(bytes), `seed ${seed}`).toEqual([]);
        expect(await rescued(bytes), `seed ${seed}`).toEqual({ bytes, repairs: [] });
        const [before, after] = [await textsOf(damaged), await textsOf(bytes)];
        expect(after.length, `seed ${seed}`).toBeGreaterThanOrEqual(before.length);
        if (WHOLE.includes(name)) expect(after, `seed ${seed}`).toEqual(await textsOf(SOUND));
      }
    },
  );

  it("is the same when nothing is wrong", async () => {
    expect(await rescued(SOUND)).toEqual({ bytes: Buffer.from(SOUND), repairs: [] });
  });

  it("keeps what the program does not know, and lines with little in them, as they are", async () => {
    const odd = `${SOUND}{}\n\n{"type":"new.kind","deep":1.50}\n`;
    expect((await rescued(odd)).bytes.toString()).toBe(odd);
    const { bytes } = await rescued(`${SOUND}%%\n{}\n{"type":"new.kind","deep":1.50}\n`);
    expect(bytes.toString()).toBe(`${SOUND}{}\n{"type":"new.kind","deep":1.50}\n`);
  });

  it("ends the line of a session.start that was the last one, before it is put in front", async () => {
    const [start = "", ...rest] = SOUND.trimEnd().split("\n");
    const { bytes } = await rescued([...rest, start].join("\n"));
    expect(bytes.toString()).toBe(SOUND);
  });

  it("is made of many thousand damaged lines without looking at all of them for each", async () => {
    const damaged = `${SOUND}${"{ no record at all\n".repeat(20_000)}${"nor here\n".repeat(20_000)}`;
    const { bytes, repairs } = await rescued(damaged);
    expect(bytes.toString()).toBe(SOUND);
    expect(repairs).toHaveLength(40_000);
  });

  it("says of every byte that it could not keep where it was", async () => {
    const size = Buffer.byteLength(SOUND);
    const { repairs } = await rescued(
      Buffer.concat([Buffer.from(`${SOUND}%% no record\n`), Buffer.alloc(5)]),
    );
    const lines = soundLines(ID).length;
    expect(repairs).toEqual([
      {
        path: PATH,
        line: lines + 1,
        start: size,
        end: size + 12,
        what: "not a record or part of one",
        isLost: true,
      },
      {
        path: PATH,
        line: lines + 2,
        start: size + 13,
        end: size + 18,
        what: "NUL bytes, as left by a crash",
        isLost: true,
      },
    ]);
  });

  it("has the text of a record that was cut off", async () => {
    const cut = SOUND.indexOf("what about", SOUND.length / 2) + "what about".length;
    const { bytes } = await rescued(SOUND.slice(0, cut));
    expect((await textsOf(bytes)).at(-1)).toMatch(/^Prompt \d:\nwhat about$/);
  });

  it("keeps values that had to make room, under a name that the program ignores", async () => {
    const lines = soundLines(ID);
    const bad = { ...JSON.parse(lines[1] ?? ""), id: "seven", timestamp: "yesterday" };
    const { bytes } = await rescued(`${lines[0]}\n${JSON.stringify(bad)}\n`);
    const record = JSON.parse(bytes.toString().split("\n")[1] ?? "");
    expect(record.rescued).toEqual({ id: "seven", timestamp: "yesterday" });
    expect(record.data).toEqual(bad.data);
  });
});

describe("rescuing a session", () => {
  let home: EditHome;
  beforeEach(() => {
    home = createEditHome();
    rmSync(home.file("inuse.999999999.lock"));
  });
  afterEach(() => home.remove());

  it("leaves a sound one alone", async () => {
    writeFileSync(home.file("events.jsonl"), SOUND);
    expect(await home.edit().planRescue(ID)).toMatchObject({ steps: [], repairs: [], losses: [] });
  });

  it("mends log, locks and workspace.yaml at once, and is undone to the byte", async () => {
    writeFileSync(home.file("events.jsonl"), SOUND.replaceAll('"parentId":null', '"parentId":1234'));
    utimesSync(home.file("events.jsonl"), 1e9, 1e9);
    writeFileSync(home.file("inuse.999999999.lock"), "999999999\n");
    rmSync(home.file("workspace.yaml"));
    const before = lookAtAll(home.copilot);
    const edit = home.edit();
    const { operation } = await edit.apply(await edit.planRescue(ID));
    expect((await edit.planRescue(ID)).repairs).toEqual([]);
    expect(readdirSync(home.file())).not.toContain("inuse.999999999.lock");
    expect(readFileSync(home.file("workspace.yaml"), "utf8")).toContain(`id: "${ID}"\n`);
    await edit.apply(await edit.planUndo(operation));
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("makes a workspace.yaml anew that is none", async () => {
    writeFileSync(home.file("events.jsonl"), SOUND);
    writeFileSync(home.file("workspace.yaml"), "name: [");
    const { repairs } = await home.edit().planRescue(ID);
    expect(repairs).toEqual([
      { path: home.file("workspace.yaml"), what: "workspace.yaml is not YAML: created from the log" },
    ]);
  });
});
