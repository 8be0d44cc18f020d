/** Sessions whose files are gone, as people meet them: kept and marked, read from the archive, or removed; as configured. */
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHome, type Home, line, start } from "./home.ts";

const [ONE, TWO] = ["0a000000-0000-4000-8000-000000000001", "0b000000-0000-4000-8000-000000000002"];
const began = new Date("2026-11-01T10:00:00Z");
let home: Home;
const folder = (id: string): string => join(home.path, ".copilot/session-state", id);
const json = (...words: string[]) => JSON.parse(home.again(...words, "--json").stdout);
const lists = () =>
  json("list").sessions.map((session: { id: string; vanishedAt: string | null; resume: string | null }) => ({
    id: session.id,
    gone: session.vanishedAt !== null,
    resume: session.resume,
  }));
const configure = (text: string): void => writeFileSync(join(home.dataHome, "config.json"), text);

beforeEach(() => {
  home = createHome();
  for (const [id, words] of [
    [ONE, "paint the zeppelin"],
    [TWO, "polish the brass"],
  ] as const)
    home.session(
      id,
      [
        start(id, began),
        line("user.message", { content: words }, began, 1),
        line(
          "assistant.message",
          { messageId: "m", content: `I shall ${words}.`, toolRequests: [] },
          began,
          2,
        ),
      ],
      { cwd: "/work/airship", name: words },
    );
  home.again("index");
});
afterEach(() => home.remove());

describe("by default", () => {
  beforeEach(() => rmSync(folder(ONE), { recursive: true }));

  it("keeps what it knew, marked, without a command to go on", () => {
    expect(home.again("index").stdout).toBe("Indexed 0 sessions; 1 unchanged, 1 gone but kept.\n");
    expect(json("index")).toMatchObject({ indexed: 0, unchanged: 1, removed: 0, kept: 0, archived: 0 });
    expect(lists()).toEqual([
      { id: ONE, gone: true, resume: null },
      { id: TWO, gone: false, resume: `rethread resume copilot-cli:${TWO}` },
    ]);
    const { stdout } = home.again("search", "zeppelin");
    expect(stdout).toMatch(
      /^paint the zeppelin\n0a000000 · copilot-cli · .* · files gone · rethread show 0a000000\n/,
    );
    expect(stdout).not.toContain("--resume");
    expect(json("search", "zeppelin").hits[0].session).toMatchObject({
      id: ONE,
      vanishedAt: expect.any(String),
    });
    expect(json("sql", "SELECT vendor_id FROM sessions WHERE vanished_at IS NOT NULL").rows).toEqual([[ONE]]);
  });

  it("says what is left of a session that was not archived, and how to read that", () => {
    home.again("index");
    const { code, stderr } = home.again("show", "zeppelin");
    const [sentence, hint = ""] = stderr.split("\n");
    expect({ code, sentence }).toEqual({
      code: 4,
      sentence: expect.stringMatching(
        /^error: The files of "paint the zeppelin" \(copilot-cli:0a0\S+\) have been gone since \d{4}-\d\d-\d\d, and it was not archived; only the store's record of it is left \(session-gone\)$/,
      ),
    });
    const command = /^Read the record: (rethread sql .+)$/.exec(hint)?.[1] ?? "";
    expect(JSON.parse(home.shell(`${command} --json`).stdout).rows).toEqual([
      [0, "paint the zeppelin", "I shall paint the zeppelin."],
    ]);
    expect(json("context", ONE).error.code).toBe("session-gone");
    expect(json("show", "no such thing").error.code).toBe("session-not-found");
  });

  it("writes no copies and no state", () => {
    home.again("index");
    expect(readdirSync(home.dataHome)).toEqual(["session-store.db"]);
  });
});

describe("with the archive on", () => {
  beforeEach(() => configure('{ "archive": true }'));

  it("copies sessions once, and reads those that are gone from the copies", () => {
    expect(home.again("index").stdout).toBe(
      "Indexed 0 sessions; 2 unchanged, 0 removed.\nArchived 2 sessions: copies are in the vault.\n",
    );
    expect(json("index")).toMatchObject({ archived: 0 });
    const commands = [
      ["show", ONE],
      ["context", ONE],
    ] as const;
    const before = commands.map((words) => json(...words));
    rmSync(folder(ONE), { recursive: true });
    home.again("index");
    expect(lists()[0]).toEqual({ id: ONE, gone: true, resume: null });
    const after = commands.map((words) => json(...words));
    for (const [i, answer] of after.entries())
      expect(answer).toEqual({
        ...before[i],
        session: { ...before[i].session, resume: null, vanishedAt: expect.any(String) },
      });
    expect(home.again("show", "zeppelin").stdout).toMatch(
      /\nfiles +gone since .+; this is the archived copy\n/,
    );
    expect(json("doctor").problems).toEqual([]);
  });

  it("makes the rows of a session that is gone again, should the store be deleted", () => {
    home.again("index");
    rmSync(folder(ONE), { recursive: true });
    home.again("index");
    rmSync(join(home.dataHome, "session-store.db"));
    expect(json("search", "zeppelin").hits[0].session).toMatchObject({
      id: ONE,
      vanishedAt: expect.any(String),
    });
  });

  it("keeps the copies to their owner", () => {
    home.again("index");
    const modes = readdirSync(home.dataHome, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "config.json")
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it("reads a session from its files again when they are back", () => {
    home.again("index");
    const away = join(home.path, "away");
    renameSync(folder(ONE), away);
    home.again("index");
    renameSync(away, folder(ONE));
    home.again("index");
    expect(lists()[0]).toEqual({ id: ONE, gone: false, resume: `rethread resume copilot-cli:${ONE}` });
  });
});

describe("when told to remove them", () => {
  it("forgets rows and copies of sessions that were deleted", () => {
    const removing = home.with({ RETHREAD_VANISHED: "remove" });
    configure('{ "archive": true }');
    home.again("index");
    const blocks = () =>
      readdirSync(join(home.dataHome, "vault"), { recursive: true }).filter((name) => name.length > 10);
    const before = blocks().length;
    rmSync(folder(ONE), { recursive: true });
    expect(removing.again("index").stdout).toBe("Indexed 0 sessions; 1 unchanged, 1 removed.\n");
    expect(lists()).toEqual([{ id: TWO, gone: false, resume: `rethread resume copilot-cli:${TWO}` }]);
    expect(blocks().length).toBe(before / 2);
  });

  it("keeps them all the same when the whole home is missing", () => {
    const removing = home.with({ RETHREAD_VANISHED: "remove" });
    renameSync(join(home.path, ".copilot"), join(home.path, "unmounted"));
    expect(removing.again("index")).toEqual({
      code: 0,
      stdout: "Indexed 0 sessions; 0 unchanged, 2 gone but kept.\n",
      stderr:
        "2 sessions are kept and marked as gone: nothing is left where they were, so a disk may not be mounted, or a home may have moved\n",
    });
    expect(removing.again("index").stdout).toBe("Indexed 0 sessions; 0 unchanged, 0 removed.\n");
    expect(lists().length).toBe(2);
  });
});

describe("the settings", () => {
  it("are refused with their place when they cannot be meant, before anything is done", () => {
    configure('{ "archvie": true }');
    rmSync(join(home.dataHome, "session-store.db"));
    expect(home.again("index")).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: ${join(home.dataHome, "config.json")}: unknown setting "archvie" (config-invalid)\nDid you mean "archive"?\n`,
    });
    expect(existsSync(join(home.dataHome, "session-store.db"))).toBe(false);
    expect(
      JSON.parse(home.with({ RETHREAD_ARCHIVE: "perhaps" }).again("list", "--json").stdout).error.code,
    ).toBe("config-invalid");
    expect(home.again("help").code).toBe(0);
  });
});
