/** What the real programs record of their edits is enough to say who wrote each line. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/contract.ts";
import { type Claude, type ClaudeHome, createHome, openClaude } from "./claude.ts";
import { type Copilot, programPath, startCopilot } from "./copilot.ts";
import { type Step, scripted } from "./scripted-model.ts";

const data = realpathSync(mkdtempSync(join(tmpdir(), "rethread-blame-real-")));
const openApp = (vars: Record<string, string>): Promise<App> =>
  createApp(
    toConfig(
      {},
      {
        vars: { PATH: process.env.PATH, RETHREAD_HOME: mkdtempSync(join(data, "data-")), ...vars },
        platform: process.platform,
        homeDir: data,
        folder: data,
        stdout: {},
        stderr: {},
        self: [],
        now: () => new Date(),
      },
    ),
  );
/** The number of each line's turn, or a dot. */
const turnsOf = async (app: App, file: string): Promise<string> =>
  (await app.blame({ file })).lines.map(({ written }) => written?.turn ?? ".").join("");
const steps = (...calls: { name: string; input: object }[]): Step[] => [
  ...calls.map((call) => ({ calls: [call] })),
  { say: "Done." },
];

afterAll(() => rmSync(data, { recursive: true, force: true }));

describe("Claude Code", () => {
  const ID = "b1a3b1a3-0000-4000-8000-000000000001";
  let claude: Claude;
  let home: ClaudeHome;
  let app: App;
  const at = (name: string): string => join(home.workspace, name);
  const read = (name: string) => ({ name: "Read", input: { file_path: at(name) } });
  const edit = (name: string, old_string: string, new_string: string, more: object = {}) => ({
    name: "Edit",
    input: { file_path: at(name), old_string, new_string, ...more },
  });

  beforeAll(async () => {
    claude = openClaude();
    home = createHome();
    writeFileSync(at("tabs.go"), "func a() {\n\tif x {\n\t\treturn $1 & $2\n\t}\n}\n");
    writeFileSync(at("quotes.txt"), "It’s a “quote”\nend");
    writeFileSync(at("crlf.txt"), "a\r\nb\r\nc\r\n");
    writeFileSync(
      at("large.txt"),
      Array.from({ length: 3000 }, (_, line) => `line ${line} ${"x".repeat(100)}\n`).join(""),
    );
    const cell = {
      cell_type: "code",
      id: "c1",
      source: ["print(1)\n"],
      metadata: {},
      outputs: [],
      execution_count: null,
    };
    writeFileSync(
      at("n.ipynb"),
      JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1),
    );
    await claude.startSession(
      home,
      ID,
      scripted(
        "Begin.",
        ...steps(
          { name: "Write", input: { file_path: at("new.txt"), content: "one\ntwo\nthree\ntwo\n" } },
          edit("new.txt", "one\n", "ONE\nplus\n"),
          edit("new.txt", "nowhere", "x"),
          read("tabs.go"),
          edit("tabs.go", "\t\treturn $1 & $2", "\t\treturn $3 & $4\n\t\tmore()"),
          read("quotes.txt"),
          edit("quotes.txt", 'It\'s a "quote"', 'It\'s no "quote"'),
          read("crlf.txt"),
          edit("crlf.txt", "b\nc", "B\nB2\nc"),
          { name: "Read", input: { file_path: at("large.txt"), limit: 10 } },
          edit("large.txt", "line 5 ", "LINE 5 "),
          read("n.ipynb"),
          {
            name: "NotebookEdit",
            input: { notebook_path: at("n.ipynb"), cell_id: "c1", new_source: "print(2)" },
          },
        ),
      ),
    );
    await claude.resume(
      home,
      ID,
      scripted(
        "And again.",
        ...steps(read("new.txt"), edit("new.txt", "two", "TWO", { replace_all: true }), {
          name: "Write",
          input: { file_path: at("new.txt"), content: "ONE\nplus\nTWO\nthree\nTWO\nlast\n" },
        }),
      ),
    );
    app = await openApp({ CLAUDE_CONFIG_DIR: home.root });
  });
  afterAll(async () => {
    await claude.close();
    home.remove();
  });

  it("writes, edits and writes again", async () => {
    expect(readFileSync(at("new.txt"), "utf8")).toBe("ONE\nplus\nTWO\nthree\nTWO\nlast\n");
    expect(await turnsOf(app, at("new.txt"))).toBe("001011");
  });

  it("records tabs as spaces and curly quotes as straight ones, which are the same line", async () => {
    expect(await turnsOf(app, at("tabs.go"))).toBe("..00..");
    expect([readFileSync(at("quotes.txt"), "utf8"), await turnsOf(app, at("quotes.txt"))]).toEqual([
      "It’s no “quote”\nend",
      "0.",
    ]);
  });

  it("keeps CRLF, and records none", async () => {
    expect([readFileSync(at("crlf.txt"), "utf8"), await turnsOf(app, at("crlf.txt"))]).toEqual([
      "a\r\nB\r\nB2\r\nc\r\n",
      ".00.",
    ]);
  });

  it("does not record large files with their edits", async () => {
    const turns = await turnsOf(app, at("large.txt"));
    expect([turns.length, turns.indexOf("0"), turns.replaceAll(".", "")]).toEqual([3000, 5, "0"]);
  });

  it("records notebooks before and after", async () => {
    const { lines } = await app.blame({ file: at("n.ipynb") });
    const written = lines.filter((line) => line.written).map(({ text }) => text.trim());
    expect(written).toEqual(['"source": "print(2)",']);
  });
});

describe("Copilot CLI", () => {
  const ID = "b1a3b1a3-0000-4000-8000-000000000002";
  const PATCHED = "b1a3b1a3-0000-4000-8000-000000000003";
  let copilot: Copilot;
  let app: App;
  const at = (name: string): string => join(copilot.workspace, name);
  const edit = (name: string, old_str: string, new_str: string) => ({
    name: "edit",
    input: { path: at(name), old_str, new_str },
  });

  beforeAll(async () => {
    copilot = await startCopilot();
    writeFileSync(at("crlf.txt"), "a\r\nb\r\nc\r\n");
    writeFileSync(at("patched.txt"), "one\ntwo\nthree\nfour\n");
    await copilot.prompt(
      ID,
      scripted(
        "Begin.",
        ...steps(
          { name: "create", input: { path: at("new.txt"), file_text: "one\ntwo\nthree\nfour\n" } },
          edit("new.txt", "nowhere", "x"),
          { name: "create", input: { path: at("new.txt"), file_text: "again" } },
          edit("crlf.txt", "b\nc", "B\nB2\nc"),
        ),
      ),
    );
    await copilot.prompt(ID, scripted("And again.", ...steps(edit("new.txt", "one\n", "ONE\nplus\n"))));
    // It offers patches to models that are known to write them.
    const patch = (input: string) => ({ name: "apply_patch", input: { input } });
    const prompt = scripted(
      "Patch it.",
      ...steps(
        patch("*** Begin Patch\n*** Update File: patched.txt\n@@\n one\n-two\n+TWO\n*** End Patch"),
        patch(
          "*** Begin Patch\n*** Update File: patched.txt\n*** Move to: moved.txt\n@@\n-three\n+3\n*** Add File: added.txt\n+new\n*** End Patch",
        ),
      ),
    );
    await promisify(execFile)(
      programPath(),
      ["--session-id", PATCHED, "-p", prompt, "-s", "--allow-all-tools"],
      {
        cwd: copilot.workspace,
        env: { ...copilot.env, COPILOT_MODEL: "gpt-5.1-codex" },
      },
    );
    app = await openApp({ COPILOT_HOME: copilot.home });
  });
  afterAll(() => copilot.close());

  it("creates and edits", async () => {
    expect([readFileSync(at("new.txt"), "utf8"), await turnsOf(app, at("new.txt"))]).toEqual([
      "ONE\nplus\ntwo\nthree\nfour\n",
      "11000",
    ]);
  });

  it("keeps CRLF, and records none", async () => {
    expect([readFileSync(at("crlf.txt"), "utf8"), await turnsOf(app, at("crlf.txt"))]).toEqual([
      "a\r\nB\r\nB2\r\nc\r\n",
      ".00.",
    ]);
  });

  it("patches, adds and moves with models that write patches", async () => {
    expect([readFileSync(at("moved.txt"), "utf8"), await turnsOf(app, at("moved.txt"))]).toEqual([
      "one\nTWO\n3\nfour\n",
      ".00.",
    ]);
    expect(await turnsOf(app, at("added.txt"))).toBe("0");
  });
});
