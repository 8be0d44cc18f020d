/** `rethread list`, as a person or a program runs it. */
import { describe, expect, it } from "vitest";
import { createHome } from "./home.ts";
import { EVIL, FLAKY, LOGIN, useReadingHome } from "./reading-home.ts";

const { home, json } = useReadingHome();

describe("list", () => {
  it("gives each session in the shape that programs rely on, the latest first", () => {
    const { schemaVersion, sessions, total } = json("list");
    expect({ schemaVersion, total, ids: sessions.map((each: { id: string }) => each.id) }).toEqual({
      schemaVersion: 1,
      total: 3,
      ids: [LOGIN, FLAKY, EVIL],
    });
    expect(sessions[0]).toMatchObject({
      source: "copilot-cli",
      id: LOGIN,
      title: "Login redirect",
      workspace: "/srv/storefront",
      repository: "lumen-shop/storefront",
      branch: "fix/login",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      turns: 2,
      problems: 0,
    });
    // What others of its folder recorded is its repository, too; a branch is only ever its own.
    expect(sessions[2]).toMatchObject({ repository: "lumen-shop/storefront", branch: null, parent: null });
  });

  it.each([
    [
      ["--repo", "storefront"],
      [LOGIN, EVIL],
    ],
    [["--repo", "https://github.com/Lumen-Shop/platform.git"], [FLAKY]],
    [["--branch", "login"], [LOGIN]],
    [["--problems"], [FLAKY]],
    [
      ["--workspace", "/srv/storefront"],
      [LOGIN, EVIL],
    ],
    [["--since", "3d"], [LOGIN]],
    [
      ["--until", "3d"],
      [FLAKY, EVIL],
    ],
    [["--since", "3w", "--until", "5d"], [FLAKY]],
    [
      ["--limit", "2"],
      [LOGIN, FLAKY],
    ],
    [
      ["--source", "copilot-cli", "--limit", "0"],
      [LOGIN, FLAKY, EVIL],
    ],
    [["--source", "claude-code"], []],
    [["-n", "1"], [LOGIN]],
    [
      ["-n2", "--sort", "turns"],
      [LOGIN, FLAKY],
    ],
    [
      ["--since", "1mo"],
      [LOGIN, FLAKY],
    ],
    [["--model", "no-such-model"], []],
  ])("narrows by %j", (words, ids) => {
    expect(json("list", ...words).sessions.map((each: { id: string }) => each.id)).toEqual(ids);
  });

  it("says whether nothing fits or nothing is there", () => {
    expect(home.rethread("list", "--repo", "nowhere").stdout).toBe(
      "No session matches. See all: rethread list\n",
    );
    const said = (...words: string[]): string => home.rethread("list", ...words).stdout.replace(/\s+/g, " ");
    expect(said("--workspace", "/no/such", "--tag", "nope", "--repo", "nowhere")).toBe(
      'No session was ever in /no/such. No session has the tag "nope". See all: rethread list ',
    );
    const empty = createHome();
    expect(empty.rethread("list").stdout).toContain("No session was found.");
    expect(empty.rethread("search", "anything")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No agent keeps sessions on this machine, .*rethread demo/),
    });
    expect(empty.rethread("search", "anything", "--no-refresh").stdout).toContain(
      "The store has no sessions.",
    );
    expect(home.rethread("search", "zzzzqqq").stdout).toContain("Nothing was found for zzzzqqq.");
    empty.remove();
  });

  it("prints one session a line for streams", () => {
    const { stdout } = home.rethread("list", "--jsonl");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((each) => JSON.parse(each).id),
    ).toEqual([LOGIN, FLAKY, EVIL]);
  });

  it("prints a table with short ids, times in words, and a mark on damage", () => {
    const { stdout, stderr, code } = home.rethread("list");
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toMatch(
      /^ {3}0b1c2d3e {2}1h ago +copilot-cli +2 {2}Login redirect +storefront@fix\/login$/m,
    );
    expect(stdout).toMatch(/^! {2}0b1cffff {2}10d ago/m);
    expect(stdout).toContain("3 sessions · ! 1 with problems: rethread doctor");
  });
});
