/** Damaged transcripts, rescued and then resumed by the real Claude Code: its model receives all that can be told. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportBundle } from "../../src/app/export/bundle.ts";
import { diagnose, inNeedOfRescue } from "../../src/query/doctor.ts";
import { readHead } from "../../src/query/heads.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { hashTail } from "../edit/guard.ts";
import { type ClaudeHome, createHome, openClaude, transcriptOf } from "./claude.ts";
import { type Base, DAMAGES, type Damage, LEFT, missing, told, WORDS } from "./claude-damages.ts";
import { type ClaudeEditing, openClaudeEditing } from "./claude-editing.ts";
import { NEWER_MODEL, OLDER_MODEL } from "./claude-models.ts";
import { damagedAtRandom } from "./claude-random-damage.ts";
import { type SentMessage, toSent, withoutReminders } from "./claude-wire.ts";
import { scripted } from "./scripted-model.ts";

const FULL = process.env.RETHREAD_FULL !== undefined;
/** All of them are rescued; a run of the program takes over a second of CPU, so every tenth is resumed by it. */
const isJudged = (number: number): boolean => FULL || number % 10 === 0;

const claude = openClaude();
const home: ClaudeHome = createHome();
let editing: ClaudeEditing;
const lines = new Map<Base, string[]>();
const sound = new Map<Base, string[]>();

const NONE = "00000000-0000-0000-0000-000000000000";
const idOf = (number: number): string => `c0de0000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const VICTIMS = DAMAGES.filter(({ isEmpty }) => !isEmpty).map((damage, number) => ({
  ...{ damage, number, id: idOf(number) },
}));

const run = (command: string) => ({ name: "Bash", input: { command } });

async function makeBase(base: Base, number: number): Promise<void> {
  const own = createHome();
  const id = idOf(900 + number);
  const { first, looking, seenOne, second, seenTwo, third, finished } = WORDS;
  const begin = scripted(first, { say: looking, calls: [run("echo one")] }, { say: seenOne });
  await claude.startSession(own, id, begin, { model: number === 0 ? NEWER_MODEL : OLDER_MODEL });
  const calls = [run("echo two"), run("echo three")];
  await claude.resume(own, id, scripted(second, { calls }, { say: seenTwo }));
  const end = readFileSync(transcriptOf(own, id), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .findLast((row) => row.type === "assistant");
  if (base === "rewound") await claude.resume(own, id, scripted(LEFT, { say: "Nothing comes of it." }));
  const args = base === "rewound" ? ["--resume-session-at", end.uuid] : [];
  await claude.resume(own, id, scripted(third, { say: finished }), { args });
  if (base === "compacted") {
    await claude.resume(own, id, "/compact");
    await claude.resume(own, id, scripted("What now?", { say: "Now this." }));
  }
  const all = readFileSync(transcriptOf(own, id), "utf8").replaceAll(own.workspace, home.workspace);
  // People rewind in the program's window, which says so in the transcript.
  const said = all.indexOf("Nothing comes of it.", all.indexOf('"role":"assistant"', all.indexOf(LEFT)));
  const rewind = `${JSON.stringify({ type: "last-prompt", leafUuid: NONE, explicit: true, sessionId: id })}\n`;
  const behind = all.indexOf("\n", said) + 1;
  const text = base === "rewound" ? all.slice(0, behind) + rewind + all.slice(behind) : all;
  lines.set(base, text.trimEnd().split("\n"));
  own.remove();
  place(id, text);
  sound.set(base, told(await editing.contextOf(id)));
}

function place(id: string, bytes: string | Buffer): void {
  mkdirSync(dirname(transcriptOf(home, id)), { recursive: true });
  writeFileSync(transcriptOf(home, id), bytes);
}

const damagedOf = ({ make, base }: Damage): Buffer => Buffer.from(make(lines.get(base) ?? []) as string);

beforeAll(async () => {
  editing = openClaudeEditing(home);
  for (const [number, base] of (["plain", "compacted", "rewound"] as const).entries())
    await makeBase(base, number);
}, 120_000);

afterAll(async () => {
  await claude.close();
  home.remove();
});

describe(`a rescue of ${VICTIMS.length} damaged transcripts`, () => {
  it("is what `doctor` advises for each of them", async () => {
    for (const { damage, id } of VICTIMS) place(id, damagedOf(damage));
    const found = new Set(inNeedOfRescue(await diagnose(editing.catalog)));
    const named = VICTIMS.map(({ damage, id }) => [damage.name, found.has(`claude-code:${id}`)]);
    expect(named).toEqual(VICTIMS.map(({ damage }) => [damage.name, !damage.isTolerated]));
  });

  it("makes all that can be told part of the conversation, and nothing that was left", async () => {
    const { edit, contextOf } = editing;
    for (const { damage, id } of VICTIMS) {
      const plan = await edit.planRescue(id);
      if (damage.isTolerated) expect([damage.name, plan.steps]).toEqual([damage.name, []]);
      else await edit.apply(plan);
      const after = told(await contextOf(id));
      const gone = missing(damage, sound.get(damage.base) ?? [], after);
      expect({ name: damage.name, gone, after }).toEqual({ name: damage.name, gone: [], after });
      expect(after.filter((words) => words.startsWith(LEFT))).toEqual([]);
      expect([damage.name, (await edit.planRescue(id)).steps]).toEqual([damage.name, []]);
    }
    expect(VICTIMS.length).toBeGreaterThan(45);
  }, 300_000);

  it("gives the model of the program what `context` says", async () => {
    const judged = VICTIMS.filter(({ number }) => isJudged(number));
    const sent = new Map<string, readonly SentMessage[] | string>();
    const waiting = [...judged];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { id, damage } = next;
        const messages = await claude.historySent(home, id).catch((error: Error) => error.message);
        sent.set(damage.name, typeof messages === "string" ? messages : messages.flatMap(toSent));
      }
    };
    await Promise.all([work(), work()]);
    for (const { id, damage } of judged)
      expect([damage.name, sent.get(damage.name)]).toEqual([damage.name, await editing.contextOf(id)]);
    console.log(`Claude Code resumed ${judged.length} rescued transcripts`);
  }, 600_000);

  it("is undone to the byte", async () => {
    const { edit } = editing;
    const { id, damage } = VICTIMS[1] as (typeof VICTIMS)[number];
    const damaged = damagedOf(damage);
    place(id, damaged);
    const { operation } = await edit.apply(await edit.planRescue(id));
    expect(readFileSync(transcriptOf(home, id)).equals(damaged)).toBe(false);
    await edit.apply(await edit.planUndo(operation));
    expect(readFileSync(transcriptOf(home, id)).equals(damaged)).toBe(true);
  });
});

it("resumes a session that was imported for another folder under a new id, with what `context` says", async () => {
  const { edit, contextOf, catalog } = editing;
  const id = idOf(900);
  const { artifact } = await resolveSession(catalog, id);
  const folder = dirname(home.workspace);
  const request = { out: "one.tar.gz", folder, force: true, now: new Date(), madeBy: "test" };
  const guard = hashTail(catalog, join(folder, "rethread"));
  const { path } = await exportBundle(catalog, [await readHead(catalog, artifact)], { ...request, guard });
  const elsewhere: ClaudeHome = { ...home, workspace: join(folder, "elsewhere") };
  mkdirSync(elsewhere.workspace);
  const plan = await edit.planImport(path, { to: elsewhere.workspace, newId: true });
  await edit.apply(plan);
  const sent = await claude.historySent(elsewhere, plan.session.id);
  expect(sent.flatMap(toSent)).toEqual(await contextOf(plan.session.id));
  expect(told(await contextOf(plan.session.id))).toEqual(sound.get("plain"));
}, 60_000);

/** Each of these few differed once. */
const SEEDS = FULL ? Array.from({ length: 500 }, (_, seed) => seed) : [2, 3, 12, 58, 375, 427];

it("gives the model of the program what `context` says after damage at random", async () => {
  const waiting = [...SEEDS];
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const id = idOf(seed);
      // The program is shown a copy of all that is there.
      const own = createHome();
      const { edit, contextOf } = openClaudeEditing(own);
      mkdirSync(dirname(transcriptOf(own, id)), { recursive: true });
      writeFileSync(transcriptOf(own, id), damagedAtRandom(seed));
      const plan = await edit.planRescue(id);
      if (plan.steps.length > 0) await edit.apply(plan);
      const ours = await contextOf(id);
      const sent = (await claude.historySent(own, id)).flatMap(toSent);
      // How reminders are sent depends on the model, which only an answer names.
      const isNamed = ours.some(({ role }) => role === "assistant");
      const [said, got] = isNamed ? [ours, sent] : [withoutReminders(ours), withoutReminders(sent)];
      own.remove();
      expect([seed, got]).toEqual([seed, said]);
    }
  };
  await Promise.all([work(), work()]);
}, 900_000);
