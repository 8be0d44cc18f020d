import { expect, it } from "vitest";
import { type Transcript, writeTranscript } from "../../../../test/real/claude-rows.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { chainForModel, chainForReader } from "./chain.ts";
import { firstPass } from "./first-pass.ts";
import type { RowTable } from "./row-table.ts";

async function chains(write: (t: Transcript) => void) {
  const transcript = writeTranscript();
  write(transcript);
  const facts = await firstPass(
    createMemoryFs({ "/t.jsonl": transcript.text() }),
    "/t.jsonl",
    () => undefined,
  );
  const [shown, sent] = [chainForReader(facts), chainForModel(facts)];
  const uuid = (row: number) => facts.rows.names.text(facts.rows.name(row));
  return {
    shown: shown.rows.map(uuid),
    sent: sent.rows.map(uuid),
    breaks: shown.breaks.map(({ row, bridge }) => [
      uuid(row),
      bridge === undefined ? undefined : uuid(bridge),
    ]),
    ...(shown.refusal && { refusal: [uuid(shown.refusal.row), shown.refusal.why] }),
  };
}

it("leaves out a branch that was rewound", async () => {
  const { shown } = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.prompt("dead", { uuid: "dead" });
    t.goTo("b");
    t.prompt("two", { uuid: "c" });
  });
  expect(shown).toEqual(["a", "b", "c"]);
});

it("believes a mark on another branch, but not a stale one", async () => {
  const write = (leafUuid: string) => (t: Transcript) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.goTo("a");
    t.answer("y", { uuid: "c" });
    t.note({ type: "last-prompt", leafUuid });
  };
  expect((await chains(write("b"))).shown).toEqual(["a", "b"]);
  expect((await chains(write("a"))).shown).toEqual(["a", "c"]);
  expect((await chains(write("gone"))).shown).toEqual(["a", "c"]);
});

it("goes on behind a stale mark where only a row between is lost, or the turn went on beside it", async () => {
  const lost = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.note({ type: "last-prompt", leafUuid: "b" });
    t.prompt("lost", { uuid: "lost" });
    t.lines.pop();
    t.answer("y", { uuid: "c" });
  });
  expect([lost.shown, lost.breaks]).toEqual([["a", "b", "c"], [["c", "b"]]]);
  const parallel = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    const first = t.call("1", { uuid: "b", reply: "r" });
    t.call("2", { uuid: "c", reply: "r" });
    t.goTo(first);
    t.result("1", { uuid: "d" });
    t.note({ type: "last-prompt", leafUuid: "d" });
    t.goTo("c");
    t.result("2", { uuid: "e" });
    t.answer("y", { uuid: "f" });
  });
  expect(parallel.sent).not.toContain("f");
  expect(parallel.shown).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(parallel.refusal).toEqual(["d", expect.stringContaining("in the middle of a turn")]);
});

it("breaks circles open, and links roots where none can be", async () => {
  const circle = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b", parentUuid: "c" });
    t.prompt("two", { uuid: "c", parentUuid: "b" });
    t.answer("y", { uuid: "d" });
  });
  expect([circle.shown, circle.breaks]).toEqual([["a", "b", "c", "d"], [["b", "a"]]]);
  // Not where the way ends that came upon it, but where a row follows one that was written long after it.
  const long = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b", parentUuid: "left" });
    t.prompt("two", { uuid: "c" });
    t.answer("y", { uuid: "d" });
    t.prompt("Left", { uuid: "left" });
    t.goTo("d");
    t.prompt("three", { uuid: "e" });
  });
  expect([long.shown, long.breaks]).toEqual([["a", "b", "c", "d", "e"], [["b", "a"]]]);
  const none = await chains((t) => {
    t.prompt("one", { uuid: "a", parentUuid: null });
    t.answer("x", { uuid: "b", parentUuid: null });
    t.prompt("two", { uuid: "c", parentUuid: null });
    t.answer("y", { uuid: "d" });
  });
  expect(none.shown).toEqual(["a", "b", "c", "d"]);
  const root = (explicit: boolean) => (t: Transcript) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.note({ type: "last-prompt", leafUuid: explicit ? "none" : "b", ...(explicit && { explicit }) });
    t.prompt("two", { uuid: "c", parentUuid: null });
    t.answer("y", { uuid: "d" });
  };
  expect((await chains(root(false))).shown).toEqual(["a", "b", "c", "d"]);
  // Rewound to before the first prompt.
  expect((await chains(root(true))).shown).toEqual(["c", "d"]);
});

it("keeps left what was rewound, also where the row behind the rewind is lost", async () => {
  const write = (leafUuid: string) => (t: Transcript) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.prompt("dead", { uuid: "dead" });
    t.answer("dead, too", { uuid: "deader" });
    t.note({ type: "last-prompt", leafUuid, explicit: true });
    t.goTo("b");
    t.prompt("lost", { uuid: "lost" });
    t.lines.pop();
    t.answer("y", { uuid: "c" });
  };
  expect((await chains(write("00000000-0000-0000-0000-000000000000"))).shown).toEqual(["a", "b", "c"]);
  expect((await chains(write("a"))).shown).toEqual(["a", "c"]);
});

it("cuts at an explicit mark only while nothing follows it", async () => {
  const write = (more: boolean) => (t: Transcript) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.note({ type: "last-prompt", leafUuid: "a", explicit: true });
    if (more) t.prompt("two", { uuid: "c" });
  };
  expect((await chains(write(false))).shown).toEqual(["a"]);
  expect((await chains(write(true))).shown).toEqual(["a", "b", "c"]);
});

it("puts the rows of parallel calls back, results in the order they came", async () => {
  const { shown } = await chains((t) => {
    t.prompt("one", { uuid: "p" });
    t.call("1", { uuid: "c1", reply: "r" });
    t.call("2", { uuid: "c2", reply: "r" });
    t.result("2", { uuid: "r2" });
    t.goTo("c1");
    t.result("1", { uuid: "r1" });
    t.answer("done", { uuid: "z" });
  });
  expect(shown).toEqual(["p", "c1", "c2", "r2", "r1", "z"]);
});

it("has what was attached to each result of parallel calls, but not to one that was left", async () => {
  const { shown, sent } = await chains((t) => {
    t.prompt("one", { uuid: "p" });
    const first = t.call("1", { uuid: "c1", reply: "r" });
    t.call("2", { uuid: "c2", reply: "r" });
    t.result("2", { uuid: "r2" });
    const hook = { type: "attachment", attachment: { type: "hook_additional_context" } };
    t.row({ ...hook, uuid: "h2", rendered: [{ content: "Hook." }] });
    t.row({ ...hook, uuid: "h2b", rendered: [{ content: "Hook." }] });
    t.goTo(first);
    t.result("1", { uuid: "r1" });
    t.row({ ...hook, uuid: "left", rendered: [{ content: "Hook." }] });
    t.prompt("left", { uuid: "left too" });
    t.goTo("r1");
    t.answer("x", { uuid: "z" });
  });
  expect(shown).toEqual(["p", "c1", "c2", "r2", "h2", "h2b", "r1", "z"]);
  expect(sent).toEqual(shown);
});

it("shows what a compaction took from the model, and sends what it preserved", async () => {
  const { shown, sent, breaks } = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.compact(["b"]);
    t.prompt("two", { uuid: "c" });
  });
  expect(shown).toEqual(["a", "b", "boundary", "summary", "c"]);
  expect(sent).toEqual(["boundary", "summary", "b", "c"]);
  expect(breaks).toEqual([]);
});

it("forgets a mark before a compaction that lists what it preserves, and ends with that", async () => {
  const write = (leafUuid: string) => (t: Transcript) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.compact(["b"]);
    t.prompt("two", { uuid: "c" });
    t.note({ type: "last-prompt", leafUuid, explicit: true });
  };
  const whole = ["boundary", "summary", "b", "c"];
  expect((await chains(write("a"))).sent).toEqual(whole);
  expect((await chains(write("summary"))).sent).toEqual(["boundary", "summary"]);
  const preserved = await chains(write("b"));
  expect(preserved.sent).toEqual(["boundary", "summary", "b"]);
  expect(preserved.shown).toEqual(["a", "b", "boundary", "summary"]);
  const atEnd = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.compact(["b"]);
  });
  expect(atEnd.sent).toEqual(["boundary", "summary", "b"]);
  expect(atEnd.shown).toEqual(["a", "b", "boundary", "summary"]);
});

it("knows which end the program takes behind a compaction that preserved rows", async () => {
  const write = (t: Transcript) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.compact(["b"]);
    t.prompt("two", { uuid: "c" });
    t.answer("y", { uuid: "d" });
    t.prompt("three", { uuid: "e" });
  };
  const swapped = (t: Transcript): void => void t.lines.push(...t.lines.splice(-2, 1));
  const one = await chains((t) => {
    write(t);
    swapped(t);
  });
  expect(one.sent).toEqual(["boundary", "summary", "b", "c", "d", "e"]);
  expect(one.refusal).toBeUndefined();
  // A left branch is another end, and then the row that was written last counts.
  const two = await chains((t) => {
    write(t);
    t.goTo("a");
    t.answer("left", { uuid: "left" });
    swapped(t);
    t.lines.push(...t.lines.splice(-3, 1));
  });
  expect(two.sent).toEqual(["boundary", "summary", "b", "c", "d"]);
  expect(two.shown.at(-1)).toBe("e");
  expect(two.refusal).toEqual(["d", expect.stringContaining("several ends")]);
  const aside = await chains((t) => {
    write(t);
    t.answer("z", { uuid: "f", isSidechain: true });
  });
  expect(aside.shown.at(-1)).toBe("e");
  expect(aside.refusal).toEqual(["e", expect.any(String)]);
  const bare = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.compact(["b"]);
    t.lines.pop();
  });
  expect(bare.sent).toEqual(["b"]);
});

it("has the compaction between a row that it preserved and one that goes on behind that", async () => {
  const write = (next: string, compactAgain: boolean) => (t: Transcript) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.prompt("two", { uuid: "c" });
    t.answer("y", { uuid: "d" });
    t.compact(["b", "c", "d"]);
    t.goTo(next);
    t.prompt("three", { uuid: "e" });
    if (compactAgain) t.compact(["e"], "second ");
  };
  const behind = await chains(write("d", false));
  expect(behind.shown).toEqual(["a", "b", "c", "d", "boundary", "summary", "e"]);
  expect(behind.sent).toEqual(["boundary", "summary", "b", "c", "d", "e"]);
  const rewound = await chains(write("b", false));
  expect(rewound.shown).toEqual(["a", "b", "boundary", "summary", "e"]);
  expect(rewound.sent).toEqual(["boundary", "summary", "b", "e"]);
  expect((await chains(write("d", true))).shown).toEqual([
    ...behind.shown,
    ...["second boundary", "second summary"],
  ]);
  // Nothing preserved is left out by a rewind that nothing followed yet.
  const ended = await chains((t) => {
    write("d", false)(t);
    t.lines.pop();
    t.note({ type: "last-prompt", leafUuid: "b", explicit: true });
  });
  expect(ended.shown).toEqual(["a", "b", "boundary", "summary"]);
  expect(ended.sent).toEqual(["boundary", "summary", "b"]);
});

it("bridges a lost row for the reader, and says so; the program does only within seconds", async () => {
  const write = (timestamp: string) => (t: Transcript) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b" });
    t.goTo("lost");
    t.answer("y", { uuid: "c", timestamp });
  };
  const soon = await chains(write("2026-10-01T10:00:04.000Z"));
  expect(soon).toEqual({ shown: ["a", "b", "c"], sent: ["a", "b", "c"], breaks: [["c", "b"]] });
  const late = await chains(write("2026-10-01T11:00:00.000Z"));
  expect(late).toEqual({ shown: ["a", "b", "c"], sent: ["c"], breaks: [["c", "b"]] });
});

it("does not go round in circles, through rows or through progress rows", async () => {
  const { shown } = await chains((t) => {
    t.row({ type: "progress", uuid: "p1", parentUuid: "p2" });
    t.row({ type: "progress", uuid: "p2", parentUuid: "p1" });
    t.prompt("one", { uuid: "a", parentUuid: "b" });
    t.answer("x", { uuid: "b" });
    t.prompt("two", { uuid: "c", parentUuid: "p1" });
  });
  expect(shown).toEqual(["a", "b", "c"]);
});

it("goes through the rows of a side chain where the main line hangs on them", async () => {
  const aside = { isSidechain: true };
  const through = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.answer("x", { uuid: "b", ...aside });
    t.prompt("two", { uuid: "c" });
  });
  expect(through).toEqual({ shown: ["a", "b", "c"], sent: ["a", "b", "c"], breaks: [] });
  const lost = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.goTo("lost");
    t.answer("x", { uuid: "b", ...aside });
    t.prompt("two", { uuid: "c" });
  });
  expect(lost).toEqual({ shown: ["a", "b", "c"], sent: ["b", "c"], breaks: [["b", "a"]] });
});

it("knows why Claude Code would not find the conversation, and shows it all the same", async () => {
  const write = (more: object) => async (mark?: object) => {
    const { shown, refusal } = await chains((t) => {
      t.prompt("one", { uuid: "a" });
      t.answer("x", { uuid: "b", ...more });
      t.row({ type: "system", uuid: "s", subtype: "informational", timestamp: undefined });
      t.goTo("b");
      t.prompt("aside", { uuid: "side", isSidechain: true });
      if (mark) t.note({ type: "last-prompt", ...mark });
    });
    expect(shown).toEqual(["a", "b", "s"]);
    return refusal;
  };
  expect(await write({})()).toBeUndefined();
  const untimed = ["b", "the last message of the conversation has no valid timestamp"];
  expect(await write({ timestamp: undefined })()).toEqual(untimed);
  expect(await write({ timestamp: "yesterday" })()).toEqual(untimed);
  const marked = ["side", "a row of a side chain is marked as the end"];
  expect(await write({})({ leafUuid: "side" })).toEqual(marked);
  expect(await write({})({ leafUuid: "side", explicit: true })).toEqual(marked);
});

it("leaves side chains out, and looks through progress rows", async () => {
  const { shown } = await chains((t) => {
    t.prompt("one", { uuid: "a" });
    t.row({ type: "progress" });
    t.answer("x", { uuid: "b" });
    t.prompt("aside", { uuid: "s", isSidechain: true });
  });
  expect(shown).toEqual(["a", "b"]);
});

it("looks at each row a few times only, even when no row's parent is there", async () => {
  const transcript = writeTranscript();
  for (let at = 0; at < 3000; at++) transcript.prompt("x", { uuid: `${at}`, parentUuid: `gone-${at}` });
  const fs = createMemoryFs({ "/t.jsonl": transcript.text() });
  const facts = await firstPass(fs, "/t.jsonl", () => undefined);
  let looks = 0;
  const get = (table: RowTable, key: string | symbol): unknown => {
    looks++;
    return Reflect.get(table, key);
  };
  const watched = { ...facts, rows: new Proxy(facts.rows, { get }) };
  for (const chainFor of [chainForReader, chainForModel]) {
    looks = 0;
    expect(chainFor(watched).rows.length).toBe(3000);
    // Halving a list of them takes a dozen looks; going through it would take thousands.
    expect(looks / 3000).toBeLessThan(100);
  }
});
