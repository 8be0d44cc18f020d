/** Changing sessions as a person does: clone, fork, rewind, rename, delete, undo and history, run as commands. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookAtAll } from "../edit/home.ts";
import { pidLike } from "../lookalike.ts";
import { createHome, type Home, line, start } from "./home.ts";

const ID = "5e551011-aaaa-4bbb-8ccc-000000000001";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
let home: Home;

beforeEach(() => {
  home = createHome();
  home.session(
    ID,
    [
      start(ID, BEGAN),
      line("user.message", { content: "paint the shed" }, BEGAN, 1),
      line("assistant.message", { messageId: "m1", content: "Painted." }, BEGAN, 2),
      line("user.message", { content: "now the fence" }, BEGAN, 3),
      line("assistant.message", { messageId: "m2", content: "Done, too." }, BEGAN, 4),
    ],
    { cwd: "/work/garden", name: "Garden", user_named: "false" },
  );
});
afterEach(() => home.remove());

const sessions = (): string => join(home.path, ".copilot/session-state");
const json = (...words: string[]) => {
  const { stdout, code } = home.again(...words, "--json");
  return { code, ...JSON.parse(stdout) };
};

describe("clone", () => {
  it("acts at once and tells what it made, in the shape that all writing commands share", () => {
    const answer = json("clone", "5e551011", "--name", "Copy");
    const id = answer.session.id;
    // More fields may be added; these stay.
    expect(answer).toMatchObject({
      code: 0,
      schemaVersion: 1,
      operation: expect.stringMatching(/^[0-9a-f]{8}$/),
      session: { source: "copilot-cli", id },
      resume: `rethread resume copilot-cli:${id}`,
      plan: {
        kind: "clone",
        from: { source: "copilot-cli", id: ID },
        steps: [{ does: "place", path: join(sessions(), id), files: 2, bytes: expect.any(Number) }],
        reads: [join(sessions(), ID, "events.jsonl")],
        undoes: null,
      },
      stats: {
        originalTurns: 2,
        clonedTurns: 2,
        removedTurns: 0,
        originalTokens: expect.any(Number),
        clonedTokens: answer.stats.originalTokens,
        removedTokens: 0,
        compressionRatio: 0,
      },
      losses: [],
      ledger: null,
    });
    expect(json("list").sessions.map(({ title }: { title: string }) => title)).toEqual(["Copy", "Garden"]);
    // What both have is found once, where it was first said.
    expect(json("search", "fence").hits).toMatchObject([{ session: { id: ID }, alsoIn: [{ id }] }]);
    expect(json("context", id).messages).toEqual(json("context", ID).messages);
    expect(home.again("tree").stdout).toMatch(/clone +Copy/);
  });

  it("leaves out what it is asked to, with an account of it, and undo takes it back", () => {
    const before = lookAtAll(join(home.path, ".copilot"));
    const { stats, ledger, operation } = json("clone", "Garden", "--drop-oldest", "1");
    expect(stats).toMatchObject({ originalTurns: 2, clonedTurns: 1, removedTurns: 1 });
    expect(stats.clonedTokens + stats.removedTokens).toBe(stats.originalTokens);
    expect(ledger.turns).toEqual({ kept: 1, cut: 0, dropped: 1 });
    expect(home.again("undo", operation, "--yes").code).toBe(0);
    expect(lookAtAll(join(home.path, ".copilot"))).toEqual(before);
    const { stdout } = home.again("clone", "Garden", "--drop-tools", "--budget", "60k", "--dry-run");
    expect(stdout).toMatch(
      /\n {2}2 turns, [\d,]+ tokens of context\n {2}the original already fits the budget\n {2}turns {7}2 kept\n/,
    );
    expect(json("clone", "Garden", "--budget", "1")).toMatchObject({
      code: 2,
      error: { code: "usage", hint: expect.stringMatching(/--budget \d+$/) },
    });
    const small = ["--budget", "1", "--name", "Small one", "--tools", "oldest:50%", "--drop-thinking"];
    expect(json("clone", "Garden", ...small)).toMatchObject({
      error: {
        hint: expect.stringMatching(/ --name 'Small one' --tools oldest:50% --drop-thinking --budget \d+$/),
      },
    });
    expect(json("clone", "Garden", "--tools", "some")).toMatchObject({ code: 2, error: { code: "usage" } });
  });

  it("shows what it would do with --dry-run, and does nothing", () => {
    const before = lookAtAll(join(home.path, ".copilot"));
    expect(json("clone", "Garden", "--dry-run")).toMatchObject({ code: 0, operation: null });
    expect(home.again("clone", "Garden", "--dry-run").stdout).toMatch(
      /^Would clone "Garden" as "Garden \(clone\)"\n +place (.|\n)*\n {2}in \/work\/garden\n/,
    );
    expect(lookAtAll(join(home.path, ".copilot"))).toEqual(before);
    expect(json("history").writes).toEqual([]);
  });

  it("is told apart from the original by its name and its parent", () => {
    const first = json("clone", "Garden");
    expect(first).toMatchObject({ workspace: "/work/garden", alreadyFits: false });
    const { stdout } = home.again("clone", ID, "--budget", "60k");
    expect(stdout).toMatch(
      /^Cloned "Garden" as "Garden \(clone 2\)": copilot-cli:\w+\n {2}in \/work\/garden\n/,
    );
    expect(stdout).toContain("\n  the original already fits the budget\n");
    const listed = json("list").sessions as { title: string; parent: object | null }[];
    expect(Object.fromEntries(listed.map(({ title, parent }) => [title, parent]))).toEqual({
      Garden: null,
      "Garden (clone)": { id: ID, kind: "clone", title: "Garden" },
      "Garden (clone 2)": { id: ID, kind: "clone", title: "Garden" },
    });
    for (const command of ["show", "context"])
      expect(json(command, first.session.id).session.parent).toEqual({
        id: ID,
        kind: "clone",
        title: "Garden",
      });
    expect(home.again("show", first.session.id).stdout).toContain("\nfrom       clone of Garden\n");
    expect(json("stats").totals).toMatchObject({ sessions: 3, turns: 2 });
  });

  it("takes it to another folder, which must be there", () => {
    expect(json("clone", "Garden", "--to", "nowhere")).toMatchObject({ code: 2, error: { code: "usage" } });
    const { session } = json("clone", "Garden", "--to", ".", "--name", "Here");
    expect(json("show", session.id).session).toMatchObject({ title: "Here", workspace: home.path });
  });
});

describe("fork", () => {
  it("keeps what comes up to a turn", () => {
    const { session, stats } = json("fork", "Garden", "--at", "0");
    expect(stats).toMatchObject({ originalTurns: 2, clonedTurns: 1, removedTurns: 1 });
    expect(json("show", session.id)).toMatchObject({
      session: { title: "Garden (fork)", parent: { id: ID, kind: "fork", title: "Garden" } },
      turns: [{ user: "paint the shed", assistant: "Painted." }],
    });
    expect(json("fork", "Garden").session.id).not.toBe(session.id);
    expect(home.again("list").stdout).toContain("Garden (fork 2)");
  });

  it("is told apart from its original in a narrow terminal, too", () => {
    json("rename", "Garden", "Paint the shed, then the fence around the garden, and the gate", "--yes");
    json("fork", ID, "--at", "0");
    const narrow = home.with({ COLUMNS: "80" });
    for (const words of [["list"], ["tree"]])
      expect(narrow.again(...words).stdout).toMatch(/ Paint the shed.*… \(fork\)( |$)/m);
    expect(narrow.again("show", "Paint the shed").stderr).toMatch(/ Paint the shed.*… \(fork\)$/m);
  });

  it("says which turns there are when the wanted one is not", () => {
    expect(json("fork", "Garden", "--at", "2")).toMatchObject({
      code: 3,
      error: { code: "turn-not-found", message: `Session ${ID} has no turn 2; its last one is 1` },
    });
    expect(json("fork", "Garden", "--at", "no-such-event").error.code).toBe("turn-not-found");
    expect(readdirSync(sessions())).toEqual([ID]);
  });
});

describe("rewind", () => {
  it("cuts the session back, and undo brings the turns back to the byte", () => {
    const before = lookAtAll(join(home.path, ".copilot"));
    expect(json("search", "fence").hits).toHaveLength(1);
    const { operation, session, resume, plan, stats, losses } = json(
      "rewind",
      "Garden",
      "--to",
      "0",
      "--yes",
    );
    expect({ session, resume, steps: plan.steps, losses }).toEqual({
      session: { source: "copilot-cli", id: ID },
      resume: `rethread resume copilot-cli:${ID}`,
      steps: [
        {
          does: "replace",
          path: join(sessions(), ID, "events.jsonl"),
          files: 1,
          bytes: readFileSync(join(sessions(), ID, "events.jsonl")).length,
        },
      ],
      losses: ['turn 1, "now the fence"'],
    });
    expect(stats).toMatchObject({ originalTurns: 2, clonedTurns: 1, removedTurns: 1 });
    expect(json("show", ID).turns).toMatchObject([{ user: "paint the shed", assistant: "Painted." }]);
    expect(json("search", "fence").hits).toEqual([]);
    expect(json("history").writes).toMatchObject([{ kind: "rewind", operation, state: "done" }]);
    expect(json("undo", operation, "--yes").code).toBe(0);
    expect(lookAtAll(join(home.path, ".copilot"))).toEqual(before);
    expect(json("search", "fence").hits).toHaveLength(1);
  });

  it("shows first what would go", () => {
    const before = lookAtAll(join(home.path, ".copilot"));
    const { stdout } = home.again("rewind", "Garden", "--to", "0", "--dry-run");
    expect(stdout).toMatch(
      /^Would rewind "Garden" to turn 0\n +replace .*events\.jsonl .*\n +1 of 2 turns, /,
    );
    expect(stdout).toContain('left out: turn 1, "now the fence"\n');
    expect(lookAtAll(join(home.path, ".copilot"))).toEqual(before);
  });

  it("has nothing to do where the session ends with that turn", () => {
    expect(home.again("rewind", "Garden", "--to", "1")).toMatchObject({
      code: 0,
      stdout: 'Nothing to do: "Garden" already ends with turn 1\n',
    });
    expect(json("rewind", "Garden", "--to", "1")).toMatchObject({ code: 0, operation: null });
    expect(json("history").writes).toEqual([]);
  });

  it("says what it needs", () => {
    expect(json("rewind", "Garden")).toMatchObject({ code: 2, error: { code: "usage" } });
    expect(json("rewind", "Garden", "--to", "2").error.code).toBe("turn-not-found");
  });
});

describe("commands that change what is there", () => {
  it("need a yes when nobody can be asked", () => {
    const before = lookAtAll(join(home.path, ".copilot"));
    expect(json("rename", "Garden", "Yard")).toMatchObject({ code: 2, error: { code: "needs-yes" } });
    expect(json("delete", "Garden")).toMatchObject({ code: 2, error: { code: "needs-yes" } });
    expect(json("rewind", "Garden", "--to", "0")).toMatchObject({ code: 2, error: { code: "needs-yes" } });
    expect(lookAtAll(join(home.path, ".copilot"))).toEqual(before);
  });

  it("refuse while the session is open in its program, and say what to do", () => {
    writeFileSync(join(sessions(), ID, `inuse.${pidLike("copilot")}.lock`), `${pidLike("copilot")}\n`);
    const { stderr, code } = home.again("rename", "Garden", "Yard", "--yes");
    expect(code).toBe(5);
    expect(stderr).toContain(`is open in its own program (process ${pidLike("copilot")})`);
    expect(stderr).toContain("rethread clone copilot-cli:5e551011");
    expect(stderr).toContain("--ignore-lock");
  });

  it("say what is risked where a lock is ignored, before and after, and do it", () => {
    const pid = pidLike("copilot");
    writeFileSync(join(sessions(), ID, `inuse.${pid}.lock`), `${pid}\n`);
    const risk = `process ${pid} (copilot) seems to have session 5e551011 open`;
    const { stdout } = home.again("rename", "Garden", "Yard", "--ignore-lock", "--dry-run");
    expect(stdout.replace(/\s+/g, " ")).toContain(`risk: ${risk}`);
    expect(json("rename", "Garden", "Yard", "--ignore-lock", "--yes")).toMatchObject({
      code: 0,
      risks: [expect.stringContaining(risk)],
    });
    expect(json("rename", "Yard", "Garden", "--dry-run").risks).toEqual([]);
  });

  it("rename a session for good", () => {
    expect(json("rename", "Garden", "Yard: all of it", "--yes").session.id).toBe(ID);
    expect(json("list").sessions).toMatchObject([{ id: ID, title: "Yard: all of it" }]);
  });
});

describe("delete, undo and history", () => {
  it("take a session away and bring it back to the byte", () => {
    const before = lookAtAll(join(home.path, ".copilot"));
    const { operation } = json("delete", "Garden", "--yes");
    expect(existsSync(join(sessions(), ID))).toBe(false);
    expect(json("list").sessions).toEqual([]);
    expect(json("search", "fence").hits).toEqual([]);
    const undone = json("undo", operation, "--yes");
    expect(undone).toMatchObject({ code: 0, session: { id: ID }, plan: { kind: "undo", undoes: operation } });
    expect(lookAtAll(join(home.path, ".copilot"))).toEqual(before);
    expect(json("list").sessions).toMatchObject([{ id: ID, title: "Garden", vanishedAt: null }]);
    expect(json("history").writes).toMatchObject([
      { kind: "undo", state: "done", undoes: operation },
      { kind: "delete", state: "undone", operation, backup: { files: 2 } },
    ]);
    expect(json("undo", operation, "--yes").error.code).toBe("not-undoable");
  });

  it("take several sessions as one write, and give them back as one", () => {
    const { session } = json("clone", "Garden", "--name", "Copy");
    const before = lookAtAll(join(home.path, ".copilot"));
    expect(home.again("rm", "Garden", session.id, "--dry-run").stdout).toMatch(
      /^Would delete 2 sessions\n {2}copilot-cli:\w{8} {2}Garden\n {2}copilot-cli:\w{8} {2}Copy\n/,
    );
    // Named twice, it is still one session.
    const { operation, sessions: deleted } = json("delete", "Garden", session.id, ID, "--yes");
    expect(deleted).toEqual([
      { source: "copilot-cli", id: ID, title: "Garden" },
      { source: "copilot-cli", id: session.id, title: "Copy" },
    ]);
    expect(json("list").sessions).toEqual([]);
    expect(json("undo", operation, "--yes")).toMatchObject({ code: 0, plan: { undoes: operation } });
    expect(lookAtAll(join(home.path, ".copilot"))).toEqual(before);
    // One that is not there keeps the others.
    expect(json("delete", "Garden", "nothing", "--yes")).toMatchObject({ code: 3 });
    expect(json("list").total).toBe(2);
  });

  it("say that there is nothing yet", () => {
    expect(home.again("history").stdout).toBe("Rethread has not changed any session on this machine yet.\n");
    expect(json("undo", "--yes")).toMatchObject({ code: 3, error: { code: "operation-not-found" } });
    expect(existsSync(join(home.dataHome, "state.db"))).toBe(false);
  });

  it("refuse to undo what somebody went on with", () => {
    const { operation, session } = json("clone", "Garden");
    const log = join(sessions(), session.id, "events.jsonl");
    writeFileSync(log, `${readFileSync(log, "utf8")}{}\n`);
    expect(json("undo", "--yes")).toMatchObject({
      code: 5,
      error: {
        code: "changed-since",
        hint: expect.stringContaining(`rethread delete copilot-cli:${session.id}`),
      },
    });
    expect(json("history").writes).toMatchObject([{ operation, state: "done" }]);
    const renamed = json("rename", session.id, "Other", "--yes").operation;
    const fields = join(sessions(), session.id, "workspace.yaml");
    writeFileSync(fields, `${readFileSync(fields, "utf8")}branch: main\n`);
    expect(json("undo", renamed, "--yes").error).toEqual({
      code: "changed-since",
      message: `${fields} was changed since operation ${renamed} (rename); undoing that would lose the change`,
      hint: `Get the earlier state as a new session: rethread undo ${renamed} --as-copy`,
      remedy: { action: "undo", args: { operation: renamed, asCopy: true } },
    });
  });
});

describe("sources that can only be read", () => {
  it("say so", () => {
    cpSync(join(import.meta.dirname, "../fixtures/codex/tools/home"), join(home.path, ".codex"), {
      recursive: true,
    });
    const [{ id }] = JSON.parse(home.again("list", "--source", "codex", "--json").stdout).sessions;
    expect(json("clone", id)).toMatchObject({ code: 4, error: { code: "not-supported" } });
  });
});
