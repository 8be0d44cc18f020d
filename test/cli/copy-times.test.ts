/** Copies that are made days later: their turns last as long as those of the original. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHome, type Home, line, start } from "./home.ts";

const ID = "0b1c2d3e-0000-4000-8000-0000000000c1";
const BEGAN = new Date("2026-01-01T10:00:00.000Z");
let home: Home;
beforeAll(() => {
  home = createHome();
  home.session(ID, [
    start(ID, BEGAN),
    line("user.message", { content: "Look at it" }, BEGAN, 1),
    line("assistant.message", { messageId: "m1", content: "Done." }, BEGAN, 3),
  ]);
});
afterAll(() => home.remove());

it.each(["fork", "clone"])("is so for a %s, as it is shown and as it is stored", (command) => {
  const { session } = JSON.parse(home.again(command, ID, "--json").stdout);
  for (const words of [[], ["--turn", "0"]]) {
    const { turns } = JSON.parse(home.again("show", session.id, ...words, "--json").stdout);
    expect(turns.map(({ startedAt, endedAt }: Record<string, string>) => [startedAt, endedAt])).toEqual([
      ["2026-01-01T10:01:00.000Z", "2026-01-01T10:03:00.000Z"],
    ]);
  }
  const sql = `SELECT ended_at FROM turns JOIN sessions s ON s.id = session_id WHERE s.vendor_id = '${session.id}'`;
  expect(home.again("sql", sql, "--json").stdout).toContain("2026-01-01T10:03:00.000Z");
});
