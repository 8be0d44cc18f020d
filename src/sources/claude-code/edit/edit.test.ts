/** What clones, forks, rewinds and new names leave in the files of Claude Code. */
import { expect, it } from "vitest";
import {
  carriedOut,
  homeOf,
  NEW,
  OLD,
  PROJECT,
  textAt,
  uuids,
} from "../../../../test/edit/claude-transcript.ts";
import type { Transcript } from "../../../../test/real/claude-rows.ts";
import { createPlannedFs } from "../../../edit/plan/planned-fs.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { editor } from "./index.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
const more = { sessionId: OLD, entrypoint: "sdk-cli" };

const threeTurns = (t: Transcript): void => {
  for (const turn of [0, 1, 2]) {
    t.prompt(`p${turn}`, { uuid: `p${turn}`, ...more, unknown: { kept: [1.5, "é"] } });
    t.answer(`a${turn}`, { uuid: `a${turn}`, ...more });
  }
};

it("clones row by row: only the id and the entrance differ, and notes about the original stay behind", async () => {
  const home = await homeOf((t) => {
    threeTurns(t);
    t.note({ type: "last-prompt", lastPrompt: "p2", leafUuid: "a2", sessionId: OLD });
    t.note({ type: "permission-mode", mode: "plan", sessionId: OLD });
    t.note({ type: "from-the-future", sessionId: OLD, more: 1 });
    t.note({ type: "custom-title", customTitle: "Old", sessionId: OLD });
  });
  const draft = await editor.clone(home.fs, home.artifact, { id: NEW, now, name: "Mine" });
  const { lines } = await carriedOut(home, draft);
  const renamed = home.lines.map((line) => line.replace(OLD, NEW).replace("sdk-cli", "cli"));
  expect(lines).toEqual([
    ...renamed.slice(0, 6),
    ...renamed.slice(7, 9),
    `{"type":"custom-title","customTitle":"Mine","sessionId":"${NEW}"}`,
  ]);
});

it("leaves branches that were left, and rows written twice, behind", async () => {
  const home = await homeOf((t) => {
    t.prompt("p0", { uuid: "p0" });
    t.answer("old words", { uuid: "a0" });
    t.prompt("dead", { uuid: "dead" });
    t.goTo("p0");
    t.answer("new words", { uuid: "a0" });
    t.prompt("p1", { uuid: "p1" });
  });
  const { lines, said } = await carriedOut(
    home,
    await editor.clone(home.fs, home.artifact, { id: NEW, now }),
  );
  expect(uuids(lines)).toEqual(["p0", "a0", "p1"]);
  expect(said).toEqual(["p0", "new words", "p1", "No response requested."]);
});

it("takes what lies beside the transcript along, and names the copy's own files", async () => {
  const own = `${PROJECT}/${OLD}`;
  const output = `${own}/tool-results/big.txt`;
  const home = await homeOf(
    (t) => {
      t.prompt("p0");
      t.call("c0");
      t.result("c0", {
        message: {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c0", content: `Full output saved to: ${output}\nhead` },
          ],
        },
        toolUseResult: { persistedOutputPath: output },
      });
      t.note({ type: "file-history-snapshot", messageId: "row-1", snapshot: {} });
      t.note({ type: "file-history-snapshot", messageId: "gone", snapshot: {} });
    },
    {
      [output]: "all of it",
      [`${own}/custom-title.json`]: '{"customTitle":"Old"}',
      [`${own}/subagents/agent-1.jsonl`]: `{"uuid":"x","sessionId":"${OLD}"}\nno json\n`,
      [`/c/file-history/${OLD}/abc@v1`]: "before",
    },
  );
  const draft = await editor.clone(home.fs, home.artifact, { id: NEW, now });
  const { planned, lines } = await carriedOut(home, draft);
  const copied = `${PROJECT}/${NEW}/tool-results/big.txt`;
  expect(await textAt(planned, copied)).toBe("all of it");
  expect(JSON.parse(lines[2] ?? "")).toMatchObject({
    message: { content: [{ content: `Full output saved to: ${copied}\nhead` }] },
    toolUseResult: { persistedOutputPath: copied },
  });
  expect(lines.filter((line) => line.includes("file-history"))).toHaveLength(1);
  expect(await textAt(planned, `${PROJECT}/${NEW}/subagents/agent-1.jsonl`)).toBe(
    `{"uuid":"x","sessionId":"${NEW}"}\nno json\n`,
  );
  expect(await textAt(planned, `/c/file-history/${NEW}/abc@v1`)).toBe("before");
  expect(await planned.exists(`${PROJECT}/${NEW}/custom-title.json`)).toBe(false);
});

it("forks as /branch does: every row names the one that it is a copy of", async () => {
  const home = await homeOf(threeTurns);
  const draft = await editor.fork(home.fs, home.artifact, { id: NEW, recordId: "", now, at: 1 });
  const { lines } = await carriedOut(home, draft);
  const rows = lines.map((line) => JSON.parse(line));
  expect(rows.slice(0, 4).map(({ uuid, forkedFrom }) => [uuid, forkedFrom])).toEqual(
    ["p0", "a0", "p1", "a1"].map((uuid) => [uuid, { sessionId: OLD, messageUuid: uuid }]),
  );
  expect([rows.length, rows[4].customTitle, draft.name]).toEqual([5, "p0 (fork)", "p0 (fork)"]);
  await expect(
    editor.fork(home.fs, home.artifact, { id: NEW, recordId: "", now, at: 3 }),
  ).rejects.toMatchObject({ code: "turn-not-found" });
});

it("rewinds by one more line, and to before a compaction by taking rows out", async () => {
  const plain = await homeOf(threeTurns);
  const rewound = await editor.rewind(plain.fs, plain.artifact, { to: 0, now, id: NEW });
  expect((await carriedOut(plain, rewound)).lines).toEqual([
    ...plain.lines,
    `{"type":"last-prompt","leafUuid":"a0","explicit":true,"sessionId":"${OLD}"}`,
  ]);
  expect(rewound).toMatchObject({
    losses: ['turns 1 to 2, from "p1" on'],
    removed: { events: 4, from: "p1" },
  });
  expect((await editor.rewind(plain.fs, plain.artifact, { to: 2, now, id: NEW })).steps).toEqual([]);

  const compacted = await homeOf((t) => {
    threeTurns(t);
    t.compact(["a2"]);
    t.note({ type: "permission-mode", mode: "plan" });
    t.prompt("p3");
  });
  const before = await editor.rewind(compacted.fs, compacted.artifact, { to: 1, now, id: NEW });
  const { lines, said } = await carriedOut(compacted, before);
  expect(lines.slice(0, 5)).toEqual([...compacted.lines.slice(0, 4), compacted.lines[8]]);
  expect(said).toEqual(["p0", "a0", "p1", "a1"]);
});

it("rewinds to before what was typed while a tool ran, which hangs on the result of that", async () => {
  const home = await homeOf((t) => {
    t.prompt("p0", { uuid: "p0" });
    t.call("c0", { uuid: "c0" });
    t.result("c0", { uuid: "r0" });
    t.row({
      ...{ uuid: "typed", type: "attachment" },
      attachment: { type: "queued_command", prompt: "And hurry", commandMode: "prompt" },
    });
    t.answer("a0", { uuid: "a0" });
  });
  const draft = await editor.rewind(home.fs, home.artifact, { to: 0, now, id: NEW });
  const { lines, said } = await carriedOut(home, draft);
  expect(uuids(lines.slice(0, -1))).toEqual(["p0", "c0", "r0"]);
  expect(said.join()).not.toContain("hurry");
});

it("rewinds to right behind a compaction with what that preserved, whatever compactions follow", async () => {
  const home = await homeOf((t) => {
    threeTurns(t);
    t.compact(["p2", "a2"]);
    t.prompt("p3", { uuid: "p3" });
    t.compact(["p3"], "second ");
    t.prompt("p4");
  });
  const draft = await editor.rewind(home.fs, home.artifact, { to: 2, now, id: NEW });
  const { said } = await carriedOut(home, draft);
  expect(said).toEqual(["Summary: all of it.\n", "p2", "a2"]);
});

it("copies a conversation that went on behind what a compaction preserved with the compaction", async () => {
  const home = await homeOf((t) => {
    threeTurns(t);
    t.compact(["p1", "a1", "p2", "a2"]);
    t.goTo("a1");
    t.prompt("p3", { uuid: "p3" });
    t.answer("a3");
  });
  const cloned = await carriedOut(home, await editor.clone(home.fs, home.artifact, { id: NEW, now }));
  expect(cloned.said).toEqual(["Summary: all of it.\n", "p1", "a1", "p3", "a3"]);
  const rewound = await carriedOut(
    home,
    await editor.rewind(home.fs, home.artifact, { to: 1, now, id: NEW }),
  );
  expect(rewound.said).toEqual(["Summary: all of it.\n", "p1", "a1"]);
});

it("takes only the turns that go out of a transcript, not what was left of it before, nor what is damaged", async () => {
  const home = await homeOf((t) => {
    threeTurns(t);
    t.goTo("a0");
    t.prompt("another way", { uuid: "left" });
    t.prompt("aside", { uuid: "aside", isSidechain: true });
    t.lines.push('{"torn":');
    t.goTo("a2");
    t.compact(["a2"]);
    t.prompt("p3");
  });
  const draft = await editor.rewind(home.fs, home.artifact, { to: 1, now, id: NEW });
  const { lines, said } = await carriedOut(home, draft);
  expect(lines.slice(0, -1)).toEqual([...home.lines.slice(0, 4), ...home.lines.slice(6, 9)]);
  expect(said).toEqual(["p0", "a0", "p1", "a1"]);
});

it.each([
  ["a row that it preserved", (t: Transcript) => void t.compact(["gone", "a2"])],
  [
    "its summary",
    (t: Transcript) => {
      t.compact(["a2"]);
      t.lines.pop();
    },
  ],
])("rewinds nothing where a compaction has lost %s, and names the repair", async (_, compact) => {
  const home = await homeOf((t) => {
    threeTurns(t);
    compact(t);
    t.prompt("p3", { timestamp: "2026-10-01T10:10:00.000Z" });
  });
  await expect(editor.rewind(home.fs, home.artifact, { to: 1, now, id: NEW })).rejects.toMatchObject({
    ...{ code: "unreadable", advice: { remedy: { action: "rescue" } } },
  });
});

it("links rows across those that are left out, and lists what a compaction preserved and is still there", async () => {
  const home = await homeOf((t) => {
    t.prompt("p0", { uuid: "p0" });
    const first = t.call("c0", { uuid: "c0", reply: "r" });
    t.call("c1", { uuid: "c1", reply: "r" });
    t.result("c1", { uuid: "r1" });
    t.goTo(first);
    t.result("c0", { uuid: "r0" });
    t.answer("a0", { uuid: "a0" });
    t.compact(["c0", "r0", "a0"]);
    t.prompt("p1", { uuid: "p1" });
    t.answer("a1", { uuid: "a1" });
  });
  const reduce = { reduction: { tools: "drop" as const }, count: (text: string) => text.length };
  const { lines, said } = await carriedOut(
    home,
    await editor.clone(home.fs, home.artifact, { id: NEW, now, reduce }),
  );
  const rows = lines.map((line) => JSON.parse(line));
  expect(rows.map(({ uuid, parentUuid }) => [uuid, parentUuid])).toEqual([
    ["p0", null],
    ["a0", "p0"],
    ["boundary", null],
    ["summary", "boundary"],
    ["p1", "summary"],
    ["a1", "p1"],
  ]);
  expect(rows[2]).toMatchObject({
    logicalParentUuid: "a0",
    compactMetadata: { preservedMessages: { anchorUuid: "summary", uuids: ["a0"] } },
  });
  expect(said).toEqual(["Summary: all of it.", "a0", "p1", "a1"]);
});

it("says how many turns it left out, in a row that begins no turn", async () => {
  const home = await homeOf(threeTurns);
  const reduce = { reduction: { dropOldest: { count: 2 } }, count: (text: string) => text.length };
  const draft = await editor.clone(home.fs, home.artifact, { id: NEW, now, reduce });
  const { lines, said } = await carriedOut(home, draft);
  expect(said[0]).toContain(`2 of the 3 turns of this session were left out`);
  expect(said[0]).toContain(`rethread show claude-code:${OLD}`);
  expect(uuids(lines).slice(1)).toEqual(["p2", "a2"]);
  expect(JSON.parse(lines[1] ?? "").parentUuid).toBe(JSON.parse(lines[0] ?? "").uuid);
  expect(draft.ledger?.turns).toEqual({ kept: 1, cut: 0, dropped: 2 });
});

it("keeps the bytes of calls and results that are not longer than the limit", async () => {
  const short = '{"type":"tool_use","id":"c0","name":"Bash","input":{"n":12345678901234567890,"f":1.0}}';
  const home = await homeOf((t) => {
    t.prompt("p0", { uuid: "p0" });
    t.answer([JSON.parse(short)], { uuid: "a0" });
    t.lines.push((t.lines.pop() ?? "").replace(JSON.stringify(JSON.parse(short)), short));
    t.result("c0", { uuid: "r0" });
  });
  const reduce = { reduction: { tools: { truncate: 100 } }, count: (text: string) => text.length };
  const draft = await editor.clone(home.fs, home.artifact, { id: NEW, now, reduce });
  expect((await carriedOut(home, draft)).lines.slice(0, 3)).toEqual(home.lines);
  expect(home.lines[1]).toContain("12345678901234567890");
});

it("keeps the bytes of all else in rows of which something is cut", async () => {
  const long = "x".repeat(2000);
  const odd = String.raw`"n":12345678901234567890,"f":1.0,"e":1e3,"t":"\u0041\/","f":2.0,"o":{ "a" : [1.50 ] }`;
  const row = (kind: string, uuid: string, parent: string, block: string, more = ""): string =>
    `{"type":"${kind}","uuid":"${uuid}","parentUuid":"${parent}",${odd},"timestamp":"2026-11-01T10:00:00.000Z","sessionId":"${OLD}","message":{"role":"${kind}",${odd},"content":[${block}]}${more}}`;
  const call = (id: string, words: string): string =>
    `{"type":"tool_use","id":"${id}","name":"Bash",${odd},"input":{"command":"${words}",${odd}}}`;
  const result = (words: string): string =>
    `{"type":"tool_result","tool_use_id":"c0",${odd},"content":[{"type":"text","text":"${words}",${odd}}]}`;
  const told = (words: string): string => `,"toolUseResult":{${odd},"stdout":"${words}"}`;
  const home = await homeOf((t) => {
    t.prompt("p0", { uuid: "p0" });
    t.lines.push(row("assistant", "a0", "p0", `${call("c0", long)}, ${call("c1", "ls")}`));
    t.lines.push(row("user", "r0", "a0", result(long), told(long)));
  });
  const reduce = { reduction: { tools: { truncate: 300 } }, count: (text: string) => text.length };
  const draft = await editor.clone(home.fs, home.artifact, { id: NEW, now, reduce });
  const { lines } = await carriedOut(home, draft);
  const short = /x{20,}\\n\[… .+? …\]\\nx{20,}/g;
  expect(lines.slice(1, 3).map((line) => line.replaceAll(short, long).replace(NEW, OLD))).toEqual(
    home.lines.slice(1),
  );
  expect(lines.slice(1, 3).map((line) => line.match(short)?.length)).toEqual([1, 2]);
});

it("forgets the thoughts of a reply whose call goes, and keeps those of others", async () => {
  const home = await homeOf((t) => {
    t.prompt("p0", { uuid: "p0" });
    for (const [reply, call] of [
      ["r0", "c0"],
      ["r1", "c1"],
    ] as const) {
      t.answer([{ type: "thinking", thinking: `thought ${call}`, signature: "s" }], {
        reply,
        uuid: `t-${call}`,
      });
      t.call(call, { reply, uuid: call });
      t.result(call, { uuid: `of-${call}` });
    }
    t.answer("done", { uuid: "a0" });
  });
  const reduce = { reduction: { tools: { oldest: 50 } }, count: (text: string) => text.length };
  const { lines } = await carriedOut(
    home,
    await editor.clone(home.fs, home.artifact, { id: NEW, now, reduce }),
  );
  expect(uuids(lines)).toEqual(["p0", "t-c1", "c1", "of-c1", "a0"]);
});

it("keeps thoughts that have no words beside them where nothing of their reply is cut", async () => {
  const home = await homeOf((t) => {
    t.prompt("p0", { uuid: "p0" });
    t.answer([{ type: "thinking", thinking: "first", signature: "s" }], { reply: "r0", uuid: "t0" });
    t.answer("done", { reply: "r1", uuid: "a0" });
  });
  const reduce = { reduction: { budget: 60_000 }, count: (text: string) => text.length };
  const draft = await editor.clone(home.fs, home.artifact, { id: NEW, now, reduce });
  expect(uuids((await carriedOut(home, draft)).lines)).toEqual(["p0", "t0", "a0"]);
});

it("renames by a line at the end and a file beside it, whatever the last line is like", async () => {
  const home = await homeOf(threeTurns);
  const torn = createMemoryFs({ [home.artifact.path]: "{}" });
  const draft = await editor.rename(torn, home.artifact, { name: "Neu", now });
  const planned = createPlannedFs(torn, draft.steps);
  expect(await textAt(planned, home.artifact.path)).toBe(
    `{}\n{"type":"custom-title","customTitle":"Neu","sessionId":"${OLD}"}\n`,
  );
  expect(await textAt(planned, `${PROJECT}/${OLD}/custom-title.json`)).toBe('{"customTitle":"Neu"}');
});

it("does not rename where something else than a file is in the place of the title", async () => {
  const home = await homeOf(threeTurns);
  await home.fs.mkdir(`${PROJECT}/${OLD}/custom-title.json`);
  await expect(editor.rename(home.fs, home.artifact, { name: "Neu", now })).rejects.toMatchObject({
    code: "not-supported",
  });
});

it("deletes all that is named after the session, and nothing of others", async () => {
  const other = "33333333-3333-4333-8333-333333333333";
  const home = await homeOf(threeTurns, {
    [`${PROJECT}/${OLD}/subagents/agent-1.jsonl`]: "{}",
    [`/c/file-history/${OLD}/abc@v1`]: "x",
    [`/c/tasks/${OLD}/1.json`]: "{}",
    [`/c/tasks/${other}/1.json`]: "{}",
    [`${PROJECT}/agent-2.jsonl`]: `{"sessionId":"${OLD}"}\n`,
    [`${PROJECT}/agent-3.jsonl`]: `{"sessionId":"${other}"}\n`,
  });
  const { steps } = await editor.remove(home.fs, home.artifact, { now });
  expect(steps.map(({ path }) => path).sort()).toEqual(
    [
      home.artifact.path,
      `${PROJECT}/${OLD}`,
      `${PROJECT}/agent-2.jsonl`,
      `/c/file-history/${OLD}`,
      `/c/tasks/${OLD}`,
    ].sort(),
  );
});

it.each([
  ["..", ".jsonl"],
  [".", ".jsonl"],
  ["memory", ".jsonl"],
  [OLD, ".JSONL"],
])("takes nothing of others for the own folder of a transcript that is called %s%s", async (id, ending) => {
  const path = `${PROJECT}/${id}${ending}`;
  const home = await homeOf(threeTurns);
  const files = {
    [path]: home.lines.join("\n"),
    [`${PROJECT}/memory/notes.md`]: "of all sessions",
    [`${PROJECT}/${NEW}.jsonl`]: "another session",
    "/c/.credentials.json": "{}",
    [`/c/file-history/${NEW}/a@v1`]: "of another session",
  };
  const fs = createMemoryFs(files);
  const artifact = { ...home.artifact, id, path };
  const deleted = await editor.remove(fs, artifact, { now });
  expect(deleted.steps).toEqual([{ does: "remove", path }]);
  const cloned = await editor.clone(fs, artifact, { id: NEW.replace(/^./, "f"), now });
  expect(cloned.basis.map(({ entry }) => entry.path)).toEqual([path]);
});

it("refuses the log of a sub-agent, and a session without a turn", async () => {
  const home = await homeOf((t) => void t.answer("alone"));
  await expect(editor.clone(home.fs, home.artifact, { id: NEW, now })).rejects.toMatchObject({
    code: "unreadable",
  });
  const agent = { ...home.artifact, id: "agent-1" };
  await expect(editor.rename(home.fs, agent, { name: "x", now })).rejects.toMatchObject({
    code: "not-supported",
  });
});
