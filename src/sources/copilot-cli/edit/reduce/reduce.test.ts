/** Smaller clones: what is left of a log, to the byte where nothing was meant to change. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEditHome, type EditHome, ID } from "../../../../../test/edit/home.ts";
import type { CloneOf } from "../../../../app/edit/clone.ts";
import type { EditPlan } from "../../../../model/plan.ts";
import { localFs } from "../../../../platform/fs/local.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { resolveSession } from "../../../../query/resolve.ts";
import { clone as cloneDraft } from "../copy/clone.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
  writeFileSync(home.file("events.jsonl"), LOG);
});
afterEach(() => home.remove());

const uuid = (number: number): string => `33333333-0000-4000-8000-${String(number).padStart(12, "0")}`;
const NUMBERS = 'a "quoted" line\n'.repeat(400);
const START = `{"sessionId":"${ID}","version":1,"producer":"copilot-agent","copilotVersion":"1.0.102","startTime":"2026-11-01T10:00:00.000Z"}`;

/** Six turns. In the first a file is written, in the second a command fails and is mended, in the third a sub-agent works. */
const LOG = (() => {
  let number = 0;
  const line = (type: string, data: object | string, more = ""): string => {
    const id = ++number;
    const parent = id === 1 ? "null" : `"${uuid(id - 1)}"`;
    const json = typeof data === "string" ? data : JSON.stringify(data);
    return `{"type":"${type}","data":${json}${more},"id":"${uuid(id)}","timestamp":"2026-11-01T10:00:00.000Z","parentId":${parent}}\n`;
  };
  const ask = (content: string): string => line("user.message", { content });
  const say = (content: string, more = ""): string =>
    line("assistant.message", `{"messageId":"m","content":${JSON.stringify(content)}${more},"future":1.0}`);
  const call = (id: string, name: string, input: object, output: object, text = ""): string => {
    const request = { toolCallId: id, name, arguments: input, type: "function" };
    return (
      say(text, `,"toolRequests":[${JSON.stringify(request)}]`) +
      line("tool.execution_start", { toolCallId: id, toolName: name, arguments: input }) +
      line("tool.execution_complete", { toolCallId: id, ...output })
    );
  };
  const gave = (content: string) => ({ success: true, result: { content, detailedContent: content } });
  return [
    line("session.start", START),
    ask("First request"),
    call("c1", "create", { path: "a.ts", file_text: NUMBERS }, gave("Created"), "I write it."),
    say("Written.", ',"reasoningText":"Hm.","reasoningOpaque":"x"'),
    line("session.model_change", { newModel: "gpt-5.4" }),
    ask("Run it"),
    call("c2", "bash", { command: "make" }, { success: false, error: { message: "no rule" } }),
    call("c3", "bash", { command: "make all" }, gave("done")),
    say("It failed, and now it runs."),
    ask("Look around"),
    say("", ',"toolRequests":[{"toolCallId":"c4","name":"task","arguments":{"prompt":"look"}}]'),
    line(
      "subagent.started",
      { toolCallId: "c4", agentName: "e", agentDisplayName: "e", agentDescription: "" },
      ',"agentId":"s"',
    ),
    line("assistant.message", { messageId: "s1", content: "Sub-agent speaks" }, ',"agentId":"s"'),
    line("tool.execution_complete", { toolCallId: "c4", ...gave(NUMBERS) }),
    say("All seen."),
    ...[4, 5, 6].map(
      (turn) =>
        ask(`Request ${turn}`) +
        call(`d${turn}`, "view", { path: "a.ts" }, gave(NUMBERS)) +
        line("session.from_the_future", '{"number":1.50}') +
        say(`Answer ${turn}`),
    ),
  ].join("");
})();

const linesOf = (id: string): string[] =>
  readFileSync(join(home.copilot, "session-state", id, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
async function clone(request: CloneOf): Promise<{ plan: EditPlan; lines: string[] }> {
  const { plan } = await home.edit().apply(await home.edit().planClone(ID, request));
  return { plan, lines: linesOf(plan.session.id) };
}
async function contextOf(id: string) {
  const { artifact } = await resolveSession(home.catalog, id);
  return home.catalog.context(artifact);
}
const said = async (id: string) =>
  (await contextOf(id)).filter(({ role }) => role !== "tool").map(({ text }) => text);
/** The line without the link to the one before it. */
const unlinked = (line: string): string => line.replace(/"parentId":("[^"]*"|null)\}$/, "");

/** Every call has its result, every result its call, and every record a parent that is there. */
async function expectWhole({ plan, lines }: { plan: EditPlan; lines: readonly string[] }): Promise<void> {
  const records = lines.map((line) => JSON.parse(line));
  const made = records.flatMap(({ data }) => data.toolRequests ?? []).map(({ toolCallId }) => toolCallId);
  const done = records.filter(({ type }) => type === "tool.execution_complete");
  expect(done.map(({ data }) => data.toolCallId)).toEqual(made);
  const ids = new Set(records.map(({ id }) => id));
  expect(records.slice(1).filter(({ parentId }) => !ids.has(parentId))).toEqual([]);
  expect((await contextOf(plan.session.id)).filter(({ role, madeUp }) => role === "tool" && madeUp)).toEqual(
    [],
  );
}

describe("a clone without tools", () => {
  it("has every text, no call, no result, and nothing of what sub-agents did", async () => {
    const { plan, lines } = await clone({ tools: "drop" });
    const texts = (await said(ID)).filter((text) => text !== "");
    expect(await said(plan.session.id)).toEqual(texts);
    expect(lines.join("")).not.toMatch(/toolCallId|Sub-agent speaks/);
    expect(plan.ledger).toEqual({
      turns: { kept: 6, cut: 0, dropped: 0 },
      toolCalls: { kept: 0, cut: 0, dropped: 7 },
      texts: { kept: 13, cut: 0, dropped: 0 },
      thoughts: { kept: 1, cut: 0, dropped: 0 },
    });
    await expectWhole({ plan, lines });
  });

  it("keeps the bytes of every other line, and of all else in an answer that made calls", async () => {
    const { lines } = await clone({ tools: "drop" });
    const original = new Set(LOG.split("\n").map(unlinked));
    const changed = lines.slice(1).filter((line) => !original.has(unlinked(line)));
    expect(changed.map(unlinked)).toEqual([
      `{"type":"assistant.message","data":{"messageId":"m","content":"I write it.","future":1.0},"id":"${uuid(3)}","timestamp":"2026-11-01T10:00:00.000Z",`,
    ]);
    expect(lines.filter((line) => line.includes('{"number":1.50}'))).toHaveLength(3);
  });

  it("loses the oldest ones alone when that is asked for", async () => {
    const { plan, lines } = await clone({ tools: { oldest: 50 } });
    expect(plan.ledger?.toolCalls).toEqual({ kept: 4, cut: 0, dropped: 3 });
    expect(lines.join("")).toContain("Sub-agent speaks");
    await expectWhole({ plan, lines });
  });
});

it("cuts long inputs and outputs, and says how to get them back", async () => {
  const { plan, lines } = await clone({ tools: { truncate: 900 } });
  const cut = (turn: number): string =>
    `${NUMBERS.slice(0, 600)}\n[… 5500 characters left out; all of it: rethread show copilot-cli:${ID} --turn ${turn} --full …]\n${NUMBERS.slice(-300)}`;
  const messages = await contextOf(plan.session.id);
  expect(messages.findLast(({ role }) => role === "tool")?.text).toBe(cut(5));
  expect(messages[1]?.toolCalls?.[0]?.arguments).toEqual({ path: "a.ts", file_text: cut(0) });
  expect(plan.ledger?.toolCalls).toEqual({ kept: 2, cut: 5, dropped: 0 });
  await expectWhole({ plan, lines });
});

it("keeps the bytes of all else in a line of which something is cut", async () => {
  const odd = String.raw`"n":12345678901234567890,"f":1.0,"e":1e3,"t":"\u0041\/","f":2.0`;
  const request = (id: string): string => `{"toolCallId":"${id}","name":"create","arguments":{${odd},`;
  const log = LOG.replace(
    '{"toolCallId":"c1","name":"create","arguments":{',
    `${request("c0")}"path":"b"}},\t${request("c1")}`,
  );
  expect(log).not.toBe(LOG);
  writeFileSync(home.file("events.jsonl"), log);
  const { lines } = await clone({ tools: { truncate: 900 } });
  const short = lines.find((line) => line.includes(request("c1"))) ?? "";
  expect(short).toContain(`${request("c0")}"path":"b"}},\t${request("c1")}"path":"a.ts","file_text":"a `);
  expect(short).toContain("5500 characters left out");
});

it("is made of the repaired log, wherever the damaged lines stand", async () => {
  const [start = "", ...rest] = LOG.split(/(?<=\n)/);
  const tail = `"id":"${uuid(500)}","timestamp":"2026-11-01T10:00:00.000Z","parentId":"${uuid(5)}"}\n`;
  const damaged = [
    Buffer.from(`{"type":"session.info","data":{"infoType":"a","message":"\xff"},${tail}`, "latin1"),
    Buffer.from(`{"torn":"by {a crash},${tail}\0\0\n\n`),
  ];
  const log = [start, ...rest.slice(0, 5), ...damaged, ...rest.slice(5)].map((part) => Buffer.from(part));
  writeFileSync(home.file("events.jsonl"), Buffer.concat(log));
  const { plan, lines } = await clone({ tools: "drop" });
  expect(plan.repairs?.map(({ line }) => line)).toEqual(expect.arrayContaining([7, 8]));
  expect(lines.map((line) => JSON.parse(line).type)).not.toContain(undefined);
  expect(lines.length).toBeGreaterThan(10);
});

it("leaves out thoughts and nothing else", async () => {
  const { plan, lines } = await clone({ dropThinking: true });
  expect(lines.slice(1)).toEqual(
    LOG.replace(',"reasoningText":"Hm.","reasoningOpaque":"x"', "").trimEnd().split("\n").slice(1),
  );
  expect(plan.ledger?.thoughts).toEqual({ kept: 0, cut: 0, dropped: 1 });
});

describe("a clone without the oldest turns", () => {
  it("begins with a note and the next prompt, and keeps the settings that hold", async () => {
    const { plan, lines } = await clone({ dropOldest: { percent: 50 } });
    expect(plan.stats).toMatchObject({ originalTurns: 6, clonedTurns: 3, removedTurns: 3 });
    const [note, ...rest] = await contextOf(plan.session.id);
    expect(note).toMatchObject({
      role: "user",
      madeUp: true,
      text: `<system_notification>\n3 of the 6 turns of this session were left out of this copy. To read them: rethread show copilot-cli:${ID}\n</system_notification>`,
    });
    expect(rest).toMatchObject((await contextOf(ID)).slice(-12).map(({ origin: _, ...message }) => message));
    expect(lines.slice(0, 4).map((line) => JSON.parse(line).type)).toEqual([
      "session.start",
      "session.model_change",
      "system.notification",
      "user.message",
    ]);
    await expectWhole({ plan, lines });
    expect((await clone({ dropOldest: { count: 5 } })).plan.stats).toMatchObject({ clonedTurns: 1 });
  });

  it("is refused when no turn would be left", async () => {
    await expect(home.edit().planClone(ID, { dropOldest: { count: 6 } })).rejects.toMatchObject({
      code: "usage",
    });
    await expect(home.edit().planClone(ID, { dropOldest: { percent: 100 } })).rejects.toMatchObject({
      code: "usage",
    });
  });
});

describe("a clone within a budget", () => {
  it.each([6000, 3000, 1000, 500, 200])(
    "of %s costs no more, and has the first request and the last",
    async (budget) => {
      const made = await clone({ budget });
      expect(made.plan.stats?.clonedTokens).toBeLessThanOrEqual(budget);
      const texts = await said(made.plan.session.id);
      expect([texts[0], texts.at(-1)]).toEqual(["First request", "Answer 6"]);
      await expectWhole(made);
    },
  );

  it("cuts bulk before anything that matters", async () => {
    const { plan } = await clone({ budget: 8000 });
    expect(plan.ledger).toMatchObject({ turns: { dropped: 0 }, toolCalls: { kept: 5, cut: 2, dropped: 0 } });
    const tight = await clone({ budget: 1000 });
    const text = tight.lines.join("");
    expect(["no rule", "make all", '"path":"a.ts"'].filter((kept) => !text.includes(kept))).toEqual([]);
  });

  it.each([2000, 400])(
    "of %s is kept where a summary repeats old requests and the user's own commands gave much",
    async (budget) => {
      const line = (number: number, type: string, data: object): string =>
        `${JSON.stringify({ type, data, id: uuid(number), timestamp: "2026-11-01T10:00:00.000Z", parentId: uuid(number - 1) })}\n`;
      const [start = ""] = LOG.split(/(?<=\n)/);
      const old = Array.from({ length: 20 }, (_, at) =>
        line(100 + at, "user.message", { content: `Old request ${at}: ${"more words ".repeat(20)}` }),
      );
      const toolCallId = "own";
      const log = [
        start,
        ...old,
        line(200, "session.compaction_complete", { success: true, summaryContent: "So far. ".repeat(200) }),
        line(201, "user.message", { content: "Last request" }),
        line(202, "tool.user_requested", { toolCallId, toolName: "bash", arguments: { command: "ls" } }),
        line(203, "tool.execution_complete", {
          toolCallId,
          success: true,
          isUserRequested: true,
          result: { content: NUMBERS },
        }),
        line(204, "assistant.message", { messageId: "m", content: "Last answer" }),
      ];
      writeFileSync(home.file("events.jsonl"), log.join(""));
      const { plan } = await clone({ budget });
      expect(plan.stats?.clonedTokens).toBeLessThanOrEqual(budget);
      const texts = await said(plan.session.id);
      expect(texts[0]).toContain("<user_message>\nOld request 0: more");
      expect(texts[0]).toContain("So far. ");
      expect(texts.slice(1).filter((text) => text.startsWith("Last"))).toEqual([
        "Last request",
        "Last answer",
      ]);
    },
  );

  it("is the same clone each time", async () => {
    const [one, other] = [await clone({ budget: 1000 }), await clone({ budget: 1000 })];
    expect(one.lines.slice(1)).toEqual(other.lines.slice(1));
  });

  it("changes nothing when all of it fits", async () => {
    const { lines } = await clone({ budget: 1e6 });
    expect(lines.slice(1)).toEqual(LOG.trimEnd().split("\n").slice(1));
  });

  it("looks into the session once, however many drafts it takes", async () => {
    const { artifact } = await resolveSession(home.catalog, ID);
    /** How often the original was looked into beside its log, and which drafts were made. */
    const cost = async (budgets: readonly number[]) => {
      let looks = 0;
      const fs: SessionFs = {
        ...localFs,
        read(path, range) {
          if (path === home.file("workspace.yaml")) looks++;
          return localFs.read(path, range);
        },
      };
      const [first = 0, ...lower] = budgets;
      const { ledger } = await cloneDraft(fs, artifact, {
        id: uuid(99),
        now: new Date(),
        reduce: {
          reduction: { budget: first },
          count: (text) => text.length,
          nextBudget: async () => lower.shift(),
        },
      });
      return { looks, kept: ledger?.turns.kept };
    };
    const [large, small] = [await cost([1e6]), await cost([10])];
    expect(small.kept).toBeLessThan(large.kept ?? 0);
    expect(await cost([1e6, 1000, 10])).toEqual(small);
    expect(small.looks).toBeGreaterThan(0);
  });

  it("says what the least is when it cannot be met", async () => {
    const refusal = await home
      .edit()
      .planClone(ID, { budget: 5 })
      .catch((error) => error);
    expect(refusal).toMatchObject({
      code: "usage",
      message: expect.stringMatching(/needs at least \d+ tokens/),
    });
    const least = Number(/\d+/.exec(refusal.message)?.[0]);
    expect((await clone({ budget: least })).plan.stats?.clonedTokens).toBe(least);
  });
});
