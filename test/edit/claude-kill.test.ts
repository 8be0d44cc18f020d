/** kill -9 and failing disks at every moment of a write to Claude Code's files: the old state or the new one. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { EditPlan } from "../../src/model/plan.ts";
import { CLAUDE_ID, type ClaudeDisk, createClaudeDisk } from "./claude-disk.ts";
import { failEverywhere } from "./every-fault.ts";
import { killEverywhere } from "./every-moment.ts";
import { lookAtAll } from "./home.ts";

let home: ClaudeDisk;
afterEach(() => home.remove());

const isThorough = process.env.RETHREAD_FULL !== undefined;

const transcript = (): string => home.file(`${CLAUDE_ID}.jsonl`);

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
/** All that a scrub looks through. */
const scrubbed = (): string[] => [
  transcript(),
  home.file(CLAUDE_ID, "subagents", "agent-a1.jsonl"),
  home.file(CLAUDE_ID, "tool-results", "call-1.txt"),
];
const leak = (place: string): string =>
  place.endsWith("jsonl") ? `{"type":"summary","summary":"${SECRET}"}\n` : `${SECRET}\n`;

/** Made of the same steps as a clone and a rewind. */
const ALIKE: Record<string, () => Promise<EditPlan>> = {
  fork: () => home.edit().planFork(CLAUDE_ID, { at: 0 }),
  compact: () => home.edit().planCompact(CLAUDE_ID, { keep: 1 }),
};

const OPERATIONS: Record<string, () => Promise<EditPlan>> = {
  ...(isThorough && ALIKE),
  clone: () => home.edit().planClone(CLAUDE_ID, { name: "Copy" }),
  rewind: () => home.edit().planRewind(CLAUDE_ID, 0),
  move: () =>
    home.edit().planMove({ session: CLAUDE_ID, to: join(home.workspace, "..", "shops"), text: true }),
  rename: () => home.edit().planRename(CLAUDE_ID, "Another: name"),
  delete: () => home.edit().planDelete(CLAUDE_ID),
  "rewind with files": async () => {
    home.recordFiles();
    const plan = await home.edit().planRewind(CLAUDE_ID, 1, { files: true });
    expect(plan.files?.map(({ becomes }) => becomes)).toEqual(["restored", "removed"]);
    return plan;
  },
  scrub: () => {
    for (const place of scrubbed()) appendFileSync(place, leak(place));
    return home.edit().planScrub([CLAUDE_ID]);
  },
  rescue: () => {
    appendFileSync(transcript(), '{"type":"user","uuid":"torn","message":{"role":"user","content":"torn');
    writeFileSync(home.file(CLAUDE_ID, "subagents", "agent-a1.jsonl"), "%%\n", { flag: "a" });
    return home.edit().planRescue(CLAUDE_ID);
  },
  import: async () => {
    const bundle = await home.bundle();
    for (const place of [home.file(), join(home.claude, "file-history", CLAUDE_ID)])
      rmSync(place, { recursive: true });
    return home.edit().planImport(bundle, {});
  },
};

/** The import holds every kind of step that a new session takes, and the delete their reverse. */
const isUndone = (name: string): boolean =>
  isThorough || ["rescue", "rewind with files", "scrub"].includes(name);

/** What the program keeps, and the files of the workspace. */
const look = (): Record<string, unknown> => ({
  claude: lookAtAll(home.claude),
  workspace: lookAtAll(home.workspace),
});

describe("a write to the files of Claude Code", () => {
  it.each(Object.entries(OPERATIONS))(
    "leaves the old or the new state when it is killed, and is undone to the byte: %s",
    async (name, operation) => {
      home = createClaudeDisk();
      const plan = await operation();
      const before = look();
      const kills = await killEverywhere(home, { plan, look });
      expect(kills).toBeGreaterThan(8);
      console.log(`${name}: killed at ${kills} moments`);
      await home.edit().apply(await home.edit().planUndo());
      expect(look()).toEqual(before);
      if (!isUndone(name)) return;
      home.remove();
      home = createClaudeDisk();
      await home.edit().apply(await operation());
      const undo = await killEverywhere(home, { plan: await home.edit().planUndo(), look });
      expect(undo).toBeGreaterThan(5);
    },
    900_000,
  );

  it.each(Object.entries(OPERATIONS))(
    "comes to nothing on a failing disk: %s",
    async (_, operation) => {
      home = createClaudeDisk();
      const plan = await operation();
      expect(await failEverywhere(home, { plan, fault: "ENOSPC", code: "disk-full", look })).toBeGreaterThan(
        3,
      );
    },
    120_000,
  );
});

describe("an import of a session of Claude Code", () => {
  it("brings back every file with its bytes, and does nothing where it is already", async () => {
    home = createClaudeDisk();
    const bundle = await home.bundle();
    const isOwn = (name: string): boolean => name.includes(CLAUDE_ID);
    const own = () =>
      Object.entries(lookAtAll(home.claude)).filter(([name, is]) => isOwn(name) && is.startsWith("file"));
    const before = own();
    expect((await home.edit().planImport(bundle, {})).steps).toEqual([]);
    rmSync(home.claude, { recursive: true });
    await home.edit().apply(await home.edit().planImport(bundle, {}));
    expect(own()).toEqual(before);
    appendFileSync(transcript(), "{}\n");
    await expect(home.edit().planImport(bundle, {})).rejects.toMatchObject({ code: "session-exists" });
  });

  it("gets a new id, a name and another folder where it is asked for, in every row", async () => {
    home = createClaudeDisk();
    const bundle = await home.bundle();
    const to = join(home.workspace, "..");
    const { plan } = await home
      .edit()
      .apply(await home.edit().planImport(bundle, { newId: true, to, name: "Mine" }));
    const { id, path } = plan.session;
    const rows = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(rows.flatMap(({ sessionId }) => sessionId ?? []))).toEqual(new Set([id]));
    expect(new Set(rows.flatMap(({ cwd }) => cwd ?? []))).toEqual(new Set([to]));
    expect(rows.at(-1)).toEqual({ type: "custom-title", customTitle: "Mine", sessionId: id });
    const own = path.replace(/\.jsonl$/, "");
    expect(readFileSync(path, "utf8")).toContain(
      `Full output saved to: ${join(own, "tool-results", "call-1.txt")}`,
    );
    expect(readFileSync(join(own, "subagents", "agent-a1.jsonl"), "utf8")).not.toContain(CLAUDE_ID);
    expect(readFileSync(join(home.claude, "file-history", id, "abcd@v1"), "utf8")).toBe("before\n");
    await expect(home.edit().planImport(bundle, { to })).rejects.toMatchObject({ code: "session-exists" });
  });

  it("leaves states of files outside its folder behind, and says so", async () => {
    home = createClaudeDisk();
    for (const [path, backup] of [
      ["/etc/hosts", "abcd@v1"],
      ["../up.ts", "abcd@v1"],
      ["b.ts", "../../../settings.json"],
    ])
      appendFileSync(
        transcript(),
        `${JSON.stringify({ type: "file-history-delta", messageId: "row-1", trackingPath: path, backup: { backupFileName: backup } })}\n`,
      );
    const bundle = await home.bundle();
    const plan = await home.edit().planImport(bundle, { newId: true });
    expect(plan.losses).toEqual([expect.stringMatching(/^3 recorded states of files outside/)]);
    await home.edit().apply(plan);
    const text = readFileSync(plan.session.path, "utf8");
    expect([text.includes("file-history-delta"), text.includes("a.ts")]).toEqual([false, true]);
  });
});

it("scrubs a session with all that lies beside it, and leaves copies of the user's files alone", async () => {
  home = createClaudeDisk();
  const places = [...scrubbed(), join(home.claude, "file-history", CLAUDE_ID, "abcd@v1")];
  for (const place of places) appendFileSync(place, leak(place));
  const plan = await home.edit().planScrub([CLAUDE_ID]);
  expect(plan.losses).toEqual([expect.stringContaining("copies of your own files")]);
  await home.edit().apply(plan);
  expect(places.map((place) => readFileSync(place, "utf8").includes(SECRET))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
