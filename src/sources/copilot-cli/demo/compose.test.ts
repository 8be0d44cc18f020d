import { describe, expect, it } from "vitest";
import type { Problem } from "../../../model/problem.ts";
import type { Event } from "../../../model/session/session.ts";
import type { Story } from "../../../model/session/story.ts";
import { toTurns } from "../../../model/session/turns.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { openCatalog } from "../../catalog.ts";
import source from "../index.ts";
import { compose } from "./compose.ts";

const story: Story = {
  id: "5e551017-0000-4000-8000-000000000001",
  title: 'Mend "the" cart: now',
  workspace: "/srv/shop",
  repository: "lumen/shop",
  branch: "main",
  createdAt: "2026-03-04T08:00:00.000Z",
  model: "gpt-5.4",
  forkOf: { id: "5e551017-0000-4000-8000-000000000000", title: "The cart", keep: 1 },
  turns: [
    {
      at: "2026-03-04T08:00:02.000Z",
      user: "Why?",
      steps: [
        { kind: "think", text: "Hm." },
        { kind: "say", text: "Looking." },
        {
          kind: "tool",
          ok: false,
          output: "1 failed",
          tool: { does: "run", command: "npm test", why: "Test" },
        },
        {
          kind: "tool",
          ok: true,
          output: "Edited.",
          tool: { does: "edit", path: "/srv/shop/a", before: "1", after: "2\n3" },
        },
        { kind: "say", text: "Done." },
      ],
      compaction: { title: "Found it / at last", overview: "It was the rounding." },
    },
    { at: "2026-03-04T09:00:00.000Z", user: "Thanks", steps: [{ kind: "say", text: "Welcome." }] },
  ],
};

async function readBack() {
  const files = compose(story).map(({ path, content }) => [`/copilot/${path}`, content as string]);
  const env = { platform: "linux" as const, homeDir: "/", vars: { COPILOT_HOME: "/copilot" } };
  const catalog = openCatalog([source], env, createMemoryFs(Object.fromEntries(files)));
  const { artifacts, problems } = await catalog.scan();
  const [artifact] = artifacts;
  if (!artifact) throw new Error("not found");
  const events: Event[] = [];
  const found: Problem[] = [...problems];
  const session = await catalog.read(artifact, {
    event: (event) => void events.push(event),
    problem: (problem) => void found.push(problem),
  });
  return { session, turns: toTurns(events), problems: found };
}

describe("composing a Copilot CLI session", () => {
  it("reads back as it was told", async () => {
    const { session, turns, problems } = await readBack();
    expect(problems).toEqual([]);
    expect(session).toMatchObject({
      title: 'Mend "the" cart: now',
      workspace: "/srv/shop",
      repository: "lumen/shop",
      branch: "main",
      createdAt: "2026-03-04T08:00:00.000Z",
      turns: 2,
      problems: 0,
      models: ["gpt-5.4"],
      parent: { id: "5e551017-0000-4000-8000-000000000000", kind: "fork", title: "The cart" },
    });
    expect(turns.map(({ user, assistant }) => [user, assistant])).toEqual([
      ["Why?", "Looking.\n\nDone."],
      ["Thanks", "Welcome."],
    ]);
    const parts = turns[0]?.parts.map((part) =>
      part.kind === "tool" ? `${part.name} ${part.status}` : part.kind,
    );
    expect(parts).toEqual([
      "thinking",
      "text",
      "bash failed",
      "edit ok",
      "edit",
      "text",
      "checkpoint",
      "notice",
    ]);
  });

  it("writes the same bytes whenever the same story is told", () => {
    expect(compose(story)).toEqual(compose(story));
  });

  it("names files as the program does, with times and modes of its own", () => {
    const files = compose(story).map(({ path, mode, mtime }) => [path.replace(story.id, "ID"), mode, mtime]);
    const last = files[0]?.[2];
    expect(files).toEqual([
      ["session-state/ID/events.jsonl", 0o600, last],
      ["session-state/ID/workspace.yaml", 0o600, last],
      ["session-state/ID/checkpoints/index.md", 0o600, last],
      ["session-state/ID/checkpoints/001-found-it-at-last.md", 0o600, expect.any(String)],
    ]);
    // That of its compaction, in the middle of the session.
    expect(String(files[3]?.[2]) < String(last)).toBe(true);
    expect(String(last)).toMatch(/^2026-03-04T09:00:\d\d\.000Z$/);
  });
});
