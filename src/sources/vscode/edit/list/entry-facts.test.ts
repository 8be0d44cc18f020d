import { expect, it } from "vitest";
import { inspectTurn } from "../copy/inspect.ts";
import { factsOf } from "./entry-facts.ts";
import { toEntry } from "./list.ts";

const NOW = new Date("2026-11-15T12:00:00Z");

it("never notes a time that is no date, for which VS Code would throw its whole list away", () => {
  for (const odd of [1e20, -1e20, 253_402_300_800_000]) {
    const turn = { timestamp: odd, modelState: { value: 1, completedAt: odd } };
    const facts = factsOf({ head: { creationDate: odd } }, [inspectTurn(turn)], NOW);
    const at = new Date(facts.ended ?? facts.started ?? facts.created);
    const entry = JSON.parse(JSON.stringify(toEntry({ ...facts, id: "s", title: "t", now: at }, undefined)));
    expect(entry).toMatchObject({ lastMessageDate: NOW.getTime(), timing: { created: NOW.getTime() } });
    expect(entry.timing).not.toHaveProperty("lastRequestStarted");
  }
});
