/** export as people type it: to stdout, to a file, to a folder, and without the secrets. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHome, type Home, line, start } from "./home.ts";

let home: Home;
const read = (...path: string[]): string => readFileSync(join(home.path, ...path), "utf8");
const lines = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((each) => JSON.parse(each));

/** Put together here, so that no scanner takes it for a leak. */
const TOKEN = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
const FIRST = "11111111-aaaa-4000-8000-000000000001";
const SECOND = "22222222-aaaa-4000-8000-000000000002";

beforeAll(() => {
  home = createHome();
  const began = new Date("2026-11-02T09:00:00Z");
  const turn = (id: string, prompt: string, command: string, output: string, minutes: number): object[] => [
    line("user.message", { content: prompt }, began, minutes),
    line(
      "assistant.message",
      {
        messageId: id,
        content: "",
        toolRequests: [{ toolCallId: id, name: "bash", arguments: { command } }],
      },
      began,
      minutes + 1,
    ),
    line(
      "tool.execution_start",
      { toolCallId: id, toolName: "bash", arguments: { command } },
      began,
      minutes + 1,
    ),
    line(
      "tool.execution_complete",
      { toolCallId: id, success: true, result: { content: output } },
      began,
      minutes + 2,
    ),
    line("assistant.message", { messageId: `${id}-2`, content: `Ran it. ${output}` }, began, minutes + 3),
  ];
  home.session(
    FIRST,
    [
      start(FIRST, began),
      ...turn("call-1", `Log in with ${TOKEN}`, `gh auth login --with-token ${TOKEN}`, "ok", 1),
      ...turn("call-2", "Show it", "printenv DB_URL", "Tr0ub4dor-77", 5),
    ],
    { name: `Use ${TOKEN}`, cwd: `${home.path}/work/shop` },
  );
  const beside = join(home.path, ".copilot/session-state", FIRST, "files");
  mkdirSync(beside, { recursive: true });
  for (const path of [join(beside, "..", "plan.md"), join(beside, "notes.md")])
    writeFileSync(path, `BESIDE-THE-LOG ${TOKEN}`);
  home.session(
    SECOND,
    [start(SECOND, began), ...turn("call-3", "Set it", "export DB_PASSWORD=Tr0ub4dor-77", "set <b>", 9)],
    { name: "Set the password", cwd: `${home.path}/work/shop` },
  );
});
afterAll(() => home.remove());

describe("one session", () => {
  it("goes to stdout as Markdown, or as what --format says", () => {
    const { stdout, stderr, code } = home.rethread("export", FIRST);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^# Use ghp\\_/);
    expect(home.rethread("export", FIRST, "--format", "html").stdout).toMatch(/^<!doctype html>/);
    expect(JSON.parse(home.rethread("export", FIRST, "--json").stdout)).toEqual(
      JSON.parse(home.rethread("show", FIRST, "--json").stdout),
    );
  });

  it("goes to the file that --out names, in the format that its name says", () => {
    const { stdout, stderr } = home.again("export", FIRST, "--out", "deep/page.html");
    const said = `Wrote ${home.path}/deep/page.html\nCreated the folder ${home.path}/deep\n`;
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: said });
    expect(read("deep", "page.html")).toMatch(/^<!doctype html>/);
    expect(readdirSync(join(home.path, "deep"))).toEqual(["page.html"]);
  });

  it("does not overwrite, unless told to", () => {
    writeFileSync(join(home.path, "mine.md"), "mine");
    const { code, stderr } = home.again("export", FIRST, "--out", "mine.md");
    expect(code).toBe(4);
    expect(stderr).toBe(
      `error: ${home.path}/mine.md already exists (file-exists)\nAdd --force to replace it, or name another file\n`,
    );
    expect(read("mine.md")).toBe("mine");
    expect(home.again("export", FIRST, "--out", "mine.md", "--force").code).toBe(0);
    expect(read("mine.md")).toMatch(/^# Use/);
  });

  it("as JSON lines says on each line what it is and whose", () => {
    const told = lines(home.rethread("export", FIRST, "--format", "jsonl").stdout);
    expect(
      told.map(({ type, source, session, id, index }) => ({ type, source, session, id, index })),
    ).toEqual([
      { type: "session", source: "copilot-cli", session: undefined, id: FIRST, index: undefined },
      { type: "turn", source: "copilot-cli", session: FIRST, id: undefined, index: 0 },
      { type: "turn", source: "copilot-cli", session: FIRST, id: undefined, index: 1 },
    ]);
  });
});

describe("many sessions", () => {
  it("go to a folder, a file each, with a page that leads to them", () => {
    const { stderr } = home.again("export", "--all", "--format", "html", "--out", "site");
    expect(stderr).toBe(`Wrote 2 sessions to ${home.path}/site\n`);
    const index = read("site", "index.html");
    const linked = [...index.matchAll(/href="([^"]+)"/g)].map((match) => decodeURIComponent(match[1] ?? ""));
    expect(readdirSync(join(home.path, "site")).sort()).toEqual([...linked, "index.html"].sort());
    expect(index).toContain("2 sessions, 3 turns");
  });

  it("are chosen by name or by filters, as in list", () => {
    home.again("export", FIRST, SECOND, FIRST, "--out", "two");
    expect(readdirSync(join(home.path, "two"))).toHaveLength(3);
    expect(home.again("export", "--workspace", "nowhere", "--out", "none").stderr).toBe(
      "No session matches. See all: rethread list\n",
    );
    expect(readdirSync(home.path)).not.toContain("none");
    expect(home.again("export", "--workspace", "shop", "--limit", "1", "--out", "one").stderr).toMatch(
      /^Wrote 1 session to/,
    );
    expect(readdirSync(join(home.path, "one"))).toHaveLength(2);
  });

  it.each([["--json"], ["--format", "json"]])("gives programs JSON where no session fits: %s", (...words) => {
    const { code, stdout } = home.rethread("export", "--repo", "nobody/nothing", ...words);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, path: null, sessions: [], gone: 0 });
  });

  it("write nothing at all when one of the files is there already", () => {
    mkdirSync(join(home.path, "half"));
    writeFileSync(join(home.path, "half", "index.md"), "mine");
    expect(home.again("export", "--all", "--out", "half").code).toBe(4);
    expect(readdirSync(join(home.path, "half"))).toEqual(["index.md"]);
  });

  it("may share one stream or file of JSON lines, and need a folder otherwise", () => {
    const told = lines(home.again("export", "--all", "--format", "jsonl").stdout);
    expect(told.map(({ type }) => type).sort()).toEqual(["session", "session", "turn", "turn", "turn"]);
    home.again("export", "--all", "--out", "all.jsonl");
    expect(lines(read("all.jsonl"))).toEqual(told);
    const { code, stderr } = home.rethread("export", "--all");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: 2 sessions make 2 files, which need a folder \(usage\)\nAdd --out <folder>/,
    );
  });

  it("have to be asked for", () => {
    expect(home.rethread("export").stderr).toMatch(/^error: export needs to know which sessions \(usage\)\n/);
    expect(home.rethread("export", FIRST, "--all").stderr).toMatch(/not by two of these at once/);
  });
});

describe("sessions whose files are gone", () => {
  it("are left out, and counted", () => {
    const other = createHome();
    const began = new Date("2026-11-02T09:00:00Z");
    for (const id of [FIRST, SECOND])
      other.session(id, [start(id, began), line("user.message", { content: "hello" }, began, 1)]);
    other.again("index");
    rmSync(join(other.path, ".copilot/session-state", SECOND), { recursive: true });
    const { stdout, stderr } = other.again("export", "--all", "--format", "jsonl");
    expect(lines(stdout).filter(({ type }) => type === "session")).toHaveLength(1);
    expect(stderr).toContain("Left out 1 session: the files are gone and no copy was kept\n");
    other.remove();
  });
});

describe("--redact", () => {
  it("takes secrets out of texts, names and titles, and says what and how often", () => {
    const { stderr } = home.again("export", "--all", "--redact", "--full", "--out", "clean");
    expect(stderr).toBe(
      `Wrote 2 sessions to ${home.path}/clean\n` +
        "Redacted: 1 github token, 1 home folder, 1 password.\n" +
        "No program recognizes every secret: check before you share.\n",
    );
    const names = readdirSync(join(home.path, "clean")).sort();
    expect(names).toEqual([
      "index.md",
      "set-the-password-22222222.md",
      "use-redacted-github-token-1-11111111.md",
    ]);
    const all = names.map((name) => read("clean", name)).join("");
    expect(all).not.toContain(TOKEN.slice(4));
    // What lies beside the log is named, and not exported.
    expect(all).not.toContain("BESIDE-THE-LOG");
    expect(home.again("search", "beside-the-log").stdout).toContain("files/notes.md");
    expect(all).not.toContain(home.path);
    // Only the second session names it; the first printed it bare.
    expect(all).not.toContain("Tr0ub4dor");
    expect(read("clean", "use-redacted-github-token-1-11111111.md")).toContain("[redacted: password #1]");
  });

  it("keeps stdout to the page, and gives programs the count", () => {
    const { stdout, stderr } = home.rethread("export", FIRST, "--redact", "--format", "jsonl");
    expect(lines(stdout)).toHaveLength(3);
    expect(stdout).not.toContain(TOKEN);
    expect(stderr).not.toContain(TOKEN);
    const report = JSON.parse(
      home.again("export", SECOND, "--redact", "--json", "--out", "second.md").stdout,
    );
    expect(report).toMatchObject({
      schemaVersion: 1,
      path: join(home.path, "second.md"),
      sessions: [{ id: SECOND, file: null }],
    });
    expect(report.redactions).toContainEqual({ kind: "password", secrets: 1 });
  });

  it("refuses an extension that names no format, unless one is named", () => {
    const refused = home.again("export", FIRST, "--out", "x.foo");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      "error: The extension .foo does not name a format (usage)\nUse .md, .html, .json, .jsonl, .tar.gz, .tgz, or add --format\n",
    ]);
    expect(home.again("export", FIRST, "--out", "x.htm").stderr).toContain("Did you mean html?");
    expect(readdirSync(home.path).filter((name) => name.startsWith("x."))).toEqual([]);
    expect(home.again("export", FIRST, "--out", "x.foo", "--format", "md").code).toBe(0);
  });

  it("opens pages in a browser, and says where they are", async () => {
    const opened = join(home.path, "opened");
    writeFileSync(join(home.path, "browser"), `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`, { mode: 0o755 });
    const browsing = home.with({ BROWSER: join(home.path, "browser") });
    const shown = browsing.again("show", FIRST, "--open");
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
    const page = shown.stdout.trim();
    expect(readFileSync(page, "utf8")).toContain("<!doctype html>");
    expect(statSync(page).mode & 0o777).toBe(0o600);
    await expect.poll(() => existsSync(opened) && readFileSync(opened, "utf8")).toBe(`file://${page}`);
    rmSync(opened);
    const exported = JSON.parse(browsing.again("export", FIRST, "--open", "--redact", "--json").stdout);
    expect(exported).toMatchObject({ path: page, opened: true });
    expect(readFileSync(page, "utf8")).not.toContain(TOKEN);
    await expect.poll(() => existsSync(opened) && readFileSync(opened, "utf8")).toBe(`file://${page}`);
  });

  it("says so where no browser can be opened, and opens nothing but HTML", () => {
    const { code, stdout, stderr } = home.again("export", FIRST, SECOND, "--open", "--out", "pages-to-see");
    expect([code, stdout]).toEqual([0, `${join(home.path, "pages-to-see/index.html")}\n`]);
    expect(stderr).toContain("No browser can be opened here; this is the page:\n");
    expect(home.again("export", FIRST, "--open", "--out", "x.md")).toMatchObject({ code: 2 });
    expect(home.again("show", FIRST, "--open", "--turn", "0")).toMatchObject({ code: 2 });
  });
});

it("names the session that a clone or fork came from, without its secrets", () => {
  for (const [command, more] of [
    ["clone", []],
    ["fork", ["--at", "0"]],
  ] as const) {
    const made = home.again(command, FIRST, ...more, "--name", `My ${command}`, "--json");
    const { id } = JSON.parse(made.stdout).session;
    for (const format of ["md", "html"]) {
      const page = (...words: string[]): string =>
        home.again("export", id, "--format", format, ...words).stdout.replaceAll("\\", "");
      const whole = page();
      expect(whole, `${command} ${format}`).toContain(`${command} of Use ${TOKEN}`);
      const redacted = page("--redact");
      expect(redacted).toContain(`${command} of Use `);
      expect(redacted).not.toContain(TOKEN);
    }
    home.again("delete", id, "--yes");
  }
});

it("says which folder it created for the file", () => {
  const folder = join(home.path, "no", "such");
  const created = `Created the folder ${folder}`;
  expect(home.again("export", FIRST, "--out", join(folder, "a.html")).stderr).toContain(created);
  expect(home.again("export", FIRST, "--out", join(folder, "b.html")).stderr).not.toContain("Created");
});
