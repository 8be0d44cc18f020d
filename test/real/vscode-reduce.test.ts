/** Smaller sessions, judged by VS Code's own loader: it opens each whole, without a complaint, and could go on saving it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { Reduction } from "../../src/model/reduce/reduction.ts";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { reduceSession } from "../../src/sources/vscode/edit/reduce/reduce.ts";
import { promptText } from "../../src/sources/vscode/response/turn-events.ts";
import { madeUpSessions } from "../vscode-made-up.ts";
import { INDEX_KEY, isSound, judgeWorkspace } from "./vscode-judge.ts";
import { entry, type Json, lines } from "./vscode-templates.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-reduce-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const REDUCTIONS: Reduction[] = [
  { tools: "drop" },
  { tools: { oldest: 80 } },
  { tools: { truncate: 200 } },
  { dropThinking: true },
  { dropOldest: { percent: 50 } },
  { budget: 2000 },
  { budget: 300, tools: { truncate: 100 }, dropThinking: true },
];

it.each(REDUCTIONS)(
  "loads what %o leaves of forty sessions, with every prompt that is left",
  async (reduction) => {
    const folder = join(root, JSON.stringify(reduction).replace(/\W+/g, "-"));
    mkdirSync(join(folder, "chatSessions"), { recursive: true });
    const sessions = fc.sample(madeUpSessions, { numRuns: 40, seed: 7 }).map((made, index) => {
      const sessionId = `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, "0")}`;
      const { state } = reduceSession({ ...made, sessionId } as Json, {
        reduction,
        name: `vscode:${sessionId}`,
        count: (text) => Math.ceil(text.length / 4),
        renew: (id) => `${id}-again`,
      });
      const isLog = index % 2 === 0;
      const text = isLog ? lines({ kind: 0, v: state }) : JSON.stringify(state);
      writeFileSync(join(folder, "chatSessions", `${sessionId}.${isLog ? "jsonl" : "json"}`), text);
      return { sessionId, prompts: (state.requests as Json[]).map(({ message }) => promptText(message)) };
    });
    const entries = Object.fromEntries(sessions.map(({ sessionId }) => [sessionId, entry(sessionId)]));
    const index = JSON.stringify({ version: 1, entries });
    writeFileSync(join(folder, "state.vscdb"), toKeyValueDb("ItemTable", { [INDEX_KEY]: index }));
    const judged = (await judgeWorkspace(folder)).sessions;
    expect(judged.filter((session) => !isSound(session))).toEqual([]);
    expect(
      judged.map(({ id, turns }) => ({ sessionId: id, prompts: turns?.map(({ user }) => user) })),
    ).toEqual(sessions);
  },
);
