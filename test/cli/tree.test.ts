/** tree as people type it: families out of the agents' logs, and out of what only we know. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openState } from "../../src/store/state/open.ts";
import { createHome, type Home, line, start } from "./home.ts";

const [FIRST, FORK, CLONE, LONER] = [1, 2, 3, 4].map(
  (n) => `${n}${n}${n}${n}${n}${n}${n}${n}-0000-4000-8000-000000000000`,
);
let home: Home;
const json = (...words: string[]) => JSON.parse(home.again("tree", "--json", ...words).stdout);

beforeAll(() => {
  home = createHome();
  const ids = [FIRST, FORK, CLONE, LONER] as string[];
  for (const [hour, id] of ids.entries()) {
    const began = new Date(Date.UTC(2026, 5, 1, hour));
    const fork = { infoType: "fork", message: `Forked from "The first" (${FIRST}) as "The fork" (${FORK})` };
    home.session(id, [
      start(id, began),
      ...(id === FORK ? [line("session.info", fork, began, 0)] : []),
      line("user.message", { content: `prompt of ${id.slice(0, 4)}` }, began, 1),
    ]);
  }
  const db = openState(home.dataHome, () => new Date(0));
  db.prepare(
    "INSERT INTO lineage (child_source, child_id, parent_source, parent_id, kind, made_at) VALUES ('copilot-cli', ?, 'copilot-cli', ?, 'clone', '2026-06-01')",
  ).run(CLONE as string, FORK as string);
  db.close();
});
afterAll(() => home.remove());

const member = (id: string | undefined, hour: number, kind: string | null, children: object[] = []) => ({
  source: "copilot-cli",
  id,
  title: `prompt of ${id?.slice(0, 4)}`,
  kind,
  isHere: true,
  turns: 1,
  createdAt: `2026-06-01T0${hour}:00:00.000Z`,
  updatedAt: `2026-06-01T0${hour}:01:00.000Z`,
  vanishedAt: null,
  children,
});

it("joins what logs tell with what we recorded, and leaves loners out", () => {
  const family = member(FIRST, 0, null, [member(FORK, 1, "fork", [member(CLONE, 2, "clone")])]);
  expect(json()).toEqual({ schemaVersion: 1, families: [family] });
  expect(json("3333")).toEqual(json());
  expect(json("prompt of 4444")).toEqual({ schemaVersion: 1, families: [] });
});

it("draws it for people", () => {
  const { stdout } = home.again("tree", "3333");
  expect(stdout).toContain("└─ 22222222     fork   prompt of 2222");
  expect(stdout).toContain("   └─ 33333333  clone  prompt of 3333");
});

it("fails clearly for a name that nobody has", () => {
  expect(json("nonsense").error.code).toBe("session-not-found");
});
