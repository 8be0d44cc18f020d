/** A write that was done is reported as done, whatever fails after it; and what cannot be read can still be taken away. */
import { existsSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { createEditCore, type EditOptions } from "../../src/app/edit/core.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source } from "../../src/sources/source.ts";
import { createEditHome, type EditHome, ID } from "./home.ts";
import { NOW } from "./source-homes.ts";

let home: EditHome;
beforeEach(() => {
  home = createEditHome();
});
afterEach(() => home.remove());

const editing = (more: Partial<EditOptions> = {}): EditCore => {
  const catalog = more.catalog ?? home.catalog;
  return createEditCore({
    catalog,
    home: home.data,
    now: () => NOW,
    folder: home.copilot,
    find: (name) => resolveSession(catalog, name),
    refresh: async () => undefined,
    ...more,
  });
};

/** The same home, read by a source that fails on everything it reads. */
function failingCatalog(): Catalog {
  const fail = async (): Promise<never> => {
    throw new TypeError("a defect of the reader");
  };
  const sources = SOURCES.filter(({ id }) => id === "copilot-cli").map(
    (source): Source => ({ ...source, read: fail, context: { messages: fail } }),
  );
  const vars = { COPILOT_HOME: home.copilot };
  return openCatalog(sources, { platform: "linux", homeDir: home.copilot, vars }, localFs);
}

it("gives the operation of a write after which the store cannot be brought up to date", async () => {
  const edit = editing({
    refresh: async () => {
      throw new RangeError("another session is poisoned");
    },
  });
  const { operation, notices } = await edit.apply(await edit.planRename(ID, "A new name"));
  expect(notices).toEqual([
    "Done, but rethread's store could not be updated; the next command tries again: another session is poisoned",
  ]);
  expect(await edit.history()).toMatchObject([{ operation, state: "done" }]);
  await edit.apply(await edit.planUndo(operation));
  expect(await edit.history()).toMatchObject([{ kind: "undo" }, { operation, state: "undone" }]);
});

it("has nothing to remark on where nothing fails", async () => {
  const edit = editing();
  expect(await edit.apply(await edit.planRename(ID, "A new name"))).toMatchObject({ notices: [] });
});

it("takes a session away that cannot be read, and brings it back", async () => {
  const edit = editing({ catalog: failingCatalog() });
  const { operation } = await edit.apply(await edit.planDelete(ID));
  expect(existsSync(home.file("events.jsonl"))).toBe(false);
  await edit.apply(await edit.planUndo(operation));
  expect(existsSync(home.file("events.jsonl"))).toBe(true);
});

it.each<[string, (edit: EditCore) => Promise<unknown>]>([
  ["rename", (edit) => edit.planRename(ID, "x")],
  ["fork", (edit) => edit.planFork(ID, {})],
  ["rewind", (edit) => edit.planRewind(ID, 0)],
])("says why, and of which session, when there can be no %s", async (_kind, plan) => {
  await expect(plan(editing({ catalog: failingCatalog() }))).rejects.toMatchObject({
    name: "AppError",
    code: "unreadable",
    message: expect.stringMatching(new RegExp(`copilot-cli:${ID} \\(a defect of the reader\\)`)),
  });
});
