import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore } from "../open.ts";
import { search } from "../search/search.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-words-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("tells the index the words of rows that an older version wrote, those of sessions that are gone among them", () => {
  const now = () => new Date("2026-11-15T12:00:00Z");
  const open = () => openStore({ folder, now, notice: () => undefined });
  const before = open();
  before.exec(`
    INSERT INTO sessions (id, source, vendor_id, title, path, turn_count, problem_count, bytes, models, vanished_at)
      VALUES ('a', 'copilot-cli', 'a', 'One', '/a', 1, 0, 1, '[]', '2026-11-01T00:00:00Z');
    INSERT INTO turns (session_id, turn_index, user_message, assistant_response, more)
      VALUES ('a', 0, 'UTF8で保存', NULL, '');
    INSERT INTO search_texts (id, session_id, source_type, source_id, content)
      VALUES (1099511627776, 'a', 'session', 'a', 'One');
    INSERT INTO search_index (rowid, content, more, parts) VALUES (1, 'UTF8で保存' || char(10), '', 'で保 保存');
    DELETE FROM migrations WHERE id = '0007-search-words'`);
  before.close();

  const after = open();
  const found = (text: string) =>
    search(after, { text, filter: {}, limit: 5, now: now() }).hits.map((hit) => hit.turn);
  expect([found("utf8"), found("One")]).toEqual([[0], [undefined]]);
  after.exec("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 0)");
  after.close();
});
