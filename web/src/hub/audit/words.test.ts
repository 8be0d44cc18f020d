import { expect, it } from "vitest";
import { actionWords, isSessionName } from "./words.ts";

it("says what actions mean, and names those that it does not know", () => {
  expect(actionWords("session-read")).toBe("read a session");
  // The operator does these; the person or team is what they are about.
  expect(actionWords("user-added")).toBe("added a person");
  expect(actionWords("team-joined")).toBe("added somebody to");
  expect(actionWords("key-replaced")).toBe("key replaced");
  expect(actionWords("constructor")).toBe("constructor");
});

it("tells the names of sessions from those of people, teams and repositories", () => {
  expect(isSessionName("copilot-cli:0b1c2d3e@00000001")).toBe(true);
  for (const other of ["robin", "lumen-shop/storefront", "robin@example", "javascript:alert(1)"])
    expect(isSessionName(other)).toBe(false);
});
