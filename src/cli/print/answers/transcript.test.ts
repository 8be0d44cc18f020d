import { describe, expect, it } from "vitest";
import { answer, call, ORIGIN, prompt, result, toSession } from "../../../../test/cli/fake-source.ts";
import type { Event } from "../../../model/session/session.ts";
import { toTurns } from "../../../model/session/turns.ts";
import { createStyle } from "../../../present/text/style.ts";
import { widthOf } from "../../../present/text/text.ts";
import { createTranscript, type TranscriptOptions } from "./transcript.ts";

const EVENTS: Event[] = [
  prompt("Fix the **login** redirect"),
  { kind: "thinking", text: "The cookie is set too late.\nMove it.", origin: ORIGIN },
  call("c1", "bash", { command: "npm test" }),
  result("c1", "\n2 failed\nmore", "failed"),
  call("c2", "task", { prompt: "look around" }),
  { ...call("c3", "view", { path: "src/a.ts" }), agent: "c2" },
  result("c2", "found it"),
  call("c4", "bash", { command: "sleep 100" }),
  { kind: "edit", path: "src/login.ts", added: 3, removed: 1, origin: ORIGIN },
  answer("Done: see `src/login.ts`."),
  { kind: "compaction", summary: "We fixed it.", title: "Login", checkpoint: 1, origin: ORIGIN },
  { kind: "clear", origin: ORIGIN },
  { kind: "notice", level: "warning", text: "rate limit", origin: ORIGIN },
];
const lines = (options: Partial<TranscriptOptions> = {}, events = EVENTS): string[] => {
  const transcript = createTranscript({
    style: createStyle(false),
    columns: 60,
    now: new Date(0),
    isDemo: false,
    full: false,
    thinking: false,
    ...options,
  });
  return toTurns(events).flatMap(transcript.turn);
};

describe("createTranscript", () => {
  it("folds everything but what was said", () => {
    expect(lines()).toEqual([
      "▌ You · turn 0",
      "▌ Fix the login redirect",
      "",
      "  … thinking, 36 chars: The cookie is set too late. Move it.",
      "  ✗ bash npm test                           failed, 14 chars",
      "    2 failed",
      "  ✓ task look around                                 8 chars",
      "    └ 1 step by a sub-agent, 1 tool call",
      "  ◌ bash sleep 100                                 no result",
      "  ✎ src/login.ts +3 −1",
      "",
      "  Done: see src/login.ts.",
      "",
      "  ── checkpoint 1: Login (for the model, everything before",
      "  it is replaced by a summary, 12 chars) ──",
      "  ── context cleared: the model no longer sees what is above",
      "  ──",
      "  warning: rate limit",
      "",
    ]);
  });

  it("unfolds everything when asked", () => {
    const text = lines({ full: true }).join("\n");
    for (const words of ["Move it.", "command: npm test", "│ more", "view src/a.ts", "We fixed it."])
      expect(text).toContain(words);
  });

  it("unfolds only the thinking when asked for that", () => {
    const text = lines({ thinking: true }).join("\n");
    expect(text).toContain("    Move it.");
    expect(text).not.toContain("command:");
  });

  it.each([40, 80, 200])("keeps to %i columns", (columns) => {
    const wide: Event[] = [
      prompt("長い質問".repeat(40)),
      call("c", "x".repeat(90), { a: "y".repeat(400) }),
      answer("z".repeat(300)),
      ...EVENTS,
    ];
    for (const full of [false, true])
      for (const line of lines({ columns, full }, wide)) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  });

  it("takes a result of many lines", () => {
    const events = [prompt("x"), call("c", "bash"), result("c", "line\n".repeat(200_000))];
    expect(lines({ full: true }, events).length).toBeGreaterThan(200_000);
  });

  it("obeys no escape sequence from any part", () => {
    const evil = "\x1b]0;owned\x07\x1b[2J";
    const events: Event[] = [
      { kind: "prompt", text: evil, attachments: [{ kind: "file", name: evil }], origin: ORIGIN },
      answer(evil),
      { kind: "thinking", text: evil, origin: ORIGIN },
      call("c", evil, { command: evil }),
      result("c", evil, "failed"),
      { kind: "edit", path: evil, origin: ORIGIN },
      { kind: "compaction", summary: evil, title: evil, origin: ORIGIN },
      { kind: "notice", level: "info", text: evil, origin: ORIGIN },
    ];
    const transcript = createTranscript({
      style: createStyle(false),
      columns: 80,
      now: new Date(0),
      isDemo: false,
      full: true,
      thinking: true,
    });
    const head = transcript.head(
      toSession({ id: "a", title: evil, head: { workspace: evil, branch: evil, resume: evil } }),
    );
    const problems = transcript.problems([
      { code: "record-torn", source: "x", path: evil, message: evil, fix: evil },
      {
        code: "record-torn",
        source: "x",
        path: evil,
        message: evil,
        remedy: { action: "rescue", session: evil },
      },
    ]);
    expect([...lines({ full: true }, events), ...head, ...problems].join("\n")).not.toContain("\x1b");
  });
});
