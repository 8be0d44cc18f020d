import { describe, expect, it } from "vitest";
import { AppError } from "../model/errors.ts";
import { toFailure } from "./failure.ts";

describe("toFailure", () => {
  it("passes on what people can repair", () => {
    expect(toFailure(new AppError("session-not-found", "No such session", "Look again"))).toEqual({
      code: "session-not-found",
      message: "No such session",
      hint: "Look again",
      exit: 3,
    });
  });
  it("passes on the next step as data, and words it for the home that it is about", () => {
    const advice = { say: "Repair it", remedy: { action: "rescue", session: "vscode:my chat" } } as const;
    const error = new AppError("unreadable", "It is damaged", advice);
    expect(toFailure(error)).toMatchObject({
      hint: "Repair it: rethread rescue 'vscode:my chat'",
      say: "Repair it",
      remedy: { action: "rescue", session: "vscode:my chat" },
    });
    expect(toFailure(error, true)).toMatchObject({
      hint: "Repair it: rethread rescue 'vscode:my chat' --demo",
      remedy: { action: "rescue", session: "vscode:my chat", demo: true },
    });
  });
  it("says what the system failed on", () => {
    const errno = (code: string) => Object.assign(new Error(`${code}: words, open '/x'`), { code });
    expect(toFailure(errno("EACCES"))).toMatchObject({ code: "permission-denied", exit: 4 });
    expect(toFailure(errno("ENOSPC"))).toMatchObject({ code: "disk-full", exit: 6 });
    const message = "EIO: words, open '/x'";
    expect(toFailure(errno("EIO"))).toMatchObject({ code: "system-failed", message, exit: 6 });
    expect(toFailure(errno("ERR_ASSERTION"))).toMatchObject({ code: "internal" });
  });
  it("owns up to anything else", () => {
    expect(toFailure(new TypeError("x is not a function"))).toEqual({
      code: "internal",
      message: "x is not a function",
      hint: expect.stringContaining("RETHREAD_DEBUG"),
      exit: 70,
      stack: expect.stringContaining("failure.test.ts"),
    });
    expect(toFailure("thrown text")).toMatchObject({ code: "internal", message: "thrown text" });
  });
});
