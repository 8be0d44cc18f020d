/** Compacting as a person does, run as commands: compact, checkpoint and clone --summarize. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookAtAll } from "../edit/home.ts";
import { createHome, type Home, line, start } from "./home.ts";

const ID = "5e551011-aaaa-4bbb-8ccc-000000000002";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
let home: Home;

beforeEach(() => {
  home = createHome();
  const turns = ["paint the shed", "now the fence", "and the gate", "then the bench", "clean up"];
  home.session(
    ID,
    [
      start(ID, BEGAN),
      ...turns.flatMap((content, at) => [
        line("user.message", { content }, BEGAN, 2 * at + 1),
        line("assistant.message", { messageId: `m${at}`, content: `Did it: ${content}.` }, BEGAN, 2 * at + 2),
      ]),
    ],
    { cwd: "/srv/garden", name: "Garden", user_named: "false", summary_count: "0" },
  );
});
afterEach(() => home.remove());

const sessions = (): string => join(home.path, ".copilot/session-state");
const json = (...words: string[]) => {
  const { stdout, code } = home.again(...words, "--json");
  return { code, ...JSON.parse(stdout) };
};
const writtenAt = (name: string): string =>
  statSync(join(sessions(), ID, "checkpoints", name)).mtime.toISOString();
const texts = (): string[] =>
  json("context", ID).messages.map(({ text }: { text: string }) => text.split("\n", 1)[0]);
const SUMMARIZED = "Some of the conversation history has been summarized to free up context.";

describe("compact", () => {
  it("keeps the last three turns, tells what it did in the shape that all writes share, and is undone", () => {
    const before = lookAtAll(sessions());
    const answer = json("compact", "5e551011", "--yes");
    expect(answer).toMatchObject({
      code: 0,
      schemaVersion: 1,
      operation: expect.stringMatching(/^[0-9a-f]{8}$/),
      session: { source: "copilot-cli", id: ID },
      resume: `rethread resume copilot-cli:${ID}`,
      plan: { kind: "compact", from: { source: "copilot-cli", id: ID } },
      stats: { originalTurns: 5, clonedTurns: 3, removedTurns: 2 },
      losses: ['turns 0 to 1, from "paint the shed" on, replaced by a summary'],
      ledger: { turns: { kept: 3, cut: 0, dropped: 2 } },
      checkpoint: {
        number: 1,
        title: "Paint the shed",
        path: join(sessions(), ID, "checkpoints/001-paint-the-shed.md"),
        summary: expect.stringContaining('1. The user: "now the fence"'),
      },
    });
    const { stats } = answer;
    expect(stats.originalTokens).toBe(stats.clonedTokens + stats.removedTokens);
    expect(texts()).toEqual([
      SUMMARIZED,
      ...["and the gate", "then the bench", "clean up"].flatMap((asked) => [asked, `Did it: ${asked}.`]),
    ]);
    expect(home.again("undo", answer.operation, "--yes").code).toBe(0);
    expect(lookAtAll(sessions())).toEqual(before);
  });

  it("shows the plan and the summary and changes nothing with --dry-run, and wants to be agreed to", () => {
    const before = lookAtAll(sessions());
    const { stdout, code } = home.again("compact", ID, "--dry-run", "--keep", "1");
    expect(code).toBe(0);
    expect(stdout).toContain('Would compact "Garden"');
    expect(stdout).toContain('checkpoint 1, "Paint the shed"');
    expect(stdout).toContain('3. The user: "then the bench"');
    expect(home.again("compact", ID)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("needs-yes"),
    });
    expect(home.again("compact", ID, "--keep", "9").stdout).toMatch(
      /^Nothing to do: "Garden" has 5 turns: all of them are kept, or summarized already/,
    );
    expect(lookAtAll(sessions())).toEqual(before);
  });

  it("appends the program's way when asked, and not with a number of turns", () => {
    expect(json("compact", ID, "--append", "--yes")).toMatchObject({ code: 0, ledger: null, losses: [] });
    expect(texts()).toEqual([SUMMARIZED]);
    expect(json("compact", ID, "--append", "--keep", "2", "--yes")).toMatchObject({ code: 2 });
  });

  it("takes the summary of a command, or says why it cannot, and changes nothing then", () => {
    const before = lookAtAll(sessions());
    const asked = join(home.path, "asked.txt");
    const sections = [
      "overview",
      "history",
      "work_done",
      "technical_details",
      "important_files",
      "next_steps",
    ];
    const reply = sections.map((tag) => `<${tag}>\nabout ${tag}\n</${tag}>`).join("\n");
    const file = join(home.path, "reply.txt");
    const long = `${reply}\n<next_steps>${"x".repeat(70_000)}</next_steps>`;
    for (const bad of ["", "Sorry, no.", reply.replaceAll("history", "story"), long]) {
      writeFileSync(file, bad);
      expect(json("compact", ID, "--with", `cat '${file}'`, "--yes")).toMatchObject({
        code: 4,
        error: { code: "summary-failed" },
      });
    }
    expect(json("compact", ID, "--with", "no-such-program", "--yes")).toMatchObject({
      code: 4,
      error: { code: "summary-failed", message: expect.stringContaining("ended with exit code 127") },
    });
    // Nobody is paid for what nobody can agree to.
    expect(json("compact", ID, "--with", `touch '${asked}'`)).toMatchObject({ error: { code: "needs-yes" } });
    expect(existsSync(asked)).toBe(false);
    expect(lookAtAll(sessions())).toEqual(before);
    writeFileSync(file, `Here it is:\n\`\`\`\n${reply}\n\`\`\`\n`);
    const answer = json("compact", ID, "--with", `cat > '${asked}'; cat '${file}'`, "--yes");
    expect(answer.checkpoint).toMatchObject({ title: "Paint the shed", summary: reply });
    expect(readFileSync(asked, "utf8")).toContain(
      "[turn 1] User: now the fence\nAgent: Did it: now the fence.",
    );
    expect(readFileSync(asked, "utf8")).not.toContain("and the gate");
  });
});

describe("checkpoint", () => {
  it("lists and shows what compactions left, and which of them the model receives", () => {
    expect(home.again("checkpoint", "list", ID).stdout).toBe(
      '"Garden" has no checkpoints: none of its turns was ever summarized.\n',
    );
    json("compact", ID, "--yes");
    json("checkpoint", "create", ID, "--title", "All of it", "--yes");
    expect(json("checkpoint", "list", ID).checkpoints).toEqual([
      {
        number: 1,
        title: "Paint the shed",
        // When it was written, although it stands between older turns in the log.
        at: writtenAt("001-paint-the-shed.md"),
        turns: 0,
        isSent: true,
        path: join(sessions(), ID, "checkpoints/001-paint-the-shed.md"),
        characters: expect.any(Number),
      },
      {
        number: 2,
        title: "All of it",
        at: writtenAt("002-all-of-it.md"),
        turns: null,
        isSent: false,
        path: join(sessions(), ID, "checkpoints/002-all-of-it.md"),
        characters: expect.any(Number),
      },
    ]);
    expect(home.again("checkpoint", "list", ID).stdout).toMatch(/1 +Paint the shed .* sent to the model\n/);
    expect(home.again("checkpoint", "show", ID, "1").stdout).toMatch(/^1\. Paint the shed\n\noverview\n/);
    expect(json("checkpoint", "show", ID).checkpoint).toMatchObject({
      number: 2,
      summary: expect.stringContaining('2. The user: "clean up"'),
    });
  });

  it("says what there is when there is no such one", () => {
    expect(json("checkpoint", "show", ID, "3")).toMatchObject({
      code: 3,
      error: { code: "checkpoint-not-found" },
    });
    expect(json("checkpoint", "show", ID, "last")).toMatchObject({ code: 2, error: { code: "usage" } });
    expect(json("checkpoint", "create", ID, "3", "--yes")).toMatchObject({
      code: 2,
      error: { code: "usage" },
    });
  });
});

describe("clone", () => {
  it("lets a summary stand for the turns it leaves out", () => {
    const answer = json("clone", ID, "--drop-oldest", "4", "--summarize");
    expect(answer).toMatchObject({ code: 0, checkpoint: { number: 1, title: "Paint the shed" } });
    const { messages } = json("context", answer.session.id);
    expect(messages).toHaveLength(3);
    expect(messages[0].text).toContain(`The full session can still be read: rethread show copilot-cli:${ID}`);
  });
});
