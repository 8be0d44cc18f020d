/** A clone for another folder: which addresses of files lead there, for Copilot CLI and VS Code alike. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { log, sessionOf, turn } from "../vscode-log.ts";
import { createHome, type Home, line, start } from "./home.ts";

const CLI = "0b1c2d3e-0000-4000-8000-000000000001";
const CHAT = "11111111-aaaa-4bbb-8ccc-000000000001";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
let home: Home;
let old: string;
let fresh: string;

/** As VS Code writes them: three spellings of one place. */
const uri = (path: string): object => ({
  $mid: 1,
  fsPath: path,
  external: pathToFileURL(path).href,
  path,
  scheme: "file",
});

beforeAll(() => {
  home = createHome();
  [old, fresh] = ["old shop", "new shop"].map((name) => join(realpathSync(home.path), name)) as [
    string,
    string,
  ];
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  for (const folder of [old, fresh]) put(join(folder, "src/a b.ts"), "");
  put(join(old, "only-old.ts"), "");
  const [both, gone] = [join(old, "src/a b.ts"), join(old, "only-old.ts")];
  const request = (id: string, path: string): object => ({
    toolCallId: id,
    name: "view",
    arguments: { path },
  });
  home.session(
    CLI,
    [
      start(CLI, BEGAN),
      line(
        "user.message",
        { content: `Look at ${both}`, attachments: [{ type: "file", path: both, displayName: "a b.ts" }] },
        BEGAN,
        1,
      ),
      line(
        "assistant.message",
        { messageId: "m1", content: "", toolRequests: [request("c1", both), request("c2", gone)] },
        BEGAN,
        2,
      ),
    ],
    { cwd: old, name: "Painting" },
  );
  const store = join(home.path, ".config/Code/User/workspaceStorage", "aa".repeat(16));
  put(join(store, "workspace.json"), JSON.stringify({ folder: pathToFileURL(old).href }));
  put(join(store, "state.vscdb"), toKeyValueDb("ItemTable", { "memento/other": "x" }));
  const toolCalls = [both, gone].map((filePath, i) => ({
    id: `c${i}`,
    name: "read_file",
    arguments: JSON.stringify({ filePath }),
  }));
  const request1 = turn("Look", [{ kind: "inlineReference", inlineReference: uri(both) }, { value: both }], {
    contentReferences: [{ kind: "reference", reference: uri(gone) }],
    result: { metadata: { toolCallRounds: [{ id: "r", response: "", toolCalls }] } },
  });
  put(
    join(store, `chatSessions/${CHAT}.jsonl`),
    log({ kind: 0, v: { ...sessionOf(request1), sessionId: CHAT } }),
  );
});
afterAll(() => home.remove());

const clone = (id: string, ...words: string[]) => {
  const made = JSON.parse(home.again("clone", id, "--to", "new shop", "--json", ...words).stdout);
  const text = readFileSync(
    made.session.source === "vscode"
      ? (made.plan.steps
          .flatMap(({ path }: { path: string }) => path)
          .find((path: string) => /chatSessions/.test(path)) ??
          join(made.plan.steps[0].path, "chatSessions", `${made.session.id}.jsonl`))
      : join(made.plan.steps[0].path, "events.jsonl"),
    "utf8",
  );
  return { paths: made.paths, text };
};

describe.each([
  ["copilot-cli", CLI, { existing: [2, 1], rewrite: [3, 0], keep: [0, 3] }],
  ["vscode", CHAT, { existing: [2, 2], rewrite: [4, 0], keep: [0, 4] }],
])("a clone of %s", (_, id, counts) => {
  const json = (path: string): string => JSON.stringify(path).slice(1, -1);

  it("leads to files that are in the new folder, and to the others where they are", () => {
    const { paths, text } = clone(id);
    const [rewritten, kept] = counts.existing;
    expect(paths).toEqual({ from: old, to: fresh, rewritten, kept, rule: "existing" });
    expect(text).toContain(json(join(fresh, "src/a b.ts")));
    expect(text).toContain(json(join(old, "only-old.ts")));
    expect(text).not.toContain(json(join(fresh, "only-old.ts")));
    if (id === CHAT) {
      expect(text).toContain(json(pathToFileURL(join(fresh, "src/a b.ts")).href));
      expect(text).not.toContain(json(pathToFileURL(join(old, "src/a b.ts")).href));
    }
  });

  it("rewrites all or none where that is asked for", () => {
    const all = clone(id, "--paths", "rewrite");
    expect([all.paths.rewritten, all.paths.kept]).toEqual(counts.rewrite);
    expect(all.text).toContain(json(join(fresh, "only-old.ts")));
    const none = clone(id, "--paths", "keep");
    expect([none.paths.rewritten, none.paths.kept]).toEqual(counts.keep);
    expect(none.text).not.toContain(json(join(fresh, "src/a b.ts")));
  });

  it("does so in smaller copies, too, and says it to people", () => {
    const { stdout } = home.again("clone", id, "--to", "new shop", "--drop-thinking", "--dry-run");
    const [rewritten, kept] = counts.existing;
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      `${rewritten} paths rewritten to ${fresh}; ${kept} path${kept === 1 ? "" : "s"} kept (not there)`,
    );
  });
});

it("says nothing of paths without another folder, and refuses to decide about them", () => {
  expect(JSON.parse(home.again("clone", CLI, "--dry-run", "--json").stdout).paths).toBeNull();
  const { code, stderr } = home.again("clone", CLI, "--paths", "keep");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--paths is about a copy for another folder")]);
});
