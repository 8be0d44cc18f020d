/** The context board, as a person uses it: whose board is meant, what is refused, and that nothing is lost. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeCopilotStore } from "../copilot-store.ts";
import { hasScript, openTerminal } from "./at-terminal.ts";
import { createHome, type Home, line, start } from "./home.ts";

let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.remove());

const json = (...words: string[]) => JSON.parse(home.again("board", ...words, "--json").stdout);
const SHOP = ["--repo", "acme/shop"];
const MAIN = [...SHOP, "--branch", "main"];
const names = (): string[] => json("list", "--all").items.map(({ name }: { name: string }) => name);

/** A clone as git makes it. */
function clone(
  folder: string,
  { branch = "main", remote = "https://me:pw@github.com/acme/shop.git" } = {},
): void {
  const git = join(home.path, folder, ".git");
  mkdirSync(git, { recursive: true });
  writeFileSync(join(git, "HEAD"), branch === "" ? "0123456789\n" : `ref: refs/heads/${branch}\n`);
  writeFileSync(join(git, "config"), remote === "" ? "[core]\n" : `[remote "origin"]\n\turl = ${remote}\n`);
}

/** In a folder of the home. */
const inFolder = (folder: string, command: string) => home.shell(`cd ${folder} && ${command}`);

describe("an item", () => {
  it("is added, listed, read, changed and has the documented shape", () => {
    const { operation, item, schemaVersion } = json("add", "cents", "We count in **cents**.", ...MAIN);
    expect([schemaVersion, operation]).toEqual([1, expect.stringMatching(/^board-[0-9a-f]{8}$/)]);
    expect(item).toEqual({
      repository: "acme/shop",
      branch: "main",
      source: "user",
      name: "cents",
      description: "We count in **cents**.",
      content: "We count in **cents**.",
      readCount: 0,
      useCount: 0,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: item.createdAt,
      keptBy: "rethread",
      evidence: [],
    });
    expect(json("list", ...MAIN)).toEqual({
      schemaVersion: 1,
      items: [item],
      repository: "acme/shop",
      branch: "main",
      others: 0,
    });
    expect(home.again("board", "get", "cents", ...MAIN).stdout).toBe("We count in **cents**.\n");
    expect(json("get", "cents", ...MAIN).item).toEqual({ ...item, readCount: 2 });
    expect(json("get", ...MAIN).items).toMatchObject([{ readCount: 2, useCount: 1 }]);
    expect(json("edit", "cents", "--description", "Money", ...MAIN).item).toMatchObject({
      description: "Money",
      content: "We count in **cents**.",
      readCount: 2,
      useCount: 1,
    });
    const { stdout } = home.again("board", ...MAIN);
    expect(stdout).toMatch(
      /^acme\/shop\nBRANCH +NAME +BY +READ +USED +CHANGED +DESCRIPTION\nmain +cents +user +2 +1 +now +Money\n/,
    );
  });

  it("is handed out with its board as one text", () => {
    json("add", "cents", "We count in **cents**.", ...MAIN);
    json("add", "tests", "Run `npm test`.", ...SHOP, "--every-branch");
    expect(home.again("board", "get", ...MAIN).stdout).toBe(
      "# Context board of acme/shop\n\n## tests\n\nRun `npm test`.\n\n## cents\n\nWe count in **cents**.\n",
    );
  });

  it("is read from stdin, with any language in it, and refused when it is too long or binary", () => {
    const from = (bytes: string, name: string) =>
      home.shell(`${bytes} | rethread board add ${name} - ${MAIN.join(" ")} --json`);
    expect(JSON.parse(from("printf 'Größe\\r\\n全部 ✅\\n'", "a").stdout).item.content).toBe(
      "Größe\n全部 ✅",
    );
    expect(JSON.parse(from("printf 'a\\0b'", "b").stdout).error).toMatchObject({
      code: "usage",
      message: "The content contains control characters",
    });
    expect(JSON.parse(from("head -c 2000000 /dev/zero | tr '\\0' x", "c").stdout).error.message).toMatch(
      /^The content has 1,[\d,]+ characters, and at most 16,000 are kept$/,
    );
    expect(JSON.parse(from("printf ''", "d").stdout).error.message).toBe("The content is empty");
    expect(names()).toEqual(["a"]);
  });
});

describe("whose board is meant", () => {
  it("is the repository and branch of the folder, unless another is named", () => {
    clone("one");
    clone("two/", { branch: "dev" });
    mkdirSync(join(home.path, "one/src"));
    const added = JSON.parse(inFolder("one/src", "rethread board add a x --json").stdout).item;
    expect(added).toMatchObject({ repository: "acme/shop", branch: "main" });
    inFolder("two", "rethread board add b x");
    inFolder("two", "rethread board add c x --every-branch");
    const seen = (folder: string, more = "") =>
      JSON.parse(inFolder(folder, `rethread board ${more} --json`).stdout).items.map(
        ({ name }: { name: string }) => name,
      );
    expect(seen("one")).toEqual(["c", "a"]);
    expect(seen("two")).toEqual(["c", "b"]);
    expect(seen("two", "--repo ../one")).toEqual(["c", "a"]);
    expect(seen("one", "--branch dev")).toEqual(["c", "b"]);
    expect(seen("two", "--repo shop")).toEqual(["c", "b"]);
    expect(seen("one", "--every-branch")).toEqual(["c"]);
    expect(json("list", "--repo", "git@github.com:Acme/Shop.git").items).toHaveLength(3);
  });

  it("is for every branch where none is checked out, and a path where there is no remote", () => {
    clone("detached", { branch: "" });
    clone("local", { remote: "" });
    expect(JSON.parse(inFolder("detached", "rethread board add a x --json").stdout).item).toMatchObject({
      repository: "acme/shop",
      branch: "*",
    });
    expect(JSON.parse(inFolder("local", "rethread board add a x --json").stdout).item).toMatchObject({
      repository: join(home.path, "local"),
      branch: "main",
    });
    rmSync(join(home.path, "local"), { recursive: true });
    expect(json("list", "--repo", join(home.path, "local")).items).toHaveLength(1);
  });

  it("is said to be missing where there is none, and all are listed", () => {
    json("add", "a", "x", ...MAIN);
    expect(json("list")).toMatchObject({ repository: null, branch: null, items: [{ name: "a" }] });
    expect(json("add", "b", "x").error).toMatchObject({
      code: "no-repository",
      message: `${home.path} is in no repository, so it has no context board`,
      hint: "Go to a clone of one, or name it: --repo owner/name",
    });
    for (const repo of ["nonsense", "/no/such/folder", "~", "."])
      expect([repo, json("add", "b", "x", "--repo", repo).error.code]).toEqual([repo, "no-repository"]);
    expect(json("prune", "*", "--yes").error.code).toBe("no-repository");
    json("add", "a", "x", "--repo", "other/shop");
    expect(json("list", "--repo", "shop").error).toMatchObject({
      code: "repository-ambiguous",
      message: "Several repositories are called shop: acme/shop, other/shop",
    });
    expect(json("list", "--all", ...SHOP).error.code).toBe("usage");
  });
});

describe("what is refused", () => {
  it("are secrets, by their kind alone, and nothing is written", () => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    const refused = home.again("board", "add", "a", `Use ${token} to publish`, ...MAIN, "--json");
    expect(refused.code).toBe(4);
    expect(JSON.parse(refused.stdout).error).toMatchObject({
      code: "secret-refused",
      message: "The content contains a secret (github token), and the board keeps none",
    });
    expect(refused.stdout + refused.stderr).not.toContain(token);
    expect(json("add", "a", "fine", "--description", `key ${token}`, ...MAIN).error.code).toBe(
      "secret-refused",
    );
    json("add", "a", "fine", ...MAIN);
    expect(json("edit", "a", "DB_PASSWORD=letmein", ...MAIN).error.message).toContain("(password)");
    expect(json("list", ...MAIN).items).toMatchObject([{ content: "fine" }]);
    expect(readFileSync(join(home.dataHome, "state.db")).includes("ghp_")).toBe(false);
  });

  it("are names that are none, names that are taken, and words that mean nothing", () => {
    for (const name of ["", " ", "a b", "../x", "a\u001b[2J", "x".repeat(65), "a\nb"])
      expect([name, json("add", name, "x", ...MAIN).error.code]).toEqual([name, "usage"]);
    json("add", "größe", "x", ...MAIN);
    expect(json("add", "größe", "x", ...MAIN).error).toMatchObject({ code: "board-item-exists" });
    expect(json("add", "a", ...MAIN).error.message).toBe("board add needs a content");
    expect(json("edit", ...MAIN).error.message).toBe("board edit needs the name of an item");
    expect(json("edit", "größe", ...MAIN).error.code).toBe("usage");
    expect(json("get", "none", ...MAIN).error).toMatchObject({ code: "board-item-not-found" });
    expect(json("frobnicate").error.code).toBe("usage");
    expect(json("list", "größe").error.hint).toBe("Read one item: rethread board get 'größe'");
    expect(json("add", "b", "x", ...SHOP, "--branch", "a\u0007").error.code).toBe("usage");
    expect(names()).toEqual(["größe"]);
  });
});

describe("Copilot CLI's own board", () => {
  const path = (): string => join(home.path, ".copilot/session-store.db");
  beforeEach(() => {
    mkdirSync(join(home.path, ".copilot/session-state"), { recursive: true });
    const db = makeCopilotStore(path());
    db.exec(
      "INSERT INTO dynamic_context_items VALUES ('acme/shop', 'main', 'agent', 'how to build', 'Building', 'Use make.', 3, 9)",
    );
    db.close();
  });

  it("is listed with its source and counts, and only read", () => {
    const before = readFileSync(path());
    const [item] = json("list", ...MAIN).items;
    expect(item).toMatchObject({
      source: "agent",
      name: "how to build",
      content: "Use make.",
      readCount: 3,
      useCount: 9,
      updatedAt: null,
      keptBy: "copilot-cli",
    });
    expect(home.again("board", ...MAIN).stdout).toContain("agent (copilot-cli)");
    expect(json("get", "how to build", ...MAIN).item).toEqual(item);
    expect(json("prune", "how*", ...MAIN, "--yes")).toMatchObject({
      operation: null,
      removed: [],
      readOnly: [{ name: "how to build" }],
    });
    expect(readFileSync(path())).toEqual(before);
  });

  it("gives an item away to who edits it, follows its program, and stays the same itself", () => {
    const { item, operation } = json("edit", "how to build", "Use just.", ...MAIN);
    expect(item).toMatchObject({ content: "Use just.", keptBy: "rethread", source: "user", readCount: 0 });
    expect(json("list", ...MAIN).items).toEqual([item]);
    expect(home.again("undo", operation, "--yes", "--json").code).toBe(0);
    expect(json("list", ...MAIN).items).toMatchObject([{ content: "Use make.", keptBy: "copilot-cli" }]);
    const db = new DatabaseSync(path());
    db.exec("UPDATE dynamic_context_items SET content = 'Use bazel.', read_count = 4");
    db.close();
    expect(json("list", ...MAIN).items).toMatchObject([{ content: "Use bazel.", readCount: 4 }]);
    rmSync(path());
    expect(json("list", ...MAIN).items).toEqual([]);
  });
});

describe("pruning", () => {
  beforeEach(() => {
    for (const name of ["old-a", "old-b", "new"]) json("add", name, "x", ...MAIN);
    json("get", "old-b", ...MAIN);
  });

  it("shows what it would remove, wants a yes, and is undone", () => {
    const wanted = ["prune", "old-*", "--unread", ...MAIN];
    expect(json(...wanted, "--dry-run")).toMatchObject({ operation: null, removed: [{ name: "old-a" }] });
    expect(home.again("board", ...wanted, "--dry-run").stdout).toMatch(/^Would remove 1 item:\nacme\/shop\n/);
    expect(json(...wanted).error).toMatchObject({
      code: "needs-yes",
      message: "This changes the context board, and nobody is at the terminal to confirm it",
    });
    expect(names()).toEqual(["new", "old-a", "old-b"]);
    const { operation, removed } = json(...wanted, "--yes");
    expect([removed.length, names()]).toEqual([1, ["new", "old-b"]]);
    expect(json(...wanted, "--yes")).toMatchObject({ operation: null, removed: [] });
    expect(home.again("history").stdout).toMatch(
      /^BOARD +WHEN +WHAT +STATE +ITEMS\nboard-\S+ +now +prune +done +old-a/,
    );
    expect(home.again("undo", "--dry-run").stdout).toContain(`Would undo prune ${operation}: old-a`);
    expect(home.again("undo").code).toBe(2);
    expect(home.again("undo", "--yes").stdout).toContain(`Undone: prune ${operation}: old-a`);
    expect(names()).toEqual(["new", "old-a", "old-b"]);
    expect(JSON.parse(home.again("history", "--json").stdout).board[0]).toMatchObject({
      kind: "undo",
      undoes: operation,
    });
  });

  it("goes by age, and needs something to go by", () => {
    expect(json("prune", "--older-than", "1d", ...MAIN, "--yes").removed).toEqual([]);
    expect(json("prune", "--older-than", "2099-01-01", ...MAIN, "--dry-run").removed).toHaveLength(3);
    expect(json("prune", ...MAIN).error.code).toBe("usage");
    expect(json("prune", "--older-than", "soon", ...MAIN).error.code).toBe("usage");
  });

  it.skipIf(!hasScript)("asks at a terminal, and takes anything but yes for no", async () => {
    const terminal = openTerminal(home, ["board", "prune", "new", ...MAIN]);
    await terminal.type("n\r", "Proceed?");
    const { rows, code } = await terminal.end();
    expect(rows.join("\n")).toMatch(/Would remove 1 item:[\s\S]*new[\s\S]*Nothing was changed/);
    expect(code).toBe(1);
    const second = openTerminal(home, ["board", "prune", "new", ...MAIN]);
    await second.type("y\r", "Proceed?");
    expect((await second.end()).rows.join("\n")).toContain("Removed 1 item: new");
    expect(names()).toEqual(["old-a", "old-b"]);
  });

  it("undoes the last of all writes, whatever they were about", () => {
    const id = "5e551011-aaaa-4bbb-8ccc-000000000001";
    const began = new Date("2026-11-01T10:00:00.000Z");
    home.session(id, [start(id, began), line("user.message", { content: "Paint it" }, began, 1)], {
      name: "Shed",
    });
    home.again("rename", id, "Barn", "--yes");
    expect(home.again("undo", "--dry-run").stdout).toContain("Would undo the rename");
    const { operation } = json("prune", "new", ...MAIN, "--yes");
    expect(home.again("undo", "--dry-run").stdout).toContain(operation);
    expect(JSON.parse(home.again("undo", "board-nope", "--yes", "--json").stdout).error.code).toBe(
      "operation-not-found",
    );
  });
});

describe("consolidating", () => {
  const began = new Date("2026-11-01T10:00:00.000Z");
  const session = (id: string, ...prompts: string[]): void => {
    const events = prompts.flatMap((content, at) => {
      const toolCallId = `${id}-${at}`;
      const args = { command: "npm test" };
      return [
        ["user.message", { content }],
        ["assistant.message", { content: "", toolRequests: [{ toolCallId, name: "bash", arguments: args }] }],
        ["tool.execution_start", { toolCallId, toolName: "bash", arguments: args }],
        ["tool.execution_complete", { toolCallId, success: true, result: { content: "ok" } }],
      ] as const;
    });
    home.session(
      id,
      [start(id, began), ...events.map(([type, data], at) => line(type, data, began, at + 1))],
      { name: `Session ${id.at(-1)}`, repository: "acme/shop", branch: "main" },
    );
  };
  const [A, B] = ["5e551011-aaaa-4bbb-8ccc-00000000000a", "5e551011-aaaa-4bbb-8ccc-00000000000b"] as const;
  const all = ["consolidate", ...SHOP, "--since", "2020-01-01"];

  it("proposes with evidence, writes when asked, and then proposes nothing", () => {
    session(A, "Fix it. Always count money in whole cents.");
    session(B, "Go on.", "Never mock the clock in tests.");
    const { proposals, operation } = json(...all);
    expect(operation).toBeNull();
    expect(proposals).toMatchObject([
      {
        kind: "convention",
        name: "always-count-money-in-whole-cents",
        branch: "*",
        evidence: [{ session: { source: "copilot-cli", id: A, title: "Session a" }, turn: 0 }],
      },
      { name: "never-mock-the-clock-in-tests", evidence: [{ session: { id: B }, turn: 1 }] },
      {
        kind: "commands",
        content: "- `npm test`",
        evidence: [{ session: { id: B } }, { session: { id: A } }],
      },
    ]);
    expect(json(...all).proposals).toEqual(proposals);
    expect(names()).toEqual([]);
    expect(home.again("board", ...all).stdout).toMatch(
      /copilot-cli:5e551011 turn 0, Session a\n[\s\S]*nothing was written/,
    );
    const narrow = home.again("board", ...all).stdout.split("\n");
    const again = narrow.filter((line) => line.startsWith("  rethread "));
    expect(again).toEqual([
      `  rethread board ${all.join(" ")} --apply`,
      `  rethread board ${all.join(" ")} --only ${proposals[0].id} --apply`,
    ]);
    expect(json(...all, "--apply", "--dry-run").operation).toBeNull();
    expect(json(...all, "--apply", "--only", proposals[1].id).proposals).toHaveLength(1);
    expect(json(...all, "--apply", "--only", proposals[1].id).error.code).toBe("changed-since");
    const written = json(...all, "--apply");
    expect(written.proposals).toHaveLength(2);
    expect(json(...all)).toMatchObject({ proposals: [], operation: null });
    expect(json(...all, "--apply")).toMatchObject({ proposals: [], operation: null });
    expect(home.again("board", ...all).stdout).toBe(
      "Recent sessions suggest nothing that is not known already.\n",
    );
    expect(json("get", "never-mock-the-clock-in-tests", ...SHOP).item).toMatchObject({
      source: "sessions",
      evidence: [{ session: { id: B }, turn: 1 }],
    });
    home.again("undo", written.operation, "--yes");
    expect(json(...all).proposals).toHaveLength(2);
  });
});

describe("several processes", () => {
  it("add at the same time, lose nothing, and one of them wins a name", () => {
    const adds = Array.from(
      { length: 6 },
      (_, i) =>
        `rethread board add item-${i} x ${MAIN.join(" ")} & rethread board add same text-${i} ${MAIN.join(" ")} &`,
    ).join(" ");
    const { stderr } = home.shell(`${adds} wait`);
    expect(names().sort()).toEqual(["item-0", "item-1", "item-2", "item-3", "item-4", "item-5", "same"]);
    expect(stderr.match(/board-item-exists/g)).toHaveLength(5);
    expect(JSON.parse(home.again("history", "--json").stdout).board).toHaveLength(7);
  });
});

describe("the store", () => {
  const mirrored = () =>
    JSON.parse(
      home.again(
        "sql",
        "SELECT name, src, content, read_count, count, kept_by FROM dynamic_context_items",
        "--json",
      ).stdout,
    ).rows;

  it("has the items, also after a rebuild and when it was deleted", () => {
    home.again("index");
    json("add", "a", "x", ...MAIN);
    json("get", "a", ...MAIN);
    const rows = [["a", "user", "x", 1, 0, "rethread"]];
    expect(
      JSON.parse(
        home.again(
          "sql",
          "SELECT name, src, content, read_count, count, kept_by FROM dynamic_context_items",
          "--no-refresh",
          "--json",
        ).stdout,
      ).rows,
    ).toEqual(rows);
    home.again("index", "--rebuild");
    expect(mirrored()).toEqual(rows);
    for (const companion of ["", "-wal", "-shm"])
      rmSync(join(home.dataHome, `session-store.db${companion}`), { force: true });
    expect(mirrored()).toEqual(rows);
    json("prune", "a", ...MAIN, "--yes");
    expect(mirrored()).toEqual([]);
  });

  it("is not made by a question about the board, and need not work for one", () => {
    json("add", "a", "x", ...MAIN);
    mkdirSync(join(home.dataHome, "session-store.db"));
    expect(json("list", ...MAIN).items).toHaveLength(1);
    expect(json("get", "a", ...MAIN).item.readCount).toBe(1);
  });
});

it("names the next command with the repository that was asked for", () => {
  json("add", "cents", "We count in cents.", ...MAIN);
  const [next] = /(?<=Read one: rethread ).*/.exec(home.again("board", "list", ...MAIN).stdout) ?? [];
  expect(next).toBe("board get cents --repo acme/shop --branch main");
  expect(home.again(...(next ?? "").split(" ")).stdout).toBe("We count in cents.\n");
});

it("says what would be added, and writes nothing", () => {
  expect(home.again("board", "add", "cents", "We count in cents.", ...MAIN, "--dry-run").stdout).toBe(
    "Would add cents (acme/shop, branch main)\n",
  );
  expect(json("add", "cents", "We count in cents.", ...MAIN, "--dry-run")).toMatchObject({
    operation: null,
    item: { name: "cents", branch: "main" },
  });
  expect(names()).toEqual([]);
  expect(json("add", "bad name", "x", ...MAIN, "--dry-run").error.code).toBe("usage");
});

describe("what an action does not look at", () => {
  it.each([
    [["list", "--apply"], "--apply"],
    [["list", "--source", "user"], "--source"],
    [["get", "--unread"], "--unread"],
    [["get", "cents", "text"], "content"],
    [["add", "cents", "text", "--yes"], "--yes"],
    [["add", "cents", "text", "--all"], "--all"],
    [["add", "cents", "text", "--source", "agent"], "--source"],
    [["edit", "cents", "text", "--yes"], "--yes"],
    [["prune", "--description", "x"], "--description"],
    [["prune", "--unread", "--since", "3d"], "--since"],
    [["consolidate", "cents"], "name"],
    [["consolidate", "--older-than", "3d"], "--older-than"],
    [["undo", "--repo", "acme/shop"], "--repo"],
    [["undo", "--dry-run"], "--dry-run"],
  ])("is refused, and nothing is written: board %j", (words, what) => {
    const { code, stdout } = home.again("board", ...words, "--json");
    expect([code, JSON.parse(stdout).error.code]).toEqual([2, "usage"]);
    expect(JSON.parse(stdout).error.message).toBe(`board ${words[0]} takes no ${what}`);
    expect(names()).toEqual([]);
  });
});
