import { expect, it } from "vitest";
import { findDifference } from "./difference.ts";
import type { Row, Table } from "./tables.ts";

const TABLE: Table = {
  name: "turns",
  owner: "session_id",
  key: ["turn_index"],
  facts: ["user_message", "assistant_response"],
  once: ["timestamp"],
  sameBy: "user_message",
};
const wanted = (turn_index: number, user_message: string, assistant_response: string | null = null): Row => ({
  session_id: "s",
  turn_index,
  user_message,
  assistant_response,
  timestamp: "new",
});
const stored = (rowid: number, turn_index: number, user_message: string, answer: string | null = null) => ({
  rowid,
  cells: { turn_index, user_message, assistant_response: answer },
});

it("adds what is missing, removes what is stale, and leaves alone what is right", () => {
  expect(
    findDifference(TABLE, [wanted(0, "a"), wanted(1, "b")], [stored(7, 0, "a"), stored(8, 2, "c")]),
  ).toEqual({
    added: [wanted(1, "b")],
    updated: [],
    removed: [8],
  });
});

it("updates the columns that differ, and not the time at which the program wrote the row", () => {
  expect(findDifference(TABLE, [wanted(0, "a", "yes")], [stored(7, 0, "a", "no")]).updated).toEqual([
    { rowid: 7, cells: { assistant_response: "yes" } },
  ]);
  expect(
    findDifference(TABLE, [wanted(0, "a")], [stored(7, 0, "a", "of a turn that was undone")]).updated,
  ).toEqual([{ rowid: 7, cells: { assistant_response: null } }]);
});

it("takes another message in the same place for another turn, with a time of its own", () => {
  expect(findDifference(TABLE, [wanted(0, "b", "yes")], [stored(7, 0, "a", "yes")]).updated).toEqual([
    { rowid: 7, cells: { user_message: "b", timestamp: "new" } },
  ]);
});

it("keeps what it does not know, and a title that it cannot tell", () => {
  const table: Table = {
    name: "checkpoints",
    owner: "session_id",
    key: [],
    facts: ["title", "overview"],
    once: [],
  };
  const before = [{ rowid: 7, cells: { title: "Looked around", overview: "x" } }];
  expect(findDifference(table, [{ title: "" }], before).updated).toEqual([]);
  expect(
    findDifference(table, [{ title: "" }], [{ rowid: 7, cells: { title: null, overview: "x" } }]).updated,
  ).toEqual([{ rowid: 7, cells: { title: "" } }]);
});

it("removes the second of two rows for the same thing", () => {
  expect(findDifference(TABLE, [wanted(0, "a")], [stored(7, 0, "a"), stored(9, 0, "a")])).toEqual({
    added: [],
    updated: [],
    removed: [9],
  });
});
