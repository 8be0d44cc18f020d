/** A composed session, resumed by the real Copilot CLI: the model receives what `context` says, and the tale is whole. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Story } from "../../src/model/session/story.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { type Copilot, startCopilot } from "./copilot.ts";

let copilot: Copilot;
beforeAll(async () => {
  copilot = await startCopilot();
});
afterAll(() => copilot.close());

const story = (workspace: string): Story => ({
  id: "5e551017-0000-4000-8000-000000000001",
  title: "Mend the cart",
  workspace,
  repository: "lumen-shop/storefront",
  branch: "main",
  createdAt: "2026-03-04T08:00:00.000Z",
  model: "scripted",
  forkOf: { id: "5e551017-0000-4000-8000-000000000000", title: 'The "first" cart', keep: 1 },
  turns: [
    {
      at: "2026-03-04T08:00:02.000Z",
      user: "Why is the total wrong?",
      steps: [
        { kind: "think", text: "Rounding, perhaps." },
        { kind: "say", text: "I will look." },
        {
          kind: "tool",
          ok: true,
          output: "total.ts:3: round",
          tool: { does: "search", pattern: "round", path: "src" },
        },
        {
          kind: "tool",
          ok: true,
          output: "export const total = 1;",
          tool: { does: "read", path: "src/total.ts" },
        },
        {
          kind: "tool",
          ok: false,
          output: "1 failed",
          tool: { does: "run", command: "npm test", why: "Run the tests" },
        },
        { kind: "say", text: "It rounds twice." },
      ],
      compaction: { title: "Found the rounding", overview: "The total is rounded twice." },
    },
    {
      at: "2026-03-04T09:00:00.000Z",
      user: "Mend it",
      steps: [
        {
          kind: "tool",
          ok: true,
          output: "Edited.",
          tool: { does: "edit", path: "src/total.ts", before: "1", after: "2\n3" },
        },
        {
          kind: "tool",
          ok: false,
          output: "It exists already.",
          tool: { does: "create", path: "src/a.ts", text: "a\n" },
        },
        { kind: "say", text: "Mended." },
      ],
    },
  ],
});

it("is resumed with exactly the messages that context tells", async () => {
  for (const { path, content } of (await copilotCli.demo?.compose(story(copilot.workspace))) ?? []) {
    const target = join(copilot.home, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content as string);
  }
  const env = { platform: process.platform, homeDir: "/nowhere", vars: { COPILOT_HOME: copilot.home } };
  const catalog = openCatalog([copilotCli], env, localFs);
  const { artifacts, problems } = await catalog.scan();
  expect(problems).toEqual([]);
  const [artifact] = artifacts;
  if (!artifact) throw new Error("the composed session was not found");
  const ours = (await catalog.context(artifact)).map(({ origin: _, madeUp: __, ...sent }) => sent);

  const { messages, stderr } = await copilot.resume(artifact.id);

  expect(stderr).toBe("");
  expect(ours).toEqual(messages);
  expect(ours.map(({ role }) => role)).toEqual([
    "user", // the summary
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
    "assistant",
  ]);
});
