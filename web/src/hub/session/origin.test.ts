import { expect, it } from "vitest";
import { originText } from "./origin.ts";

it("tells of the session that one is a fork of, or was handed over from", () => {
  const handedFrom = { source: "claude-code", id: "a", title: "Cart total" };
  const parent = { id: "b", kind: "fork", title: "Flaky\nlogin" } as const;
  expect(originText({ parent: null, handedFrom: null })).toBeUndefined();
  expect(originText({ parent: null, handedFrom })).toBe("handed over from Cart total (Claude Code)");
  expect(originText({ parent: null, handedFrom: { source: "vscode", id: "a" } })).toBe(
    "handed over from VS Code",
  );
  expect(originText({ parent, handedFrom })).toBe("fork of Flaky login");
});
