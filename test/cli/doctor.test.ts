/** `rethread doctor`, as a person or a program runs it. */
import { describe, expect, it } from "vitest";
import { FLAKY, useReadingHome } from "./reading-home.ts";

const { home } = useReadingHome();

describe("doctor", () => {
  it("names each problem with its session and place, and exits 1", () => {
    const { code, stdout } = home.rethread("doctor", "--json");
    const { problems, sessions } = JSON.parse(stdout);
    expect({ code, sessions }).toEqual({ code: 1, sessions: 3 });
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: "record-torn",
        source: "copilot-cli",
        session: FLAKY,
        path: expect.stringMatching(/events\.jsonl$/),
        line: 3,
        message: expect.any(String),
        severity: "damage",
      }),
    );
  });

  it("prints what is damaged before what is odd", () => {
    const { stdout, code } = home.rethread("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^damage /);
    expect(stdout).toMatch(/copilot-cli:0b1cffff {2}Flaky test\n {4}• record-torn /);
  });

  it("exits 0 when nothing is wrong", () => {
    const { stdout, code } = home.rethread("doctor", "--source", "claude-code");
    expect({ stdout, code }).toEqual({ stdout: "Nothing is wrong with 0 sessions of 1 source.\n", code: 0 });
  });
});
