import { expect, it } from "vitest";
import { CHANGES } from "../model/change.ts";
import { abilitiesOf } from "./abilities.ts";
import { SOURCES } from "./registry.ts";
import { defineSource } from "./source.ts";

const bare = {
  id: "made-up",
  label: "Made Up",
  locate: [],
  scan: async () => undefined,
  read: async () => ({}) as never,
};

it("tells of the real sources what they declare", async () => {
  const all = await Promise.all(SOURCES.map(abilitiesOf));
  const cannot = Object.fromEntries(
    all.map((each) => [each.source, each.cannot.map(({ change }) => change)]),
  );
  expect(cannot).toEqual({
    "copilot-cli": ["rescue-all"],
    vscode: ["compact", "checkpoint-create"],
    "claude-code": ["checkpoint-create", "rescue-all"],
    codex: expect.arrayContaining(["clone", "rename", "move", "delete", "rescue"]),
  });
  expect(all.filter(({ canChat }) => canChat).map(({ source }) => source)).toEqual([
    ...["copilot-cli", "claude-code"],
  ]);
  expect(all.flatMap((each) => each.cannot).find(({ change }) => change === "compact")?.why).toBe(
    "Rethread cannot compact sessions of GitHub Copilot Chat in VS Code yet",
  );
});

it("refuses all changes where a source has no editor, and what an editor lacks", async () => {
  const context = { messages: async () => [] };
  // A handoff leaves the session as it is.
  const none = await abilitiesOf(defineSource({ ...bare, context }));
  expect(none.cannot.map(({ change }) => change)).toEqual(CHANGES.filter((change) => change !== "handoff"));
  expect((await abilitiesOf(defineSource(bare))).cannot.at(-2)?.change).toBe("handoff");
  expect(new Set(none.cannot.map(({ why }) => why))).toEqual(
    new Set(["Rethread cannot change sessions of Made Up yet"]),
  );
  const made = defineSource({ ...bare, context, editor: async () => ({ moves: {}, repairs: {} }) as never });
  expect((await abilitiesOf(made)).cannot).toEqual([
    { change: "compact", why: "Rethread cannot compact sessions of Made Up yet" },
    { change: "checkpoint-create", why: "Rethread cannot write checkpoints for sessions of Made Up yet" },
    { change: "rescue-all", why: "Rethread cannot repair all sessions of Made Up yet" },
    { change: "import", why: "Rethread cannot import sessions of Made Up yet" },
    { change: "secrets-scrub", why: "Rethread cannot scrub sessions of Made Up yet" },
  ]);
});
