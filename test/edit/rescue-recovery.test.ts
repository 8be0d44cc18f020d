/** What Copilot CLI threw away when it repaired a log itself: found by its copy, mended, and brought back to its place. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diagnose, inNeedOfRescue } from "../../src/query/doctor.ts";
import { soundLines } from "../real/copilot-rescue-mutations.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";

const COPY = "events.jsonl.backup-before-recovery-0123abcd";
const LINES = soundLines(ID);
const SOUND = `${LINES.join("\n")}\n`;
const NAME = `copilot-cli:${ID}`;
let home: EditHome;
beforeEach(() => {
  home = createEditHome();
  rmSync(home.file("inuse.999999999.lock"));
  put("events.jsonl", SOUND);
});
afterEach(() => home.remove());

const put = (name: string, text: string): void => writeFileSync(home.file(name), text);
const log = (): string => readFileSync(home.file("events.jsonl"), "utf8");
const needed = async (): Promise<string[]> => inNeedOfRescue(await diagnose(home.catalog));
const rescue = async () => home.edit().apply(await home.edit().planRescue(ID));
/** A prompt broken up by raw line feeds: three lines that the program drops, and a log without them. */
const prompt = LINES[8] ?? "";
const broken = prompt.replace("what about", "what\nabout");
const damaged = SOUND.replace(prompt, broken);
const repaired = SOUND.replace(`${prompt}\n`, "");

describe("what the program dropped when it repaired a log", () => {
  it("comes back between the records where it stood, and is then no longer missing", async () => {
    put("events.jsonl", `${repaired}`);
    put(COPY, damaged);
    expect(await needed()).toEqual([NAME]);
    const before = lookAtAll(home.copilot);
    const { operation, plan } = await rescue();
    expect(plan.repairs).toEqual([
      {
        path: home.file(COPY),
        line: 9,
        what: "dropped when the program repaired the log: repaired and restored",
      },
    ]);
    expect(log().split("\n")).toHaveLength(SOUND.split("\n").length);
    expect(JSON.parse(log().split("\n")[8] ?? "").data.content).toContain("what\nabout");
    expect(log().replace(`${log().split("\n")[8]}\n`, "")).toBe(repaired);
    expect(await needed()).toEqual([]);
    expect((await home.edit().planRescue(ID)).steps).toEqual([]);
    await home.edit().apply(await home.edit().planUndo(operation));
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("stays away when the session was rewound since to before it, and what was sound there is not brought back", async () => {
    put("events.jsonl", `${LINES.slice(0, 3).join("\n")}\n`);
    put(COPY, damaged);
    expect(await needed()).toEqual([]);
    expect((await home.edit().planRescue(ID)).steps).toEqual([]);
  });

  it("comes back although the session went on since", async () => {
    const more = JSON.stringify({ ...JSON.parse(prompt), id: "99999999-0000-4000-8000-000000000001" });
    put("events.jsonl", `${repaired}${more}\n`);
    put(COPY, damaged);
    await rescue();
    expect(log().split("\n").at(-2)).toBe(more);
    expect(log().split("\n")).toHaveLength(SOUND.split("\n").length + 1);
  });

  it("is nothing where the copy holds no more than the log", async () => {
    put(COPY, `${SOUND}%% no record\n`);
    expect(await needed()).toEqual([]);
    expect((await home.edit().planRescue(ID)).repairs).toEqual([]);
  });
});

describe("a session without a log", () => {
  it.each([["is missing"], ["is empty"]])("has it from the copy when it %s", async (what) => {
    if (what === "is missing") rmSync(home.file("events.jsonl"));
    else put("events.jsonl", "");
    put(COPY, damaged);
    expect(await needed()).toEqual([NAME]);
    const before = lookAtAll(home.copilot);
    const { operation, plan } = await rescue();
    expect(plan.repairs?.[0]?.what).toBe(
      `the log ${what}: restored from the copy that the program made before it repaired the log`,
    );
    expect(plan.stats).toMatchObject({ originalTurns: 0, clonedTurns: 4 });
    expect(await needed()).toEqual([]);
    await home.edit().apply(await home.edit().planUndo(operation));
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("is not found where there is nothing to save, and doctor says so", async () => {
    const folder = home.file("..", "33333333-aaaa-4bbb-8ccc-000000000003");
    mkdirSync(folder);
    const { problems } = await diagnose(home.catalog);
    expect(problems.filter(({ path }) => path === folder)).toMatchObject([
      {
        code: "session-empty",
        message: "the session was opened but never used, so it has no log",
      },
    ]);
  });
});
