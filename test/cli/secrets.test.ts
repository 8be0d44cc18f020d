/** `rethread secrets`: what is found, what is shown of it, and sessions without it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookAtAll } from "../edit/home.ts";
import { createHome, type Home, line, start } from "./home.ts";

const KEY = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const PASSWORD = "Tr0ub4dor-and-3";
const [ID, CLEAN, CLAUDE] = ["a", "b", "c"].map((last) => `0b1c2d3e-0000-4000-8000-00000000000${last}`) as [
  string,
  string,
  string,
];
const began = new Date("2026-11-01T10:00:00.000Z");
let home: Home;

beforeAll(() => {
  home = createHome();
  const said = (content: string, minutes: number) => line("user.message", { content }, began, minutes);
  const answered = (content: string, minutes: number) =>
    line("assistant.message", { messageId: `m${minutes}`, content, toolRequests: [] }, began, minutes);
  const log = [start(ID, began), said("Begin", 1), answered("Begun", 2), said(`Use ${KEY}`, 3)];
  home.session(ID, [...log, answered(`It is ${KEY}, and DB_PASSWORD=${PASSWORD}`, 4)], {
    name: `Deploy with ${KEY}`,
    cwd: home.path,
  });
  home.session(CLEAN, [start(CLEAN, began), said("Nothing to see", 1), answered("Indeed", 2)]);
  const folder = join(home.path, ".copilot/session-state", ID);
  mkdirSync(join(folder, "rewind-file-snapshots/backups"), { recursive: true });
  writeFileSync(join(folder, "rewind-file-snapshots/backups/1"), `TOKEN=${KEY}\n`);
  writeFileSync(join(folder, "plan.md"), "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYz9Q1w2E3\n");
  writeFileSync(join(folder, "session.db"), "SQLite format 3\0");
  const projects = join(home.path, ".claude/projects/-srv-shop");
  mkdirSync(projects, { recursive: true });
  const entry = {
    ...{
      type: "user",
      uuid: CLAUDE,
      parentUuid: null,
      sessionId: CLAUDE,
      cwd: "/srv/shop",
      version: "2.0.0",
    },
    ...{ timestamp: "2026-11-02T10:00:00.000Z", isSidechain: false, userType: "external" },
    message: { role: "user", content: `Try ${KEY}` },
  };
  writeFileSync(join(projects, `${CLAUDE}.jsonl`), `${JSON.stringify(entry)}\n`);
});
afterAll(() => home.remove());

describe("secrets scan", () => {
  it("names kinds and turns, shows no secret, and ends with 1", () => {
    const { stdout, code } = home.again("secrets", "scan", "--json");
    expect(code).toBe(1);
    const { findings, scanned, leftOut } = JSON.parse(stdout);
    expect(scanned).toBe(3);
    const told = findings.map((each: Record<string, unknown> & { session: { id: string } }) => [
      ...[each.session.id, each.turn, each.kind, each.count],
    ]);
    expect(told).toContainEqual([ID, 1, "github token", 1]);
    expect(told).toContainEqual([ID, 1, "password", 1]);
    expect(told).toContainEqual([CLAUDE, 0, "github token", 1]);
    expect(findings.find(({ path }: { path: string | null }) => path?.endsWith("plan.md"))).toMatchObject({
      turn: null,
      count: 1,
    });
    expect(told.some(([id]: [string]) => id === CLEAN)).toBe(false);
    expect(leftOut).toMatchObject([{ path: expect.stringContaining("session.db"), why: "is a database" }]);
    const people = home.again("secrets", "scan");
    for (const secret of [KEY, PASSWORD, "wJalrXUtnFEMI", KEY.slice(0, 6)]) {
      expect(stdout).not.toContain(secret);
      expect(people.stdout).not.toContain(secret);
    }
    expect(people.stdout).toMatch(/0b1c2d3e +Deploy with .* +turn 1 +github token +1/);
  });

  it("ends with 0 where nothing is found, and takes sessions and filters", () => {
    expect(home.again("secrets", "scan", CLEAN)).toMatchObject({
      code: 0,
      stdout: "No known kind of secret was found in 1 session.\n",
    });
    expect(
      JSON.parse(home.again("secrets", "scan", "--source", "claude-code", "--json").stdout),
    ).toMatchObject({
      scanned: 1,
    });
    expect(home.again("secrets", "scan", "--all").code).toBe(2);
  });
});

describe("secrets scrub", () => {
  const folder = (): string => join(home.path, ".copilot/session-state", ID);

  it("asks, puts the same mark for the same secret everywhere, and undo gives the bytes back", () => {
    const before = lookAtAll(folder());
    expect(home.again("secrets", "scrub", ID).stderr).toContain("needs-yes");
    const shown = home.again("secrets", "scrub", ID, "--dry-run");
    expect(shown.stdout).toMatch(/github token +1 secret in 3 places/);
    expect(shown.stdout).toContain("left out: copies of your own files");
    expect(shown.stdout).not.toContain(KEY);
    expect(lookAtAll(folder())).toEqual(before);

    const done = JSON.parse(home.again("secrets", "scrub", ID, "--yes", "--json").stdout);
    expect(done).toMatchObject({
      session: { id: ID },
      redactions: expect.arrayContaining([{ kind: "password", secrets: 1, places: 1 }]),
    });
    const texts = ["events.jsonl", "workspace.yaml", "plan.md"].map((name) =>
      readFileSync(join(folder(), name), "utf8"),
    );
    for (const secret of [KEY, PASSWORD, "wJalrXUtnFEMI"]) expect(texts.join("")).not.toContain(secret);
    const marks = new Set(texts.join("").match(/\[redacted: github token [0-9a-f]{8}\]/g));
    expect(marks.size).toBe(1);
    // What a rewind would write into a file of the user stays.
    expect(readFileSync(join(folder(), "rewind-file-snapshots/backups/1"), "utf8")).toContain(KEY);
    expect(home.again("show", ID).stdout).toContain("DB_PASSWORD=[redacted: password");
    expect(home.again("search", KEY).stdout).not.toContain("turn 1");
    expect(home.again("secrets", "scrub", ID, "--dry-run").stdout).toContain("Nothing to do");

    expect(home.again("undo", done.operation, "--yes").code).toBe(0);
    expect(lookAtAll(folder())).toEqual(before);
  });

  it("is for good once it is confirmed, as the backup has the secrets until then", () => {
    const { stdout } = home.again("secrets", "scrub", ID, "--yes");
    const operation = /history --confirm (\w+)/.exec(stdout)?.[1] ?? "";
    expect(home.again("history", "--confirm", operation).code).toBe(0);
    expect(existsSync(folder())).toBe(true);
  });

  it("takes them out of sessions of Claude Code, too", () => {
    const transcript = join(home.path, ".claude/projects/-srv-shop", `${CLAUDE}.jsonl`);
    const before = readFileSync(transcript, "utf8");
    const done = JSON.parse(home.again("secrets", "scrub", CLAUDE, "--yes", "--json").stdout);
    expect(readFileSync(transcript, "utf8")).toMatch(/Try \[redacted: github token [0-9a-f]{8}\]/);
    expect(home.again("undo", done.operation, "--yes").code).toBe(0);
    expect(readFileSync(transcript, "utf8")).toBe(before);
  });

  it("refuses sessions that it cannot change, and leaves them out of --all", () => {
    const id = "01a1eec5-30aa-7161-b425-4271ec347d40";
    const folder = join(home.path, ".codex/sessions/2026/11/18");
    mkdirSync(folder, { recursive: true });
    const time = "2026-11-18T13:07:39.000Z";
    const record = (type: string, payload: object): string =>
      `${JSON.stringify({ timestamp: time, type, payload })}\n`;
    const said = { type: "message", role: "user", content: [{ type: "input_text", text: `Try ${KEY}` }] };
    writeFileSync(
      join(folder, `rollout-2026-11-18T13-07-39-${id}.jsonl`),
      record("session_meta", {
        id,
        timestamp: time,
        cwd: "/srv/shop",
        originator: "codex_exec",
        cli_version: "0.169.0",
      }) +
        record("event_msg", { type: "user_message", message: `Try ${KEY}` }) +
        record("response_item", said),
    );
    expect(JSON.parse(home.again("secrets", "scrub", id, "--yes", "--json").stdout)).toMatchObject({
      error: { code: "not-supported", message: "Rethread cannot change sessions of Codex CLI yet" },
    });
    const all = home.again("secrets", "scrub", "--all", "--yes");
    expect(all.stderr).toContain("1 session with secrets stay");
    expect(home.again("secrets", "scrub").code).toBe(2);
    expect(home.again("secrets", "scrub", ID, "--all").code).toBe(2);
  });
});
