/** Sessions of each program, handed over to each other one: the real programs load them, and their models get all of it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEditCore, type EditCore } from "../../src/app/edit/core.ts";
import { createDemo } from "../../src/demo/create.ts";
import type { Call, Conversation } from "../../src/model/handoff/conversation.ts";
import { translate } from "../../src/model/handoff/translate.ts";
import { type EditPlan, entriesOf, type Piece } from "../../src/model/plan.ts";
import type { ContextMessage } from "../../src/model/session/context.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { programNames, readConversation } from "../../src/query/handoff.ts";
import { readHead } from "../../src/query/heads.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { FIXTURES } from "../contracts/fixtures.ts";
import { toConversation } from "../handoff/conversations.ts";
import { CORNERS } from "../handoff/corners.ts";
import { type Claude, type ClaudeHome, createHome, openClaude } from "./claude.ts";
import { toSent, withoutReminders } from "./claude-wire.ts";
import { type Codex, type CodexHome, createHome as createCodexHome, openCodex } from "./codex.ts";
import { CASES } from "./codex-cases.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { textOf, type WireItem } from "./responses.ts";
import { scripted } from "./scripted-model.ts";
import { printTable } from "./table.ts";
import { isSound, judgeWorkspace } from "./vscode-judge.ts";
import { saveAsVsCode } from "./vscode-saved.ts";

const IS_FULL = process.env.RETHREAD_FULL !== undefined;
const PROGRAMS = ["copilot-cli", "vscode", "claude-code", "codex"] as const;
type Program = (typeof PROGRAMS)[number];

const base = realpathSync(mkdtempSync(join(tmpdir(), "rethread-handoff-")));
let copilot: Copilot;
let claude: Claude;
let claudeHome: ClaudeHome;
let codex: Codex;
let codexHome: CodexHome;
const realHomes: CodexHome[] = [];
let catalog: Catalog;
let core: EditCore;
const origins = new Map<Program, { name: string; artifact: Artifact }[]>();

beforeAll(async () => {
  copilot = await startCopilot();
  claude = openClaude();
  claudeHome = createHome();
  codex = openCodex();
  codexHome = createCodexHome();
  const vscode = join(base, "vscode", "User");
  mkdirSync(join(vscode, "globalStorage"), { recursive: true });
  const vars = {
    COPILOT_HOME: copilot.home,
    CLAUDE_CONFIG_DIR: claudeHome.root,
    CODEX_HOME: codexHome.root,
    VSCODE_STORAGE_PATH: join(vscode, "workspaceStorage"),
  };
  const environment = { platform: process.platform, homeDir: base, vars };
  const now = () => new Date();
  catalog = openCatalog(SOURCES, environment, localFs);
  for (const program of PROGRAMS) origins.set(program, await settleOrigins(program, now()));
  core = createEditCore({
    catalog,
    home: join(base, "data"),
    now,
    folder: base,
    find: async (name) => ({ artifact: known(name), problems: [] }),
    refresh: async () => undefined,
  });
});
afterAll(async () => {
  core.close();
  await copilot.close();
  await claude.close();
  claudeHome.remove();
  codex.close();
  for (const home of [codexHome, ...realHomes]) home.remove();
  rmSync(base, { recursive: true, force: true });
});

/** By its path: sessions in homes of their own may share an id. */
const known = (path: string): Artifact => {
  const found = [...origins.values()].flat().find(({ artifact }) => artifact.path === path);
  if (!found) throw new Error(`no session ${path}`);
  return found.artifact;
};

/** Sessions of one program in a home of their own: hard cases, and in full also the demo and the fixtures. */
async function settleOrigins(program: Program, now: Date): Promise<{ name: string; artifact: Artifact }[]> {
  const handoff = await catalog.handoff(program);
  if (!handoff) throw new Error(`${program} takes no sessions`);
  const found: { name: string; artifact: Artifact }[] = [];
  for (const [index, [name, seed]] of Object.entries(CORNERS).entries()) {
    // VS Code keeps the chats of each folder apart.
    const folder = join(base, "origins", program, String(index));
    mkdirSync(folder, { recursive: true });
    const root = catalog.sources.find(({ source }) => source === program)?.roots[0] ?? "";
    const id = `${String(index).padStart(8, "0")}-${PROGRAMS.indexOf(program)}111-4222-8333-444444444444`;
    const conversation = toConversation(seed, program, handoff, folder);
    const request = { root, id, now, name: seed.title, workspace: folder, note: "Made up." };
    const { steps, session } = await handoff.draw(localFs, conversation, request);
    for (const entry of steps.flatMap(entriesOf)) {
      if (entry.kind === "folder") mkdirSync(entry.path, { recursive: true });
      if (entry.kind === "file") writeFileSync(entry.path, bytesOf(entry.pieces ?? []));
    }
    const { size, mtimeMs, ino } = await localFs.stat(session.path);
    const artifact = { source: program, id, root, path: session.path, fingerprint: { size, mtimeMs, ino } };
    found.push({ name, artifact });
  }
  return IS_FULL ? [...found, ...(await settleOthers(program, now))] : found;
}

async function settleOthers(program: Program, now: Date): Promise<{ name: string; artifact: Artifact }[]> {
  if (program === "codex") return settleReal();
  const demo = await createDemo({ fs: localFs, sources: SOURCES, home: join(base, "demo", program), now });
  const homes = [
    ...FIXTURES.filter((each) => each.source.id === program).map(({ home, name }) => ({ home, name })),
    {
      home: join(
        demo.folder,
        { "copilot-cli": "copilot", vscode: "vscode/User", "claude-code": "claude" }[program],
      ),
      name: "demo",
    },
  ];
  const found: { name: string; artifact: Artifact }[] = [];
  for (const [index, { home, name }] of homes.entries()) {
    const copy = join(base, "homes", program, String(index));
    cpSync(home, copy, { recursive: true });
    const { artifacts } = await catalog.at(program, copy).scan();
    for (const artifact of artifacts) {
      const messages = await catalog.context(artifact).catch(() => []);
      const isTold = messages.some((message) => message.role === "user" && !message.madeUp);
      const isNew = !found.some((other) => other.artifact.id === artifact.id);
      if (isTold && isNew) found.push({ name: `${name} ${artifact.id}`, artifact });
    }
  }
  return found;
}

/** Sessions that Codex CLI made itself, each in a home of its own. */
async function settleReal(): Promise<{ name: string; artifact: Artifact }[]> {
  const found: { name: string; artifact: Artifact }[] = [];
  for (const { name, make } of CASES) {
    const home = createCodexHome();
    realHomes.push(home);
    const id = await make(codex, home);
    const { artifacts } = await catalog.at("codex", home.root).scan();
    const artifact = artifacts.find((each) => each.id === id);
    if (!artifact) throw new Error(`no session of ${name}`);
    found.push({ name, artifact });
  }
  return found;
}

const bytesOf = (pieces: readonly Piece[]): Buffer =>
  Buffer.concat(
    pieces.map((piece) => {
      if ("text" in piece) return Buffer.from(piece.text);
      if ("base64" in piece) return Buffer.from(piece.base64, "base64");
      // A list of names goes on.
      if ("file" in piece) return readFileSync(piece.file).subarray(piece.start, piece.end);
      throw new Error("a new session is made of text");
    }),
  );

/** One thing that the model is told, as far as every program tells it alike. */
interface Told {
  readonly role: string;
  readonly text: string;
  readonly calls?: readonly Pick<Call, "id" | "name" | "input">[];
  readonly callId?: string;
}

/** `folder` is what the session is about there; the files that calls name follow to it. */
async function expectedOf(artifact: Artifact, to: Program, folder: string): Promise<Told[]> {
  const names = programNames(catalog);
  const given = await readConversation(catalog, artifact, names);
  const target = await catalog.handoff(to);
  if (!target) throw new Error("no such program");
  const tools = new Map(
    await Promise.all(
      PROGRAMS.map(async (each) => [each as string, (await catalog.handoff(each))?.tools] as const),
    ),
  );
  const { conversation } = translate(given, {
    to: { source: to, ...target },
    toolsOf: (each) => tools.get(each),
    names,
    workspace: given.session.workspace,
    ...(given.session.workspace !== undefined && {
      relocation: { from: given.session.workspace, to: folder },
    }),
  });
  return flatten(conversation);
}

const flatten = ({ summary, turns }: Conversation): Told[] => [
  ...(summary ? [{ role: "user", text: summary.text.trim() }] : []),
  ...turns.flatMap(({ prompt, replies }) => [
    ...(prompt && prompt.text.trim() !== "" ? [{ role: "user", text: prompt.text.trim() }] : []),
    ...replies.flatMap(({ text, calls }): Told[] => [
      {
        role: "assistant",
        text: text.trim(),
        ...(calls.length > 0 && { calls: calls.map(({ id, name, input }) => ({ id, name, input })) }),
      },
      ...calls.map(({ id, result }) => ({ role: "tool", text: result.text.trim(), callId: id })),
    ]),
  ]),
];

/** The same of what was sent; programs put words of their own around what people said. */
function compare(sent: readonly Omit<ContextMessage, "origin">[], expected: readonly Told[]): void {
  const told = sent.flatMap((message): Told[] => {
    const text = message.text.trim();
    if (message.role === "user" && /^\[image\]$/.test(text)) return [];
    if (message.role === "assistant" && text === "No response requested.") return [];
    return [
      {
        role: message.role,
        text,
        ...(message.toolCalls?.length && {
          calls: message.toolCalls.map(({ id, name, arguments: input }) => ({ id, name, input })),
        }),
        ...(message.toolCallId !== undefined && { callId: message.toolCallId }),
      },
    ];
  });
  expect(told.map(({ role, calls, callId }) => ({ role, calls, callId }))).toEqual(
    expected.map(({ role, calls, callId }) => ({ role, calls, callId })),
  );
  for (const [at, { role, text }] of expected.entries()) {
    const got = told[at]?.text ?? "";
    if (role === "user") expect(got).toContain(text);
    else if (role === "tool")
      expect(got.replace(/^\(empty\)$/, "").replace(/\s*\[image(\/png)?\]$/, "")).toBe(
        text.replace(/^\(empty\)$/, ""),
      );
    else expect(got).toBe(text);
  }
}

async function handOver(artifact: Artifact, to: Program, workspace: string): Promise<EditPlan> {
  const plan = await core.planHandoff(artifact.path, { to, workspace });
  await core.apply(plan);
  expect(plan.isContinuable).toBe(true);
  const made = handedOver.get(`${artifact.source} to ${to}`) ?? { plans: [], accepted: 0, continued: 0 };
  made.plans.push(plan);
  handedOver.set(`${artifact.source} to ${to}`, made);
  return plan;
}

/** Where it came from is still known once the program has written to it, from the session alone. */
async function expectOrigin({ session, from }: EditPlan, to: Program): Promise<void> {
  const { size, mtimeMs, ino } = await localFs.stat(session.path);
  const root = catalog.sources.find(({ source }) => source === to)?.roots[0] ?? "";
  const fingerprint = { size, mtimeMs, ino };
  const head = await readHead(catalog, { source: to, id: session.id, path: session.path, root, fingerprint });
  expect(head.session.handedFrom).toMatchObject({ source: from?.source, id: from?.id });
}

/** By direction: what was handed over, how much of it the program took with all that was said, and continued. */
const handedOver = new Map<string, { plans: EditPlan[]; accepted: number; continued: number }>();
function note(from: Program, to: Program, what: "accepted" | "continued"): void {
  const made = handedOver.get(`${from} to ${to}`);
  if (made) made[what]++;
}

/** VS Code's loader has no model to continue with. */
function expectEnough(from: Program, to: Program): void {
  const { accepted = 0, continued = 0 } = handedOver.get(`${from} to ${to}`) ?? {};
  expect(accepted).toBeGreaterThanOrEqual(10);
  expect(continued).toBe(to === "vscode" ? 0 : accepted);
}

afterAll(() => {
  const share = (plans: readonly EditPlan[], where: "native" | "text" | "dropped"): string => {
    const sums = new Map<string, number>();
    for (const { fidelity } of plans)
      for (const [kind, count] of Object.entries(fidelity?.[where] ?? {}))
        sums.set(kind, (sums.get(kind) ?? 0) + count);
    return [...sums].map(([kind, count]) => `${count} ${kind}`).join(", ") || "nothing";
  };
  printTable(
    ["Direction", "Sessions", "Accepted", "Ran a tool next", "Native", "Text", "Dropped"],
    [...handedOver].map(([direction, { plans, accepted, continued }]) => [
      ...[direction, plans.length, accepted, continued],
      ...[share(plans, "native"), share(plans, "text"), share(plans, "dropped")],
    ]),
  );
});

const LIMIT_MS = IS_FULL ? 900_000 : 180_000;
/** One session in so many is resumed by Copilot CLI's command line, the others by one server, which is quicker. */
const BY_COMMAND = IS_FULL ? 1 : 10;

/** Judges the sessions of a program one by one, and says of each that was refused why. */
async function judgeEach(
  from: Program,
  to: Program,
  judge: (
    artifact: Artifact,
    expectedIn: (folder: string) => Promise<Told[]>,
    index: number,
  ) => Promise<void>,
): Promise<string[]> {
  const all = origins.get(from) ?? [];
  const troubles: string[] = [];
  for (const [index, { name, artifact }] of all.entries()) {
    try {
      await judge(artifact, (folder) => expectedOf(artifact, to, folder), index);
    } catch (error) {
      troubles.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return troubles;
}

const where = (name: string, input: object = { command: "pwd", description: "Where" }): string =>
  scripted("Where?", { calls: [{ name, input }] }, { say: "There." });

describe.each(PROGRAMS.filter((each) => each !== "copilot-cli"))("from %s to Copilot CLI", (from) => {
  it(
    "resumes each session with all that was said, and runs the next tool in its folder",
    async () => {
      const elsewhere = join(base, "continued");
      mkdirSync(elsewhere, { recursive: true });
      const troubles = await judgeEach(from, "copilot-cli", async (artifact, expectedIn, index) => {
        const { session } = await handOver(artifact, "copilot-cli", elsewhere);
        const how = { prompt: where("bash"), byCommand: index % BY_COMMAND === 0 };
        const { messages, last, stderr } = await copilot.resume(session.id, how);
        if (!messages) throw new Error(`refused: ${stderr}`);
        compare(messages, await expectedIn(elsewhere));
        note(from, "copilot-cli", "accepted");
        expect(last).toMatchObject({ role: "tool", text: expect.stringContaining(elsewhere) });
        note(from, "copilot-cli", "continued");
      });
      expect(troubles).toEqual([]);
      expectEnough(from, "copilot-cli");
    },
    LIMIT_MS,
  );
});

describe.each(PROGRAMS.filter((each) => each !== "claude-code"))("from %s to Claude Code", (from) => {
  it(
    "resumes each session with all that was said, and runs the next tool in its folder",
    async () => {
      const troubles = await judgeEach(from, "claude-code", async (artifact, expectedIn) => {
        const plan = await handOver(artifact, "claude-code", claudeHome.workspace);
        const { session } = plan;
        const { requests, stderr } = await claude.resume(claudeHome, session.id, where("Bash"));
        const sent = withoutReminders((requests[0]?.body.messages ?? []).flatMap(toSent));
        expect(sent.at(-1)?.text, stderr).toContain("SCRIPT[");
        compare(sent.slice(0, -1), await expectedIn(claudeHome.workspace));
        note(from, "claude-code", "accepted");
        const after = (requests.at(-1)?.body.messages ?? []).flatMap(toSent);
        expect(after.findLast(({ role }) => role === "tool")?.text).toContain(claudeHome.workspace);
        note(from, "claude-code", "continued");
        await expectOrigin(plan, "claude-code");
      });
      expect(troubles).toEqual([]);
      expectEnough(from, "claude-code");
    },
    LIMIT_MS,
  );
});

/** What was sent to Codex CLI's model, without what the program says by itself. */
function toMessages(items: readonly WireItem[]): Omit<ContextMessage, "origin">[] {
  const messages: Omit<ContextMessage, "origin">[] = [];
  for (const item of items) {
    const text = textOf((item.content ?? item.output) as WireItem["content"]);
    const last = messages.at(-1);
    if (item.type === "message" && item.role !== "developer" && !text.startsWith("<environment_context>"))
      messages.push({ role: item.role === "assistant" ? "assistant" : "user", text });
    else if (item.type.endsWith("_call")) {
      const input = item.type === "function_call" ? JSON.parse(String(item.arguments)) : item.input;
      const call = { id: String(item.call_id), name: String(item.name), arguments: input };
      if (last?.role === "assistant")
        messages[messages.length - 1] = { ...last, toolCalls: [...(last.toolCalls ?? []), call] };
      else messages.push({ role: "assistant", text: "", toolCalls: [call] });
    } else if (item.type.endsWith("_output"))
      messages.push({ role: "tool", text, toolCallId: String(item.call_id) });
  }
  return messages;
}

/** Nothing on its wire stands between an answer and calls without a word behind it. */
function withoutBorders(told: readonly Told[]): Told[] {
  const all: Told[] = [];
  for (const each of told) {
    const last = all.at(-1);
    if (each.text === "" && each.calls && last?.role === "assistant")
      all[all.length - 1] = { ...last, calls: [...(last.calls ?? []), ...each.calls] };
    else all.push(each);
  }
  return all;
}

describe.each(PROGRAMS.filter((each) => each !== "codex"))("from %s to Codex CLI", (from) => {
  it(
    "resumes each session with all that was said, and runs the next tool in its folder",
    async () => {
      const troubles = await judgeEach(from, "codex", async (artifact, expectedIn, index) => {
        const plan = await handOver(artifact, "codex", codexHome.workspace);
        const { session, title } = plan;
        const { requests, output } = await codex.resume(
          codexHome,
          session.id,
          where("exec_command", { cmd: "pwd" }),
        );
        const sent = toMessages(requests[0] ?? []);
        expect(sent.at(-1)?.text, output).toContain("SCRIPT[");
        compare(sent.slice(0, -1), withoutBorders(await expectedIn(codexHome.workspace)));
        note(from, "codex", "accepted");
        const after = toMessages(requests.at(-1) ?? []);
        expect(after.findLast(({ role }) => role === "tool")?.text).toContain(codexHome.workspace);
        note(from, "codex", "continued");
        await expectOrigin(plan, "codex");
        if (index === 0) expect((await codex.resume(codexHome, title, "Hi")).session).toBe(session.id);
      });
      expect(troubles).toEqual([]);
      expectEnough(from, "codex");
    },
    LIMIT_MS,
  );
});

describe.each(PROGRAMS.filter((each) => each !== "vscode"))("from %s to VS Code", (from) => {
  it(
    "loads, lists and saves each session, and its model gets all that was said",
    async () => {
      const troubles = await judgeEach(from, "vscode", async (artifact, expectedIn, index) => {
        const workspace = join(base, "opened", from, String(index));
        mkdirSync(workspace, { recursive: true });
        const plan = await handOver(artifact, "vscode", workspace);
        const { id, path } = plan.session;
        const { sessions, indexAccepted } = await judgeWorkspace(join(path, "..", ".."));
        const judged = sessions.find((each) => each.id === id);
        if (!judged || !isSound(judged) || !judged.listed || !indexAccepted)
          throw new Error(`refused: ${JSON.stringify(judged)}`);
        const { size, mtimeMs, ino } = await localFs.stat(path);
        const fingerprint = { size, mtimeMs, ino };
        const root = join(base, "vscode", "User");
        compare(
          await catalog.context({ source: "vscode", id, path, root, fingerprint }),
          await expectedIn(workspace),
        );
        note(from, "vscode", "accepted");
        const chat = JSON.parse(readFileSync(path, "utf8").split("\n", 1)[0] ?? "").v;
        writeFileSync(path, await saveAsVsCode(id, chat));
        await expectOrigin(plan, "vscode");
      });
      expect(troubles).toEqual([]);
      expectEnough(from, "vscode");
    },
    LIMIT_MS,
  );
});
