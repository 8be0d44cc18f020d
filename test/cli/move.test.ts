/** Moving sessions, and taking files back with a rewind, as a person does it at the command line. */
import { hash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookAtAll } from "../edit/home.ts";
import { pidLike } from "../lookalike.ts";
import { createHome, type Home, line, start } from "./home.ts";

const ID = "5e551011-aaaa-4bbb-8ccc-000000000001";
const OTHER = "5e551022-aaaa-4bbb-8ccc-000000000002";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
let home: Home;

const write = (id: string, cwd: string, name: string): void =>
  home.session(
    id,
    [
      start(id, BEGAN),
      line("user.message", { content: "paint the shed in /src/garden" }, BEGAN, 1),
      line(
        "assistant.message",
        {
          messageId: "m1",
          content: "",
          toolRequests: [{ toolCallId: "c", name: "view", arguments: { path: "/src/garden/shed" } }],
        },
        BEGAN,
        2,
      ),
      line("user.message", { content: "now the fence" }, BEGAN, 3),
    ],
    { cwd, name, user_named: "false" },
  );

beforeEach(() => {
  home = createHome();
  write(ID, "/src/garden", "Garden");
  write(OTHER, "/src/garden/pond", "Pond");
});
afterEach(() => home.remove());

const folderOf = (id: string): string => join(home.path, ".copilot/session-state", id);
const workspaceOf = (id: string): string => readFileSync(join(folderOf(id), "workspace.yaml"), "utf8");
const json = (...words: string[]) => JSON.parse(home.again(...words, "--json").stdout);

describe("move", () => {
  it("shows what it would rewrite, and writes nothing before somebody agrees", () => {
    const before = lookAtAll(join(home.path, ".copilot"));
    const { stdout, code } = home.again("move", ID, "--to", "/code/garden", "--dry-run");
    expect(code).toBe(0);
    const told = stdout.split("\n").filter((each) => !/^ {2}replace/.test(each));
    expect(told).toEqual([
      'Would move "Garden" from /src/garden to /code/garden',
      "  rewritten: 1 path in tool calls, which the model receives",
      "  not rewritten: 1 mention of the old folder in text (--text rewrites it)",
      "  /code/garden is not on this machine; the path is used as given",
      "",
    ]);
    expect(home.again("move", ID, "--to", "/code/garden").stderr).toContain("needs-yes");
    expect(lookAtAll(join(home.path, ".copilot"))).toEqual(before);
  });

  it("moves a session in place, tells what it did, and is undone", () => {
    const before = lookAtAll(join(home.path, ".copilot"));
    const answer = json("move", ID, "--to", "/code/garden", "--yes");
    expect(answer).toMatchObject({
      operation: expect.stringMatching(/^[0-9a-f]{8}$/),
      session: { source: "copilot-cli", id: ID },
      resume: `rethread resume copilot-cli:${ID}`,
      plan: { kind: "move" },
      stats: { originalTurns: 2, removedTurns: 0 },
      losses: [],
      move: {
        from: "/src/garden",
        to: "/code/garden",
        isHere: false,
        toolCalls: 1,
        attachments: 0,
        fileStates: 0,
        others: 0,
        mentions: 1,
        withText: false,
      },
      sessions: [{ source: "copilot-cli", id: ID, title: "Garden" }],
    });
    expect(workspaceOf(ID)).toContain("cwd: /code/garden\n");
    expect(json("list").sessions.find(({ id }: { id: string }) => id === ID).workspace).toBe("/code/garden");
    expect(json("context", ID).messages[1].toolCalls[0].arguments).toEqual({ path: "/code/garden/shed" });
    expect(home.again("undo", "--yes").code).toBe(0);
    expect(lookAtAll(join(home.path, ".copilot"))).toEqual(before);
  });

  it("takes all sessions of a folder along, as one operation", () => {
    const { stdout } = home.again("move", "--from", "/src/garden", "--to", "/code/garden", "--yes");
    expect(stdout).toContain("Moved 2 sessions from /src/garden to /code/garden\n");
    expect([ID, OTHER].map(workspaceOf)).toEqual([
      expect.stringContaining("cwd: /code/garden\n"),
      expect.stringContaining("cwd: /code/garden/pond\n"),
    ]);
    expect(json("history").writes).toHaveLength(1);
    expect(home.again("undo", "--yes").stdout).toContain("Undid the move of 2 sessions\n");
    expect(workspaceOf(OTHER)).toContain('cwd: "/src/garden/pond"\n');
  });

  it("names every session that is open", () => {
    for (const id of [ID, OTHER])
      writeFileSync(join(folderOf(id), `inuse.${pidLike("copilot")}.lock`), `${pidLike("copilot")}\n`);
    const { error } = json("move", "--from", "/src/garden", "--to", "/code/garden", "--yes");
    expect(error).toMatchObject({ code: "session-busy" });
    expect(error.message).toContain('"Garden" (process');
    expect(error.message).toContain('"Pond" (process');
  });

  it("says when there is nothing to do", () => {
    expect(home.again("move", ID, "--to", "/src/garden").stdout).toBe(
      'Nothing to do: "Garden" already has the folder /src/garden\n',
    );
  });

  it.each([
    [["move", ID], "move needs a folder to move to"],
    [["move", "--to", "/x"], "move needs either a session or --from <folder>"],
    [["move", ID, "--from", "/x", "--to", "/y"], "move needs either a session or --from <folder>"],
    [["move", "--from", "/nowhere", "--to", "/y"], "No session belongs to /nowhere or a folder below it"],
  ])("explains %j", (words, message) => expect(json(...words).error.message).toBe(message));
});

describe("rewind", () => {
  const shed = (): string => join(home.path, "shed.txt");
  beforeEach(() => {
    writeFileSync(shed(), "blue");
    const snapshots = join(folderOf(ID), "rewind-file-snapshots");
    const [old, now] = [hash("sha256", "red"), hash("sha256", "blue")];
    mkdirSync(join(snapshots, "backups"), { recursive: true });
    writeFileSync(join(snapshots, "backups", old), "red");
    const log = readFileSync(join(folderOf(ID), "events.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    const image = (contentHash: string) => ({ kind: "content", contentHash, mode: 0o100644 });
    const file = {
      path: shed(),
      preimage: image(old),
      postimage: image(now),
      linesAdded: 2,
      linesRemoved: 1,
    };
    const snapshot = { eventId: JSON.parse(log.at(-1) ?? "").id, files: { key: file } };
    writeFileSync(join(snapshots, "index.json"), JSON.stringify({ schema: 1, snapshots: [snapshot] }));
  });

  it("tells of files that stay, and takes them back when asked", () => {
    expect(home.again("rewind", ID, "--to", "0", "--dry-run").stdout).toContain(
      "  1 file that these turns changed is not restored; --files restores it\n",
    );
    const { stdout } = home.again("rewind", ID, "--to", "0", "--files", "--outside", "--dry-run");
    expect(stdout).toMatch(/^ {2}restore {2}\S*shed\.txt +outside, \+1 -2 lines$/m);
    expect(readFileSync(shed(), "utf8")).toBe("blue");
    const { files } = json("rewind", ID, "--to", "0", "--files", "--outside", "--yes");
    const lines = { linesAdded: 2, linesRemoved: 1 };
    expect(files).toEqual([
      { path: shed(), change: "modified", becomes: "restored", ...lines, isOutside: true },
    ]);
    expect(readFileSync(shed(), "utf8")).toBe("red");
    home.again("undo", "--yes");
    expect(readFileSync(shed(), "utf8")).toBe("blue");
  });

  it("changes files outside the session's folder only with --outside, which needs --files", () => {
    expect(json("rewind", ID, "--to", "0", "--files", "--yes").error).toMatchObject({
      code: "outside-workspace",
      message: expect.stringContaining(`files outside the session's folder, /src/garden: ${shed()}`),
    });
    expect(readFileSync(shed(), "utf8")).toBe("blue");
    expect(json("rewind", ID, "--to", "0", "--outside", "--yes").error).toMatchObject({ code: "usage" });
    // Of a session that claims to be about the whole home as well.
    const yaml = join(folderOf(ID), "workspace.yaml");
    writeFileSync(yaml, readFileSync(yaml, "utf8").replace(/^cwd: .*/m, `cwd: ${home.path}`));
    expect(json("rewind", ID, "--to", "0", "--files", "--yes").error.code).toBe("outside-workspace");
  });

  it("does not touch what somebody changed since", () => {
    writeFileSync(shed(), "green");
    expect(json("rewind", ID, "--to", "0", "--files", "--strict", "--yes").error).toEqual({
      code: "changed-since",
      message: `${shed()} changed since these turns, and restoring would lose the changes`,
      hint: `Save your changes elsewhere, or rewind without files: rethread rewind copilot-cli:${ID} --to 0`,
      remedy: { action: "rewind", session: `copilot-cli:${ID}`, args: { to: 0 } },
    });
    expect(readFileSync(shed(), "utf8")).toBe("green");
  });
});
