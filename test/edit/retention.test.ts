/** Backups of our writes over time: what is kept, what may go, and what can be undone. */
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { createEditCore } from "../../src/app/edit/core.ts";
import type { Retention } from "../../src/edit/backups/retention.ts";
import { takeWriteLock } from "../../src/platform/process/write-lock.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { NOW } from "./source-homes.ts";

const NONE: Retention = { days: 0, bytes: 0 };
let home: EditHome;
beforeEach(() => {
  home = createEditHome();
});
afterEach(() => home.remove());

const editAt = (now: Date, retention?: Retention): EditCore =>
  createEditCore({
    catalog: home.catalog,
    home: home.data,
    now: () => now,
    folder: home.copilot,
    find: (name) => resolveSession(home.catalog, name),
    refresh: async () => undefined,
    ...(retention && { retention }),
  });
const later = (days: number): Date => new Date(NOW.getTime() + days * 86_400_000);
const blocks = (): number =>
  readdirSync(join(home.data, "vault"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  ).length;
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ code, message }) => ({ code, message }),
  );

describe("the backup of a write", () => {
  it("is let go once the program went on with the session and the time has passed, at the end of another write", async () => {
    const edit = editAt(NOW, { days: 30, bytes: 1e9 });
    const { operation } = await edit.apply(await edit.planRewind(ID, 0));
    appendFileSync(home.file("events.jsonl"), '{"type":"session.resume"}\n');
    const until = later(30).toISOString();
    expect((await edit.history())[0]).toMatchObject({ isConfirmed: true, backup: { until } });
    const { operation: next } = await editAt(later(31), { days: 30, bytes: 1e9 }).apply(
      await editAt(later(31)).planClone(ID, {}),
    );
    expect(
      (await editAt(later(31)).history()).map(({ operation: each, backup }) => [each, backup.until]),
    ).toEqual([
      [next, undefined],
      [operation, "gone"],
    ]);
    expect(blocks()).toBe(0);
    expect(await failure(editAt(later(31)).planUndo(operation))).toEqual({
      code: "not-undoable",
      message: `The backup of operation ${operation} was removed on 2026-12-16, so it can no longer be undone`,
    });
  });

  it("stays, whatever is set, as long as nobody has confirmed the write", async () => {
    const before = lookAtAll(home.copilot);
    const edit = editAt(NOW, NONE);
    const { operation } = await edit.apply(await edit.planDelete(ID));
    expect(await editAt(later(1000), NONE).prune()).toMatchObject({ operations: [], freed: 0 });
    await editAt(later(1000), NONE).apply(await editAt(later(1000), NONE).planUndo(operation));
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("goes when its user says that all is well", async () => {
    const edit = editAt(NOW, NONE);
    const first = await edit.apply(await edit.planRename(ID, "First"));
    const second = await edit.apply(await edit.planRename(ID, "Second"));
    expect(await edit.confirm(first.operation.slice(0, 6))).toEqual([first.operation]);
    const { prunable } = await edit.backups();
    expect(prunable).toMatchObject({ operations: [first.operation] });
    expect(await edit.prune()).toEqual(prunable);
    expect(await edit.confirm("all")).toEqual([second.operation]);
    expect(await edit.confirm("all")).toEqual([]);
    expect((await failure(edit.confirm("nothing")))?.code).toBe("operation-not-found");
  });

  it("that is needed by a write under way is not let go meanwhile", async () => {
    const edit = editAt(NOW, NONE);
    const { operation } = await edit.apply(await edit.planDelete(ID));
    await edit.confirm("all");
    const undo = await edit.planUndo(operation);
    const unlock = takeWriteLock(join(home.data, "write.lock"));
    expect(await edit.prune()).toEqual({ operations: [], freed: 0, left: 0 });
    unlock?.();
    await edit.prune();
    // Planned before it went, and refused rather than failing half-way.
    expect(await failure(edit.apply(undo))).toMatchObject({ code: "not-undoable" });
  });

  it("shares blocks with others, which stay", async () => {
    writeFileSync(home.file("files", "twin"), "#!/bin/sh\n");
    const before = lookAtAll(home.copilot);
    const edit = editAt(NOW);
    const { plan } = await edit.apply(await edit.planClone(ID, {}));
    const one = await edit.apply(await edit.planDelete(plan.session.id));
    const two = await edit.apply(await edit.planDelete(ID));
    await edit.confirm(one.operation);
    await editAt(NOW, NONE).prune();
    await edit.apply(await edit.planUndo(two.operation));
    expect(lookAtAll(home.copilot)).toEqual(before);
  });
});
