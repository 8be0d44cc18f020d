/** What clones and forks are made of, told from the files they leave. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { BACKUPS, createEditHome, type EditHome, ID } from "../../../../test/edit/home.ts";
import type { EditPlan } from "../../../model/plan.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
});
afterEach(() => home.remove());

const NEW_TIME = "2026-11-15T12:00:00.000Z";
const apply = async (plan: EditPlan): Promise<string> => {
  await home.edit().apply(plan);
  return join(home.copilot, "session-state", plan.session.id);
};
const linesOf = (folder: string): string[] =>
  readFileSync(join(folder, "events.jsonl"), "utf8").trimEnd().split("\n");
const names = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
const mode = (...path: string[]): string => (statSync(join(...path)).mode & 0o777).toString(8);

describe("a clone", () => {
  it("has every line of the original but session.start, byte for byte", async () => {
    const original = linesOf(home.file());
    const folder = await apply(await home.edit().planClone(ID, {}));
    const [start, ...rest] = linesOf(folder);
    expect(rest).toEqual(original.slice(1));
    const id = folder.split("/").at(-1);
    expect(start).toBe(
      original[0]
        ?.replace(`"sessionId":"${ID}"`, `"sessionId":"${id}"`)
        .replace('"startTime":"2026-11-01T10:00:00.000Z"', `"startTime":"${NEW_TIME}"`)
        .replace('"remoteSteerable":false,', "")
        .replace('"timestamp":"2026-11-01T10:00:01.000Z"', `"timestamp":"${NEW_TIME}"`),
    );
  });

  it("has all that lies beside the log but locks, for its owner alone", async () => {
    symlinkSync("plan.md", home.file("files", "link"));
    const folder = await apply(await home.edit().planClone(ID, {}));
    expect(names(folder)).toEqual(names(home.file()).filter((name) => !name.startsWith("inuse.")));
    expect(readFileSync(join(folder, `rewind-file-snapshots/backups/${BACKUPS[1]}`), "utf8")).toBe(
      "before three\n",
    );
    expect([mode(folder), mode(folder, "events.jsonl"), mode(folder, "files/run.sh")]).toEqual([
      "700",
      "600",
      "700",
    ]);
  });

  it("is a session of its own in workspace.yaml, and unknown to any remote side", async () => {
    const folder = await apply(await home.edit().planClone(ID, { name: "Mine" }));
    expect(parse(readFileSync(join(folder, "workspace.yaml"), "utf8"), { schema: "failsafe" })).toEqual({
      id: folder.split("/").at(-1),
      cwd: "/work/shop",
      branch: "main",
      client_name: "github/cli",
      name: "Mine",
      user_named: "true",
      summary_count: "1",
      fork_count: "0",
      future_key: "1.10",
      created_at: NEW_TIME,
      updated_at: NEW_TIME,
    });
  });

  it("works in another folder, and knows the repository there", async () => {
    const repository = join(home.copilot, "..", "moved");
    mkdirSync(join(repository, "inside"), { recursive: true });
    execFileSync("git", ["init", "-q", "-b", "next"], { cwd: repository });
    execFileSync("git", ["remote", "add", "origin", "https://github.com/quill/app.git"], { cwd: repository });
    const plan = await home.edit().planClone(ID, { to: "moved/inside" });
    expect(plan.losses).toEqual([]);
    const folder = await apply(plan);
    expect(JSON.parse(linesOf(folder)[0] ?? "").data.context).toEqual({
      cwd: join(repository, "inside"),
      gitRoot: repository,
      repository: "quill/app",
      hostType: "github",
      repositoryHost: "github.com",
      branch: "next",
    });
    expect(readFileSync(join(folder, "workspace.yaml"), "utf8")).toContain("\nbranch: next\n");
    const bare = await home.edit().planClone(ID, { to: "." });
    expect(bare.losses).toEqual(["repository and branch, because the new folder is not in a repository"]);
  });

  it("is repaired as a rescue would, says so, and leaves the damaged original alone", async () => {
    const [start, first = "", second = "", ...rest] = linesOf(home.file());
    const log = [start, `${first}${second}`, ...rest, '{"type":"user.mess'].join("\n");
    writeFileSync(home.file("events.jsonl"), log);
    const plan = await home.edit().planClone(ID, {});
    expect(plan.repairs).toMatchObject([
      { line: 2, what: "not alone on its line: split" },
      { line: 2, what: "not alone on its line: split" },
      { line: rest.length + 3, isLost: true },
    ]);
    expect(plan.losses).toMatchObject([expect.stringMatching(/^bytes \d+ to \d+ of events.jsonl \(line /)]);
    const folder = await apply(plan);
    expect(linesOf(folder).slice(1)).toEqual([first, second, ...rest]);
    expect(readFileSync(home.file("events.jsonl"), "utf8")).toBe(log);
    const copy = `copilot-cli:${folder.split("/").at(-1)}`;
    expect(await home.edit().planRescue(copy)).toMatchObject({ repairs: [], steps: [] });
  });

  it("has a session.start where the original lost its own, and is refused where nothing is left to copy", async () => {
    writeFileSync(home.file("events.jsonl"), `${linesOf(home.file()).slice(1).join("\n")}\n`);
    const folder = await apply(await home.edit().planClone(ID, {}));
    expect(JSON.parse(linesOf(folder)[0] ?? "")).toMatchObject({
      type: "session.start",
      data: { sessionId: folder.split("/").at(-1), startTime: NEW_TIME },
    });
    writeFileSync(home.file("events.jsonl"), "garbage\n");
    await expect(home.edit().planClone(ID, {})).rejects.toMatchObject({ code: "unreadable" });
  });
});

describe("a fork", () => {
  it("ends before the prompt of the next turn, and says where it came from", async () => {
    const original = linesOf(home.file());
    const folder = await apply(await home.edit().planFork(ID, { at: 1 }));
    const lines = linesOf(folder);
    // The compaction between two turns stays with the earlier one.
    expect(lines.slice(1, -1)).toEqual(original.slice(1, 7));
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
      type: "session.info",
      id: expect.any(String),
      timestamp: NEW_TIME,
      parentId: JSON.parse(original[6] ?? "").id,
      data: {
        infoType: "fork",
        message: `Forked from "Say \\"one\\"\\nand more" (${ID}) before event ${JSON.parse(original[7] ?? "").id} as "Say one and more (fork)" (${folder.split("/").at(-1)}).`,
      },
    });
  });

  it("has the checkpoints and file states of what it keeps", async () => {
    const early = await apply(await home.edit().planFork(ID, { at: 0 }));
    expect(names(early).filter((name) => !name.startsWith("files"))).toEqual([
      "checkpoints",
      "checkpoints/index.md",
      "events.jsonl",
      "plan.md",
      "research",
      "rewind-file-snapshots",
      "rewind-file-snapshots/backups",
      `rewind-file-snapshots/backups/${BACKUPS[0]}`,
      "rewind-file-snapshots/index.json",
      "rewind-file-snapshots/tracking.json",
      "workspace.yaml",
    ]);
    expect(readFileSync(join(early, "checkpoints/index.md"), "utf8")).not.toContain("| 1 |");
    expect(readFileSync(join(early, "workspace.yaml"), "utf8")).toContain("summary_count: 0\n");
    const late = await apply(await home.edit().planFork(ID, { at: 2 }));
    expect(names(late)).toContain("checkpoints/001-summary.md");
    expect(names(late)).toContain(`rewind-file-snapshots/backups/${BACKUPS[1]}`);
    expect(readFileSync(join(late, "workspace.yaml"), "utf8")).toContain("summary_count: 1\n");
  });

  it("stops before an event that is named, as the program's own fork does", async () => {
    const original = linesOf(home.file());
    const answer = JSON.parse(original[2] ?? "");
    const folder = await apply(await home.edit().planFork(ID, { at: answer.id }));
    expect(linesOf(folder).slice(1, -1)).toEqual(original.slice(1, 2));
  });

  it("raises the count of the original, unless it was given a name", async () => {
    await apply(await home.edit().planFork(ID, { name: "Own" }));
    expect(readFileSync(home.file("workspace.yaml"), "utf8")).toContain("fork_count: 0\n");
    await apply(await home.edit().planFork(ID, {}));
    expect(readFileSync(home.file("workspace.yaml"), "utf8")).toContain("fork_count: 1\n");
    expect((await home.edit().planFork(ID, {})).name).toBe("Say one and more (fork 2)");
  });

  it("takes a session.start that stands behind the cut to the front", async () => {
    const [start = "", ...rest] = linesOf(home.file());
    writeFileSync(home.file("events.jsonl"), `${[...rest, start].join("\n")}\n`);
    const folder = await apply(await home.edit().planFork(ID, { at: 0 }));
    expect(linesOf(folder).map((line) => JSON.parse(line).type)).toEqual([
      "session.start",
      "user.message",
      "assistant.message",
      "session.info",
    ]);
  });

  it("begins its own record on a line of its own behind a torn one", async () => {
    writeFileSync(home.file("events.jsonl"), `${readFileSync(home.file("events.jsonl"), "utf8")}{"torn`);
    const folder = await apply(await home.edit().planFork(ID, {}));
    const lines = linesOf(folder);
    expect(lines.at(-2)).toBe('{"torn');
    expect(JSON.parse(lines.at(-1) ?? "").type).toBe("session.info");
  });
});
