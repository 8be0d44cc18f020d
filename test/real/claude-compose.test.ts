/** What we compose is taken up by the real Claude Code, by id and by title, with the messages we meant. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { ContextMessage } from "../../src/model/session/context.ts";
import type { Artifact, Event } from "../../src/model/session/session.ts";
import type { Story } from "../../src/model/session/story.ts";
import { toTurns } from "../../src/model/session/turns.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import claudeCode from "../../src/sources/claude-code/index.ts";
import { type ClaudeHome, createHome, openClaude } from "./claude.ts";
import { OLDER_MODEL } from "./claude-models.ts";

const claude = openClaude();
const home = createHome();
afterAll(async () => {
  await claude.close();
  home.remove();
});

const story: Story = {
  id: "the-cart-that-forgot",
  title: "The cart that forgot its items",
  workspace: home.workspace,
  branch: "fix/cart",
  createdAt: "2026-10-01T09:00:00.000Z",
  model: OLDER_MODEL,
  turns: [
    {
      at: "2026-10-01T09:00:00.000Z",
      user: "The cart is empty after a reload. Why?",
      steps: [
        { kind: "think", text: "Storage, or a race." },
        { kind: "say", text: "Let me look where it is saved." },
        {
          kind: "tool",
          ok: true,
          output: "cart.ts:12: save()",
          tool: { does: "search", pattern: "save", path: "src" },
        },
        {
          kind: "tool",
          ok: true,
          output: "export const save = () => {};",
          tool: { does: "read", path: "src/cart.ts" },
        },
        { kind: "say", text: "`save` does nothing." },
      ],
      compaction: { title: "Cart", overview: "The cart's save function does nothing." },
    },
    {
      at: "2026-10-01T09:20:00.000Z",
      user: "Then fix it, with a test.",
      steps: [
        {
          kind: "tool",
          ok: true,
          output: "The file src/cart.ts has been updated.",
          tool: { does: "edit", path: "src/cart.ts", before: "() => {}", after: "() => store.put(cart)" },
        },
        {
          kind: "tool",
          ok: true,
          output: "File created successfully.",
          tool: { does: "create", path: "src/cart.test.ts", text: 'it("keeps items");\n' },
        },
        {
          kind: "tool",
          ok: false,
          output: "Exit code 1\n1 failed",
          tool: { does: "run", command: "npm test", why: "Run the tests" },
        },
        { kind: "say", text: "One test still fails." },
      ],
    },
  ],
};
const fork: Story = {
  ...story,
  id: "the-cart-in-a-cookie",
  title: "The cart in a cookie",
  turns: [
    ...story.turns.slice(0, 1),
    { at: "2026-10-02T08:00:00.000Z", user: "Use a cookie.", steps: [{ kind: "say", text: "Done." }] },
  ],
  forkOf: { id: story.id, title: story.title, keep: 1 },
};

for (const told of [story, fork]) await write(told, home);

it.each([story, fork])(
  "$title: resumed, the model receives what our context says",
  async ({ title, turns }) => {
    const artifact = await find(title);
    const ours = await claudeCode.context?.messages(localFs, artifact);
    expect(ours?.map(({ origin: _origin, madeUp: _madeUp, ...message }) => message)).toEqual(
      await claude.messagesSent(home, artifact.id),
    );
    const last = turns.at(-1);
    expect(ours?.map(({ text }: ContextMessage) => text)).toContain(last?.user);
  },
);

it("is found by its title, as only listed sessions are", async () => {
  const run = await claude.resume(home, story.title, "Are you there?");
  expect(run).toMatchObject({ code: 0, stdout: "Understood.\n" });
});

it("reads back as the story that was told", async () => {
  const artifact = await find(fork.title);
  const events: Event[] = [];
  const session = await claudeCode.read(localFs, artifact, {
    event: (event) => void events.push(event),
    problem: (problem) => expect(problem).toBeUndefined(),
  });
  expect(session).toMatchObject({
    title: fork.title,
    workspace: fork.workspace,
    branch: "fix/cart",
    parent: { id: (await find(story.title)).id, kind: "fork" },
    turns: 2,
  });
  expect(toTurns(events).map(({ user, assistant }) => ({ user, assistant }))).toEqual([
    { user: story.turns[0]?.user, assistant: "Let me look where it is saved.\n\n`save` does nothing." },
    { user: "Use a cookie.", assistant: "Done." },
  ]);
});

async function write(told: Story, into: ClaudeHome): Promise<void> {
  for (const image of (await claudeCode.demo?.compose(told)) ?? []) {
    const path = join(into.root, image.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, image.content as string, { mode: image.mode ?? 0o600 });
    utimesSync(path, new Date(image.mtime ?? 0), new Date(image.mtime ?? 0));
  }
}

async function find(title: string): Promise<Artifact> {
  const found: Artifact[] = [];
  await claudeCode.scan(localFs, home.root, {
    artifact: (artifact) => void found.push(artifact),
    problem: (problem) => expect(problem).toBeUndefined(),
  });
  for (const artifact of found) {
    const session = await claudeCode.read(localFs, artifact, {
      event: () => undefined,
      problem: () => undefined,
    });
    if (session.title === title) return artifact;
  }
  throw new Error(`no session called ${title}`);
}
