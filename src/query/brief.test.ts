import { expect, it } from "vitest";
import type { Turn } from "../model/session/turns.ts";
import { createBriefReader } from "./brief.ts";

const origin = { line: 1, start: 0, end: 1 };
const session = {
  source: "copilot-cli",
  id: "abc",
  title: "A key",
  turns: 2,
  problems: 0,
  models: [],
  path: "/x",
  bytes: 1,
};
const turn = (index: number, user: string, parts: Turn["parts"] = []): Turn => ({
  index,
  user,
  assistant: "",
  startedAt: `2026-11-01T10:0${index}:00Z`,
  attachments: [],
  parts,
  origin,
});

it("leaves no half of a secret where a long text is shortened, and finds it where only a later turn names it", () => {
  const secret = "Zq8vT2mLx9Kd4Rw7Yb3N";
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const read = (redact: boolean): string => {
    const reader = createBriefReader({ redact });
    reader.head(session, []);
    // The limit for a line of an answer falls into the token, which has no space to cut at.
    reader.turn(
      turn(0, `Use ${secret} here`, [{ kind: "text", text: `Because ${"x".repeat(215)}:${token}`, origin }]),
    );
    reader.turn(turn(1, `DB_PASSWORD=${secret}`));
    return JSON.stringify(reader.end().brief);
  };
  expect(read(false)).toContain(secret);
  expect(read(false)).toContain("ghp_");
  expect(read(true)).not.toContain(secret);
  expect(read(true)).not.toContain("ghp_");
  expect(read(true)).toContain("[redacted: password #1]");
});

it("knows the open tasks of the last list, and when turns began", () => {
  const reader = createBriefReader({});
  reader.head(session, []);
  const tasks = (...items: { text: string; status: "open" | "active" | "done" }[]): Turn["parts"] => [
    { kind: "note", about: "tasks", items, origin },
  ];
  reader.turn(turn(0, "One", tasks({ text: "Old", status: "open" })));
  reader.turn(
    turn(
      1,
      "Two",
      tasks({ text: "A", status: "done" }, { text: "B", status: "active" }, { text: "C", status: "open" }),
    ),
  );
  const { brief, times } = reader.end();
  expect(brief.open).toEqual([
    { turn: 1, text: "B (begun)" },
    { turn: 1, text: "C" },
  ]);
  expect(times.get(1)).toBe("2026-11-01T10:01:00Z");
});
