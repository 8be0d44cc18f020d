/** Files that go back with a rewind, from the states that the real Claude Code noted in its terminal. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasScript } from "../cli/at-terminal.ts";
import { type ClaudeHome, createHome, openClaude } from "./claude.ts";
import { openClaudeEditing } from "./claude-editing.ts";
import { talkInTerminal } from "./claude-terminal.ts";

const ID = "c0de0000-0000-4000-8000-000000000f01";

let home: ClaudeHome;
const claude = openClaude();
afterAll(async () => {
  await claude.close();
  home?.remove();
});

const file = (...name: string[]): string => join(home.workspace, ...name);
const text = (...name: string[]): string | undefined =>
  existsSync(file(...name)) ? readFileSync(file(...name), "utf8") : undefined;
const read = (name: string) => ({ calls: [{ name: "Read", input: { file_path: file(name) } }] });
const edit = (name: string, old_string: string, new_string: string) => ({
  calls: [{ name: "Edit", input: { file_path: file(name), old_string, new_string } }],
});
const write = (name: string, content: string) => ({
  calls: [{ name: "Write", input: { file_path: file(name), content } }],
});
const shell = (command: string) => ({ calls: [{ name: "Bash", input: { command, description: "Run" } }] });

describe.runIf(hasScript)("a rewind with files", () => {
  beforeAll(async () => {
    home = createHome();
    mkdirSync(file("bin"));
    writeFileSync(file("a.txt"), "first\n");
    writeFileSync(file("crlf.txt"), "one\r\ntwo\r\n");
    writeFileSync(file("bin", "run.sh"), "x1\n");
    chmodSync(file("bin", "run.sh"), 0o755);
    await talkInTerminal(home, ["--session-id", ID], ID, [
      { ask: "Zero", steps: [write("b.txt", "b one\n"), { say: "Wrote b." }] },
      { ask: "One", steps: [read("a.txt"), edit("a.txt", "first", "second"), { say: "Edited a." }] },
      {
        ask: "Two",
        steps: [
          ...[edit("a.txt", "second", "third"), shell("rm b.txt"), read("bin/run.sh")],
          ...[edit("bin/run.sh", "x1", "x2"), write("new/deep.txt", "n\n"), { say: "Did two." }],
        ],
      },
      { ask: "Three", steps: [read("crlf.txt"), edit("crlf.txt", "two", "three"), { say: "Did three." }] },
    ]);
  }, 180_000);

  it("restores what was before the first turn that goes, and the program goes on there", async () => {
    expect([text("a.txt"), text("b.txt"), text("crlf.txt")]).toEqual([
      ...["third\n", undefined, "one\r\nthree\r\n"],
    ]);
    const { edit: edits, contextOf } = openClaudeEditing(home);
    const plan = await edits.planRewind(ID, 1, { files: true });
    expect(plan.files?.map(({ path, becomes }) => [path.slice(home.workspace.length + 1), becomes])).toEqual([
      ...[
        ["b.txt", "restored"],
        ["a.txt", "restored"],
      ].sort(),
      ["bin/run.sh", "restored"],
      ["crlf.txt", "restored"],
      ["new/deep.txt", "removed"],
    ]);
    const operation = await edits.apply(plan);
    const restored = [text("a.txt"), text("b.txt"), text("crlf.txt"), text("new", "deep.txt")];
    expect(restored).toEqual(["second\n", "b one\n", "one\r\ntwo\r\n", undefined]);
    expect([text("bin", "run.sh"), statSync(file("bin", "run.sh")).mode & 0o777]).toEqual(["x1\n", 0o755]);
    expect(await claude.messagesSent(home, ID)).toEqual(await contextOf(ID));
    await edits.apply(await edits.planUndo(operation.operation));
    expect([text("a.txt"), text("b.txt"), text("new", "deep.txt")]).toEqual(["third\n", undefined, "n\n"]);
  });

  it("notes further states where the conversation goes on, which a later rewind goes by", async () => {
    const { edit: edits } = openClaudeEditing(home);
    await edits.apply(await edits.planRewind(ID, 1, { files: true }));
    await talkInTerminal(home, ["--resume", ID], ID, [
      { ask: "Again", steps: [read("a.txt"), edit("a.txt", "second", "again"), { say: "Did it again." }] },
    ]);
    expect(text("a.txt")).toBe("again\n");
    // By hand, in a file that these turns left alone.
    writeFileSync(file("b.txt"), "mine\n");
    const plan = await edits.planRewind(ID, 0, { files: true });
    expect(plan.files?.map(({ path, becomes, skipped }) => [path, becomes, skipped])).toEqual([
      [file("a.txt"), "restored", undefined],
    ]);
    await edits.apply(plan);
    expect([text("a.txt"), text("b.txt")]).toEqual(["first\n", "mine\n"]);
  }, 120_000);
});
