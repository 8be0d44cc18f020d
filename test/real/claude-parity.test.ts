/** Our `context` against the real program: message for message what it sends when each session is resumed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Artifact } from "../../src/model/session.ts";
import { localFs } from "../../src/platform/local-fs.ts";
import { context } from "../../src/sources/claude-code/context.ts";
import { scan } from "../../src/sources/claude-code/scan.ts";
import type { WireMessage } from "./anthropic.ts";
import { type ClaudeHome, createHome, openClaude } from "./claude.ts";
import { CASES } from "./claude-cases.ts";
import { type SentMessage, toSent, withoutReminders } from "./claude-wire.ts";

interface Comparison {
  readonly ours: SentMessage[];
  readonly sent: WireMessage[];
}

const claude = openClaude();
const homes: ClaudeHome[] = [];
const compared = new Map<string, Comparison | Error>();

beforeAll(async () => {
  const waiting = [...CASES.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, { name }] = next;
      compared.set(name, await compare(at).catch((error: Error) => error));
    }
  };
  // Two at a time: the program takes more than a second to start, and the machines have few cores.
  await Promise.all([work(), work()]);
}, 400_000);

afterAll(async () => {
  await claude.close();
  for (const home of homes) home.remove();
});

async function compare(at: number): Promise<Comparison> {
  const home = createHome();
  homes.push(home);
  const id = `c0de0000-0000-4000-8000-${String(at).padStart(12, "0")}`;
  await CASES[at]?.make(claude, home, id);
  const ours = await contextOf(home, id);
  return { ours, sent: await claude.historySent(home, id) };
}

async function contextOf(home: ClaudeHome, id: string): Promise<SentMessage[]> {
  const found: Artifact[] = [];
  await scan(localFs, home.root, { artifact: (one) => void found.push(one), problem: () => undefined });
  const artifact = found.find((one) => one.id === id);
  if (!artifact) throw new Error(`no session ${id}`);
  const messages = await context(localFs, artifact);
  return messages.map(({ origin: _origin, madeUp: _madeUp, ...message }) => message);
}

function comparisonOf(name: string): Comparison {
  const result = compared.get(name);
  if (!result || result instanceof Error) throw result ?? new Error("not compared");
  return result;
}

const NAMES = CASES.map(({ name }) => name);

describe("what our context says equals what Claude Code sends", () => {
  it.each(NAMES)("%s", (name) => {
    const { ours, sent } = comparisonOf(name);
    expect(sent.length).toBeGreaterThan(0);
    expect(ours).toEqual(sent.flatMap(toSent));
  });

  it.each(NAMES)("without the reminders: %s", (name) => {
    const { ours, sent } = comparisonOf(name);
    const spoken = sent.filter(({ role }) => role !== "system").flatMap(toSent);
    expect(withoutReminders(ours)).toEqual(withoutReminders(spoken));
  });

  it("over enough sessions to trust it", () => {
    const results = [...compared.values()].flatMap((result) => (result instanceof Error ? [] : [result]));
    const messages = results.reduce((sum, { sent }) => sum + sent.flatMap(toSent).length, 0);
    console.log(`Claude Code: ${results.length} sessions, ${messages} messages compared`);
    expect(results.length).toBeGreaterThanOrEqual(15);
  });
});
