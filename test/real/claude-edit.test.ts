/** What we write for Claude Code, judged by the real one: it resumes it, and its model receives what was meant. */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EditPlan } from "../../src/model/plan.ts";
import { anthropic } from "./anthropic.ts";
import { type ClaudeHome, createHome, findProgram, offline, openClaude, transcriptOf } from "./claude.ts";
import { CASES } from "./claude-cases.ts";
import { type ClaudeEditing, openClaudeEditing } from "./claude-editing.ts";
import { type Transcript, writeTranscript } from "./claude-rows.ts";
import { type SentMessage, toSent, withoutReminders } from "./claude-wire.ts";
import { scripted, startModel } from "./scripted-model.ts";
import { printTable } from "./table.ts";

const claude = openClaude();
const homes: ClaudeHome[] = [];
afterAll(async () => {
  await claude.close();
  for (const home of homes) home.remove();
});

const FULL = process.env.RETHREAD_FULL !== undefined;

type Change = (edit: ClaudeEditing["edit"], id: string) => Promise<EditPlan>;

const CHANGES: readonly (readonly [string, Change])[] = [
  ["clone", (edit, id) => edit.planClone(id, {})],
  ["clone without tools", (edit, id) => edit.planClone(id, { tools: "drop", dropThinking: true })],
  ["clone with half of its tools", (edit, id) => edit.planClone(id, { tools: { oldest: 50 } })],
  ["clone with short outputs", (edit, id) => edit.planClone(id, { tools: { truncate: 20 } })],
  ["clone without its first turn", (edit, id) => edit.planClone(id, { dropOldest: { count: 1 } })],
  [
    "clone within a budget",
    async (edit, id) => {
      const { stats } = await edit.planClone(id, {});
      return edit.planClone(id, { budget: Math.ceil(0.7 * (stats?.originalTokens ?? 0)) });
    },
  ],
  ["clone summarized", (edit, id) => edit.planClone(id, { dropOldest: { count: 1 }, summarize: true })],
  ["clone summarized within a budget", (edit, id) => edit.planClone(id, { budget: 600, summarize: true })],
  ["compact", (edit, id) => edit.planCompact(id, { keep: 1 })],
  ["compact all of it", (edit, id) => edit.planCompact(id, { append: true })],
  ["fork", (edit, id) => edit.planFork(id, { at: 0 })],
  ["rewind", (edit, id) => edit.planRewind(id, 0)],
  ["rename", (edit, id) => edit.planRename(id, "Another name")],
];

interface Judged {
  readonly name: string;
  readonly kind: string;
  readonly refused?: string;
  /** What the program said instead of resuming it. */
  readonly failure?: string;
  readonly ours?: readonly SentMessage[];
  readonly sent?: readonly SentMessage[];
}

/** These take turns away, which sessions of a single one refuse. */
const WITHOUT_TURNS = ["clone without its first turn", "clone within a budget", "clone summarized", "rewind"];
const WITH_TURNS = CASES.findIndex(({ name }) => name === "three turns with tools");

/** Each session with every change or, since a run of the program takes a second of CPU, with the next one each. */
const TRIED = CASES.flatMap((each, at) =>
  CHANGES.flatMap((change, number) => {
    const isNext = number === at % CHANGES.length && at % 5 === 0;
    const isSure = at === WITH_TURNS && WITHOUT_TURNS.includes(change[0]);
    return FULL || isNext || isSure ? [{ at, each, change }] : [];
  }),
);

const judged: Judged[] = [];

/** Each session is made once; every change begins with what the program had left. */
async function judgeAll(tried: readonly (typeof TRIED)[number][]): Promise<void> {
  const [first] = tried;
  if (!first) return;
  const home = createHome();
  const id = `c0de0000-0000-4000-8000-${String(first.at).padStart(12, "0")}`;
  await first.each.make(claude, home, id);
  for (const [number, { each, change }] of tried.entries()) {
    const root = `${home.root}-${number}`;
    cpSync(home.root, root, { recursive: true, preserveTimestamps: true });
    judged.push(await judge({ ...home, root }, id, change, each.name));
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
  home.remove();
}

async function judge(
  home: ClaudeHome,
  id: string,
  [kind, plan]: (typeof CHANGES)[number],
  session: string,
): Promise<Judged> {
  const about = { name: `${kind}: ${session}`, kind };
  const { edit, contextOf } = openClaudeEditing(home);
  let made: EditPlan;
  try {
    made = await plan(edit, id);
    if (made.steps.length === 0) return { ...about, refused: "nothing to do" };
    await edit.apply(made);
  } catch (error) {
    return { ...about, refused: (error as { code?: string }).code ?? String(error) };
  }
  const ours = await contextOf(made.session.id);
  try {
    return { ...about, ours, sent: await claude.messagesSent(home, made.session.id) };
  } catch (error) {
    return { ...about, ours, failure: String(error) };
  }
}

/** What we say and what was sent, to be compared: how reminders are sent depends on the model, which only an answer names. */
function toCompare({ ours = [], sent = [] }: Judged): [readonly SentMessage[], readonly SentMessage[]] {
  const isNamed = ours.some(({ role }) => role === "assistant");
  return isNamed ? [ours, sent] : [withoutReminders(ours), withoutReminders(sent)];
}

describe("Claude Code resumes what we write, and sends what we say", () => {
  beforeAll(async () => {
    const waiting = [...new Set(TRIED.map(({ at }) => at))];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await judgeAll(TRIED.filter(({ at }) => at === next));
    };
    await Promise.all([work(), work()]);
  }, 7_200_000);

  it.each(TRIED.map(({ each, change: [kind] }) => `${kind}: ${each.name}`))("%s", (name) => {
    const result = judged.find((one) => one.name === name);
    if (result?.refused !== undefined) {
      // What has too few turns, or costs more than that at the least, cannot be made smaller so.
      expect(["usage", "turn-not-found", "nothing to do", "unreadable"]).toContain(result.refused);
      return;
    }
    expect(result?.failure).toBeUndefined();
    expect(result?.sent?.length).toBeGreaterThan(0);
    const [ours, sent] = toCompare(result as Judged);
    expect(ours).toEqual(sent);
  });

  it("over enough sessions to trust it", () => {
    const accepted = judged.filter(({ refused }) => refused === undefined);
    const resumedBy = new Set(accepted.map(({ kind }) => kind));
    expect(CHANGES.map(([kind]) => kind).filter((kind) => !resumedBy.has(kind))).toEqual([]);
    printTable(
      ["Change", "Sessions", "Refused by us, as there is nothing to do", "Resumed", "Context equal"],
      CHANGES.map(([kind]) => {
        const own = judged.filter((each) => each.kind === kind);
        const resumed = own.filter(({ sent }) => sent && sent.length > 0);
        const equal = resumed.filter((each) => isDeepStrictEqual(...toCompare(each)));
        const refused = own.filter((each) => each.refused !== undefined);
        return [kind, own.length, refused.length, resumed.length, equal.length];
      }),
    );
    expect(accepted.length).toBeGreaterThan(judged.length / 2);
  });
});

/** Parallel calls, thoughts, reminders and rows that only the program writes. */
function writeLong(t: Transcript): void {
  for (let turn = 0; turn < 5; turn++) {
    t.prompt(`Prompt ${turn}`);
    t.reminder(`Reminder ${turn}`);
    const reply = `reply-of-${turn}`;
    t.answer([{ type: "thinking", thinking: `Thought ${turn}`, signature: "c2lnbmVk" }], { reply });
    const first = t.call(`a${turn}`, { reply });
    t.call(`b${turn}`, { reply });
    t.result(`b${turn}`);
    t.goTo(first);
    t.result(`a${turn}`);
    t.answer(`Answer ${turn}`);
    t.note({ type: "last-prompt", lastPrompt: `Prompt ${turn}`, leafUuid: "unknown" });
  }
}

/** A branch that was left, and a compaction that preserved the answer before it. */
function writeCompacted(t: Transcript): void {
  t.prompt("Prompt 0");
  const answer = t.answer("Answer 0");
  t.prompt("A dead end");
  t.answer("Left.");
  t.goTo(answer);
  t.prompt("Prompt 1");
  const kept = t.answer("Answer 1");
  t.compact([kept]);
  t.prompt("Prompt 2");
  t.call("c2");
  t.result("c2");
  t.answer("Answer 2");
  t.prompt("Prompt 3");
  t.answer("Answer 3");
}

describe.each([
  ["parallel calls and thoughts", writeLong, 5],
  ["a compaction and a branch that was left", writeCompacted, 4],
] as const)("at every turn of a session with %s", (name, write, turns) => {
  const ID = "c0de0000-0000-4000-8000-00000000e001";
  let home: ClaudeHome;
  let editing: ClaudeEditing;
  beforeAll(() => {
    home = createHome();
    homes.push(home);
    const transcript = writeTranscript();
    write(transcript);
    mkdirSync(dirname(transcriptOf(home, ID)), { recursive: true });
    writeFileSync(transcriptOf(home, ID), transcript.text());
    editing = openClaudeEditing(home);
  });
  const textOf = (): string => readFileSync(transcriptOf(home, ID), "utf8");
  const spoken = (messages: readonly SentMessage[]): string[] =>
    messages.flatMap(({ text }) => (/^(Prompt|Answer) \d$/.test(text) ? [text] : []));

  it.each(Array.from({ length: turns }, (_, turn) => turn))("turn %i", async (turn) => {
    const { edit, contextOf } = editing;
    const before = textOf();
    const forked = await edit.apply(await edit.planFork(ID, { at: turn }));
    expect(textOf()).toBe(before);
    const rewound = turn < turns - 1 ? await edit.apply(await edit.planRewind(ID, turn)) : undefined;
    const ours = await contextOf(ID);
    // What a fork says is what the session itself says once it is rewound.
    expect(await contextOf(forked.plan.session.id)).toEqual(ours);
    expect(spoken(ours).at(-1)).toBe(`Answer ${turn}`);
    // Nothing leaves the file, except where the program would no longer find the end before a compaction.
    expect(textOf().startsWith(before)).toBe(!(name.includes("compaction") && turn < 1));
    const judged = FULL ? [ID, forked.plan.session.id] : [turn % 2 === 0 ? ID : forked.plan.session.id];
    for (const id of judged) expect((await claude.historySent(home, id)).flatMap(toSent)).toEqual(ours);
    if (rewound) await edit.apply(await edit.planUndo(rewound.operation));
    expect(textOf()).toBe(before);
  });
});

it("goes on behind a compaction, which is taken up by the next one", async () => {
  const home = createHome();
  homes.push(home);
  const id = "c0de0000-0000-4000-8000-000000000a01";
  const look = (command: string) => ({ name: "Bash", input: { command, description: "Look" } });
  await claude.startSession(home, id, scripted("Remember lantern", { say: "I will." }));
  await claude.resume(
    ...([home, id] as const),
    scripted("Look twice", { say: "I look.", calls: [look("echo one"), look("echo two")] }, { say: "Done." }),
  );
  const { edit, contextOf } = openClaudeEditing(home);
  const agree = async (): Promise<readonly SentMessage[]> => {
    const ours = await contextOf(id);
    expect(await claude.messagesSent(home, id)).toEqual(ours);
    return withoutReminders(ours);
  };
  const before = await agree();
  await edit.apply(await edit.planCompact(id, { keep: 1 }));
  const [summary, ...rest] = await agree();
  expect(summary?.text).toContain("Remember lantern");
  // Word for word, each result with its call.
  expect(rest).toEqual(before.slice(2));
  await claude.resume(home, id, scripted("Third", { say: "Three." }));
  const after = await agree();
  expect(after.slice(0, -2)).toEqual([summary, ...rest]);
  expect(after.at(-1)?.text).toBe("Three.");
  await edit.apply(await edit.planCompact(id, { keep: 1 }));
  const [again, ...last] = await agree();
  expect(again?.text).toMatch(/Remember lantern[\s\S]*Look twice/);
  expect(last).toEqual(after.slice(-2));
}, 120_000);

it("goes on behind what a compaction preserved, and is copied with the compaction", async () => {
  const home = createHome();
  homes.push(home);
  const id = "c0de0000-0000-4000-8000-00000000a002";
  const transcript = writeTranscript();
  writeCompacted(transcript);
  mkdirSync(dirname(transcriptOf(home, id)), { recursive: true });
  writeFileSync(transcriptOf(home, id), transcript.text());
  const { edit, contextOf } = openClaudeEditing(home);
  await edit.apply(await edit.planRewind(id, 1));
  // Its parent is the answer from before the compaction.
  await claude.resume(home, id, scripted("Next", { say: "Nexted." }));
  const ours = await contextOf(id);
  const spoken = withoutReminders(ours).map(({ text }) => text);
  expect(spoken).toEqual(["Summary: all of it.", "Answer 1", expect.stringMatching(/^Next/), "Nexted."]);
  const { plan } = await edit.apply(await edit.planClone(id, {}));
  expect(await contextOf(plan.session.id)).toEqual(ours);
  expect(await claude.messagesSent(home, plan.session.id)).toEqual(ours);
});

it("is continued where it was rewound to, and lists a clone made without a terminal", async () => {
  const home = createHome();
  homes.push(home);
  const id = "c0de0000-0000-4000-8000-00000000e002";
  await claude.startSession(home, id, scripted("One.", { say: "First." }));
  await claude.resume(home, id, scripted("Two.", { say: "Second." }));
  const { edit, contextOf } = openClaudeEditing(home);
  await edit.apply(await edit.planRewind(id, 0));
  await claude.resume(home, id, scripted("Another two.", { say: "Third." }));
  const said = (await contextOf(id)).map(({ text }) => text);
  expect(said.filter((text) => /First|Second|Third/.test(text) && text.length < 10)).toEqual([
    "First.",
    "Third.",
  ]);
  const { plan } = await edit.apply(await edit.planClone(id, {}));
  const rows = readFileSync(transcriptOf(home, plan.session.id), "utf8").trimEnd().split("\n");
  const entrypoints = rows.map((row) => JSON.parse(row).entrypoint).filter((each) => each !== undefined);
  expect(new Set(entrypoints)).toEqual(new Set(["cli"]));
  expect(new Set(rows.map((row) => JSON.parse(row).sessionId))).toEqual(new Set([plan.session.id]));
});

it("refuses to change a session that a running Claude Code has open", async () => {
  const home = createHome();
  homes.push(home);
  const id = "c0de0000-0000-4000-8000-00000000e003";
  const hang = { name: "Bash", input: { command: "touch started; timeout 8 tail -f /dev/null" } };
  const prompt = scripted("Wait.", { calls: [hang] }, { say: "Done." });
  // Started here, since a run that is remembered has nothing open.
  const model = await startModel(anthropic);
  const words = ["-p", prompt, "--session-id", id, "--dangerously-skip-permissions"];
  const child = spawn(findProgram(), words, {
    cwd: home.workspace,
    env: offline(home, model),
    stdio: "ignore",
  });
  try {
    while (!existsSync(join(home.workspace, "started")) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const { edit } = openClaudeEditing(home);
    const renamed = edit.planRename(id, "Taken").then((plan) => edit.apply(plan));
    await expect(renamed).rejects.toMatchObject({ code: "session-busy" });
  } finally {
    child.kill("SIGKILL");
    await model.close();
  }
});
