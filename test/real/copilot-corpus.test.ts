/**
 * Every session of the corpus against the real Copilot CLI: `context` tells, message for message, what its model
 * receives after `--resume`; so it does of a clone, and of the clone once that is compacted.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import type { ContextMessage } from "../../src/model/session/context.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { besideContext } from "../replayed.ts";
import { BY_COMMAND, type Copilot, startCopilot } from "./copilot.ts";
import { openEditing } from "./copilot-editing.ts";
import { makeCorpus } from "./copilot-sessions.ts";
import type { SentMessage } from "./openai.ts";

interface Compared {
  readonly name: string;
  readonly meant: SentMessage[];
  readonly received: SentMessage[] | undefined;
  readonly why: string;
}

let copilot: Copilot;
const originals: Compared[] = [];
const replays: { name: string; replayed: ContextMessage[]; meant: ContextMessage[] }[] = [];
const clones: Compared[] = [];
let repaired = 0;
const compacted: (Compared & { readonly how: string })[] = [];

beforeAll(async () => {
  copilot = await startCopilot();
  const corpus = [...(await makeCorpus(copilot))].entries().toArray();
  const artifacts = await scan();
  const { edit, contextOf } = openEditing(copilot);
  /** The first session of a kind by the command line, the 21st, and so on; of each kind others. */
  const resume = async (id: string, number: number) => {
    const byCommand = number % BY_COMMAND === 0;
    const { messages: received, stderr: why } = await copilot.resume(id, { byCommand });
    return { received, why };
  };
  const work = async (): Promise<void> => {
    for (let next = corpus.shift(); next; next = corpus.shift()) {
      const [number, [name, id]] = next;
      const artifact = artifacts.get(id);
      if (!artifact) throw new Error(`the scan did not find "${name}"`);
      const context = (await copilotCli.context?.messages(localFs, artifact)) ?? [];
      replays.push({ name, ...(await besideContext(artifact, context)) });
      const meant = context.map(toSent);
      originals.push({ name, meant, ...(await resume(id, number)) });
      const { plan } = await edit.apply(await edit.planClone(id, {}));
      // The copy of a damaged session is repaired, so its model may receive more than that of the original.
      const isRepaired = (plan.repairs ?? []).length > 0;
      const meantByClone = isRepaired ? await contextOf(plan.session.id) : meant;
      if (isRepaired) repaired++;
      clones.push({ name, meant: meantByClone, ...(await resume(plan.session.id, number + 3)) });
      if (number % 2 === 1 && process.env.RETHREAD_FULL === undefined) continue;
      const how = await compact(edit, plan.session.id);
      const left = await contextOf(plan.session.id);
      compacted.push({ name, how, meant: left, ...(await resume(plan.session.id, number + 6)) });
    }
  };
  await Promise.all([work(), work()]);
}, 900_000);
afterAll(() => copilot.close());

async function scan(): Promise<Map<string, Artifact>> {
  const artifacts = new Map<string, Artifact>();
  const artifact = (found: Artifact) => void artifacts.set(found.id, found);
  await copilotCli.scan(localFs, copilot.home, { artifact, problem: () => undefined });
  return artifacts;
}

/** Without what does not go over the wire. */
const toSent = ({ role, text, toolCalls, toolCallId }: ContextMessage): SentMessage => ({
  role,
  text,
  ...(toolCalls && { toolCalls: [...toolCalls] }),
  ...(toolCallId !== undefined && { toolCallId }),
});

/** In place where that can be; what was cleared, or has a single turn, the program's way. */
async function compact(edit: EditCore, id: string): Promise<"in place" | "appended"> {
  const plan = await edit.planCompact(id, { keep: 1 }).catch((error) => {
    if (error.code !== "usage") throw error;
    return undefined;
  });
  if (plan && plan.steps.length > 0) {
    await edit.apply(plan);
    return "in place";
  }
  await edit.apply(await edit.planCompact(id, { append: true }));
  return "appended";
}

function expectEqual(compared: readonly Compared[], atLeast = 35): void {
  for (const { name, meant, received, why } of compared)
    expect.soft(received, `${name}: ${why}`).toEqual(meant);
  expect(compared.length).toBeGreaterThan(atLeast);
}

describe("the context of every session", () => {
  it("is, message for message, what the real program sends on resume", () => {
    const messages = originals.reduce((sum, { received }) => sum + (received?.length ?? 0), 0);
    console.log(`Copilot CLI: ${originals.length} sessions, ${messages} messages compared`);
    expectEqual(originals);
  });

  it("is what `replay` of the library makes of the events, files that were attached aside", () => {
    for (const { name, replayed, meant } of replays) expect.soft(replayed, name).toEqual(meant);
  });
});

describe("every session", () => {
  it("is cloned, and resumed with the messages of the original, or with more where the copy was repaired", () => {
    console.log(`${clones.length} clones resumed by the real Copilot CLI, ${repaired} of them repaired`);
    expectEqual(clones);
    expect(repaired).toBeLessThan(clones.length / 3);
  });

  it("is compacted, and resumed with one summary and what stays, no old prompt repeated", () => {
    const inPlace = compacted.filter(({ how }) => how === "in place");
    console.log(
      `${compacted.length} compactions resumed by the real Copilot CLI, ${inPlace.length} in place`,
    );
    expectEqual(compacted, 17);
    for (const { name, meant } of compacted)
      expect.soft(meant[0]?.text, name).toMatch(/^Some of the conversation history has been summarized/);
    for (const { name, meant } of inPlace) {
      expect.soft(JSON.stringify(meant), name).not.toContain("<user_message>");
      const summaries = meant.filter(({ text }) => text.includes("\n<summary>\n"));
      expect.soft(summaries, name).toHaveLength(1);
    }
    expect(inPlace.length).toBeGreaterThan(10);
  });
});
