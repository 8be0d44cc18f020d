/** `context` against the real Copilot CLI: message for message what the model receives after `--resume`. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContextMessage } from "../../src/model/context.ts";
import type { Artifact } from "../../src/model/session.ts";
import { localFs } from "../../src/platform/local-fs.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { besideContext } from "../replayed.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { makeCorpus } from "./copilot-sessions.ts";
import type { SentMessage } from "./openai.ts";

let copilot: Copilot;
let compared: { name: string; ours: SentMessage[]; theirs: SentMessage[] | undefined; refusal: string }[];
const replays: { name: string; replayed: ContextMessage[]; meant: ContextMessage[] }[] = [];

beforeAll(async () => {
  copilot = await startCopilot();
  const corpus = await makeCorpus(copilot);
  const artifacts = new Map<string, Artifact>();
  const sink = {
    artifact: (found: Artifact) => void artifacts.set(found.id, found),
    problem: () => undefined,
  };
  await copilotCli.scan(localFs, copilot.home, sink);

  const queue = [...corpus];
  compared = [];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, id] = next;
      const artifact = artifacts.get(id);
      if (!artifact) throw new Error(`the scan did not find "${name}"`);
      const context = (await copilotCli.context?.(localFs, artifact)) ?? [];
      replays.push({ name, ...(await besideContext(artifact, context)) });
      const ours = context.map(toSent);
      const { messages, stderr } = await copilot.resume(id);
      compared.push({ name, ours, theirs: messages, refusal: stderr });
    }
  };
  await Promise.all([work(), work()]);
}, 600_000);
afterAll(() => copilot.close());

/** Without what does not go over the wire. */
const toSent = ({ role, text, toolCalls, toolCallId }: ContextMessage): SentMessage => ({
  role,
  text,
  ...(toolCalls && { toolCalls: [...toolCalls] }),
  ...(toolCallId !== undefined && { toolCallId }),
});

describe("context of Copilot CLI sessions", () => {
  it("equals, message for message, what the real program sends on resume", () => {
    const different = compared.filter(({ ours, theirs }) => JSON.stringify(ours) !== JSON.stringify(theirs));
    const messages = compared.reduce((sum, { theirs }) => sum + (theirs?.length ?? 0), 0);
    console.log(
      `Copilot CLI: ${compared.length} sessions, ${messages} messages compared, ${different.length} sessions differ`,
    );
    for (const { name, ours, theirs, refusal } of different)
      expect.soft(ours, `${name}: ${refusal}`).toEqual(theirs);
    expect(compared.length).toBeGreaterThan(35);
  });

  it("is what `replay` of the library makes of the events, files that were attached aside", () => {
    for (const { name, replayed, meant } of replays) expect.soft(replayed, name).toEqual(meant);
  });
});
