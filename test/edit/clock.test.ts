/** An app that stays open dates what it does by when it does it, not by when it was opened. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openRethread, type RethreadOptions } from "../../src/app/library.ts";
import { createEditHome, type EditHome, ID } from "./home.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
});
afterEach(() => home.remove());

const open = (now: NonNullable<RethreadOptions["now"]>) =>
  openRethread({
    vars: { COPILOT_HOME: home.copilot, RETHREAD_HOME: home.data },
    homeDir: join(home.copilot, "nowhere"),
    now,
  });

it("keeps the moment of the plan in what is written, and that of the write in the journal", async () => {
  let time = "2026-11-16T08:20:04.000Z";
  const app = await open(() => new Date(time));
  const edit = await app.edit();
  time = "2026-11-16T08:20:07.000Z";
  const plan = await edit.planRename(ID, "Shop");
  time = "2026-11-16T08:20:09.000Z";
  await edit.apply(plan.fingerprint);
  expect((await edit.history()).map(({ at }) => at)).toEqual([time]);
  expect(readFileSync(home.file("workspace.yaml"), "utf8")).toContain("2026-11-16T08:20:07.000Z");
  time = "2026-11-16T08:20:12.000Z";
  await edit.apply((await edit.planUndo()).fingerprint);
  expect((await edit.history()).map(({ at }) => at)).toEqual([time, "2026-11-16T08:20:09.000Z"]);
});

it("takes one moment for a clock that stands still", async () => {
  const edit = await (await open(new Date("2026-11-16T08:20:04.000Z"))).edit();
  await edit.apply((await edit.planRename(ID, "Shop")).fingerprint);
  expect((await edit.history()).map(({ at }) => at)).toEqual(["2026-11-16T08:20:04.000Z"]);
});
