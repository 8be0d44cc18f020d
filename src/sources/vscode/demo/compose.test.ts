import { describe, expect, it } from "vitest";
import type { FileImage } from "../../../model/image.ts";
import type { Artifact, Event } from "../../../model/session/session.ts";
import type { Story } from "../../../model/session/story.ts";
import { toTurns } from "../../../model/session/turns.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { context } from "../context.ts";
import { toIndex } from "../index-db/state-db.ts";
import { read } from "../read.ts";
import { editsOf } from "../response/edits.ts";
import { compose, merge } from "./compose.ts";
import { composeTool } from "./compose-tools.ts";

const story = (id: string, more: Partial<Story> = {}): Story => ({
  id,
  title: `Title ${id}`,
  workspace: "/srv/shop",
  createdAt: "2026-06-03T09:00:00.000Z",
  model: "gpt-5",
  turns: [
    {
      at: "2026-06-03T09:00:00.000Z",
      user: "Fix it",
      steps: [
        { kind: "think", text: "Hm." },
        { kind: "say", text: "Looking." },
        {
          kind: "tool",
          tool: { does: "run", command: "npm test", why: "see" },
          ok: false,
          output: "1 failed",
        },
        {
          kind: "tool",
          tool: { does: "edit", path: "a.ts", before: "x", after: "y\nz" },
          ok: true,
          output: "ok",
        },
        { kind: "say", text: "Done." },
      ],
      compaction: { title: "Fixing", overview: "It was fixed." },
    },
    { at: "2026-06-03T09:10:00.000Z", user: "Thanks", steps: [{ kind: "say", text: "Welcome." }] },
  ],
  ...more,
});

const find = (images: readonly FileImage[], end: string): FileImage =>
  images.find((image) => image.path.endsWith(end)) as FileImage;

describe("a composed story", () => {
  const images = compose(story("s", { repository: "acme/shop", branch: "main" }));
  const file = find(images, "chatSessions/s.jsonl");
  const fs = createMemoryFs({ "/User/s.jsonl": file.content as string });
  const artifact: Artifact = {
    source: "vscode",
    id: "s",
    root: "/User",
    path: "/User/s.jsonl",
    fingerprint: { size: 0, mtimeMs: 0, ino: 0 },
  };

  it("reads back as it was told, without a problem", async () => {
    const events: Event[] = [];
    const problems: unknown[] = [];
    const session = await read(fs, artifact, {
      event: (event) => void events.push(event),
      problem: (problem) => void problems.push(problem),
    });
    expect(problems).toEqual([]);
    expect(session).toMatchObject({
      title: "Title s",
      turns: 2,
      repository: "acme/shop",
      branch: "main",
      models: ["gpt-5"],
    });
    const [first, second] = toTurns(events);
    expect(first).toMatchObject({ user: "Fix it", assistant: "Looking.\n\nDone." });
    expect(first?.parts.filter(({ kind }) => kind !== "note")).toMatchObject([
      { kind: "thinking", text: "Hm." },
      { kind: "text", text: "Looking." },
      { kind: "tool", name: "run_in_terminal", status: "failed", result: "1 failed" },
      { kind: "tool", name: "replace_string_in_file", status: "ok", result: "ok" },
      { kind: "edit", path: "/srv/shop/a.ts", added: 2, removed: 1 },
      { kind: "text", text: "Done." },
      { kind: "checkpoint", summary: "It was fixed." },
    ]);
    expect(second).toMatchObject({ user: "Thanks", assistant: "Welcome." });
  });

  it("gives the model the summary and what came after it", async () => {
    expect((await context(fs, artifact)).map(({ role, text }) => [role, text])).toEqual([
      ["user", "<conversation-summary>\nIt was fixed.\n</conversation-summary>"],
      ["user", "<userRequest>\nThanks\n</userRequest>\n"],
      ["assistant", "Welcome."],
    ]);
  });

  it("is the same every time", () => {
    expect(compose(story("s", { repository: "acme/shop", branch: "main" }))).toEqual(images);
  });

  it("says which folder it is about", () => {
    expect(find(compose(story("s", { workspace: "/srv/my shop" })), "workspace.json").content).toBe(
      '{"folder":"file:///srv/my%20shop"}\n',
    );
  });
});

describe("several stories", () => {
  it("share one list in each workspace, written after the sessions", () => {
    const images = merge(["a", "b"].flatMap((id) => compose(story(id))));
    expect(images.map((image) => image.path.replace(/^workspaceStorage\/[0-9a-f]{32}\//, ""))).toEqual([
      "workspace.json",
      "chatSessions/a.jsonl",
      "chatSessions/b.jsonl",
      "state.vscdb",
    ]);
    const { rows } = find(images, "state.vscdb").content as { rows: Record<string, string> };
    expect(toIndex({ value: Object.values(rows)[0], type: "text" })).toEqual({
      state: "read",
      entries: [
        { id: "a", title: "Title a" },
        { id: "b", title: "Title b" },
      ],
    });
  });

  it("of different workspaces stay apart", () => {
    const images = merge([...compose(story("a")), ...compose(story("b", { workspace: "/srv/other" }))]);
    expect(images.filter((image) => image.path.endsWith("state.vscdb"))).toHaveLength(2);
  });
});

describe("an edit", () => {
  const countsOf = (before: string, after: string) => {
    const tool = { does: "edit", path: "/w/a.ts", before, after } as const;
    const step = { kind: "tool", tool, ok: true, output: "" } as const;
    const [, edit] = composeTool(step, "call", "/w", 0).parts;
    return editsOf(edit ?? {})?.map(({ added, removed }) => [added, removed]);
  };

  it("has the lines that change, and no others", () => {
    expect(countsOf("a\nb\nc", "a\nx\nc")).toEqual([[1, 1]]);
    expect(countsOf("a\nc", "a\nb\nc")).toEqual([[1, 0]]);
    expect(countsOf("a\nb\nc", "a\nc")).toEqual([[0, 1]]);
    expect(countsOf("a\nb", "a\nb\n\nc")).toEqual([[2, 0]]);
    expect(countsOf("a\nb\nc", "a")).toEqual([[0, 2]]);
    expect(countsOf("a", "b")).toEqual([[1, 1]]);
  });
});
