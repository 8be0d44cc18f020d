/**
 * A clone of every session of the corpus, resumed by the real Copilot CLI: its model receives what the original's would.
 * Then the clone is compacted and resumed again: its model receives the summary and what `context` tells.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EditApp } from "../../src/app/edit-contract.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
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
const clones: Compared[] = [];
const compacted: (Compared & { readonly how: string })[] = [];

beforeAll(async () => {
  copilot = await startCopilot();
  const corpus = [...(await makeCorpus(copilot))];
  const { edit, contextOf } = openEditing(copilot);
  const resume = async (id: string) => {
    const { messages: received, stderr: why } = await copilot.resume(id);
    return { received, why };
  };
  const work = async (): Promise<void> => {
    for (let next = corpus.shift(); next; next = corpus.shift()) {
      const [name, id] = next;
      const { plan } = await edit.apply(await edit.planClone(id, {}));
      clones.push({ name, meant: await contextOf(id), ...(await resume(plan.session.id)) });
      const how = await compact(edit, plan.session.id);
      const meant = await contextOf(plan.session.id);
      compacted.push({ name, how, meant, ...(await resume(plan.session.id)) });
    }
  };
  await Promise.all([work(), work()]);
}, 900_000);
afterAll(() => copilot.close());

/** In place where that can be; what was cleared, or has a single turn, the program's way. */
async function compact(edit: EditApp, id: string): Promise<"in place" | "appended"> {
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

describe("the whole corpus", () => {
  it("is cloned, and resumed with the messages of the originals", () => {
    console.log(`${clones.length} clones resumed by the real Copilot CLI`);
    for (const { name, meant, received, why } of clones)
      expect.soft(received, `${name}: ${why}`).toEqual(meant);
    expect(clones.length).toBeGreaterThan(35);
  });

  it("is compacted, and resumed with one summary and what stays, no old prompt repeated", () => {
    const inPlace = compacted.filter(({ how }) => how === "in place");
    console.log(
      `${compacted.length} compactions resumed by the real Copilot CLI, ${inPlace.length} in place`,
    );
    for (const { name, meant, received, why } of compacted) {
      expect.soft(received, `${name}: ${why}`).toEqual(meant);
      expect.soft(meant[0]?.text, name).toMatch(/^Some of the conversation history has been summarized/);
    }
    for (const { name, meant } of inPlace) {
      expect.soft(JSON.stringify(meant), name).not.toContain("<user_message>");
      expect
        .soft(
          meant.filter(({ text }) => text.includes("\n<summary>\n")),
          name,
        )
        .toHaveLength(1);
    }
    expect(inPlace.length).toBeGreaterThan(25);
  });
});
