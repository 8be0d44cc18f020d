/** VS Code's list with JSON in it that others write otherwise, or not at all: only what is meant to change does, and undoing brings the very text back. */
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { othersThan } from "../../src/platform/json/members.ts";
import {
  createVsCodeHome,
  ELSEWHERE,
  ID,
  INDEX_KEY,
  lookAtUser,
  OTHER,
  type VsCodeHome,
} from "./vscode-home.ts";

let home: VsCodeHome;
beforeEach(() => {
  home = createVsCodeHome();
});
afterEach(() => home.remove());

const inDatabase = <T>(work: (db: DatabaseSync) => T): T => {
  const db = new DatabaseSync(home.file("state.vscdb"));
  try {
    return work(db);
  } finally {
    db.close();
  }
};
const list = (): string =>
  inDatabase((db) => String(db.prepare("SELECT value FROM ItemTable WHERE key = ?").get(INDEX_KEY)?.value));
const setList = (value: string | Uint8Array, as = "?"): void =>
  inDatabase(
    (db) => void db.prepare(`UPDATE ItemTable SET value = ${as} WHERE key = ?`).run(value, INDEX_KEY),
  );

const ENTRY = '"title":"First","lastMessageDate":-0,"initialLocation":"panel","isEmpty":false';
const own = `{"sessionId":"${ID}",${ENTRY},"huge":123456789012345678901234567890,"beyond":1e400}`;
const other = `{"sessionId":"${OTHER}",${ENTRY}}`;

const ODD = [
  '"numbers":{"sessionId":"n","title":"","lastMessageDate":-0,"n":[-0,1e400,9007199254740993]}',
  '"\\ud800":{"sessionId":"\\ud800","title":"\\udc00","lastMessageDate":1}',
  `"__proto__":{"sessionId":"p","title":"","lastMessageDate":1},"constructor":${other}`,
  '"x":{"sessionId":"1","title":"","lastMessageDate":1},"x":{"sessionId":"2","title":"","lastMessageDate":2}',
];

const CHANGES: Record<string, (edit: EditCore) => Promise<unknown>> = {
  rename: async (edit) => edit.apply(await edit.planRename(ID, "Other")),
  rewind: async (edit) => edit.apply(await edit.planRewind(ID, 0, { inPlace: true })),
  clone: async (edit) => edit.apply(await edit.planClone(ID, {})),
  move: async (edit) => edit.apply(await edit.planMove({ session: ID, to: ELSEWHERE, text: false })),
  delete: async (edit) => edit.apply(await edit.planDelete(ID)),
};

it("keeps what JavaScript does not hold as it is, what is there twice, and names that objects inherit", async () => {
  const before = `{ "entries":{${ODD},"${ID}":${own},"${OTHER}":${other}}, "version":1 , "version":1}`;
  setList(before);
  const seen = lookAtUser(home.user);
  for (const [what, change] of Object.entries(CHANGES)) {
    await change(home.edit());
    expect(list(), what).not.toBe(before);
    const kept = othersThan(before, ["entries", ID]);
    expect(othersThan(list(), ["entries", ID]).slice(0, kept.length), what).toEqual(kept);
    await home.edit().apply(await home.edit().planUndo());
    expect(list(), what).toBe(before);
    expect(lookAtUser(home.user), what).toEqual(seen);
  }
});

it("takes an entry that is there twice away for good, and brings back the one that counts", async () => {
  const twice = `"${ID}":{"sessionId":"${ID}","title":"Older","lastMessageDate":1},"x":${other},"${ID}":${own}`;
  setList(`{"version":1,"entries":{${twice}}}`);
  await CHANGES.delete?.(home.edit());
  expect(list()).toBe(`{"version":1,"entries":{"x":${other}}}`);
  await home.edit().apply(await home.edit().planUndo());
  expect(list()).toBe(`{"version":1,"entries":{"x":${other},"${ID}":${own}}}`);
});

it("brings a deleted chat back to its place in the list, also where others were added or went since", async () => {
  const entries = ["a", ID, "b", OTHER, "c"].map(
    (id) =>
      `"${id}":{"sessionId":"${id}","title":"","lastMessageDate":1,"initialLocation":"panel","isExternal":true}`,
  );
  const before = `{"version":1,"entries":{${entries}}}`;
  setList(before);
  const idsOf = (): string[] => Object.keys((JSON.parse(list()) as { entries: object }).entries);
  const { operation } = await home.edit().apply(await home.edit().planDelete(ID));
  setList(
    list().replace(/\}\}$/, ',"new":{"sessionId":"new","title":"","lastMessageDate":1,"isExternal":true}}}'),
  );
  await home.edit().apply(await home.edit().planDelete(OTHER));
  await home.edit().apply(await home.edit().planUndo(operation));
  expect(idsOf()).toEqual(["a", ID, "b", "c", "new"]);
});

it.each([
  ["entries without ids", `{"version":1,"entries":[${own}]}`, "list-damaged"],
  ["an entry that is null", `{"version":1,"entries":{"${ID}":null}}`, "list-damaged"],
  ["entries that are null", '{"version":1,"entries":null}', "list-damaged"],
  ["a list of lists", "[[]]", "list-damaged"],
  ["a version of nothing", `{"version":-0,"entries":{}}`, "list-damaged"],
])("refuses in words to change %s", async (_, text, code) => {
  setList(text);
  for (const change of Object.values(CHANGES).filter((each) => each !== CHANGES.clone))
    await expect(change(home.edit())).rejects.toMatchObject({ code });
  expect(list()).toBe(text);
});

it("refuses to change a list whose bytes are no text", async () => {
  const bytes = Buffer.from(`{"version":1,"entries":{"${ID}":${own.replace("First", "F\xff")}}}`, "latin1");
  setList(bytes, "CAST(? AS TEXT)");
  for (const change of Object.values(CHANGES).filter((each) => each !== CHANGES.clone))
    await expect(change(home.edit())).rejects.toMatchObject({ code: "list-damaged" });
  const stored = inDatabase(
    (db) => db.prepare("SELECT CAST(value AS BLOB) AS b FROM ItemTable WHERE key = ?").get(INDEX_KEY)?.b,
  );
  expect(Buffer.from(stored as Uint8Array)).toEqual(bytes);
});
