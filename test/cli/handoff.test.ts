/** Handing sessions over as a person does, run as commands. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  const garden = join(home.path, "garden");
  mkdirSync(garden);
  mkdirSync(join(home.path, ".config/Code/User/globalStorage"), { recursive: true });
  const call = (id: string, name: string, input: object) => ({ toolCallId: id, name, arguments: input });
  home.session(
    ID,
    [
      start(ID, BEGAN),
      line(
        "user.message",
        { content: "paint the shed", transformedContent: "<now/> paint the shed" },
        BEGAN,
        1,
      ),
      line(
        "assistant.message",
        {
          messageId: "m1",
          content: "I look first.",
          reasoningText: "What colour?",
          toolRequests: [
            call("t1", "bash", { command: "ls", description: "Look", shellId: "s" }),
            call("t2", "sql", { query: "SELECT 1" }),
          ],
        },
        BEGAN,
        2,
      ),
      line(
        "tool.execution_complete",
        { toolCallId: "t1", success: true, result: { content: "shed.txt" } },
        BEGAN,
        3,
      ),
      line(
        "tool.execution_complete",
        { toolCallId: "t2", success: false, error: { message: "no table" } },
        BEGAN,
        4,
      ),
      line(
        "assistant.message",
        { messageId: "m2", content: `Painted. ${"It is green. ".repeat(200)}` },
        BEGAN,
        5,
      ),
      line("user.message", { content: "now the fence" }, BEGAN, 6),
      line("assistant.message", { messageId: "m3", content: "Done, too." }, BEGAN, 7),
    ],
    { cwd: garden, name: "Garden", user_named: "false" },
  );
});
afterEach(() => home.remove());

const json = (...words: string[]) => {
  const { stdout, code } = home.again(...words, "--json");
  return { code, ...JSON.parse(stdout) };
};
const texts = (id: string): string[] =>
  json("context", id)
    .messages.filter(({ role }: { role: string }) => role !== "tool")
    .map(({ text }: { text: string }) => text.split("\n")[0]);

describe("handoff", () => {
  it("makes a session of the other program, says what became of what, and is undone", () => {
    const before = lookAtAll(home.path);
    const planned = json("handoff", ID, "--to", "claude-code", "--dry-run");
    expect(planned).toMatchObject({
      operation: null,
      fidelity: {
        native: { prompts: 2, answers: 3, calls: 1, thinking: 1 },
        text: { calls: 1 },
        dropped: {},
        reasons: [expect.stringContaining("bash.shellId"), "Claude Code has no such tool: sql"],
      },
    });
    expect(home.again("handoff", ID, "--to", "claude-code", "--dry-run").stdout).toMatch(
      /^Would hand over "Garden" to Claude Code/,
    );
    const made = json("handoff", ID, "--to", "claude-code");
    const { id } = made.session;
    expect(made).toMatchObject({
      code: 0,
      operation: expect.stringMatching(/^[0-9a-f]{8}$/),
      session: { source: "claude-code", id },
      resume: `rethread resume claude-code:${id}`,
      plan: { kind: "handoff", from: { source: "copilot-cli", id: ID }, steps: [{ does: "place" }] },
      stats: { originalTurns: 2, clonedTurns: 2 },
      losses: [],
      workspace: join(home.path, "garden"),
      fidelity: planned.fidelity,
    });
    expect(made.sessionPath).toContain(join(".claude/projects", home.path.replace(/[^a-zA-Z0-9]/g, "-")));
    expect(home.again("tree").stdout).toMatch(/handoff +Garden/);
    expect(home.again("history").stdout).toContain("handoff");
    expect(texts(id)).toEqual([
      "paint the shed",
      "I look first.",
      expect.stringMatching(/^Painted\./),
      "now the fence",
      "Done, too.",
    ]);
    const calls = json("context", id).messages.flatMap(
      ({ toolCalls = [] }: { toolCalls?: object[] }) => toolCalls,
    );
    expect(calls).toMatchObject([{ name: "Bash", arguments: { command: "ls", description: "Look" } }]);
    expect(home.again("undo", "--yes").stdout).toContain('Undid the handoff of "Garden"');
    const after = lookAtAll(home.path);
    expect(Object.keys(after).filter((path) => !(path in before) && path.includes(".jsonl"))).toEqual([]);
  });

  it("comes back with the calls that were text meanwhile", () => {
    const there = json("handoff", ID, "--to", "claude-code").session.id;
    const back = json("handoff", there, "--to", "copilot-cli");
    expect(back.fidelity.text).toEqual({});
    const log = readFileSync(back.sessionPath, "utf8");
    expect(log).toContain('"name":"sql","arguments":{"query":"SELECT 1"}');
    expect(log).toContain("Handed over from Claude Code");
    expect(texts(back.session.id)).toEqual(texts(ID).map((text) => text.replace("<now/> ", "")));
  });

  it("leaves its turns to the original on the way through all programs, and counts what goes on behind it", () => {
    mkdirSync(join(home.path, ".codex"), { recursive: true });
    const turns = () => {
      const { sessions, turns: count } = json("stats").totals;
      return { sessions, count };
    };
    const found = () =>
      json("search", "fence").hits.map(
        ({ session, alsoIn }: { session: { id: string }; alsoIn: object[] }) => [session.id, alsoIn.length],
      );
    expect([turns(), found()]).toEqual([{ sessions: 1, count: 2 }, [[ID, 0]]]);
    const made: { id: string; path: string }[] = [];
    for (const to of ["vscode", "codex", "claude-code", "copilot-cli"]) {
      const { session, sessionPath } = json("handoff", made.at(-1)?.id ?? ID, "--to", to);
      made.push({ id: session.id, path: sessionPath });
      expect([turns(), found()]).toEqual([{ sessions: made.length + 1, count: 2 }, [[ID, made.length]]]);
    }
    const families = json("tree").families;
    expect(JSON.stringify(families)).not.toContain('"fork"');
    const { id, path } = made.at(-1) ?? { id: "", path: "" };
    const more = line("user.message", { content: "and the gate" }, BEGAN, 999);
    appendFileSync(path, `${JSON.stringify(more)}\n`);
    expect(turns()).toEqual({ sessions: 5, count: 3 });
    expect(json("search", "gate").hits.map(({ session }: { session: { id: string } }) => session.id)).toEqual(
      [id],
    );
    expect(home.again("index", "--rebuild").code).toBe(0);
    expect([turns(), found()]).toEqual([{ sessions: 5, count: 3 }, [[ID, 4]]]);
  });

  it("is found by `tree` on every machine, as the session itself says where it came from", () => {
    mkdirSync(join(home.path, ".codex"), { recursive: true });
    const made = ["vscode", "claude-code", "codex"].map((to) => {
      const { source, id } = json("handoff", ID, "--to", to).session;
      return { source, id };
    });
    const claude = `claude-code:${made[1]?.id}`;
    const back = json("handoff", claude, "--to", "copilot-cli").session;
    const copied = json("clone", claude).session;
    const family = () => json("tree", ID).families;
    const before = family();
    expect(before).toMatchObject([
      {
        id: ID,
        children: expect.arrayContaining(
          made.map((each) => expect.objectContaining({ ...each, kind: "handoff" })),
        ),
      },
    ]);
    rmSync(join(home.dataHome), { recursive: true });
    // Of the copy only its turns tell where it came from.
    const withoutRecords = JSON.parse(JSON.stringify(before).replace('"kind":"clone"', '"kind":"fork"'));
    expect(family()).toEqual(withoutRecords);
    for (const { id } of [back, copied]) expect(JSON.stringify(withoutRecords)).toContain(id);
    expect(home.again("show", claude).stdout).toContain(`handoff of Garden (copilot-cli:${ID})`);
  });

  it("keeps no long text in the journal", () => {
    const text = `Long: ${"0123456789".repeat(20_000)}`;
    home.session("10000000-aaaa-4bbb-8ccc-000000000002", [
      start("10000000-aaaa-4bbb-8ccc-000000000002", BEGAN),
      line("user.message", { content: text }, BEGAN, 1),
      line("assistant.message", { messageId: "m1", content: "Read." }, BEGAN, 2),
    ]);
    const made = json("handoff", "10000000", "--to", "claude-code", "--workspace", "garden");
    expect(readFileSync(made.sessionPath, "utf8")).toContain(text);
    expect(readFileSync(join(home.dataHome, "state.db")).includes(text)).toBe(false);
    const undone = json("undo", "--yes");
    expect(json("undo", undone.operation, "--yes").code).toBe(0);
    expect(readFileSync(made.sessionPath, "utf8")).toContain(text);
  });

  it("stops at a turn, fits a budget, and goes to another folder", () => {
    const at = json("handoff", ID, "--to", "vscode", "--at", "0");
    expect(at.stats).toMatchObject({ originalTurns: 2, clonedTurns: 1 });
    expect(json("show", at.session.id).session.title).toBe("Garden");
    const all = json("context", ID).tokens;
    const small = json("handoff", ID, "--to", "claude-code", "--budget", String(Math.floor(all / 2)));
    expect(small.stats.clonedTokens).toBeLessThanOrEqual(all / 2);
    expect(small.stats.clonedTokens).toBeGreaterThan(0);
    expect(small.losses).toContainEqual(expect.stringMatching(/, to fit the budget$/));
    mkdirSync(join(home.path, "else where"));
    const moved = json(
      "handoff",
      ID,
      "--to",
      "claude-code",
      "--workspace",
      "else where",
      "--name",
      "Elsewhere",
    );
    expect(moved.workspace).toBe(join(home.path, "else where"));
    expect(moved.fidelity.reasons).toContain(
      `Calls name files in ${join(home.path, "else where")} now; commands, results and texts still name ${join(home.path, "garden")}`,
    );
    expect(json("show", moved.session.id).session).toMatchObject({
      title: "Elsewhere",
      workspace: join(home.path, "else where"),
    });
  });

  it("refuses while VS Code runs, an unknown program, its own, and a folder that is not here", () => {
    const user = join(home.path, ".config/Code");
    expect(json("handoff", ID, "--to", "vscode", "--dry-run").code).toBe(0);
    json("handoff", ID, "--to", "vscode");
    writeFileSync(join(user, "code.lock"), String(pidLike("code")));
    expect(json("handoff", ID, "--to", "vscode").error).toMatchObject({ code: "vscode-running" });
    expect(json("handoff", ID, "--to", "nobody").error).toMatchObject({ code: "usage" });
    expect(json("handoff", ID, "--to", "copilot-cli").error.hint).toContain("rethread clone");
    expect(json("handoff", ID).error.hint).toContain("--as-brief");
    expect(json("handoff", ID, "--to", "claude-code", "--workspace", "nowhere").error.code).toBe("usage");
  });

  it("prints a briefing within a budget instead", () => {
    const { stdout } = home.again("handoff", ID, "--as-brief");
    expect(stdout).toContain("# Garden");
    expect(stdout).toContain("## Goal");
    expect(stdout).toContain("now the fence");
    const brief = json("handoff", ID, "--as-brief", "--budget", "150");
    expect(brief.tokens).toBeLessThanOrEqual(150);
    expect(Object.keys(brief.left)).not.toEqual([]);
    const { error } = json("handoff", ID, "--as-brief", "--budget", "20");
    const [, least = ""] =
      /^A briefing of this session needs at least (\d+) tokens$/.exec(error.message) ?? [];
    expect(error.hint).toMatch(new RegExp(`--budget ${least} --as-brief`));
    expect(json("handoff", ID, "--as-brief", "--budget", least).tokens).toBe(Number(least));
    expect(json("handoff", ID, "--as-brief", "--to", "vscode").error.code).toBe("usage");
  });
});
