import { describe, expect, it } from "vitest";
import { INDEX_KEY } from "../../index-db/state-db.ts";
import { addEntry, changeEntry, type List, removeEntry, toEntry, warningAbout, whyRejected } from "./list.ts";

const entry = (id: string, more: object = {}) => ({ sessionId: id, title: id, lastMessageDate: 1, ...more });
const listOf = (...entries: ReturnType<typeof entry>[]): List => ({
  database: "/state.vscdb",
  entries: new Map(entries.map((each) => [each.sessionId, each])),
  text: JSON.stringify({
    version: 1,
    entries: Object.fromEntries(entries.map((each) => [each.sessionId, each])),
  }),
  isThere: true,
});
const many = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, i) => entry(`s${i}`, { lastMessageDate: i + 1, ...more }));
const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("VS Code's list", () => {
  it("gets an entry of its own, and is made where there is none", () => {
    const cell = {
      key: INDEX_KEY,
      at: ["entries", "new"],
      before: null,
      after: JSON.stringify(entry("new")),
    };
    expect(addEntry(listOf(), entry("new"))).toEqual(cell);
    expect(addEntry({ ...listOf(), isThere: false }, entry("new"))).toEqual({
      ...cell,
      around: '{"version":1,"entries":{}}',
    });
  });

  it("takes no more than VS Code lists; those kept elsewhere do not count", () => {
    expect(codeOf(() => addEntry(listOf(...many(400)), entry("new")))).toBe("list-full");
    expect(addEntry(listOf(...many(500, { isExternal: true })), entry("new"))).toBeDefined();
  });

  it("warns where an older VS Code would drop its oldest entry", () => {
    expect(warningAbout(listOf(...many(50)))).toEqual([
      `the entry of "s0" in VS Code's list, in versions of VS Code that list only 50 chats`,
    ]);
    expect(warningAbout(listOf(...many(51)))).toEqual([]);
  });

  it("loses one entry or changes one field of it; nothing where there is no such entry", () => {
    const list = listOf(entry("a", { future: 1 }));
    expect(removeEntry(list, "a")).toEqual([
      {
        key: INDEX_KEY,
        at: ["entries", "a"],
        before: JSON.stringify(entry("a", { future: 1 })),
        after: null,
        between: [null, null],
      },
    ]);
    expect(changeEntry(list, "a", "title", "b")).toEqual([
      { key: INDEX_KEY, at: ["entries", "a", "title"], before: '"a"', after: '"b"' },
    ]);
    expect(changeEntry(list, "a", "lastResponseState", 1)).toMatchObject([{ before: null, after: "1" }]);
    expect([
      removeEntry(list, "b"),
      changeEntry(list, "b", "title", ""),
      changeEntry(list, "a", "title", "a"),
    ]).toEqual([[], [], []]);
  });

  it("is objected to when a single entry is bad, and other values never are", () => {
    const text = (...entries: object[]) => JSON.stringify({ version: 1, entries: { ...entries } });
    expect(whyRejected("/db", INDEX_KEY, text(entry("a")))).toBeUndefined();
    expect(whyRejected("/db", INDEX_KEY, text(entry("a"), { title: "b" }))?.code).toBe("list-damaged");
    expect(whyRejected("/db", INDEX_KEY, Buffer.from(text()))?.code).toBe("list-damaged");
    expect(whyRejected("/db", "other", "whatever")).toBeUndefined();
  });
});

describe("an entry", () => {
  it("is what VS Code would note, with what it noted of the original and without what stays behind", () => {
    const original = entry("old", {
      stats: { fileCount: 1 },
      hasPendingEdits: true,
      future: 1,
      isEmpty: true,
    });
    const facts = { id: "new", title: "New", now: new Date(9000), created: 1, started: 2, ended: 3 };
    expect(toEntry({ ...facts, turns: 2, state: 2 }, original)).toEqual({
      future: 1,
      sessionId: "new",
      title: "New",
      lastMessageDate: 9000,
      timing: { created: 1, lastRequestStarted: 2, lastRequestEnded: 3 },
      initialLocation: "panel",
      hasPendingEdits: false,
      isEmpty: false,
      isExternal: false,
      lastResponseState: 2,
    });
  });
});
