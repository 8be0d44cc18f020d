import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findGit } from "../../platform/process/git.ts";
import { ownCommits } from "./own-commits.ts";

let folder: string;
let root: string;
let vars: Record<string, string | undefined>;
const RANGE = { since: new Date("2026-11-14T00:00:00Z"), until: new Date("2026-11-15T00:00:00Z") };

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, ...args], { env: { ...vars, ...MOMENT }, encoding: "utf8" });
let MOMENT: Record<string, string> = {};
function commit(subject: string, at: string, email = "ada@example.com"): void {
  MOMENT = {
    ...{ GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at, GIT_COMMITTER_NAME: "C", GIT_COMMITTER_EMAIL: "c@x" },
    ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: email },
  };
  git("commit", "-q", "--allow-empty", "-m", subject);
  MOMENT = {};
}
/** The hash of a commit that carries a signature, which git checks with a program of the user's choice. */
function sign(subject: string): string {
  const who = "Ada <ada@example.com> 1794657600 +0000";
  const text = `tree ${git("rev-parse", "HEAD^{tree}").trim()}\nparent ${git("rev-parse", "HEAD").trim()}\nauthor ${who}\ncommitter ${who}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n${subject}\n`;
  return execFileSync("git", ["-C", root, "hash-object", "-t", "commit", "-w", "--stdin"], {
    input: text,
    encoding: "utf8",
    env: vars,
  }).trim();
}
async function subjects(...folders: string[]): Promise<string[]> {
  const { commits, troubles } = await ownCommits(findGit(vars), folders, RANGE);
  expect(troubles).toEqual([]);
  return [...commits.values()].flatMap((all) => all.map(({ subject, branch }) => `${branch}: ${subject}`));
}
const troubles = async (...folders: string[]): Promise<readonly string[]> =>
  (await ownCommits(findGit(vars), folders, RANGE)).troubles;
const LEFT_OUT = "so commits that no session made are left out";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-git-")));
  root = join(folder, "shop");
  mkdirSync(join(root, "src"), { recursive: true });
  vars = { PATH: process.env.PATH, HOME: folder };
  git("init", "-q", "-b", "main");
  git("config", "user.email", "Ada@example.com");
  git("config", "user.name", "Ada");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("has one's own commits of all branches in the range, once for a work tree", async () => {
  commit("too early", "2026-11-13T23:00:00Z");
  commit("mine", "2026-11-14T10:00:00Z");
  commit("of a colleague", "2026-11-14T11:00:00Z", "grace@example.com");
  git("checkout", "-q", "-b", "fix/login");
  commit("mine, elsewhere", "2026-11-14T12:00:00Z");
  git("checkout", "-q", "main");
  expect(await subjects(root)).toEqual(["fix/login: mine, elsewhere", "main: mine"]);
  expect(await subjects(join(root, "src"))).toHaveLength(2);
});

it("does without folders that are gone, are no repository, or are not on this machine", async () => {
  expect(await subjects(join(folder, "gone"), "vscode-remote://ssh/x", "//server/share", folder)).toEqual([]);
});

describe("a repository that git cannot read", () => {
  it.each([
    [
      "broken settings",
      (at: string) => writeFileSync(join(at, "config"), "[core\nbroken"),
      "bad config line",
    ],
    [
      "lost objects",
      (at: string) => rmSync(join(at, "objects"), { recursive: true }),
      "not a git repository",
    ],
    ["a broken branch", (at: string) => writeFileSync(join(at, "refs/heads/main"), "?"), "bad object"],
  ])("is named with the reason: %s", async (_, harm, reason) => {
    commit("mine", "2026-11-14T10:00:00Z");
    harm(join(root, ".git"));
    const [only, ...others] = await troubles(root, join(root, "src"));
    expect(only).toMatch(`${root}: git could not be asked (`);
    expect(only).toMatch(reason);
    expect(only).toMatch(LEFT_OUT);
    expect(others).toEqual([]);
  });

  it("is not one without a commit", async () => {
    expect(await subjects(root)).toEqual([]);
  });

  it("is every one where there is no git, which is said once", async () => {
    vars = { PATH: "" };
    expect(await troubles(root, join(root, "src"))).toEqual([`git was not found on PATH, ${LEFT_OUT}`]);
    expect(await troubles(folder)).toEqual([]);
  });
});

describe("git", () => {
  it("is not there when it is on no absolute place of the path", () => {
    expect(findGit({ PATH: "" })).toBeUndefined();
    writeFileSync(join(folder, "git"), "#!/bin/sh\n");
    chmodSync(join(folder, "git"), 0o755);
    expect(findGit({ PATH: [".", "bin"].join(delimiter) })).toBeUndefined();
  });

  it("starts no program that a repository or a user has put into its settings", async () => {
    commit("mine", "2026-11-14T10:00:00Z");
    git("update-ref", "refs/heads/main", sign("signed"));
    const proof = join(folder, "proof");
    const script = join(folder, "script");
    writeFileSync(script, `#!/bin/sh\necho "$0 $@" >> '${proof}'\n`);
    chmodSync(script, 0o755);
    const settings = `
[core]
  fsmonitor = ${script}
  pager = ${script}
  hooksPath = ${folder}
  sshCommand = ${script}
[pager]
  log = ${script}
[log]
  showSignature = true
[gpg]
  program = ${script}
[diff]
  external = ${script}
[alias]
  log = !${script}
  var = !${script}
`;
    writeFileSync(join(folder, ".gitconfig"), settings);
    writeFileSync(
      join(root, ".git/config"),
      `${settings}\n[user]\n  email = ada@example.com\n  name = Ada\n`,
    );
    for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
      writeFileSync(join(folder, hook), `#!/bin/sh\necho hook >> '${proof}'\n`);
      chmodSync(join(folder, hook), 0o755);
    }
    expect(await subjects(root)).toEqual(["main: signed", "main: mine"]);
    expect(existsSync(proof)).toBe(false);
    // As it would be without our care.
    git("log", "-1");
    expect(existsSync(proof)).toBe(true);
  });

  it("reads the repository of the folder, whatever GIT_DIR says", async () => {
    commit("mine", "2026-11-14T10:00:00Z");
    vars = { ...vars, GIT_DIR: join(folder, "elsewhere"), GIT_CONFIG_COUNT: "1" };
    expect(await subjects(root)).toEqual(["main: mine"]);
  });

  it("is stopped when it takes too long", async () => {
    const slow = join(folder, "bin");
    mkdirSync(slow);
    writeFileSync(join(slow, "git"), "#!/bin/sh\nexec sleep 60\n");
    chmodSync(join(slow, "git"), 0o755);
    const found = findGit({ PATH: `${slow}${delimiter}${process.env.PATH}` }, 50);
    expect(await found?.ask(root, ["log"])).toEqual({ how: "stopped" });
  });
});
