import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { localFs } from "../fs/local.ts";
import { readGit } from "./git-folder.ts";

let folder: string;
const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], {
    cwd: join(folder, "repo"),
    stdio: "pipe",
  });

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-git-")));
  mkdirSync(join(folder, "repo/deep/er"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("finds root, branch and remote from deep inside, and of a linked work tree", async () => {
  git("init", "-q", "-b", "feat/one");
  git("remote", "add", "upstream", "https://example.org/other.git");
  git("remote", "add", "origin", "git@github.com:quill/app.git");
  const root = join(folder, "repo");
  const origin = "git@github.com:quill/app.git";
  expect(await readGit(localFs, join(root, "deep/er"))).toEqual({ root, branch: "feat/one", origin });
  writeFileSync(join(root, "a"), "a");
  git("add", "a");
  git("commit", "-q", "-m", "a");
  git("worktree", "add", "-q", "-b", "two", join(folder, "linked"));
  expect(await readGit(localFs, join(folder, "linked"))).toEqual({
    root: join(folder, "linked"),
    branch: "two",
    origin,
  });
  git("checkout", "-q", "--detach");
  expect(await readGit(localFs, root)).toEqual({ root, origin });
});

it("knows a folder that is in no work tree", async () => {
  expect(await readGit(localFs, join(folder, "repo"))).toBeUndefined();
});

it("waits for no pipe, and is told nothing by what is no file", async () => {
  const root = join(folder, "repo");
  execFileSync("mkfifo", [join(root, ".git")]);
  expect(await readGit(localFs, join(root, "deep"))).toBeUndefined();
  rmSync(join(root, ".git"));
  mkdirSync(join(root, ".git/HEAD"), { recursive: true });
  execFileSync("mkfifo", [join(root, ".git/config")]);
  symlinkSync("commondir", join(root, ".git/commondir"));
  expect(await readGit(localFs, join(root, "deep"))).toEqual({ root });
  expect(await readGit(localFs, join(root, "x".repeat(300)))).toEqual({ root });
});

it("reads settings of any length in one pass, and comments and quotes as git does", async () => {
  const root = join(folder, "repo");
  mkdirSync(join(root, ".git"));
  const config = `[remote "origin"]${"\n".repeat(900_000)}\turl = "git@github.com:quill/app.git" # mine\n`;
  writeFileSync(join(root, ".git/config"), config);
  expect(await readGit(localFs, root)).toEqual({ root, origin: "git@github.com:quill/app.git" });
});
