/** `rethread resume` with stand-ins for the three programs on the path: which is started, with what, and where. */
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHome, type Home, line, start } from "./home.ts";

const COPILOT = "5e551011-aaaa-4bbb-8ccc-000000000001";
const CLAUDE = "5e551022-aaaa-4bbb-8ccc-000000000002";
const VSCODE = "5e551033-aaaa-4bbb-8ccc-000000000003";
const OTHER = "5e551044-aaaa-4bbb-8ccc-000000000004";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
let home: Home;
let work: string;

beforeEach(() => {
  const made = createHome();
  const bin = join(made.path, "bin");
  home = made.with({ PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` });
  work = join(realpathSync(home.path), "work here");
  for (const folder of [bin, work]) mkdirSync(folder);
  for (const program of ["copilot", "claude", "code-insiders"])
    writeFileSync(
      join(bin, program),
      `#!/bin/sh\necho "$(basename "$0")|$(pwd)|$*"\nexit $\{ENDS_WITH:-0}\n`,
      { mode: 0o755 },
    );
  home.session(COPILOT, [start(COPILOT, BEGAN), line("user.message", { content: "one" }, BEGAN, 1)], {
    cwd: work,
    name: "One",
  });
  write(`.claude/projects/${work.replace(/[^A-Za-z0-9]/g, "-")}/${CLAUDE}.jsonl`, {
    type: "user",
    uuid: "a",
    parentUuid: null,
    sessionId: CLAUDE,
    cwd: work,
    timestamp: BEGAN.toISOString(),
    message: { role: "user", content: "two" },
  });
  const storage = ".config/Code - Insiders/User/workspaceStorage/5f3a9c0d1e2b4a6788990011aabbccdd";
  write(`${storage}/workspace.json`, { folder: pathToFileURL(work).href });
  write(`${storage}/chatSessions/${VSCODE}.json`, {
    version: 3,
    sessionId: VSCODE,
    creationDate: BEGAN.getTime(),
    requests: [
      {
        requestId: "r",
        message: { text: "three", parts: [] },
        variableData: { variables: [] },
        response: [],
      },
    ],
  });
});
afterEach(() => home.remove());

const write = (path: string, value: object): void => {
  mkdirSync(dirname(join(home.path, path)), { recursive: true });
  writeFileSync(join(home.path, path), `${JSON.stringify(value)}\n`);
};

const STARTED: [string, string[]][] = [
  [COPILOT, ["copilot", "--resume", COPILOT]],
  [CLAUDE, ["claude", "--resume", CLAUDE]],
];

describe("resume", () => {
  it.each(STARTED)(
    "starts the program of %s in its folder, and hands on how it ended",
    (id, [program, ...words]) => {
      const ran = home.with({ ENDS_WITH: "7" }).again("resume", id.slice(0, 8));
      expect(ran).toEqual({ code: 7, stdout: `${program}|${work}|${words.join(" ")}\n`, stderr: "" });
    },
  );

  it("opens the folder in the VS Code that keeps the chat", () => {
    expect(home.again("resume", VSCODE.slice(0, 8))).toEqual({
      code: 0,
      stdout: `code-insiders|${work}|${work}\n`,
      stderr: "",
    });
  });

  it.each([...STARTED, [VSCODE, ["code-insiders", "FOLDER"]] as [string, string[]]])(
    "prints what it would start on %s, for a shell and for a program",
    (id, told) => {
      const words = told.map((word) => (word === "FOLDER" ? work : word));
      const shell = words.map((word) => (word.includes(" ") ? `'${word}'` : word)).join(" ");
      expect(home.again("resume", id.slice(0, 8), "--print").stdout).toBe(`cd '${work}' && ${shell}\n`);
      expect(JSON.parse(home.again("resume", id.slice(0, 8), "--json").stdout)).toMatchObject({
        session: { id },
        command: words,
        folder: work,
      });
    },
  );

  it("continues the best match for this folder where none is named, and says why", () => {
    const here = (...words: string[]) => home.shell(`cd '${work}' && rethread resume ${words.join(" ")}`);
    expect(JSON.parse(here("--json").stdout)).toMatchObject({
      ...{ session: { id: COPILOT }, why: "the latest of 3 sessions in this folder" },
    });
    const later = new Date(BEGAN.getTime() + 60_000);
    home.session(OTHER, [start(OTHER, later), line("user.message", { content: "four" }, later, 1)], {
      ...{ cwd: home.path, repository: "acme/shop", branch: "main", name: "Four" },
    });
    mkdirSync(join(work, ".git"));
    writeFileSync(join(work, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(work, ".git/config"), '[remote "origin"]\n\turl = git@github.com:Acme/Shop.git\n');
    const why = "the only session on main of Acme/Shop";
    expect(JSON.parse(here("--json").stdout)).toMatchObject({ session: { id: OTHER }, why });
    const { stdout, stderr } = here();
    expect(stdout).toContain(`|--resume ${OTHER}\n`);
    expect(stderr).toContain(`Continuing "Four" (copilot-cli:${OTHER.slice(0, 8)}), ${why}.\n`);
    writeFileSync(join(work, ".git/HEAD"), "ref: refs/heads/other\n");
    // The others have the repository of their folder, which says as much as what Four recorded.
    expect(JSON.parse(here("--json").stdout)).toMatchObject({
      ...{ session: { id: OTHER }, why: "the latest of 4 sessions in Acme/Shop" },
    });
    const nowhere = JSON.parse(home.shell("cd / && rethread resume --json").stdout).error;
    expect(nowhere).toMatchObject({
      code: "session-not-found",
      message: "No session is about this folder: /",
    });
  });

  it("starts here where the folder is gone, and says so; VS Code has nothing to open then", () => {
    rmSync(work, { recursive: true });
    const ran = home.again("resume", COPILOT.slice(0, 8));
    expect(ran).toMatchObject({
      code: 0,
      stdout: `copilot|${realpathSync(home.path)}|--resume ${COPILOT}\n`,
    });
    expect(ran.stderr).toContain("does not exist here, so GitHub Copilot CLI starts in the current folder");
    const vscode = JSON.parse(home.again("resume", VSCODE.slice(0, 8), "--json").stdout);
    expect(vscode.error).toMatchObject({
      code: "workspace-missing",
      hint: `Move its sessions to where it is now: rethread move --from '${work}' --to <folder>`,
      remedy: { action: "move", args: { from: work }, asks: { to: "folder" } },
    });
  });

  it("prints a line that leads the program to its home, where that is not in its usual place", () => {
    const moved = join(home.path, "my copilot");
    renameSync(join(home.path, ".copilot"), moved);
    const printed = home.with({ COPILOT_HOME: moved }).again("resume", COPILOT.slice(0, 8), "--print").stdout;
    expect(printed).toBe(`cd '${work}' && COPILOT_HOME='${moved}' copilot --resume ${COPILOT}\n`);
    expect(home.shell(`cd / && ${printed}`).stdout).toBe(`copilot|${work}|--resume ${COPILOT}\n`);
  });

  it("is what every page and write says to continue with; a page that is sent away says it without rethread", () => {
    const short = COPILOT.slice(0, 8);
    expect(home.again("show", short).stdout).toMatch(new RegExp(`^continue +rethread resume ${short}$`, "m"));
    for (const [format, before, after] of [
      ["md", "- **continue**: `", "`\n"],
      ["html", "<dt>continue</dt><dd><code>", "</code>"],
    ] as const) {
      const page = home.again("show", short, "--format", format).stdout;
      const [, line = ""] = page.split(before);
      const command = line.split(after)[0]?.replaceAll("&amp;", "&").replaceAll("&#39;", "'") ?? "";
      expect(home.shell(`cd / && ${command}`).stdout).toBe(`copilot|${work}|--resume ${COPILOT}\n`);
    }
    const clone = home.again("clone", short).stdout;
    const [, id = ""] = /copilot-cli:([0-9a-f]{8})/.exec(clone) ?? [];
    expect(clone).toContain(`continue  rethread resume ${id}\n`);
    expect(home.shell(`cd / && rethread resume ${id}`).stdout).toMatch(`copilot|${work}|--resume ${id}`);
    const sessions = JSON.parse(home.again("list", "--json").stdout).sessions as { resume: string }[];
    expect(sessions.map(({ resume }) => resume).sort()).toContain(`rethread resume vscode:${VSCODE}`);
  });

  it("says how to get a program that is not there", () => {
    rmSync(join(home.path, "bin/copilot"));
    const { code, stderr } = home.again("resume", COPILOT.slice(0, 8));
    expect(code).toBe(4);
    expect(stderr).toContain("copilot was not found on PATH");
    expect(stderr).toContain(`rethread resume copilot-cli:${COPILOT.slice(0, 8)} --print`);
  });
});

describe("names that mean something to a shell", () => {
  const ODD = 'it\'s $(touch owned) `touch owned` "q" \\ * ~ ; \u001b[2J\n--x';
  const words = (line: string): string[] => {
    const ran = home.shell(line);
    expect(ran.stderr).toBe("");
    return ran.stdout.split("\0").slice(0, -1);
  };

  beforeEach(() => {
    for (const program of ["copilot", "claude"])
      writeFileSync(
        join(home.path, "bin", program),
        '#!/bin/sh\nprintf "%s\\0" "$(basename "$0")" "$(pwd; echo .)" "$@"\n',
        { mode: 0o755 },
      );
  });

  it("reach the program as they are, from every line that is printed", () => {
    const folder = join(realpathSync(home.path), ODD);
    mkdirSync(folder);
    home.session(ODD, [start(ODD, BEGAN), line("user.message", { content: "odd" }, BEGAN, 1)], {
      cwd: folder,
    });
    write(`.claude/projects/odd/${ODD}.jsonl`, {
      type: "user",
      uuid: "a",
      parentUuid: null,
      sessionId: ODD,
      cwd: folder,
      timestamp: BEGAN.toISOString(),
      message: { role: "user", content: "odd" },
    });
    const { sessions } = JSON.parse(home.rethread("list", "--json").stdout) as {
      sessions: { source: string; id: string; path: string; resume: string | null }[];
    };
    const odd = sessions.filter(({ id }) => id === ODD);
    expect(odd.map(({ source }) => source).sort()).toEqual(["claude-code", "copilot-cli"]);
    for (const { source, path, resume } of odd) {
      const [program, last] = source === "copilot-cli" ? ["copilot", ODD] : ["claude", path];
      // In any folder; the function that stands for the command starts it as a shell would.
      expect(words(`cd / && ${resume}`)).toEqual([program, `${folder}\n.`, "--resume", last]);
      const printed = home.rethread("resume", `${source}:${ODD}`, "--print").stdout;
      expect(words(printed)).toEqual([program, `${folder}\n.`, "--resume", last]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
      expect(printed).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
    }
    const cloned = JSON.parse(home.again("clone", `copilot-cli:${ODD}`, "--json").stdout);
    expect(words(`cd / && ${cloned.resume}`).slice(2)).toEqual(["--resume", cloned.session.id]);
    expect(existsSync(join(home.path, "owned"))).toBe(false);
  });
});
