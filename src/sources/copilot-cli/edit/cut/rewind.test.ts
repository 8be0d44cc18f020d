/** What a rewind leaves of a session, told from its files. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEditHome, type EditHome, ID, lookAtAll } from "../../../../../test/edit/home.ts";
import { toPlanJson } from "../../../../present/json/plan.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
});
afterEach(() => home.remove());

const NEW_TIME = "2026-11-15T12:00:00.000Z";
const text = (...name: string[]): string => readFileSync(home.file(...name), "utf8");
const rewind = async (to: number | string) => {
  const edit = home.edit();
  return edit.apply(await edit.planRewind(ID, to));
};
/** Where the n-th line begins. */
const upTo = (log: string, lines: number): string =>
  log
    .split(/(?<=\n)/)
    .slice(0, lines)
    .join("");

describe("a rewind", () => {
  it("names the first turn that goes by its first words, and shows where these are cut", async () => {
    const long = "all the planks of the shed ".repeat(5);
    const lines = text("events.jsonl").split("\n");
    const at = lines.findLastIndex((line) => line.includes('"user.message"'));
    const record = JSON.parse(lines[at] ?? "");
    const changed = { ...record, data: { ...record.data, content: long } };
    writeFileSync(home.file("events.jsonl"), lines.with(at, JSON.stringify(changed)).join("\n"));
    const { plan } = await rewind(1);
    expect(plan.losses).toEqual([`turn 2, "${long.slice(0, 80)}…"`]);
  });

  it("keeps the bytes of the log up to the prompt of the next turn", async () => {
    const log = text("events.jsonl");
    await rewind(1);
    // The compaction between two turns stays with the earlier one, and so does what nobody knows.
    expect(text("events.jsonl")).toBe(upTo(log, 7));
    const { mode, mtime } = statSync(home.file("events.jsonl"));
    expect([(mode & 0o777).toString(8), mtime.toISOString()]).toEqual(["600", NEW_TIME]);
  });

  it("takes the first event to remove instead of a turn, and counts what it removes", async () => {
    const log = text("events.jsonl");
    const idOf = (line: number): string => JSON.parse(log.split("\n")[line] ?? "").id;
    const lines = log.trimEnd().split("\n").length;
    const byTurn = (await home.edit().planRewind(ID, 1)).removed;
    expect(byTurn).toEqual({ events: lines - 7, from: idOf(7) });
    expect((await home.edit().planRewind(ID, 2)).removed).toEqual({ events: 0 });
    for (const missing of ["22222222-0000-4000-8000-00000000ffff", idOf(0), idOf(1)])
      await expect(rewind(missing)).rejects.toMatchObject({ code: "turn-not-found" });
    expect(text("events.jsonl")).toBe(log);
    const { plan, operation } = await rewind(idOf(7).toUpperCase());
    expect(text("events.jsonl")).toBe(upTo(log, 7));
    expect(toPlanJson(plan, { demo: undefined })).toMatchObject({
      eventsRemoved: lines - 7,
      upToEventId: idOf(7),
    });
    await home.edit().apply(await home.edit().planUndo(operation));
    // Within a turn, its end goes.
    const within = await rewind(idOf(lines - 1));
    expect(text("events.jsonl")).toBe(upTo(log, lines - 1));
    expect(within.plan).toMatchObject({ losses: ["the end of turn 2"], removed: { events: 1 } });
  });

  it("changes nothing else while all compactions stay", async () => {
    const before = lookAtAll(home.file());
    await rewind(1);
    expect(lookAtAll(home.file())).toEqual({ ...before, "events.jsonl": expect.any(String) });
  });

  it("takes the checkpoints of dropped compactions away, from the table and the count, too", async () => {
    const [before, workspace] = [lookAtAll(home.file()), text("workspace.yaml")];
    await rewind(0);
    const { "checkpoints/001-summary.md": _, ...kept } = before;
    const [events, table, fields] = ["events.jsonl", "checkpoints/index.md", "workspace.yaml"];
    expect(lookAtAll(home.file())).toEqual({
      ...kept,
      [events]: expect.any(String),
      [table]: expect.any(String),
      [fields]: expect.any(String),
    });
    expect(text(table)).toBe("# Checkpoint History\n\n| # | Title | File |\n|---|-------|------|\n");
    expect(text(fields)).toBe(
      workspace
        .replace("summary_count: 1", "summary_count: 0")
        .replace("updated_at: 2026-11-01T10:00:00.000Z", `updated_at: "${NEW_TIME}"`),
    );
  });

  it("does without what lies beside the log where it is missing", async () => {
    rmSync(home.file("workspace.yaml"));
    rmSync(home.file("checkpoints"), { recursive: true });
    const log = text("events.jsonl");
    await rewind(0);
    expect(text("events.jsonl")).toBe(upTo(log, 3));
    expect(readdirSync(home.file())).not.toContain("workspace.yaml");
  });

  it("tells which turns go", async () => {
    const edit = home.edit();
    expect((await edit.planRewind(ID, 0)).losses).toEqual(['turns 1 to 2, from "two" on']);
    const { losses, stats, session, expected } = await edit.planRewind(ID, 1);
    expect(losses).toEqual(['turn 2, "three"']);
    expect([session.id, expected?.turns, stats?.removedTurns]).toEqual([ID, 2, 1]);
  });

  it("takes no step where the turn is the last one, and knows no turn behind it", async () => {
    const edit = home.edit();
    expect(await edit.planRewind(ID, 2)).toMatchObject({ steps: [], losses: [], stats: { removedTurns: 0 } });
    await expect(edit.planRewind(ID, 3)).rejects.toMatchObject({ code: "turn-not-found" });
  });

  it("takes a session.start that stands behind the cut to the front", async () => {
    const [start = "", ...rest] = text("events.jsonl").split(/(?<=\n)/);
    writeFileSync(home.file("events.jsonl"), [...rest, start].join(""));
    await rewind(0);
    expect(text("events.jsonl")).toBe([start, ...rest.slice(0, 2)].join(""));
  });

  it("is undone to the byte", async () => {
    const before = lookAtAll(home.copilot);
    const { operation } = await rewind(0);
    const edit = home.edit();
    await edit.apply(await edit.planUndo(operation));
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("is refused when the log goes on meanwhile", async () => {
    const edit = home.edit();
    const plan = await edit.planRewind(ID, 0);
    writeFileSync(home.file("events.jsonl"), "{}\n", { flag: "a" });
    await expect(edit.apply(plan)).rejects.toMatchObject({ code: "session-changed" });
  });
});
