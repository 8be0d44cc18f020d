import { describe, expect, it } from "vitest";
import { addUsage, decideStartMode, type Standing, type StartMode } from "./chat.ts";

const NEW = "00000000-0000-4000-8000-000000000001";
const KNOWN = "00000000-0000-4000-8000-000000000002";

const NEITHER = { cliSession: undefined };
const STORED = { cliSession: KNOWN };

describe("the way to a conversation", () => {
  it.each<[string, { cliSession: string | undefined }, Omit<Standing, "cliSession" | "newId">, StartMode]>([
    [
      "first message",
      NEITHER,
      { hasBegun: false, keepsContext: true, takesId: true },
      { start: "named", id: NEW },
    ],
    [
      "first message, older program",
      NEITHER,
      { hasBegun: false, keepsContext: true, takesId: false },
      { start: "unnamed" },
    ],
    [
      "next message, id never found",
      NEITHER,
      { hasBegun: true, keepsContext: true, takesId: true },
      { start: "named", id: NEW },
    ],
    [
      "next message, id never found, older program",
      NEITHER,
      { hasBegun: true, keepsContext: true, takesId: false },
      { start: "continue" },
    ],
    [
      "stored id, first since the start",
      STORED,
      { hasBegun: false, keepsContext: true, takesId: true },
      { start: "resume", id: KNOWN },
    ],
    [
      "stored id, first since the start, older program",
      STORED,
      { hasBegun: false, keepsContext: true, takesId: false },
      { start: "resume", id: KNOWN },
    ],
    [
      "stored id, same run",
      STORED,
      { hasBegun: true, keepsContext: true, takesId: true },
      { start: "resume", id: KNOWN },
    ],
    [
      "stored id, same run, older program",
      STORED,
      { hasBegun: true, keepsContext: true, takesId: false },
      { start: "resume", id: KNOWN },
    ],
    ["switched off", NEITHER, { hasBegun: false, keepsContext: false, takesId: true }, { start: "alone" }],
    [
      "switched off, older program",
      NEITHER,
      { hasBegun: true, keepsContext: false, takesId: false },
      { start: "alone" },
    ],
    [
      "switched off, stored id",
      STORED,
      { hasBegun: false, keepsContext: false, takesId: true },
      { start: "alone" },
    ],
    [
      "switched off, stored id, older program",
      STORED,
      { hasBegun: true, keepsContext: false, takesId: false },
      { start: "alone" },
    ],
  ])("%s", (_, { cliSession }, standing, mode) => {
    expect(
      decideStartMode({ ...standing, newId: NEW, ...(cliSession !== undefined && { cliSession }) }),
    ).toEqual(mode);
  });
});

it("adds up what is known of usage, and makes up nothing", () => {
  expect(addUsage({ inputTokens: 1 }, { inputTokens: 2, apiMs: 3 })).toEqual({ inputTokens: 3, apiMs: 3 });
  expect(addUsage({}, {})).toEqual({});
});
