/** Logs of sub-agents to which no call leads are sessions of their own; those of a call stay in its session. */
import { expect, it } from "vitest";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { collect, openCatalog } from "../catalog.ts";
import claudeCode from "./index.ts";

const PARENT = "6f1c2b7e-8a34-4d0b-9c55-0d2f6a1be901";
const PROJECT = "/c/projects/-srv-shop";
const inFolder = (name: string): string => `${PROJECT}/${PARENT}/subagents/${name}`;

let step = 0;
const uuid = (n: number): string => `c1a0de00-0000-4000-8000-${String(n).padStart(12, "0")}`;
const rows = (count: number, make: (at: number) => object): string =>
  Array.from({ length: count }, (_, at) => {
    const first = at === 0;
    return `${JSON.stringify({
      parentUuid: first ? null : uuid(step),
      uuid: uuid(++step),
      sessionId: PARENT,
      timestamp: new Date(Date.UTC(2026, 5, 1) + step * 1000).toISOString(),
      cwd: "/srv/shop",
      version: "1.0.83",
      ...make(at),
    })}\n`;
  }).join("");
const agentLog = (agentId: string, prompt: string): string =>
  rows(2, (at) => ({
    isSidechain: true,
    agentId,
    type: at === 0 ? "user" : "assistant",
    message:
      at === 0
        ? { role: "user", content: prompt }
        : { id: `msg_${step}`, role: "assistant", content: [{ type: "text", text: `On ${prompt}.` }] },
  }));
/** A transcript whose one call was answered by an agent, as old releases wrote it. */
const transcript = (agentId: string): string =>
  rows(3, (at) => {
    const use = { type: "tool_use", id: "toolu_1", name: "Task", input: { prompt: "look" } };
    const result = { type: "tool_result", tool_use_id: "toolu_1", content: "Looked." };
    if (at === 0) return { type: "user", message: { role: "user", content: "Ask somebody" } };
    return at === 1
      ? { type: "assistant", message: { id: "msg_p", role: "assistant", content: [use] } }
      : { type: "user", message: { role: "user", content: [result] }, toolUseResult: { agentId } };
  });

const files: Readonly<Record<string, string>> = {
  [`${PROJECT}/${PARENT}.jsonl`]: transcript("11aa"),
  [`${PROJECT}/agent-11aa.jsonl`]: agentLog("11aa", "the linked one"),
  [`${PROJECT}/agent-22bb.jsonl`]: agentLog("22bb", "the forgotten one"),
  [`${PROJECT}/agent-33cc.jsonl`]: "{}\n",
  [inFolder("agent-44dd.jsonl")]: agentLog("44dd", "the described one"),
  [inFolder("agent-44dd.meta.json")]: '{"toolUseId":"toolu_1"}',
  [inFolder("agent-55ee.jsonl")]: agentLog("55ee", "the undescribed one"),
};
const catalogOf = (fs: SessionFs) =>
  openCatalog([claudeCode], { platform: "linux", homeDir: "/", vars: { CLAUDE_CONFIG_DIR: "/c" } }, fs);
async function sessionsOf(home: Readonly<Record<string, string>>) {
  const catalog = catalogOf(createMemoryFs(home));
  const { artifacts } = await catalog.scan();
  return Promise.all(artifacts.map((artifact) => collect(catalog, artifact)));
}

it("lists those without a call beside their session, and says whose they are", async () => {
  const all = await sessionsOf(files);
  const heads = all.map(({ session }) => ({
    id: session.id,
    title: session.title,
    turns: session.turns,
    parent: session.parent,
    resume: session.resume,
  }));
  const parent = { id: PARENT, kind: "agent" };
  expect(heads.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    {
      id: PARENT,
      title: "Ask somebody",
      turns: 1,
      parent: undefined,
      resume: `claude --resume ${PARENT}`,
    },
    { id: "agent-22bb", title: "the forgotten one", turns: 1, parent, resume: undefined },
    { id: "agent-55ee", title: "the undescribed one", turns: 1, parent, resume: undefined },
  ]);
  const [lone] = all.filter(({ session }) => session.id === "agent-22bb");
  expect(lone?.events.map((event) => [event.kind, "text" in event && event.text, event.agent])).toEqual([
    ["prompt", "the forgotten one", undefined],
    ["text", "On the forgotten one.", undefined],
  ]);
});

it("lists all of them when the session itself is gone", async () => {
  const { [`${PROJECT}/${PARENT}.jsonl`]: _, ...left } = files;
  const ids = (await sessionsOf(left)).map(({ session }) => session.id);
  expect(ids.sort()).toEqual(["agent-11aa", "agent-22bb", "agent-44dd", "agent-55ee"]);
});

it("opens no log of which it is written beside it that a call leads to it", async () => {
  const fs = createMemoryFs({
    [`${PROJECT}/${PARENT}.jsonl`]: transcript("44dd"),
    [inFolder("agent-44dd.jsonl")]: agentLog("44dd", "x"),
    [inFolder("agent-44dd.meta.json")]: '{"toolUseId":"toolu_1"}',
  });
  const opened: string[] = [];
  const counting: SessionFs = {
    ...fs,
    read: (path, range) => {
      opened.push(path);
      return fs.read(path, range);
    },
    chunks: (path, range) => {
      opened.push(path);
      return fs.chunks(path, range);
    },
  };
  expect((await catalogOf(counting).scan()).artifacts).toHaveLength(1);
  expect(opened).toEqual([]);
});
