/** What a move, and a copy for another folder, leave in the files of Claude Code. */
import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  carriedOut,
  type Home,
  homeOf,
  NEW,
  OLD,
  PROJECT,
  textAt,
} from "../../../../../test/edit/claude-transcript.ts";
import type { Transcript } from "../../../../../test/real/claude-rows.ts";
import { createPlannedFs } from "../../../../edit/plan/planned-fs.ts";
import type { Draft } from "../../../../model/plan.ts";
import { editor } from "../index.ts";

const FROM = "/srv/shop";
const TO = "/code/my store";
const THERE = "/c/projects/-code-my-store";
const now = new Date("2026-11-15T12:00:00.000Z");
const keyOf = (path: string, version = 1): string => `${hash("sha256", path).slice(0, 16)}@v${version}`;

const move = (home: Home, more: { from?: string; to?: string; text?: boolean } = {}): Promise<Draft> => {
  if (!editor.moves) throw new Error("it moves no sessions");
  return editor.moves.move(home.fs, home.artifact, { to: TO, text: false, now, ...more });
};
/** The rows of a session after a move, parsed. */
async function moved(write: (t: Transcript) => void, more: Parameters<typeof move>[1] = {}) {
  const home = await homeOf(write);
  const draft = await move(home, more);
  const { lines } = await carriedOut(home, draft);
  const rows = lines.map((line) => (line.endsWith("}") ? JSON.parse(line) : line));
  return { draft, rows, lines, before: home.lines };
}
const edit = (input: object) => [{ type: "tool_use", id: "c", name: "Edit", input }];

describe("a session that moves", () => {
  it("lies in the folder of the new workspace, with all that lay beside it, and nothing is left", async () => {
    const own = `${PROJECT}/${OLD}`;
    const home = await homeOf((t) => t.prompt("one", { sessionId: OLD }), {
      [`${own}/subagents/agent-a1.jsonl`]: `{"type":"user","cwd":"${FROM}","sessionId":"${OLD}"}\n`,
      [`${own}/subagents/agent-a1.meta.json`]: '{"toolUseId":"c"}',
      [`${own}/tool-results/b1.txt`]: "1\n2\n",
      [`${own}/resume-head.jsonl`]: "{}\n",
      [`${own}/custom-title.json`]: '{"customTitle":"Mine"}',
      [`${PROJECT}/agent-b2.jsonl`]: `{"type":"user","cwd":"${FROM}","sessionId":"${OLD}"}\n`,
      [`${PROJECT}/agent-c3.jsonl`]: '{"type":"user","sessionId":"another"}\n',
      [`${PROJECT}/memory/MEMORY.md`]: "- notes\n",
    });
    const draft = await move(home);
    const planned = createPlannedFs(home.fs, draft.steps);
    const names = async (folder: string) => (await planned.readdir(folder)).map(({ name }) => name).sort();
    expect(draft.session).toEqual({ source: "claude-code", id: OLD, path: `${THERE}/${OLD}.jsonl` });
    expect(await names(PROJECT)).toEqual(["agent-c3.jsonl", "memory"]);
    expect(await names(THERE)).toEqual([OLD, `${OLD}.jsonl`, "agent-b2.jsonl"]);
    expect(await names(`${THERE}/${OLD}`)).toEqual(["custom-title.json", "subagents", "tool-results"]);
    for (const log of [`${THERE}/${OLD}/subagents/agent-a1.jsonl`, `${THERE}/agent-b2.jsonl`])
      expect(JSON.parse(await textAt(planned, log)).cwd).toBe(TO);
    expect(draft.losses).toEqual([
      `the notes that Claude Code keeps for the old folder; they stay in ${PROJECT}/memory`,
    ]);
  });

  it("was written there, where rows were written below the old folder, and keeps every other byte", async () => {
    const { lines, before, draft } = await moved((t) => {
      t.prompt("one", { unknown: { kept: [1.5, "é", FROM] } });
      t.answer("Answer.", { cwd: `${FROM}/api` });
      t.prompt("two", { cwd: "/srv/shopping" });
      t.lines.push(`{"torn":"${FROM}`);
      t.note({ type: "worktree-state", worktreeSession: { originalCwd: FROM, worktreePath: `${FROM}/w` } });
    });
    expect(lines).toEqual([
      before[0]?.replace(`"cwd":"${FROM}"`, `"cwd":"${TO}"`),
      before[1]?.replace(`"cwd":"${FROM}/api"`, `"cwd":"${TO}/api"`),
      before[2],
      before[3],
      before[4]?.replaceAll(FROM, TO),
    ]);
    expect(draft.move).toMatchObject({ from: FROM, to: TO, isHere: false, others: 4, mentions: 1 });
  });

  it("has paths in calls and in what tools recorded that lead to the new place; words stay, and are counted", async () => {
    const patch = { structuredPatch: [], originalFile: `${FROM}/is in the file`, filePath: `${FROM}/a.ts` };
    const { rows, draft } = await moved((t) => {
      t.prompt(`Look into ${FROM}/a.ts, not ${FROM}-2`);
      t.answer(edit({ file_path: `${FROM}/a.ts`, old_string: FROM, new_string: `${FROM}/b` }));
      t.result("c", { toolUseResult: patch });
      t.call("d");
      t.result("d", { toolUseResult: { filenames: [`${FROM}/x`, "/tmp/y"], stdout: `${FROM}\n` } });
    });
    expect(rows[0].message.content).toBe(`Look into ${FROM}/a.ts, not ${FROM}-2`);
    expect(rows[1].message.content[0].input).toEqual({
      ...{ file_path: `${TO}/a.ts`, old_string: FROM, new_string: `${FROM}/b` },
    });
    expect(rows[2].toolUseResult).toEqual({ ...patch, filePath: `${TO}/a.ts` });
    expect(rows[4].toolUseResult).toEqual({ filenames: [`${TO}/x`, "/tmp/y"], stdout: `${FROM}\n` });
    expect(draft.move).toMatchObject({ toolCalls: 1, others: 5 + 2, mentions: 5 });
  });

  it("has words rewritten when asked to: of people, the model, tools, and in files with outputs", async () => {
    const output = `${PROJECT}/${OLD}/tool-results/b1.txt`;
    const home = await homeOf(
      (t) => {
        t.prompt(`See ${FROM}`);
        t.answer(`In "${FROM}/a" it is.`);
        t.call("c");
        t.result("c", { toolUseResult: { stdout: FROM } });
      },
      { [output]: `é ${FROM}/a\n${FROM}ping\n` },
    );
    expect((await move(home)).move?.mentions).toBe(4);
    const draft = await move(home, { text: true });
    const { said, lines, planned } = await carriedOut(home, draft);
    expect(said.slice(0, 2)).toEqual([`See ${TO}`, `In "${TO}/a" it is.`]);
    expect(JSON.parse(lines[3] ?? "").toolUseResult.stdout).toBe(TO);
    expect(await textAt(planned, `${THERE}/${OLD}/tool-results/b1.txt`)).toBe(`é ${TO}/a\n${FROM}ping\n`);
  });

  it("tells the model of the new folder wherever the program told it of the old one", async () => {
    const attachment = (fields: object, ...rendered: string[]) => ({
      type: "attachment",
      attachment: fields,
      rendered: rendered.map((content) => ({ content })),
    });
    const file = { type: "file", filename: `${FROM}/a.ts`, content: { file: { filePath: `${FROM}/a.ts` } } };
    const prompt = `Memory at \`${PROJECT}/memory/\`; you work in ${FROM}.`;
    const { rows, draft } = await moved((t) => {
      t.prompt("one");
      t.row(
        attachment(
          { type: "environment", snapshot: { workingDirectory: `${FROM}/api` }, changes: [{ from: FROM }] },
          `Primary working directory: ${FROM}/api (was ${FROM})`,
        ),
      );
      t.row(attachment(file, `Read: {"file_path":"${FROM}/a.ts"}`, `Result: // see ${FROM}/b.ts`));
      t.row(attachment({ type: "prompt_snapshot", systemPrompt: [prompt] }));
      t.answer("Answer.");
    });
    const rendered = rows.map((row) => row.rendered?.map(({ content }: { content: string }) => content));
    expect(rows[1].attachment).toMatchObject({
      snapshot: { workingDirectory: `${TO}/api` },
      changes: [{ from: TO }],
    });
    expect(rendered[1]).toEqual([`Primary working directory: ${TO}/api (was ${TO})`]);
    expect(rows[2].attachment.content.file.filePath).toBe(`${TO}/a.ts`);
    expect(rendered[2]).toEqual([`Read: {"file_path":"${TO}/a.ts"}`, `Result: // see ${FROM}/b.ts`]);
    expect(rows[3].attachment.systemPrompt).toEqual([`Memory at \`${THERE}/memory/\`; you work in ${TO}.`]);
    expect(draft.move).toMatchObject({ attachments: 3, mentions: 1 });
  });

  it("names the files with long outputs where they lie now, also those that were written elsewhere", async () => {
    const saved = (path: string) => `<persisted-output>\nFull output saved to: ${path}\n\nPreview`;
    const own = `${PROJECT}/${OLD}/tool-results/b1.txt`;
    const home = await homeOf(
      (t) => {
        t.prompt("one");
        t.call("c");
        t.prompt([{ type: "tool_result", tool_use_id: "c", content: saved(own) }], {
          toolUseResult: { persistedOutputPath: own },
        });
        t.call("d");
        t.prompt([
          {
            ...{ type: "tool_result", tool_use_id: "d" },
            content: saved(`C:\\Users\\Ann B\\.claude\\projects\\-srv-shop\\${OLD}\\tool-results\\b1.txt`),
          },
        ]);
        t.answer(edit({ file_path: own }));
      },
      { [own]: "long\n" },
    );
    const { lines } = await carriedOut(home, await move(home));
    const rows = lines.map((line) => JSON.parse(line));
    const there = `${THERE}/${OLD}/tool-results/b1.txt`;
    expect(rows[2].message.content[0].content).toBe(saved(there));
    expect(rows[2].toolUseResult.persistedOutputPath).toBe(there);
    expect(rows[4].message.content[0].content).toBe(saved(there));
    expect(rows[5].message.content[0].input.file_path).toBe(there);
  });

  it("can be rewound with its files: their states have other paths, and are kept under other names", async () => {
    const states = `/c/file-history/${OLD}`;
    const backup = (path: string, version = 1) => ({
      ...{ backupFileName: keyOf(path, version), version, realParentDir: path.replace(/\/[^/]*$/, "") },
    });
    const home = await homeOf(
      (t) => {
        t.prompt("one", { uuid: "p" });
        t.note({
          ...{ type: "file-history-delta", messageId: "p", trackingPath: "a.ts" },
          backup: backup(`${FROM}/a.ts`),
        });
        t.note({
          ...{ type: "file-history-snapshot", messageId: "p" },
          snapshot: {
            trackedFileBackups: {
              "a.ts": { backupFileName: keyOf(`${FROM}/a.ts`, 2), version: 2 },
              [`${FROM}/b.ts`]: backup(`${FROM}/b.ts`),
              "/etc/hosts": backup("/etc/hosts"),
              "new.ts": { backupFileName: null, version: 1 },
            },
          },
        });
      },
      {
        [`${states}/${keyOf(`${FROM}/a.ts`)}`]: "a1",
        [`${states}/${keyOf(`${FROM}/a.ts`, 2)}`]: "a2",
        [`${states}/${keyOf(`${FROM}/b.ts`)}`]: "b1",
        [`${states}/${keyOf("/etc/hosts")}`]: "hosts",
      },
    );
    const draft = await move(home);
    const { lines, planned } = await carriedOut(home, draft);
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({
      ...{ trackingPath: "a.ts", backup: backup(`${TO}/a.ts`) },
    });
    expect(JSON.parse(lines[2] ?? "").snapshot.trackedFileBackups).toEqual({
      "a.ts": { backupFileName: keyOf(`${TO}/a.ts`, 2), version: 2 },
      [`${TO}/b.ts`]: backup(`${TO}/b.ts`),
      "/etc/hosts": backup("/etc/hosts"),
      "new.ts": { backupFileName: null, version: 1 },
    });
    expect((await planned.readdir(states)).map(({ name }) => name).sort()).toEqual(
      [keyOf(`${TO}/a.ts`), keyOf(`${TO}/a.ts`, 2), keyOf(`${TO}/b.ts`), keyOf("/etc/hosts")].sort(),
    );
    expect(await textAt(planned, `${states}/${keyOf(`${TO}/a.ts`, 2)}`)).toBe("a2");
    expect(draft.move?.fileStates).toBe(4);
    expect(draft.steps.map(({ does, path }) => [does, path])).toEqual([
      ["replace", states],
      ["place", THERE],
      ["remove", home.artifact.path],
    ]);
  });

  it("comes from Windows to Linux and goes back, with the separators and names of either", async () => {
    const windows = "C:\\work\\shop";
    const home = await homeOf((t) => {
      t.prompt("one", { cwd: windows });
      t.answer(edit({ file_path: "c:\\Work\\shop\\src\\a.ts" }), { cwd: `${windows}\\api` });
      t.note({
        ...{ type: "file-history-delta", messageId: "p", trackingPath: "src\\a.ts" },
        backup: { backupFileName: keyOf(`${windows}\\src\\a.ts`), realParentDir: `${windows}\\src` },
      });
    });
    const here = await carriedOut(home, await move(home, { to: "/code/shop" }));
    const [first, second, third] = here.lines.map((line) => JSON.parse(line));
    expect([first.cwd, second.cwd, second.message.content[0].input.file_path]).toEqual([
      ...["/code/shop", "/code/shop/api", "/code/shop/src/a.ts"],
    ]);
    expect(third).toMatchObject({
      trackingPath: "src/a.ts",
      backup: { backupFileName: keyOf("/code/shop/src/a.ts"), realParentDir: "/code/shop/src" },
    });
    const back = await move(await homeOf((t) => t.prompt("one")), { to: windows });
    expect(back.session.path).toBe(`/c/projects/C--work-shop/${OLD}.jsonl`);
  });

  it("stays in its file where the program gives both folders one name", async () => {
    const { draft, lines, before } = await moved((t) => t.prompt("one"), { to: "/srv.shop" });
    expect(draft.steps.map(({ does, path }) => [does, path])).toEqual([
      ["replace", `${PROJECT}/${OLD}.jsonl`],
    ]);
    expect(lines).toEqual([before[0]?.replace(FROM, "/srv.shop")]);
    expect((await moved((t) => t.prompt("one"), { to: FROM })).draft.steps).toEqual([]);
  });

  it("follows the folder that it was taken to with /cd", async () => {
    const { draft, rows } = await moved(
      (t) => {
        t.prompt("one", { cwd: "/srv/elsewhere" });
        t.note({ type: "relocated", relocatedCwd: FROM, sessionId: OLD });
      },
      { from: "/srv/shop" },
    );
    expect([draft.session.path, rows[0].cwd, rows[1].relocatedCwd]).toEqual([
      ...[`${THERE}/${OLD}.jsonl`, "/srv/elsewhere", TO],
    ]);
  });

  it("is refused, by name, where something of a lost session lies in its way", async () => {
    const place = `${THERE}/${OLD}`;
    const home = await homeOf((t) => t.prompt("one"), {
      [`${PROJECT}/${OLD}/custom-title.json`]: '{"customTitle":"Mine"}',
      [`${place}/tool-results/b1.txt`]: "not mine",
    });
    await expect(move(home)).rejects.toMatchObject({
      code: "session-exists",
      message: expect.stringContaining(`${place} is there already`),
    });
  });

  it("is refused where it says of no folder, is the log of a sub-agent, or the id is taken there", async () => {
    const lost = await homeOf((t) => t.prompt("one", { cwd: undefined }));
    await expect(move(lost)).rejects.toMatchObject({ code: "not-supported" });
    const taken = await homeOf((t) => t.prompt("one"), { [`${THERE}/${OLD}.jsonl`]: "{}\n" });
    await expect(move(taken)).rejects.toMatchObject({ code: "session-exists" });
    const agent = await homeOf((t) => t.prompt("one"));
    const of = { ...agent, artifact: { ...agent.artifact, id: "agent-a1" } };
    await expect(move(of)).rejects.toMatchObject({ code: "not-supported" });
  });
});

describe("a copy for another folder", () => {
  const write = (t: Transcript): void => {
    t.prompt("one", { uuid: "p", gitBranch: "feature", sessionId: OLD });
    t.row({ type: "attachment", uuid: "s", attachment: { type: "prompt_snapshot", systemPrompt: ["You."] } });
    t.answer(edit({ file_path: `${FROM}/there.ts` }), { gitBranch: "feature", sessionId: OLD });
    t.result("c", { toolUseResult: { filePath: `${FROM}/gone.ts` } });
    t.note({
      ...{ type: "file-history-snapshot", messageId: "p" },
      snapshot: {
        trackedFileBackups: {
          "there.ts": { backupFileName: keyOf(`${FROM}/there.ts`), realParentDir: FROM },
          "gone.ts": { backupFileName: keyOf(`${FROM}/gone.ts`), realParentDir: FROM },
        },
      },
    });
    t.answer("Done.");
  };
  const files = {
    [`${TO}/there.ts`]: "",
    [`/c/file-history/${OLD}/${keyOf(`${FROM}/there.ts`)}`]: "there",
    [`/c/file-history/${OLD}/${keyOf(`${FROM}/gone.ts`)}`]: "gone",
    [`${PROJECT}/${OLD}/subagents/agent-a1.jsonl`]: `{"type":"user","cwd":"${FROM}","sessionId":"${OLD}"}\n`,
  };
  const cloned = async (more: object = {}) => {
    const home = await homeOf(write, files);
    const draft = await editor.clone(home.fs, home.artifact, { id: NEW, now, workspace: TO, ...more });
    const out = await carriedOut(home, draft);
    return { draft, ...out, rows: out.lines.map((line) => JSON.parse(line)), home };
  };

  it("works there, names the files that are there, and leads to the others where they are", async () => {
    const { draft, rows, planned, home } = await cloned();
    expect(draft.session.path).toBe(`${THERE}/${NEW}.jsonl`);
    expect(rows.filter(({ uuid }) => uuid).map(({ cwd }) => cwd)).toEqual([TO, TO, TO, TO]);
    expect(rows[1].message.content[0].input.file_path).toBe(`${TO}/there.ts`);
    expect(rows[2].toolUseResult.filePath).toBe(`${FROM}/gone.ts`);
    expect(rows[3].snapshot.trackedFileBackups).toEqual({
      "there.ts": { backupFileName: keyOf(`${TO}/there.ts`), realParentDir: TO },
      [`${FROM}/gone.ts`]: { backupFileName: keyOf(`${FROM}/gone.ts`), realParentDir: FROM },
    });
    const states = `/c/file-history/${NEW}`;
    expect(await textAt(planned, `${states}/${keyOf(`${TO}/there.ts`)}`)).toBe("there");
    expect(await textAt(planned, `${states}/${keyOf(`${FROM}/gone.ts`)}`)).toBe("gone");
    const agent = JSON.parse(await textAt(planned, `${THERE}/${NEW}/subagents/agent-a1.jsonl`));
    expect([agent.cwd, agent.sessionId]).toEqual([TO, NEW]);
    expect(draft.paths).toEqual({ from: FROM, to: TO, rule: "existing", rewritten: 2, kept: 2 });
    // What the plan was made of is what is there, not what is read of it.
    const { size } = await home.fs.stat(home.artifact.path);
    expect(draft.basis[0]).toMatchObject({ mayGrow: true, entry: { path: home.artifact.path, size } });
  });

  it("has neither the branch of the old repository nor a system prompt that names it", async () => {
    const { draft, rows } = await cloned();
    expect(rows[0].gitBranch).toBe("HEAD");
    expect(JSON.stringify(rows)).not.toContain("prompt_snapshot");
    expect(rows[1].parentUuid).toBe("p");
    expect(draft.losses).toEqual([
      "repository and branch, because the new folder is not in a repository",
      "the recorded system prompt, because Claude Code makes one for the new folder",
    ]);
  });

  it("keeps all addresses, or rewrites all of them, when told to", async () => {
    const kept = await cloned({ paths: "keep" });
    expect(kept.rows[1].message.content[0].input.file_path).toBe(`${FROM}/there.ts`);
    expect([kept.rows[0].cwd, kept.draft.paths]).toMatchObject([TO, { rewritten: 0, kept: 4 }]);
    const all = await cloned({ paths: "rewrite" });
    expect(all.rows[2].toolUseResult.filePath).toBe(`${TO}/gone.ts`);
    expect(all.draft.paths).toMatchObject({ rewritten: 4, kept: 0 });
  });

  it("may be smaller, too, and of a session that says of no folder", async () => {
    const count = (text: string): number => Math.ceil(text.length / 4);
    const reduce = { reduction: { tools: "drop" as const }, count };
    const { said, rows } = await cloned({ reduce });
    expect([said, rows[0].cwd]).toEqual([["one", "Done."], TO]);
    const home = await homeOf((t) => {
      t.prompt("one", { cwd: undefined });
      t.answer("Answer.", { cwd: undefined });
    });
    const draft = await editor.clone(home.fs, home.artifact, { id: NEW, now, workspace: TO });
    const { lines } = await carriedOut(home, draft);
    expect(lines.slice(0, 2).map((line) => JSON.parse(line).cwd)).toEqual([TO, TO]);
  });
});
