import { describe, expect, it } from "vitest";
import {
  answer,
  call,
  catalogOf,
  fakeSource,
  ORIGIN,
  prompt,
  result,
  type Told,
} from "../../test/cli/fake-source.ts";
import type { Event } from "../model/session/session.ts";
import type { Turn } from "../model/session/turns.ts";
import { type ShowOptions, showSession } from "./show.ts";

async function show(told: Omit<Told, "id">, options: ShowOptions = {}) {
  const seen: string[] = [];
  const turns: Turn[] = [];
  await showSession(catalogOf(fakeSource([{ id: "a", ...told }])), "a", options, {
    head: (session, problems) => void seen.push(`head ${session.turns} ${problems.map((each) => each.code)}`),
    preamble: (parts) => void seen.push(`preamble ${parts.map((part) => part.kind)}`),
    turn(turn) {
      seen.push(`turn ${turn.index}`);
      // As it was when it was shown: a turn that changes afterwards was shown too early.
      turns.push(structuredClone(turn));
    },
  });
  return { seen, turns };
}

describe("showSession", () => {
  it("gives the head before the turns, with damage but without oddities", async () => {
    const place = { source: "fake", session: "a", path: "/a" };
    const { seen } = await show({
      events: [prompt("one"), answer("1"), prompt("two")],
      problems: [
        { ...place, code: "record-torn", line: 3, message: "torn" },
        { ...place, code: "record-unknown", line: 2, message: "new" },
      ],
    });
    expect(seen).toEqual(["head 2 record-torn", "turn 0", "turn 1"]);
  });

  it("gives one turn when asked for one", async () => {
    const events = [prompt("one"), prompt("two"), prompt("three")];
    expect((await show({ events }, { turn: 1 })).turns.map((turn) => turn.user)).toEqual(["two"]);
  });

  it("says which turns there are when asked for another", async () => {
    await expect(show({ events: [prompt("one")] }, { turn: 1 })).rejects.toMatchObject({
      code: "turn-not-found",
      message: "Session a has no turn 1: its turns are 0 to 0",
    });
    await expect(show({}, { turn: 0 })).rejects.toMatchObject({
      message: "Session a has no turn 0: it has no turns",
    });
  });

  it("gives what stands before the first prompt, even when there is no prompt", async () => {
    const notice: Event = { kind: "notice", level: "info", text: "hello", origin: ORIGIN };
    expect((await show({ events: [notice, prompt("one")] })).seen).toEqual([
      "head 1 ",
      "preamble notice",
      "turn 0",
    ]);
    expect((await show({ events: [notice] })).seen).toEqual(["head 0 ", "preamble notice"]);
  });

  it("waits for a tool result that comes after the next prompt", async () => {
    const { turns } = await show({
      events: [prompt("one"), call("c", "bash"), prompt("two"), result("c", "late")],
    });
    expect(turns.map((turn) => turn.parts.map((part) => part.kind === "tool" && part.result))).toEqual([
      ["late"],
      [],
    ]);
  });

  it("does not hold a whole log back for a result that never comes", async () => {
    const prompts = Array.from({ length: 40 }, (_, index) => prompt(`p${index}`));
    const { seen, turns } = await show({ events: [prompt("one"), call("c", "bash"), ...prompts] });
    expect(seen).toHaveLength(42);
    expect(turns[0]?.parts).toMatchObject([{ status: "pending" }]);
  });
});
