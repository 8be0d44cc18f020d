import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { askGit } from "./git.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-git-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]): void =>
  void execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], {
    cwd: folder,
    stdio: "ignore",
  });
const vars = { PATH: process.env.PATH };

it("answers, and says when there is nothing to say", async () => {
  git("init", "-q");
  writeFileSync(join(folder, "ä.txt"), "one\n");
  git("add", "-A");
  git("commit", "-q", "-m", "First");
  const answer = await askGit(["blame", "--porcelain", "HEAD", "--", "ä.txt"], {
    folder,
    vars,
    timeoutMs: 10_000,
  });
  expect(answer).toMatchObject({ how: "answered", text: expect.stringContaining("summary First") });
  expect(await askGit(["blame", "HEAD", "--", "none"], { folder, vars, timeoutMs: 10_000 })).toEqual({
    how: "failed",
    reason: "no such path none in HEAD",
  });
});

it.runIf(process.getuid?.() === 0)(
  "reads what is another user's only if one's own settings trust it",
  async () => {
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "First");
    chownSync(folder, 12_345, 12_345);
    const home = mkdtempSync(join(tmpdir(), "rethread-home-"));
    const ask = () => askGit(["log"], { folder, vars: { ...vars, HOME: home }, timeoutMs: 10_000 });
    expect(await ask()).toMatchObject({
      how: "failed",
      reason: expect.stringContaining("dubious ownership"),
    });
    writeFileSync(join(home, ".gitconfig"), `[safe]\n  directory = ${folder}\n`);
    expect(await ask()).toMatchObject({ how: "answered" });
    rmSync(home, { recursive: true });
  },
);

it("runs nothing that a repository names in its settings", async () => {
  git("init", "-q");
  writeFileSync(join(folder, "a.txt"), "one\n");
  writeFileSync(join(folder, ".gitattributes"), "*.txt diff=evil filter=evil\n");
  git("add", "-A");
  git("commit", "-q", "-m", "First");
  const evil = join(folder, "evil");
  const touch = `touch ${evil}; cat`;
  for (const [name, value] of [
    ["diff.evil.textconv", touch],
    ["filter.evil.clean", touch],
    ["filter.evil.smudge", touch],
    ["core.fsmonitor", touch],
    ["core.pager", touch],
    ["diff.external", touch],
    ["core.hooksPath", join(folder, "hooks")],
  ] as const)
    git("config", name, value);
  mkdirSync(join(folder, "hooks"));
  writeFileSync(join(folder, "hooks/post-index-change"), `#!/bin/sh\ntouch ${evil}\n`);
  chmodSync(join(folder, "hooks/post-index-change"), 0o755);
  const ask = (...args: string[]) => askGit(args, { folder, vars, timeoutMs: 10_000 });
  const blamed = await ask("blame", "--porcelain", "--no-textconv", "HEAD", "--", "a.txt");
  const moved = await ask(
    "diff",
    "--cached",
    "-M",
    "--name-status",
    "--no-ext-diff",
    "--no-textconv",
    "HEAD",
  );
  const trees = await ask("worktree", "list", "--porcelain");
  expect([blamed.how, moved.how, trees.how, existsSync(evil)]).toEqual([
    "answered",
    "answered",
    "answered",
    false,
  ]);
});

it("is led astray by no variable, and missing where it is not on the path", async () => {
  git("init", "-q");
  const led = { ...vars, GIT_DIR: "/nowhere", GIT_WORK_TREE: "/nowhere" };
  expect(
    await askGit(["rev-parse", "--is-inside-work-tree"], { folder, vars: led, timeoutMs: 10_000 }),
  ).toEqual({
    how: "answered",
    text: "true\n",
  });
  expect(await askGit(["status"], { folder, vars: { PATH: "" }, timeoutMs: 10_000 })).toEqual({
    how: "missing",
  });
});

it("is stopped when it takes too long, or when the caller leaves", async () => {
  const slow = join(folder, "git");
  writeFileSync(slow, "#!/bin/sh\nexec sleep 60\n");
  chmodSync(slow, 0o755);
  const path = { PATH: `${folder}:${process.env.PATH}` };
  expect(await askGit(["blame"], { folder, vars: path, timeoutMs: 100 })).toEqual({ how: "stopped" });
  const leaving = new AbortController();
  const answer = askGit(["blame"], { folder, vars: path, timeoutMs: 60_000, signal: leaving.signal });
  setTimeout(() => leaving.abort(), 50);
  expect(await answer).toEqual({ how: "stopped" });
});
