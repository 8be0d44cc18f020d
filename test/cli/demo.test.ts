/** The first minute: a newcomer without any agent makes the demo and tries every command on it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { localFs } from "../../src/platform/fs/local.ts";
import { idOf } from "../../src/sources/vscode/edit/copy/target.ts";
import { createHome, type Home, line, linesOf, start } from "./home.ts";

vi.setConfig({ testTimeout: 60_000 });

let home: Home;
const json = (...words: string[]) => JSON.parse(home.rethread(...words, "--json").stdout);
const NOTE = "No session was found on this machine, so this is the demo: sample sessions to try things on.\n";

beforeAll(() => {
  home = createHome();
});
afterAll(() => home.remove());

describe("demo", () => {
  it("makes about forty sessions of all sources below our own folder", () => {
    const demo = json("demo");
    expect(demo.folder).toBe(`${home.path}/rethread/demo`);
    expect(demo.sessions).toBeGreaterThanOrEqual(38);
    expect(Object.keys(demo.bySource).sort()).toEqual(["claude-code", "copilot-cli", "vscode"]);
    expect(home.rethread("demo").stdout).toMatch(/^Created \d+ sessions \(.*\n\n {2}rethread --demo\n/);
  });

  it("keeps chats of VS Code where VS Code looks for them, also after it was created anew", async () => {
    for (const _ of ["first", "anew"]) {
      const { vars } = json("demo");
      const kept = new Map<string, string>();
      for (const id of readdirSync(vars.VSCODE_STORAGE_PATH)) {
        const about = readFileSync(join(vars.VSCODE_STORAGE_PATH, id, "workspace.json"), "utf8");
        kept.set(fileURLToPath(JSON.parse(about).folder), id);
      }
      const there = [...kept].filter(([folder]) => existsSync(folder));
      expect(there.length).toBeGreaterThan(3);
      for (const [folder, id] of there) expect(id, folder).toBe(await idOf(localFs, folder));
    }
  });

  it("stands in where no session is found, and says so on stderr alone", () => {
    const { stdout, stderr } = home.rethread("--demo=auto");
    expect(stderr).toBe(NOTE);
    expect(stdout).toMatch(/^rethread \S+ · demo .* sessions/);
    expect(JSON.parse(home.rethread("list", "--demo=auto", "--json").stdout).total).toBeGreaterThan(30);
  });

  it("tells people in a checkout what to type there", () => {
    const advice = /In this checkout, type npm run -s rethread -- instead of rethread\./;
    expect(home.with({ npm_lifecycle_event: "start" }).rethread("--demo").stdout).toMatch(advice);
    expect(linesOf(home.rethread("--demo")).join("\n")).not.toMatch(advice);
  });

  it("is what the next steps of sync are about", () => {
    const { stdout } = home.rethread("sync", "status", "--demo");
    const commands = stdout.match(/rethread [^\n;]+/g) ?? [];
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.filter((command) => !command.endsWith(" --demo"))).toEqual([]);
    expect(home.rethread("sync", "status").stdout).not.toContain("--demo");
  });

  it("is work to change where it usually lies, in a hidden folder of the home", () => {
    const usual = home.with({ RETHREAD_HOME: `${home.path}/.local/share/rethread` });
    usual.again("demo");
    const { stdout } = usual.again("rewind", "f47bca59", "--to", "4", "--files", "--dry-run", "--demo");
    expect(stdout).toMatch(/^ {2}restore {2}\S*login\.test\.ts/m);
    const bundle = `${home.path}/session.tar.gz`;
    usual.again("export", "f47bca59", "--out", bundle, "--demo");
    expect(usual.again("import", bundle, "--demo").stdout).toMatch(/already here/);
  });

  it("says that it was created anew, and asks before what was changed in it goes", () => {
    const own = createHome();
    expect(own.again("demo").stderr).toBe("");
    expect(own.again("demo").stderr).toBe("This demo took the place of an earlier one.\n");
    expect(own.again("rename", "f47bca59", "Mine", "--demo", "--yes").code).toBe(0);
    const refused = JSON.parse(own.again("demo", "--json").stdout);
    expect(refused.error).toMatchObject({
      code: "needs-yes",
      message: "The demo was changed: its history has 1 entry, which a new demo would not have",
    });
    expect(own.again("show", "f47bca59", "--demo").stdout).toContain("Mine");
    expect(own.again("demo", "--yes").stderr).toContain("what was changed in that is gone");
    expect(own.again("show", "f47bca59", "--demo").stdout).not.toContain("Mine");
    own.remove();
  });

  it("stays away where there is a session", () => {
    const own = createHome();
    const began = new Date();
    own.session("aaaaaaaa-0000-4000-8000-000000000001", [
      start("aaaaaaaa-0000-4000-8000-000000000001", began),
      line("user.message", { content: "hello" }, began, 1),
    ]);
    const { stdout, stderr } = own.rethread("list", "--demo=auto", "--json");
    own.remove();
    expect({ stderr, total: JSON.parse(stdout).total }).toEqual({ stderr: "", total: 1 });
  });

  it("has something for the doctor, whose advice works", () => {
    const { problems } = json("doctor", "--demo");
    const severities = new Set(problems.map((each: { severity: string }) => each.severity));
    expect(severities.has("damage") && severities.has("trouble")).toBe(true);
    const advice = new Set<string>(problems.map((each: { fix: string | null }) => each.fix ?? ""));
    // What would change a session is only tried: all of these tests look at one demo home.
    const harmless = (fix: string): string =>
      /^rethread (rescue|move) /.test(fix) ? `${fix} --dry-run` : fix;
    expect([...advice].join("\n")).toMatch(
      /rethread move --from \S+\/rates-service --to \S+\/rates-api --demo/,
    );
    for (const fix of advice)
      if (fix.startsWith("rethread ")) expect(home.shell(harmless(fix)).stderr, fix).toBe("");
  });

  it("is what the next step of a failure is about, asked for or not", () => {
    expect(json("rewind", "f47bca59", "--demo").error.hint).toMatch(/rethread show f47bca59 --demo$/);
    for (const demo of ["--demo", "--demo=auto"])
      expect(json("show", "zzzz", demo).error, demo).toMatchObject({
        hint: "See all sessions: rethread list --demo",
        remedy: { action: "list", demo: true },
      });
    expect(json("doctor", "--vscode", "--demo").problems).not.toEqual([]);
    expect(home.again("doctor", "--vscode", "--demo").stdout).not.toContain("--demo --demo");
  });

  it("suggests commands that work", () => {
    for (const { command } of json("--demo").suggestions) {
      const { stderr, stdout } = home.shell(command);
      expect({ stderr, said: stdout.length > 0 }, command).toEqual({ stderr: "", said: true });
    }
  });

  it("shows and counts a session of every source", () => {
    const { sessions } = json("list", "--demo");
    for (const source of ["copilot-cli", "vscode", "claude-code"]) {
      const { id, turns } = sessions.find(
        (each: { source: string; turns: number }) => each.source === source && each.turns > 2,
      );
      expect(json("show", `${source}:${id}`, "--demo").turns).toHaveLength(turns);
      expect(json("context", `${source}:${id}`, "--demo").tokens).toBeGreaterThan(100);
    }
  });
});
