import { describe, expect, it } from "vitest";
import { AppError } from "./errors.ts";
import { adviceFor, inDemo, type Remedy, toCommand, toHint } from "./remedy.ts";

describe("a remedy as a command", () => {
  it.each<[Remedy, string]>([
    [{ action: "history" }, "rethread history"],
    [{ action: "rescue", session: "vscode:s" }, "rethread rescue vscode:s"],
    [{ action: "rescue", args: { vscode: true } }, "rethread rescue --vscode"],
    [{ action: "rewind", session: "copilot-cli:a", args: { to: 0 } }, "rethread rewind copilot-cli:a --to 0"],
    [{ action: "clone", session: "a", args: { dropOldest: 3 } }, "rethread clone a --drop-oldest 3"],
    [{ action: "undo", args: { asCopy: true, operation: "0b1c2d3e" } }, "rethread undo 0b1c2d3e --as-copy"],
    [
      { action: "move", args: { to: "/my shop", from: "/shop" } },
      "rethread move --from /shop --to '/my shop'",
    ],
    [{ action: "checkpoint", session: "a", args: { action: "list" } }, "rethread checkpoint list a"],
    [{ action: "import", args: { file: "it's.tgz" } }, "rethread import 'it'\\''s.tgz'"],
  ])("%j", (remedy, command) => expect(toCommand(remedy)).toBe(command));

  it("leaves open what only the user can say", () => {
    expect(toCommand({ action: "clone", session: "a", asks: { to: "folder" } })).toBe(
      "rethread clone a --to <folder>",
    );
    expect(toCommand({ action: "export", args: { format: "bundle" }, asks: { session: "session" } })).toBe(
      "rethread export <session> --format bundle",
    );
    expect(toCommand({ action: "diff", args: { a: "one" }, asks: { b: "new id" } })).toBe(
      "rethread diff one <new id>",
    );
    expect(toCommand({ action: "rescue", asks: { session: "vscode:<id>" } })).toBe(
      "rethread rescue vscode:<id>",
    );
  });

  it("can be about the demo, but for making it", () => {
    expect(toCommand(inDemo({ action: "rescue", session: "a b" }))).toBe("rethread rescue 'a b' --demo");
    expect(toCommand(inDemo({ action: "demo" }))).toBe("rethread demo");
  });
});

it("stands between the words of a hint, and beside them in an error", () => {
  const remedy: Remedy = { action: "fork", session: "a" };
  const advice = { say: "Close it, or work on a copy", remedy, after: "; or wait" };
  expect(toHint(advice)).toBe("Close it, or work on a copy: rethread fork a; or wait");
  expect(toHint("Close it")).toBe("Close it");
  expect(toHint(adviceFor(advice, true))).toBe(
    "Close it, or work on a copy: rethread fork a --demo; or wait",
  );
  expect([adviceFor(advice, false), adviceFor("Close it", true)]).toEqual([advice, "Close it"]);
  expect(new AppError("session-busy", "It is open", advice)).toMatchObject({ hint: toHint(advice), advice });
});
