/** What earlier records tell about a result. */
import { describe, expect, it } from "vitest";
import type { Event } from "../../../model/session/session.ts";
import { createCallNotes } from "./call-notes.ts";
import type { CopilotRecord } from "./records.ts";

const origin = { line: 1, start: 0, end: 1 };
const start = (toolCallId: string, time: string): CopilotRecord => ({
  type: "tool.execution_start",
  data: { toolCallId },
  time,
  ephemeral: false,
});
const result = (more: Partial<Extract<Event, { kind: "tool-result" }>> = {}): Event => ({
  kind: "tool-result",
  callId: "a",
  status: "ok",
  text: "",
  time: "2026-11-01T10:00:03.100Z",
  origin,
  ...more,
});
const edit = (path: string): Event => ({ kind: "edit", path, origin });

describe("a result", () => {
  it("has the time that its tool took", () => {
    const notes = createCallNotes();
    notes.note(start("a", "2026-11-01T10:00:00.000Z"));
    expect(notes.complete([result()])).toMatchObject([{ durationMs: 3_100 }]);
    // Once: an id may come again.
    expect(notes.complete([result()])[0]).not.toHaveProperty("durationMs");
  });

  it("has none where it was broken off, has no time, or ends before it starts", () => {
    for (const more of [{ status: "interrupted" }, { time: "2026-11-01T09:00:00.000Z" }] as const) {
      const notes = createCallNotes();
      notes.note(start("a", "2026-11-01T10:00:00.000Z"));
      expect(notes.complete([result(more)])[0]).not.toHaveProperty("durationMs");
    }
    const { time: _, ...timeless } = result();
    const notes = createCallNotes();
    notes.note(start("a", "2026-11-01T10:00:00.000Z"));
    expect(notes.complete([timeless as Event])[0]).not.toHaveProperty("durationMs");
  });
});

describe("an edit", () => {
  const patch = [
    "*** Begin Patch",
    "*** Update File: src/a.ts",
    "@@",
    " same",
    "-old",
    "+new",
    "+more",
    "*** Add File: src/b.ts",
    "+first",
    "*** End Patch",
  ].join("\n");
  const call = (input: unknown): Event => ({
    kind: "tool-call",
    callId: "a",
    name: "apply_patch",
    input,
    origin,
  });

  it.each([patch, { patch }, { input: patch }])(
    "has the lines that a patch of several files changes in it",
    (input) => {
      const notes = createCallNotes();
      notes.complete([call(input)]);
      // Whoever continues in the middle knows what was noted before.
      const later = createCallNotes(JSON.parse(JSON.stringify(notes.entries())));
      expect(
        later.complete([result(), edit("/srv/src/a.ts"), edit("/srv/src/b.ts"), edit("/srv/c.ts")]),
      ).toMatchObject([{}, { added: 2, removed: 1 }, { added: 1, removed: 0 }, { path: "/srv/c.ts" }]);
      expect(later.entries()).toEqual([]);
    },
  );

  it("keeps the lines that its record has", () => {
    const notes = createCallNotes();
    notes.complete([call(patch)]);
    const counted = { ...edit("/srv/src/a.ts"), added: 9, removed: 9 } as Event;
    expect(notes.complete([result(), counted])).toMatchObject([{}, { added: 9, removed: 9 }]);
  });
});
