/** Records with times that cannot be true: they are reported, and date nothing. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTinyHome, type TinyHome } from "../../test/tiny-home.ts";
import { sessionOf, turn } from "../../test/vscode-log.ts";

let home: TinyHome;
beforeEach(() => {
  home = createTinyHome();
});
afterEach(() => home.remove());

const GOOD = "2026-10-01T10:00:00.000Z";
const uuid = (number: number): string => `0b1c0000-0000-4000-8000-00000000000${number}`;

/** Two turns, of which the second is dated so. */
const SESSIONS: Record<string, (time: unknown) => void> = {
  "copilot-cli": (time) => {
    const line = (number: number, type: string, data: object, timestamp: unknown) => ({
      type,
      data,
      id: uuid(number),
      timestamp,
      parentId: number === 1 ? null : uuid(number - 1),
    });
    home.write(
      `copilot/session-state/${uuid(9)}/events.jsonl`,
      line(
        1,
        "session.start",
        { sessionId: uuid(9), version: 1, producer: "p", copilotVersion: "1", startTime: GOOD },
        GOOD,
      ),
      line(2, "user.message", { content: "one" }, GOOD),
      line(3, "user.message", { content: "two" }, time),
      line(4, "assistant.turn_start", { turnId: "0" }, time),
    );
  },
  "claude-code": (time) => {
    const row = (number: number, text: string, timestamp: unknown) => ({
      type: "user",
      uuid: uuid(number),
      parentUuid: number === 1 ? null : uuid(number - 1),
      sessionId: uuid(9),
      timestamp,
      message: { role: "user", content: text },
    });
    home.write(`claude/projects/-work/${uuid(9)}.jsonl`, row(1, "one", GOOD), row(2, "two", time));
  },
  vscode: (time) => {
    const odd = {
      timestamp: typeof time === "string" ? Date.parse(time) : time,
      modelState: { value: 1, completedAt: time },
    };
    home.write(
      "vscode/workspaceStorage/w/chatSessions/s.json",
      sessionOf(
        turn("one", [], {
          timestamp: Date.parse(GOOD),
          modelState: { value: 1, completedAt: Date.parse(GOOD) },
        }),
        turn("two", [], odd),
      ),
    );
  },
};

describe.each(Object.entries(SESSIONS))("%s", (source, write) => {
  it.each(["9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z", 1e20, -62_135_596_800_000])(
    "reports a record of %s, and does not date the work by it",
    async (time) => {
      write(time);
      await home.index();
      expect(home.words("SELECT timestamp IS NULL FROM turns ORDER BY turn_index")).toEqual(["0", "1"]);
      const [session] = home.ask("SELECT created_at, updated_at FROM sessions");
      expect([session?.created_at, session?.updated_at].map((each) => String(each).slice(0, 4))).toEqual([
        "2026",
        "2026",
      ]);
      const problems = home.words("SELECT DISTINCT code FROM problems WHERE code <> 'session-orphaned'");
      // Numbers are refused as times by the programs that write text.
      if (typeof time === "string" || source === "vscode") expect(problems).toContain("time-odd");
    },
  );
});
