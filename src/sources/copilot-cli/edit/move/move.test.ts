import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEditHome, type EditHome, ID, lookAtAll } from "../../../../../test/edit/home.ts";
import { pidLike } from "../../../../../test/lookalike.ts";
import type { EditCore } from "../../../../app/edit/core.ts";

let home: EditHome;
let edit: EditCore;
beforeEach(() => {
  home = createEditHome();
  edit = home.edit();
});
afterEach(() => home.remove());

const OLD = "/src/shop";
const NEW = "/code/store";
const logOf = (): string => readFileSync(home.file("events.jsonl"), "utf8");
const yamlOf = (): string => readFileSync(home.file("workspace.yaml"), "utf8");

/** The session of the home, about another folder, and with more in its log. */
function write(lines: readonly string[] = [], fields = `cwd: ${OLD}\n`): void {
  const log = logOf().replaceAll("/work/shop", OLD);
  writeFileSync(home.file("events.jsonl"), `${log}${lines.map((line) => `${line}\n`).join("")}`);
  const yaml = yamlOf().replace(/^cwd: .*\n/m, fields);
  writeFileSync(home.file("workspace.yaml"), yaml);
}

let number = 0;
const record = (type: string, data: string): string =>
  `{"type":"${type}","data":${data},"id":"33333333-0000-4000-8000-${String(++number).padStart(12, "0")}","timestamp":"2026-11-01T11:00:00.000Z","parentId":null}`;

/** Moves it, and gives what became of the lines that were added. */
async function moved(lines: readonly string[], more: { text?: boolean } = {}): Promise<string[]> {
  write(lines);
  await edit.apply(await edit.planMove({ session: ID, to: NEW, text: false, ...more }));
  return logOf().trimEnd().split("\n").slice(-lines.length);
}

describe("a session that moves", () => {
  it("is about the new folder, in workspace.yaml and in every record that says where it works", async () => {
    const [resume, changed] = await moved([
      record("session.resume", `{"resumeTime":"now","context":{"cwd":"${OLD}/api","gitRoot":"${OLD}"}}`),
      record("session.context_changed", `{"cwd":"${OLD}","gitRoot":"/src"}`),
    ]);
    expect(yamlOf()).toContain(`cwd: ${NEW}\n`);
    expect(logOf().split("\n")[0]).toContain(`"context":{"cwd":"${NEW}","branch":"main"}`);
    expect(resume).toContain(`"context":{"cwd":"${NEW}/api","gitRoot":"${NEW}"}`);
    expect(changed).toContain(`{"cwd":"${NEW}","gitRoot":"/src"}`);
  });

  it("keeps every byte but those of its paths", async () => {
    const lines = [
      record(
        "tool.execution_start",
        `{"toolCallId":"c", "toolName":"view","arguments":{"n":1.50,"path":"${OLD}\\/a.ts","future":0.0}, "x":"\\u00e9"}`,
      ),
      record("session.from_the_future", `{"deep":[{"where":{"filePath":"${OLD}/é"},"n":1e3}]}`),
      `{"torn":"${OLD}`,
      "",
      record("user.message", `{"content":"in ${OLD}"}`),
    ];
    expect(await moved(lines)).toEqual([
      lines[0]?.replace(`${OLD}\\/a.ts`, `${NEW}/a.ts`),
      lines[1]?.replace(OLD, NEW),
      ...lines.slice(2),
    ]);
  });

  it("has paths in calls that lead to the new place, as the model goes on from them", async () => {
    const call = (given: string): string => `{"toolCallId":"c","name":"t","arguments":${given}}`;
    const calls = (...given: string[]): string =>
      record("assistant.message", `{"messageId":"m","content":"","toolRequests":[${given.map(call)}]}`);
    const patch = `*** Begin Patch\\n*** Update File: ${OLD}/a.ts\\n@@\\n-${OLD}\\n*** Move to: ${OLD}/b.ts\\n*** End Patch`;
    const [line] = await moved([
      calls(
        `{"path":"${OLD}/a.ts"}`,
        `{"paths":["${OLD}/a","/src/shopping/b"],"working_directory":"${OLD}"}`,
        `"{\\"file_path\\":\\"${OLD}/a\\",\\"n\\":1.0}"`,
        `{"input":"${patch}"}`,
        `{"uri":"file://${OLD}/a%20b"}`,
        `{"command":"ls ${OLD}","file_text":"${OLD}"}`,
      ),
    ]);
    const { data } = JSON.parse(line ?? "");
    expect(data.toolRequests.map((each: { arguments: unknown }) => each.arguments)).toEqual([
      { path: `${NEW}/a.ts` },
      { paths: [`${NEW}/a`, "/src/shopping/b"], working_directory: NEW },
      `{"file_path":"${NEW}/a","n":1.0}`,
      {
        input: `*** Begin Patch\n*** Update File: ${NEW}/a.ts\n@@\n-${OLD}\n*** Move to: ${NEW}/b.ts\n*** End Patch`,
      },
      { uri: `file://${NEW}/a%20b` },
      { command: `ls ${OLD}`, file_text: OLD },
    ]);
  });

  it("takes attachments and lists of files along, and leaves what tools gave back", async () => {
    const lines = await moved([
      record(
        "user.message",
        `{"content":"see","attachments":[{"type":"file","path":"${OLD}/a","taggedFilesEntry":"* ${OLD}/a (2 lines)"},{"type":"selection","filePath":"${OLD}/a"}]}`,
      ),
      record(
        "tool.execution_complete",
        `{"toolCallId":"c","success":true,"result":{"content":"${OLD}/a","structured":{"path":"${OLD}"}},"fileEdits":[{"path":"${OLD}/a"}],"toolTelemetry":{"path":"${OLD}"}}`,
      ),
      record("session.shutdown", `{"shutdownType":"routine","codeChanges":{"filesModified":["${OLD}/a"]}}`),
      record("model.response", `{"path":"${OLD}"}`),
    ]);
    expect(lines.map((line) => JSON.parse(line).data)).toEqual([
      {
        content: "see",
        attachments: [
          { type: "file", path: `${NEW}/a`, taggedFilesEntry: `* ${NEW}/a (2 lines)` },
          { type: "selection", filePath: `${NEW}/a` },
        ],
      },
      {
        toolCallId: "c",
        success: true,
        result: { content: `${OLD}/a`, structured: { path: OLD } },
        fileEdits: [{ path: `${NEW}/a` }],
        toolTelemetry: { path: OLD },
      },
      { shutdownType: "routine", codeChanges: { filesModified: [`${NEW}/a`] } },
      { path: OLD },
    ]);
  });

  it("has its text rewritten only when asked, and says how much of it there is", async () => {
    const lines = [
      record("user.message", `{"content":"cd ${OLD}; ls ${OLD}/a \\"${OLD}\\", not ${OLD}-2"}`),
      record("session.compaction_complete", `{"success":true,"checkpointPath":"${OLD}/checkpoints/1.md"}`),
    ];
    write(lines);
    writeFileSync(home.file("plan.md"), `# In ${OLD}\n`);
    const { move } = await edit.planMove({ session: ID, to: NEW, text: false });
    expect(move).toEqual({
      from: OLD,
      to: NEW,
      isHere: false,
      toolCalls: 0,
      attachments: 0,
      fileStates: 0,
      others: 1,
      mentions: 4,
      withText: false,
    });
    await edit.apply(await edit.planMove({ session: ID, to: NEW, text: true }));
    expect(logOf()).toContain(`cd ${NEW}; ls ${NEW}/a \\"${NEW}\\", not ${OLD}-2`);
    expect(logOf()).toContain(`"checkpointPath":"${OLD}/checkpoints/1.md"`);
    expect(readFileSync(home.file("plan.md"), "utf8")).toBe(`# In ${NEW}\n`);
  });

  it("can be rewound in its new place: recorded file states lead there", async () => {
    const hex = (text: string): string => Buffer.from(text).toString("hex");
    const key = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
    const image = (path: string) => ({
      kind: "content",
      resolvedPath: path,
      encodedPath: { encoding: "unix-bytes", data: hex(path) },
    });
    const index = (path: string) => ({
      schema: 1,
      snapshots: [
        {
          eventId: "e",
          files: {
            [key(path)]: { path, preimage: image(path), postimage: { kind: "absent" }, future: 1 },
            [key("/etc/a")]: { path: "/etc/a", preimage: image("/etc/a") },
          },
        },
      ],
    });
    write();
    const file = home.file("rewind-file-snapshots", "index.json");
    writeFileSync(file, JSON.stringify(index(`${OLD}/a`), undefined, 2));
    const plan = await edit.planMove({ session: ID, to: NEW, text: false });
    expect(plan.move?.fileStates).toBe(1);
    await edit.apply(plan);
    expect(readFileSync(file, "utf8")).toBe(JSON.stringify(index(`${NEW}/a`), undefined, 2));
  });

  it("stays where it is in lists that go by time", async () => {
    write();
    const before = statSync(home.file("events.jsonl")).mtimeMs;
    await edit.apply(await edit.planMove({ session: ID, to: NEW, text: false }));
    expect(statSync(home.file("events.jsonl")).mtimeMs - before).toBeLessThanOrEqual(1);
  });

  it("is undone to the byte, with modes and times", async () => {
    write([record("user.message", `{"content":"","attachments":[{"path":"${OLD}/a"}]}`)]);
    const before = lookAtAll(home.copilot);
    // As long as the old one, so that only the time tells the two logs apart.
    await edit.apply(await edit.planMove({ session: ID, to: "/srv/shop", text: true }));
    expect(lookAtAll(home.copilot)).not.toEqual(before);
    await edit.apply(await edit.planUndo());
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it.each([
    ["no", undefined],
    ["an empty", ""],
    ["a broken", "cwd: [unclosed\n  : :"],
  ])("needs %s workspace.yaml, and gets one", async (_, text) => {
    write();
    rmSync(home.file("workspace.yaml"));
    if (text !== undefined) writeFileSync(home.file("workspace.yaml"), text);
    await edit.apply(await edit.planMove({ session: ID, to: NEW, text: false }));
    expect(yamlOf()).toContain(`cwd: ${NEW}\n`);
  });

  it("follows the folder that its log tells of when workspace.yaml does not", async () => {
    write([], "");
    await edit.apply(await edit.planMove({ session: ID, to: NEW, text: false }));
    expect(yamlOf()).toContain(`cwd: ${NEW}\n`);
    expect(yamlOf()).toContain("future_key: 1.10\n");
  });

  it("takes no steps to where it is already", async () => {
    write();
    expect(await edit.planMove({ session: ID, to: `${OLD}/`, text: false })).toMatchObject({ steps: [] });
  });
});

describe("the repository of a session that moves", () => {
  const folder = (): string => join(dirname(home.copilot), "moved");
  const fieldsOf = (): Record<string, string> =>
    Object.fromEntries(
      yamlOf()
        .split("\n")
        .flatMap((line) => {
          const [, key, value] = /^(cwd|git_root|repository|branch|host_type): (.*)$/.exec(line) ?? [];
          return key === undefined || value === undefined ? [] : [[key, value]];
        }),
    );
  const git = (origin: string): void => {
    mkdirSync(join(folder(), ".git"), { recursive: true });
    writeFileSync(join(folder(), ".git", "HEAD"), "ref: refs/heads/next\n");
    writeFileSync(join(folder(), ".git", "config"), `[remote "origin"]\n\turl = ${origin}\n`);
  };
  const FIELDS = `cwd: ${OLD}/api\ngit_root: ${OLD}\nrepository: owner/name\n`;

  it("moves as a whole when the session worked in a folder of it", async () => {
    write([record("user.message", `{"content":"","attachments":[{"path":"${OLD}/web/a"}]}`)], FIELDS);
    await edit.apply(await edit.planMove({ session: ID, to: `${NEW}/api`, text: false }));
    expect(fieldsOf()).toEqual({
      cwd: `${NEW}/api`,
      git_root: NEW,
      repository: "owner/name",
      branch: "main",
    });
    expect(logOf()).toContain(`"path":"${NEW}/web/a"`);
  });

  it("stays behind when only the folder moved", async () => {
    write([], FIELDS);
    await edit.apply(await edit.planMove({ session: ID, to: NEW, text: false }));
    expect(fieldsOf()).toEqual({ cwd: NEW, repository: "owner/name", branch: "main" });
  });

  it("keeps its name and branch where the new folder has the same remote", async () => {
    git("git@github.com:owner/name.git");
    write([], FIELDS);
    await edit.apply(await edit.planMove({ session: ID, to: folder(), text: false }));
    expect(fieldsOf()).toEqual({
      cwd: folder(),
      git_root: folder(),
      repository: "owner/name",
      branch: "main",
    });
  });

  it("is the one of the new folder where that has another remote", async () => {
    git("https://github.com/other/thing");
    write([], FIELDS);
    await edit.apply(await edit.planMove({ session: ID, to: folder(), text: false }));
    expect(fieldsOf()).toEqual({
      cwd: folder(),
      git_root: folder(),
      repository: "other/thing",
      host_type: "github",
      branch: "next",
    });
  });
});

describe("all sessions of a folder", () => {
  const clone = async (name: string, cwd: string): Promise<string> => {
    const { id } = (await edit.apply(await edit.planClone(ID, { name }))).plan.session;
    const yaml = join(home.copilot, "session-state", id, "workspace.yaml");
    writeFileSync(yaml, readFileSync(yaml, "utf8").replace(/^cwd: .*$/m, `cwd: ${cwd}`));
    return id;
  };
  const cwdOf = (id: string): string | undefined =>
    /^cwd: (.*)$/m.exec(readFileSync(join(home.copilot, "session-state", id, "workspace.yaml"), "utf8"))?.[1];

  it("move as one, and are undone as one", async () => {
    write();
    const [below, beside] = [await clone("Below", `${OLD}/api`), await clone("Beside", `${OLD}-2`)];
    const before = lookAtAll(home.copilot);
    const plan = await edit.planMove({ from: `${OLD}/`, to: NEW, text: false });
    expect(plan).toMatchObject({ title: "2 sessions", move: { from: OLD, to: NEW, others: 2 } });
    expect(plan.move?.sessions?.map(({ id }) => id).sort()).toEqual([ID, below].sort());
    await edit.apply(plan);
    expect([ID, below, beside].map(cwdOf)).toEqual([NEW, `${NEW}/api`, `${OLD}-2`]);
    await edit.apply(await edit.planUndo());
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("stay, all of them, while one is open, which is named", async () => {
    write();
    const below = await clone("Below", `${OLD}/api`);
    appendFileSync(
      join(home.copilot, "session-state", below, `inuse.${pidLike("copilot")}.lock`),
      `${pidLike("copilot")}\n`,
    );
    const plan = await edit.planMove({ from: OLD, to: NEW, text: false });
    await expect(edit.apply(plan)).rejects.toMatchObject({
      code: "session-busy",
      message: expect.stringContaining(below),
    });
    expect(cwdOf(ID)).toBe(OLD);
  });

  it("may be of another machine, which spells paths otherwise", async () => {
    const path = String.raw`C:\\Users\\dev\\shop`;
    write([record("tool.execution_start", `{"arguments":{"path":"${path}\\\\src\\\\a.ts"}}`)]);
    writeFileSync(home.file("workspace.yaml"), yamlOf().replace(OLD, String.raw`C:\Users\dev\shop`));
    await edit.apply(await edit.planMove({ from: String.raw`c:\users\dev\shop`, to: NEW, text: false }));
    expect(cwdOf(ID)).toBe(NEW);
    expect(logOf()).toContain(`{"arguments":{"path":"${NEW}/src/a.ts"}}`);
  });

  it("must be some, and the folder one that can move", async () => {
    await expect(edit.planMove({ from: "/nowhere", to: NEW, text: false })).rejects.toMatchObject({
      code: "session-not-found",
    });
    await expect(edit.planMove({ from: "/", to: NEW, text: false })).rejects.toMatchObject({ code: "usage" });
  });
});
