/** A clone of every session of the corpus, resumed by the real Copilot CLI: its model receives what the original's would. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEditApp } from "../../src/app/edit-app.ts";
import { localFs } from "../../src/platform/local-fs.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { makeCorpus } from "./copilot-sessions.ts";
import type { SentMessage } from "./openai.ts";

let copilot: Copilot;
const compared: { name: string; meant: SentMessage[]; received: SentMessage[] | undefined; why: string }[] =
  [];

beforeAll(async () => {
  copilot = await startCopilot();
  const corpus = [...(await makeCorpus(copilot))];
  const vars = { COPILOT_HOME: copilot.home };
  const catalog = openCatalog(
    [copilotCli],
    { platform: process.platform, homeDir: copilot.home, vars },
    localFs,
  );
  const edit = createEditApp({
    catalog,
    home: join(copilot.workspace, "..", "rethread"),
    now: new Date(),
    folder: copilot.workspace,
    find: (name) => resolveSession(catalog, name),
    refresh: async () => undefined,
  });
  const work = async (): Promise<void> => {
    for (let next = corpus.shift(); next; next = corpus.shift()) {
      const [name, id] = next;
      const { artifact } = await resolveSession(catalog, id);
      const meant = (await catalog.context(artifact)).map(({ role, text, toolCalls, toolCallId }) => ({
        role,
        text,
        ...(toolCalls && { toolCalls: [...toolCalls] }),
        ...(toolCallId !== undefined && { toolCallId }),
      }));
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
