/** Who wrote the lines of files: every way in which a file and the sessions that changed it can be found and missed. */
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BlameReport } from "../../src/app/contract.ts";
import { type Asking, createAsking } from "./asking.ts";
import { git } from "./history.ts";
import {
  type AgentSession,
  claudeSession,
  copilotSession,
  newId,
  saveChatList,
  vsCodeSession,
} from "./sessions.ts";

let asking: Asking;
let root: string;
beforeEach(() => {
  asking = createAsking();
  root = asking.home.workspace;
  mkdirSync(root, { recursive: true });
});
afterEach(() => asking.remove());

const put = (name: string, text: string): string => {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const copilot = (id = newId()): AgentSession => copilotSession(asking.home, id);
const create = (path: string, file_text: string, ok = true) => ({
  name: "create",
  input: { path, file_text },
  ok,
  record: { fileEdits: [{ path, kind: "create" }] },
});
const edit = (path: string, old_str: string, new_str: string, ok = true) => ({
  name: "edit",
  input: { path, old_str, new_str },
  ok,
});
const bash = (command: string, ok = true) => ({ name: "bash", input: { command, description: "x" }, ok });
/** A session that did these things in one turn each. */
const did = (session: AgentSession, ...turns: Parameters<AgentSession["use"]>[0][]): AgentSession => {
  for (const tool of turns) {
    session.prompt(`Prompt ${session.turns()}`);
    session.use(tool);
  }
  session.save();
  return session;
};
/** For each line the start of the session's id and the turn, a commit's mark, or a dot. */
const shown = ({ lines }: Pick<BlameReport, "lines">, names: Record<string, AgentSession>): string[] =>
  lines.map(({ written, commit }) => {
    const name = Object.entries(names).find(([, { id }]) => id === written?.session.id)?.[0];
    return written ? `${name}${written.turn}` : commit ? "git" : ".";
  });

describe("one file of one session", () => {
  it("tells session, turn, time, prompt and text of each line", async () => {
    const path = put("a.ts", "one\nTWO\nthree\n");
    const a = did(copilot(), create(path, "one\ntwo\nthree\n"), edit(path, "two", "TWO"));
    const { file, lines, total, unread } = await asking.blame(path);
    expect({ file, total, unread }).toEqual({ file: path, total: 3, unread: 0 });
    expect(lines[1]).toMatchObject({
      line: 2,
      text: "TWO",
      written: { session: { source: "copilot-cli", id: a.id, title: a.title }, turn: 1, prompt: "Prompt 1" },
    });
    expect(lines[1]?.written?.time).toMatch(/^2026-10-01T08:/);
    expect(shown({ lines }, { a })).toEqual(["a0", "a1", "a0"]);
  });

  it("takes what failed, was refused or never ended as not done", async () => {
    const path = put("a.ts", "one\ntwo\n");
    const a = copilot();
    did(a, create(path, "one\ntwo\n"), edit(path, "two", "2", false), edit(path, "one", "1", false));
    expect(shown(await asking.blame(path), { a })).toEqual(["a0", "a0"]);
  });

  it("tells of some lines when asked for some", async () => {
    const path = put("a.ts", "1\n2\n3\n4\n");
    did(copilot(), create(path, "1\n2\n3\n4\n"));
    const { lines, total } = await asking.blame(path, { from: 2, to: 3 });
    expect([lines.map(({ line }) => line), total]).toEqual([[2, 3], 4]);
    await expect(asking.blame(path, { from: 5 })).rejects.toMatchObject({ code: "usage" });
    await expect(asking.blame(path, { from: 3, to: 2 })).rejects.toMatchObject({ code: "usage" });
  });

  it("says why: the prompt, and what was thought and said before the edit", async () => {
    const path = put("a.ts", "one\ntwo\n");
    const a = copilot();
    a.prompt("Add a second line, please.");
    a.think("Where does it go?");
    a.say("I put it below.");
    a.use(create(path, "one\ntwo\n"));
    a.say("Done, all of it.");
    a.save();
    const { why } = await asking.blame(path, { from: 2, to: 2, why: true });
    expect(why).toEqual({
      prompt: "Add a second line, please.",
      reasons: [
        { kind: "thinking", text: "Where does it go?" },
        { kind: "text", text: "I put it below." },
      ],
      tool: "create",
    });
    await expect(asking.blame(path, { why: true })).rejects.toMatchObject({ code: "usage" });
  });
});

describe("sessions that share turns", () => {
  it.each([
    [
      "Copilot CLI",
      () => copilotSession(asking.home, newId()),
      (path: string, text: string) => create(path, text),
    ],
    [
      "Claude Code",
      () => claudeSession(asking.home, newId()),
      (file_path: string, content: string) => ({ name: "Write", input: { file_path, content }, ok: true }),
    ],
    [
      "VS Code",
      () => vsCodeSession(asking.home, newId()),
      (filePath: string, content: string) => ({
        name: "create_file",
        input: { filePath, content },
        ok: true,
      }),
    ],
  ])(
    "gives what a fork of %s copied to the original, and what it did itself to the fork",
    async (_, make, write) => {
      const [first, second] = [put("a.ts", "one\n"), put("b.ts", "two\n")];
      const a = did(make(), write(first, "one\n"));
      await new Promise((resolve) => setTimeout(resolve, 20)); // so that its file is younger
      const b = did(a.fork(newId(), 0), write(second, "two\n"));
      saveChatList(asking.home, [a, b]);
      expect(shown(await asking.blame(first), { a, b })).toEqual(["a0"]);
      expect(shown(await asking.blame(second), { a, b })).toEqual(["b1"]);
    },
  );

  it("lets a fork tell the turns of an original that is gone, as turns of the original", async () => {
    const path = put("a.ts", "one\n");
    const a = did(copilot(), create(path, "one\n"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const b = a.fork(newId(), 0);
    b.save();
    await asking.blame(path);
    rmSync(join(asking.home.folder, "copilot/session-state", a.id), { recursive: true });
    expect(shown(await asking.blame(path), { a, b })).toEqual(["a0"]);
  });

  it("forgets turns that were undone, whatever the program calls it", async () => {
    const path = put("a.ts", "kept line\n");
    const write = (text: string) => ({ name: "Write", input: { file_path: path, content: text }, ok: true });
    const claude = did(
      claudeSession(asking.home, newId()),
      write("kept line\n"),
      write("kept line\nundone line\n"),
    );
    claude.rewind(0);
    claude.prompt("Something else");
    claude.save();
    expect(shown(await asking.blame(path), { a: claude })).toEqual(["a0"]);

    const other = put("b.ts", "kept line\nundone line\n");
    const chat = vsCodeSession(asking.home, newId());
    did(chat, { name: "create_file", input: { filePath: other, content: "kept line\n" }, ok: true });
    did(chat, {
      name: "replace_string_in_file",
      input: { filePath: other, oldString: "kept line\n", newString: "kept line\nundone line\n" },
      ok: true,
    });
    chat.rewind(0);
    chat.save();
    saveChatList(asking.home, [chat]);
    expect(shown(await asking.blame(other), { a: chat })).toEqual(["a0", "."]);
  });
});

describe("files that moved", () => {
  const begin = (name: string): { path: string; a: AgentSession } => {
    git(root, "init", "-q");
    const path = put(name, "first line\nsecond line\n");
    return { path, a: did(copilot(), create(path, "first line\nsecond line\n")) };
  };
  const commit = (): void => {
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "Work");
  };

  it("are followed through commits", async () => {
    const { a } = begin("src/a.ts");
    commit();
    mkdirSync(join(root, "lib"));
    git(root, "mv", "src/a.ts", "lib/b.ts");
    commit();
    git(root, "mv", "lib/b.ts", "lib/c.ts");
    commit();
    expect(shown(await asking.blame(join(root, "lib/c.ts")), { a })).toEqual(["a0", "a0"]);
  });

  it("are followed when the move is staged", async () => {
    const { a } = begin("src/a.ts");
    commit();
    git(root, "mv", "src/a.ts", "src/b.ts");
    const blame = await asking.blame(join(root, "src/b.ts"));
    expect(shown(blame, { a })).toEqual(["a0", "a0"]);
    expect(blame.lines[0]?.commit?.summary).toBe("Work");
  });

  it("are another file under a name that is taken again", async () => {
    const { path, a } = begin("src/a.ts");
    commit();
    git(root, "mv", "src/a.ts", "src/b.ts");
    commit();
    const b = did(copilot(), create(put("src/a.ts", "quite another\n"), "quite another\n"));
    commit();
    expect(shown(await asking.blame(path), { a, b })).toEqual(["b0"]);
    expect(shown(await asking.blame(join(root, "src/b.ts")), { a, b })).toEqual(["a0", "a0"]);
  });

  it.each([
    "mv src/a.ts src/b.ts",
    "cd src && git mv a.ts ./b.ts",
    "git -C src mv -f 'a.ts' \"b.ts\"; ls",
    "mv src/a.ts lib/ && mv lib/a.ts src/b.ts",
  ])("are followed through the command of an agent: %s", async (command) => {
    const { path, a } = begin("src/a.ts");
    renameSync(path, join(root, "src/b.ts"));
    did(a, bash(command));
    expect(shown(await asking.blame(join(root, "src/b.ts")), { a })).toEqual(["a0", "a0"]);
  });

  it("keep their commits when a command moved them without a word to git", async () => {
    const { path, a } = begin("src/a.ts");
    put("src/a.ts", "by hand\nfirst line\nsecond line\n");
    commit();
    renameSync(path, join(root, "src/b.ts"));
    did(a, bash("mv src/a.ts src/b.ts"));
    const blame = await asking.blame(join(root, "src/b.ts"));
    expect(shown(blame, { a })).toEqual(["git", "a0", "a0"]);
  });

  it("are recognized by what they say when a person moved them, unless another has their name", async () => {
    const { path, a } = begin("src/old/a.ts");
    unlinkSync(path);
    const moved = put("src/new/a.ts", "first line\nsecond line\nby hand\n");
    expect(shown(await asking.blame(moved), { a })).toEqual(["a0", "a0", "."]);
    const other = put("src/other/a.ts", "first line\nquite another file\nwith the same name\n");
    expect(shown(await asking.blame(other), { a })).toEqual([".", ".", "."]);
  });

  it("are followed with the folder that moved", async () => {
    const { path, a } = begin("src/old/deep/a.ts");
    mkdirSync(join(root, "lib/deep"), { recursive: true });
    renameSync(path, join(root, "lib/deep/a.ts"));
    did(a, bash("mv src/old lib"));
    expect(shown(await asking.blame(join(root, "lib/deep/a.ts")), { a })).toEqual(["a0", "a0"]);
  });

  it("are followed through a patch that moves and changes them", async () => {
    const { path, a } = begin("src/a.ts");
    unlinkSync(path);
    const moved = put("src/b.ts", "first line\nchanged line\n");
    const patch = `*** Begin Patch\n*** Update File: ${path}\n*** Move to: ${moved}\n@@\n first line\n-second line\n+changed line\n*** End Patch`;
    did(a, { name: "apply_patch", input: { patch }, ok: true });
    expect(shown(await asking.blame(moved), { a })).toEqual(["a0", "a1"]);
  });
});

describe("ways to a file", () => {
  it("may lead through links, of the person and of the session", async () => {
    const path = put("src/a.ts", "one\n");
    symlinkSync(root, join(asking.home.folder, "link"));
    const through = join(asking.home.folder, "link/src/a.ts");
    const a = did(copilot(), create(through, "one\n"));
    for (const way of [path, through])
      expect(shown(await asking.blame(way, { here: root }), { a }), way).toEqual(["a0"]);
  });

  it("may be relative: to the session's folder there, to the person's here", async () => {
    put("src/a.ts", "one\ntwo\n");
    const patch = "*** Begin Patch\n*** Add File: src/a.ts\n+one\n+two\n*** End Patch";
    const a = did(copilot(), { name: "apply_patch", input: { patch }, ok: true });
    expect(shown(await asking.blame("a.ts", { here: join(root, "src") }), { a })).toEqual(["a0", "a0"]);
    await expect(asking.blame("src/a.ts")).rejects.toMatchObject({ code: "usage" });
  });

  it("may be those of another work tree", async () => {
    git(root, "init", "-q");
    put("a.ts", "one\n");
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "Begin");
    const tree = join(asking.home.folder, "tree");
    git(root, "worktree", "add", "-q", tree);
    const a = did(
      copilotSession({ ...asking.home, workspace: tree }, newId()),
      edit(join(tree, "a.ts"), "one", "ONE from there"),
    );
    writeFileSync(join(tree, "a.ts"), "ONE from there\n");
    git(tree, "commit", "-q", "-am", "There");
    git(root, "merge", "-q", "tree");
    expect(shown(await asking.blame("a.ts", { here: root }), { a })).toEqual(["a0"]);
  });

  it("may be those of a folder that was moved since", async () => {
    const path = put("src/a.ts", "one\n");
    const a = did(copilot(), create(path, "one\n"));
    const moved = join(asking.home.folder, "work/store");
    renameSync(root, moved);
    const now = await asking.blame(join(moved, "src/a.ts"), { here: moved });
    expect(shown(now, { a })).toEqual(["a0"]);
  });

  it("may be any place where there is no repository, and no git", async () => {
    const path = put("a.ts", "one\nby hand\n");
    const a = did(copilot(), create(path, "one\n"));
    expect(shown(await asking.blame(path), { a })).toEqual(["a0", "."]);
    git(root, "init", "-q");
    const notices: string[] = [];
    const app = await asking.app({ PATH: "" });
    const blame = await app.blame({ file: path }, { onNotice: (sentence) => void notices.push(sentence) });
    expect(shown(blame, { a })).toEqual(["a0", "."]);
    expect(notices).toEqual(["git was not found on PATH, so commits and former names are left out"]);
  });
});

describe("lines that no session wrote", () => {
  it("have the commit that has them, or none", async () => {
    git(root, "init", "-q");
    const path = put("a.ts", "old line\r\n");
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "The old line");
    put("a.ts", "old line\r\nby an agent\r\nby hand\r\n");
    const a = did(copilot(), edit(path, "old line\n", "old line\nby an agent\n"));
    const { lines } = await asking.blame(path);
    expect(shown({ lines }, { a })).toEqual(["git", "a0", "."]);
    expect(lines[0]?.commit).toMatchObject({ author: "Ada", summary: "The old line" });
    expect(lines.map(({ text }) => text)).toEqual(["old line", "by an agent", "by hand"]);
  });
});

describe("a repository that git cannot read", () => {
  const begin = (): { path: string; a: AgentSession } => {
    git(root, "init", "-q");
    const path = put("a.ts", "committed line\n");
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "Begin");
    put("a.ts", "committed line\nby an agent\n");
    return { path, a: did(copilot(), edit(path, "committed line\n", "committed line\nby an agent\n")) };
  };

  it.each([
    ["broken settings", () => writeFileSync(join(root, ".git/config"), "[core\nbroken"), /bad config line/],
    ["lost objects", () => rmSync(join(root, ".git/objects"), { recursive: true }), /not a git repository/],
    [
      "a broken branch",
      () => writeFileSync(join(root, ".git", git(root, "symbolic-ref", "HEAD").trim()), "?\n"),
      /bad revision/,
    ],
    [
      "a folder that is gone",
      () => {
        rmSync(join(root, ".git"), { recursive: true });
        writeFileSync(join(root, ".git"), "gitdir: ../modules/shop\n");
      },
      /not a git repository/,
    ],
  ])("is told with the reason, and nothing is called uncommitted: %s", async (_, harm, reason) => {
    const { path, a } = begin();
    harm();
    const blame = await asking.blame(path);
    expect(shown(blame, { a })).toEqual([".", "a0"]);
    expect(blame.gitTrouble).toMatch(
      /^git could not be asked \(.+\), so commits and former names are left out$/,
    );
    expect(blame.gitTrouble).toMatch(reason);
    expect(blame.notices).toEqual([blame.gitTrouble]);
  });

  it("is not one whose settings name a list of commits that is not there, nor one that is new", async () => {
    const { path, a } = begin();
    git(root, "config", "blame.ignoreRevsFile", "none-such");
    const blame = await asking.blame(path);
    expect([shown(blame, { a }), blame.gitTrouble]).toEqual([["git", "a0"], undefined]);
    const fresh = await asking.blame(put("fresh.ts", "fresh\n"));
    expect([shown(fresh, { a }), fresh.gitTrouble]).toEqual([["."], undefined]);
    rmSync(join(root, ".git"), { recursive: true });
    git(root, "init", "-q");
    const unborn = await asking.blame(path);
    expect([shown(unborn, { a }), unborn.gitTrouble]).toEqual([[".", "a0"], undefined]);
    expect([blame.hasGit, fresh.hasGit, unborn.hasGit]).toEqual([true, true, true]);
  });

  it("has nothing to say of a file in no repository, and none of its lines is called uncommitted", async () => {
    const { path, a } = begin();
    rmSync(join(root, ".git"), { recursive: true });
    const blame = await asking.blame(path);
    expect([shown(blame, { a }), blame.gitTrouble, blame.hasGit]).toEqual([[".", "a0"], undefined, false]);
  });
});

describe("files that are refused", () => {
  it("are folders, binary files and files that are not there", async () => {
    did(copilot(), create(put("a.ts", "one\n"), "one\n"));
    put("image.png", "\u0089PNG\0\0");
    await expect(asking.blame(join(root, "image.png"))).rejects.toMatchObject({ code: "file-not-text" });
    await expect(asking.blame(root)).rejects.toMatchObject({ code: "file-not-text" });
    await expect(asking.blame(join(root, "none.ts"))).rejects.toMatchObject({ code: "file-not-found" });
  });

  it("are names that no file can have, in our own words", async () => {
    for (const more of [{}, { here: root }])
      await expect(asking.blame(`${root}/a\0.ts`, more)).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining("NUL"),
      });
  });
});
