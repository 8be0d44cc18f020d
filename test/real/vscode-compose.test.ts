/** Composed stories must be sessions that VS Code lists, opens whole and can go on saving. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Story, StoryTurn } from "../../src/model/session/story.ts";
import { toFileBytes } from "../../src/platform/sqlite/key-value-db.ts";
import { compose, merge } from "../../src/sources/vscode/demo/compose.ts";
import { judgeWorkspace } from "./vscode-judge.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-compose-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const at = (minute: number): string => new Date(Date.UTC(2026, 4, 1, 10, minute)).toISOString();

const repair: StoryTurn = {
  at: at(0),
  user: "The checkout test fails on Fridays, why?\nPlease fix it – größer ist 🙂 besser.",
  steps: [
    { kind: "think", text: "Time zones, most likely." },
    { kind: "say", text: "Let me look at the test." },
    { kind: "tool", tool: { does: "read", path: "src/checkout.ts" }, ok: true, output: "const day = 5;\n" },
    { kind: "tool", tool: { does: "search", pattern: "getDay", path: "src" }, ok: true, output: "2 matches" },
    {
      kind: "tool",
      tool: { does: "run", command: "npm test", why: "see it fail" },
      ok: false,
      output: "1 failed",
    },
    {
      kind: "tool",
      tool: {
        does: "edit",
        path: "src/checkout.ts",
        before: "const day = 5;",
        after: "const day = today();",
      },
      ok: true,
      output: "The file was edited.",
    },
    {
      kind: "tool",
      tool: { does: "create", path: "src/today.ts", text: "export const today = () => 5;\n" },
      ok: true,
      output: "Created.",
    },
    { kind: "say", text: "Fixed: `today()` is used now." },
  ],
  compaction: { title: "Checkout", overview: "The checkout test was fixed." },
};

const story = (id: string, turns: StoryTurn[], more: Partial<Story> = {}): Story => ({
  id,
  title: `Story ${id.slice(0, 4)}`,
  workspace: "/srv/shop front",
  repository: "acme/shop",
  branch: "main",
  createdAt: at(0),
  model: "gpt-5",
  turns,
  ...more,
});

const STORIES: Story[] = [
  story("aaaa1111-2222-4333-8444-555555555555", [
    repair,
    { at: at(9), user: "And on Saturdays?", steps: [{ kind: "say", text: "Also fine." }] },
  ]),
  story("bbbb1111-2222-4333-8444-555555555555", [{ at: at(1), user: "Only asking", steps: [] }]),
  story("cccc1111-2222-4333-8444-555555555555", [repair], {
    forkOf: { id: "aaaa1111-2222-4333-8444-555555555555", title: "Story aaaa" },
  }),
];

it("lists all stories of a workspace, opens every turn and could save each again", async () => {
  for (const image of merge(STORIES.flatMap((each) => compose(each)))) {
    const path = join(root, image.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, toFileBytes(image.content));
  }
  const [first] = compose(STORIES[0] as Story);
  const judgement = await judgeWorkspace(join(root, dirname(first?.path ?? "")));
  expect(judgement).toEqual({
    indexAccepted: true,
    sessions: STORIES.map((each) => ({
      id: each.id,
      listed: true,
      title: each.title,
      stored: each.turns.length,
      imported: false,
      complaints: [],
      turns: each.turns.map(({ user, steps }) => ({
        user,
        assistant: steps.flatMap((step) => (step.kind === "say" ? [step.text] : [])).join(""),
      })),
    })),
  });
});
