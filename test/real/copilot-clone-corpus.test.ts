/** A clone of every session of the corpus, resumed by the real Copilot CLI: its model receives what the original's would. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Copilot, startCopilot } from "./copilot.ts";
import { openEditing } from "./copilot-editing.ts";
import { makeCorpus } from "./copilot-sessions.ts";
import type { SentMessage } from "./openai.ts";

let copilot: Copilot;
const compared: { name: string; meant: SentMessage[]; received: SentMessage[] | undefined; why: string }[] =
  [];

beforeAll(async () => {
  copilot = await startCopilot();
  const corpus = [...(await makeCorpus(copilot))];
  const { edit, contextOf } = openEditing(copilot);
  const work = async (): Promise<void> => {
    for (let next = corpus.shift(); next; next = corpus.shift()) {
      const [name, id] = next;
      const meant = await contextOf(id);
      const { plan } = await edit.apply(await edit.planClone(id, {}));
      const { messages: received, stderr: why } = await copilot.resume(plan.session.id);
      compared.push({ name, meant, received, why });
    }
  };
  await Promise.all([work(), work()]);
}, 600_000);
afterAll(() => copilot.close());

describe("clones of the whole corpus", () => {
  it("are resumed with the messages of their originals", () => {
    console.log(`${compared.length} clones resumed by the real Copilot CLI`);
    for (const { name, meant, received, why } of compared)
      expect.soft(received, `${name}: ${why}`).toEqual(meant);
    expect(compared.length).toBeGreaterThan(35);
  });
});
