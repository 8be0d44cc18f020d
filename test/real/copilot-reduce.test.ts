/** Smaller clones, judged by the real Copilot CLI: it resumes them, and its model receives what `context` tells. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CloneOf } from "../../src/app/edit/clone.ts";
import type { EditCore } from "../../src/app/edit/core.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { type Editing, openEditing } from "./copilot-editing.ts";
import { scripted } from "./scripted-model.ts";

const MADE = "aaaaaaaa-0000-4000-8000-00000000f001";
const LONG = "aaaaaaaa-0000-4000-8000-00000000f002";
let copilot: Copilot;
let edit: EditCore;
let contextOf: Editing["contextOf"];

/** One session that the program made itself, with a sub-agent, and a long one of some 80,000 tokens: beyond what it holds the program itself would leave out turns. */
beforeAll(async () => {
  copilot = await startCopilot();
  const file = join(copilot.workspace, "a.txt");
  const create = { name: "create", input: { path: file, file_text: "hello\n".repeat(300) } };
  const fail = { name: "bash", input: { command: "exit 3", description: "fail" } };
  await copilot.prompt(
    MADE,
    scripted("Make a file", { say: "First this.", calls: [create, fail] }, { say: "Made." }),
  );
  await copilot.prompt(
    MADE,
    scripted("Look at it", { calls: [{ name: "view", input: { path: file } }] }, { say: "Seen." }),
  );
  copilot.write(LONG, longLog());
  ({ edit, contextOf } = openEditing(copilot));
});
afterAll(() => copilot.close());

function longLog(): string {
  let number = 0;
  const uuid = (at: number): string => `bbbbbbbb-0000-4000-8000-${String(at).padStart(12, "0")}`;
  const line = (type: string, data: object): string => {
    const [id, parentId] = [uuid(++number), number === 1 ? null : uuid(number - 1)];
    return `${JSON.stringify({ type, data, id, timestamp: "2026-11-01T10:00:00.000Z", parentId })}\n`;
  };
  const start = { version: 1, producer: "copilot-agent", copilotVersion: "1.0.102" };
  const lines = [line("session.start", { sessionId: LONG, ...start, startTime: "2026-11-01T10:00:00.000Z" })];
  for (let turn = 0; turn < 40; turn++) {
    const toolCallId = `call_${turn}`;
    const name = turn % 5 === 0 ? "edit" : "bash";
    const input = { path: `src/${turn}.ts`, command: `make part-${turn}` };
    const output = Array.from({ length: 200 }, (_, row) => `part ${turn} row ${row} “done” ✓`).join("\n");
    const success = turn % 7 !== 3;
    lines.push(
      line("user.message", { content: `Request ${turn}: build part ${turn}` }),
      line("assistant.message", {
        messageId: uuid(900_000 + turn),
        content: `I decided on way ${turn}.`,
        reasoningText: "Let me think.",
        toolRequests: [{ toolCallId, name, arguments: input, type: "function" }],
      }),
      line("tool.execution_start", { toolCallId, toolName: name, arguments: input }),
      line("tool.execution_complete", {
        toolCallId,
        success,
        ...(success ? { result: { content: output } } : { error: { message: `part ${turn} broke` } }),
      }),
      line("assistant.message", { messageId: uuid(800_000 + turn), content: `Part ${turn} is built.` }),
    );
  }
  return lines.join("");
}

const nineTenths = async (): Promise<number> =>
  Math.floor(((await edit.planClone(LONG, {})).stats?.originalTokens ?? 0) * 0.9);

/** Stands for what is only known when the session is there. */
const NINE_TENTHS = -1;

describe("a smaller clone", () => {
  it.each<[string, CloneOf]>([
    [MADE, { tools: "drop" }],
    [MADE, { tools: { truncate: 100 }, dropThinking: true }],
    [MADE, { dropOldest: { count: 1 } }],
    [LONG, { budget: 10_000 }],
    [LONG, { budget: 50_000 }],
    [LONG, { budget: NINE_TENTHS }],
  ])("of %s with %o is resumed, and its model receives what `context` tells", async (id, request) => {
    const budget = request.budget === NINE_TENTHS ? await nineTenths() : request.budget;
    const wanted = { ...request, ...(budget !== undefined && { budget }) };
    const { plan } = await edit.apply(await edit.planClone(id, wanted));
    if (budget !== undefined) {
      const most = budget;
      expect(plan.stats?.clonedTokens).toBeLessThanOrEqual(most);
      expect(plan.stats?.clonedTokens).toBeGreaterThan(most / 2);
    }
    const expected = await contextOf(plan.session.id);
    const { code, messages, stderr } = await copilot.resume(plan.session.id);
    expect({ code, messages }, stderr).toEqual({ code: 0, messages: expected });
    if (request.tools === "drop") expect(JSON.stringify(messages)).not.toMatch(/toolCall/);
  });
});
