import { expect, it } from "vitest";
import type { Story } from "../../../model/session/story.ts";
import { compose } from "./compose.ts";

const story: Story = {
  id: "prime-numbers",
  title: "Prime numbers",
  workspace: "/srv/my.app",
  createdAt: "2026-10-01T10:00:00.000Z",
  model: "claude-sonnet-4-5",
  turns: [
    { at: "2026-10-01T10:00:00.000Z", user: "Is 7 prime?", steps: [{ kind: "say", text: "Yes." }] },
    { at: "2026-10-01T11:00:00.000Z", user: "And 8?", steps: [{ kind: "say", text: "No." }] },
  ],
};
const rowsOf = (told: Story) => {
  const [image] = compose(told);
  return String(image?.content)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
};

it("writes one private file in the workspace's folder, as old as its last row", () => {
  const images = compose(story);
  expect(images).toEqual([
    {
      path: expect.stringMatching(
        /^projects\/-srv-my-app\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/,
      ),
      content: expect.any(String),
      mode: 0o600,
      mtime: "2026-10-01T11:00:03.000Z",
    },
  ]);
});

it("writes the same bytes for the same story, and chains every row to the one before", () => {
  expect(compose(story)).toEqual(compose(story));
  const rows = rowsOf(story).filter((row) => row.uuid);
  expect(rows.map((row) => row.parentUuid)).toEqual([null, ...rows.slice(0, -1).map((row) => row.uuid)]);
  expect(rows.map((row) => row.timestamp)).toEqual(rows.map((row) => row.timestamp).toSorted());
});

it("is not hidden from the picker, and ends with its title", () => {
  const rows = rowsOf(story);
  expect(new Set(rows.map((row) => row.entrypoint))).toEqual(new Set(["cli", undefined]));
  expect(rows.at(-1)).toMatchObject({ type: "custom-title", customTitle: "Prime numbers" });
});

it("keeps the ids of copied rows in a fork, and says where they came from", () => {
  const fork: Story = { ...story, id: "composite", forkOf: { id: story.id, title: story.title, keep: 1 } };
  const [original, copy] = [rowsOf(story), rowsOf(fork)];
  expect(copy.slice(0, 2).map((row) => row.uuid)).toEqual(original.slice(0, 2).map((row) => row.uuid));
  expect(copy.map((row) => row.forkedFrom?.sessionId)).toEqual([
    original[0].sessionId,
    original[0].sessionId,
    undefined,
    undefined,
    undefined,
  ]);
  expect(copy[2].uuid).not.toBe(original[2].uuid);
});
