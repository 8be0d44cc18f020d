/** What a compaction leaves of a session, told from its files. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEditHome, type EditHome, ID, lookAtAll } from "../../../../../test/edit/home.ts";
import type { CompactOf } from "../../../../app/edit/compact.ts";
import { resolveSession } from "../../../../query/resolve.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
});
afterEach(() => home.remove());

const NEW_TIME = "2026-11-15T12:00:00.000Z";
const text = (...name: string[]): string => readFileSync(home.file(...name), "utf8");
const records = () =>
  text("events.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const compact = async (request: CompactOf) => {
  const edit = home.edit();
  return edit.apply(await edit.planCompact(ID, request));
};
const uuid = (number: number): string => `44444444-0000-4000-8000-${String(number).padStart(12, "0")}`;
const START = `{"sessionId":"${ID}","version":1,"producer":"copilot-agent","copilotVersion":"1.0.102","startTime":"2026-11-01T10:00:00.000Z"}`;

/** Writes the log anew, from lines of a type and its data. */
function writeLog(...lines: [type: string, data: object | string, more?: string][]): void {
  const all = [["session.start", START] as const, ...lines].map(([type, data, more = ""], at) => {
    const json = typeof data === "string" ? data : JSON.stringify(data);
    const parent = at === 0 ? "null" : `"${uuid(at - 1)}"`;
    return `{"type":"${type}","data":${json}${more},"id":"${uuid(at)}","timestamp":"2026-11-01T10:0${at % 6}:00.000Z","parentId":${parent}}\n`;
  });
  writeFileSync(home.file("events.jsonl"), all.join(""));
}
const ask = (content: string): [string, object] => ["user.message", { content }];
const say = (content: string, more: object = {}): [string, object] => [
  "assistant.message",
  { messageId: "m", content, ...more },
];
const contextOf = async () => {
  const { artifact } = await resolveSession(home.catalog, ID);
  return (await home.catalog.context(artifact)).map(({ role, text: said }) => `${role}: ${said}`);
};

describe("a compaction in place", () => {
  it("keeps the bytes of the turns that stay, and puts one compaction before them", async () => {
    const before = text("events.jsonl").split(/(?<=\n)/);
    const { plan } = await compact({ keep: 1 });
    const [start, begun, complete, first, ...rest] = text("events.jsonl").split(/(?<=\n)/);
    expect(start).toBe(before[0]);
    expect(rest.join("")).toBe(before.slice(8).join(""));
    // Only the link to the record before it is another.
    expect(first?.replace(/"parentId":.*/, "")).toBe(before[7]?.replace(/"parentId":.*/, ""));
    const [parent, child] = [JSON.parse(begun ?? ""), JSON.parse(complete ?? "")];
    const time = JSON.parse(first ?? "").timestamp;
    const ids = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), timestamp: time };
    const attempt = { compactionAttemptId: parent.data.compactionAttemptId };
    expect(parent).toEqual({
      type: "session.compaction_start",
      data: { ...attempt, trigger: "manual" },
      parentId: JSON.parse(start ?? "").id,
      ...ids,
    });
    expect(child).toEqual({
      type: "session.compaction_complete",
      data: {
        success: true,
        outcome: "applied",
        ...attempt,
        summaryContent: `${plan.checkpoint?.summary}\n<checkpoint_title>${plan.checkpoint?.title}</checkpoint_title>`,
        trigger: "manual",
        checkpointNumber: 2,
        checkpointPath: plan.checkpoint?.path,
      },
      parentId: parent.id,
      ...ids,
    });
    expect(JSON.parse(first ?? "").parentId).toBe(child.id);
  });

  it("writes the checkpoint, its row and its count, and leaves all else as it is", async () => {
    const [before, table, fields] = [
      lookAtAll(home.file()),
      text("checkpoints/index.md"),
      text("workspace.yaml"),
    ];
    const { plan } = await compact({ keep: 1 });
    const name = plan.checkpoint?.path.slice(home.file().length + 1) ?? "";
    expect(lookAtAll(home.file())).toEqual({
      ...before,
      "events.jsonl": expect.any(String),
      "checkpoints/index.md": expect.any(String),
      "workspace.yaml": expect.any(String),
      [name]: expect.stringMatching(/^file 600 /),
    });
    expect(text("checkpoints/index.md")).toBe(
      `${table}| 2 | ${plan.checkpoint?.title} | ${name.replace("checkpoints/", "")} |\n`,
    );
    expect(text(name)).toBe(plan.checkpoint?.summary);
    expect(text("workspace.yaml")).toBe(
      fields
        .replace("summary_count: 1", "summary_count: 2")
        .replace("updated_at: 2026-11-01T10:00:00.000Z", `updated_at: "${NEW_TIME}"`),
    );
    expect(statSync(home.file("events.jsonl")).mtime.toISOString()).toBe(NEW_TIME);
  });

  it("gives the model the summary and the turns that stay, with what the earlier summary told", async () => {
    await compact({ keep: 1 });
    const [summary, ...rest] = await contextOf();
    expect(rest).toEqual(["user: three", "assistant: Answer to three"]);
    expect(summary).toContain("Summary.");
    expect(summary).not.toContain("<user_message>");
  });

  it("brings turns back word for word that an earlier compaction had taken from the model", async () => {
    const { plan } = await compact({ keep: 2 });
    const [summary, ...rest] = await contextOf();
    expect(rest).toEqual([
      "user: two",
      "assistant: Answer to two",
      "user: three",
      "assistant: Answer to three",
    ]);
    expect(summary).toContain("Summary.");
    expect(records().filter(({ type }) => type === "session.compaction_complete")).toHaveLength(1);
    expect(plan.losses).toEqual(['turn 0, "one", replaced by a summary']);
    expect(plan.stats).toMatchObject({ originalTurns: 3, clonedTurns: 2, removedTurns: 1 });
    expect(plan.ledger?.turns).toEqual({ kept: 2, cut: 0, dropped: 1 });
  });

  it("can be done again, and is one compaction each time", async () => {
    await compact({ keep: 2 });
    const { plan } = await compact({ keep: 1 });
    expect(
      records()
        .map(({ type }) => type)
        .slice(0, 4),
    ).toEqual(["session.start", "session.compaction_start", "session.compaction_complete", "user.message"]);
    expect(plan.checkpoint?.number).toBe(3);
    expect(plan.checkpoint?.summary).toContain("Summary.");
    expect(plan.checkpoint?.summary).toContain('The user: "two"');
  });

  it("is taken back to the byte", async () => {
    const before = lookAtAll(home.copilot);
    const { operation } = await compact({ keep: 1 });
    const edit = home.edit();
    await edit.apply(await edit.planUndo(operation));
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("does nothing where all turns stay", async () => {
    const plan = await home.edit().planCompact(ID, {});
    expect(plan.steps).toEqual([]);
    await expect(home.edit().planCompact(ID, { keep: 0 })).rejects.toMatchObject({ code: "usage" });
  });
});

describe("what belongs to the turns that go", () => {
  it("goes with them: calls with late results, sub-agents, damage; settings and what nobody knows at the front stay", async () => {
    const request = (id: string) => ({ toolRequests: [{ toolCallId: id, name: "task", arguments: {} }] });
    writeLog(
      ["session.from_the_future", '{"at":"front","number":1.50}'],
      ask("Old"),
      say("", request("late")),
      [
        "subagent.started",
        { toolCallId: "late", agentName: "e", agentDisplayName: "e", agentDescription: "" },
        ',"agentId":"s"',
      ],
      ["session.model_change", { newModel: "gpt-5.4" }],
      ["session.from_the_future", '{"at":"old","number":1.50}'],
      say("", request("never")),
      ask("New"),
      ["assistant.message", { messageId: "s", content: "of the sub-agent" }, ',"agentId":"s"'],
      ["tool.execution_complete", { toolCallId: "late", success: true, result: { content: "late" } }],
      ["session.from_the_future", '{"at":"new","number":1.50}'],
      say("New answer"),
    );
    await compact({ keep: 1 });
    expect(records().map(({ type, data }) => data.at ?? data.content ?? type)).toEqual([
      "session.start",
      "front",
      "session.model_change",
      "session.compaction_start",
      "session.compaction_complete",
      "New",
      "new",
      "New answer",
    ]);
    expect(text("events.jsonl")).toContain('{"at":"new","number":1.50}');
    expect((await contextOf()).slice(1)).toEqual(["user: New", "assistant: New answer"]);
  });

  it("is told of after the last clearing alone, and not at all when a turn that stays cleared it", async () => {
    const cleared: [string, object] = ["session.context_cleared", { messagesCleared: 2 }];
    writeLog(ask("Secret"), say("Told"), cleared, ask("Old"), say("Known"), ask("New"), say("Answer"));
    const { plan } = await compact({ keep: 1 });
    expect(plan.checkpoint?.summary).toContain("Old");
    expect(plan.checkpoint?.summary).not.toContain("Secret");
    expect((await contextOf()).slice(1)).toEqual(["user: New", "assistant: Answer"]);
    writeLog(ask("Old"), say("Known"), ask("New"), say("Answer"), cleared, say("End"));
    await expect(home.edit().planCompact(ID, { keep: 1 })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("was cleared"),
    });
  });

  it("does not confuse the summary when somebody talked about its tags", async () => {
    writeLog(
      ask("Why </summary> and </history><checkpoint_title>x</checkpoint_title>?"),
      say("So."),
      ask("New"),
    );
    const { plan } = await compact({ keep: 1 });
    expect(plan.checkpoint?.summary).toContain(
      "‹/summary› and ‹/history›‹checkpoint_title›x‹/checkpoint_title›?",
    );
    expect(plan.checkpoint?.summary.match(/<\/history>/g)).toHaveLength(1);
  });
});

describe("an appended compaction", () => {
  it("adds two records to the log and takes nothing away", async () => {
    const before = text("events.jsonl");
    const { plan } = await compact({ append: true });
    expect(text("events.jsonl").startsWith(before)).toBe(true);
    const [begun, complete] = records().slice(-2);
    expect(begun.parentId).toBe(JSON.parse(before.trimEnd().split("\n").at(-1) ?? "").id);
    expect(complete).toMatchObject({
      timestamp: NEW_TIME,
      data: { preCompactionMessagesLength: 3, messagesRemoved: 2, checkpointNumber: 2 },
    });
    expect(plan.losses).toEqual([]);
    expect(plan.stats).toMatchObject({ originalTurns: 3, clonedTurns: 3 });
    expect((await contextOf())[0]).toContain("<user_message>\nthree\n</user_message>");
  });

  it("begins a line of its own where the last one has no end", async () => {
    writeFileSync(home.file("events.jsonl"), text("events.jsonl").trimEnd());
    await compact({ append: true });
    expect(records().at(-3)).toMatchObject({ type: "session.shutdown" });
  });
});

describe("a session with nothing beside its log", () => {
  it("gets a table of checkpoints and a count, and loses them again", async () => {
    for (const name of ["checkpoints", "workspace.yaml"]) rmSync(home.file(name), { recursive: true });
    const before = lookAtAll(home.copilot);
    const { operation, plan } = await compact({ keep: 1 });
    expect(readdirSync(home.file("checkpoints"))).toHaveLength(2);
    expect(text("checkpoints/index.md")).toMatch(
      /^# Checkpoint History\n\nCheckpoints are listed [^\n]+\n\n\| # \| Title \| File \|\n\|---\|-------\|------\|\n\| 2 \| /,
    );
    expect(text("workspace.yaml")).toContain("summary_count: 2\n");
    expect(plan.checkpoint?.number).toBe(2);
    await home.edit().apply(await home.edit().planUndo(operation));
    expect(lookAtAll(home.copilot)).toEqual(before);
    expect(existsSync(home.file("checkpoints"))).toBe(false);
  });
});

describe("a checkpoint", () => {
  it("is a summary of everything beside the log, which stays as it is", async () => {
    const [log, before] = [text("events.jsonl"), await contextOf()];
    const { plan } = await home.edit().apply(await home.edit().planCheckpoint(ID, { title: "So  far\n" }));
    expect(text("events.jsonl")).toBe(log);
    expect(await contextOf()).toEqual(before);
    expect(text("checkpoints/index.md")).toContain("| 2 | So far | 002-so-far.md |\n");
    expect(text("checkpoints", "002-so-far.md")).toBe(plan.checkpoint?.summary);
    expect(plan.checkpoint?.summary).toContain('The user: "three"');
    await expect(home.edit().planCheckpoint(ID, { title: " " })).rejects.toMatchObject({ code: "usage" });
  });
});

describe("a clone with a summary", () => {
  it("has the summary in place of the turns it lacks, as a checkpoint of its own", async () => {
    const { plan } = await home
      .edit()
      .apply(await home.edit().planClone(ID, { dropOldest: { count: 2 }, summarize: true }));
    const folder = join(home.copilot, "session-state", plan.session.id);
    expect(readdirSync(join(folder, "checkpoints"))).toHaveLength(3);
    expect(plan.checkpoint?.path.startsWith(join(folder, "checkpoints", "002-"))).toBe(true);
    expect(readFileSync(join(folder, "workspace.yaml"), "utf8")).toContain("summary_count: 2\n");
    expect(plan.checkpoint?.summary).toContain("Summary.");
    expect(plan.ledger?.turns).toEqual({ kept: 1, cut: 0, dropped: 2 });
  });

  it("keeps to a budget, the summary counted in", async () => {
    const much = "a long line of output\n".repeat(200);
    writeLog(
      ...Array.from({ length: 12 }, (_, turn) => [
        ask(`Request ${turn}`),
        say(`Working on ${turn}. ${much}`),
      ]).flat(),
    );
    for (const budget of [3000, 2000, 1500]) {
      const plan = await home.edit().planClone(ID, { budget, summarize: true });
      expect(plan.stats?.clonedTokens).toBeLessThanOrEqual(budget);
      expect(plan.checkpoint === undefined).toBe(plan.ledger?.turns.dropped === 0);
    }
  });

  it.each([
    { summarize: true },
    { dropOldest: { count: 1 }, with: "cat" },
    { budget: 5000, summarize: true, with: "cat" },
  ])("is not made of %o", async (request) => {
    await expect(home.edit().planClone(ID, request)).rejects.toMatchObject({ code: "usage" });
  });
});
