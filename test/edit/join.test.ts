/** Several changes as one operation, some of them on another disk: all of them happen, or none, and one undo takes all back. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unfinished } from "../../src/edit/apply/stage.ts";
import { joinPlans } from "../../src/edit/plan/join.ts";
import type { EditPlan, Step } from "../../src/model/plan.ts";
import { lookAt } from "../../src/platform/disk/tree.ts";
import { pidLike } from "../lookalike.ts";
import { OTHER_DISK } from "../other-disk.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { watchedDisk } from "./killing-disk.ts";

let home: EditHome;
let other: string;
beforeEach(async () => {
  home = createEditHome();
  const edit = home.edit();
  other = (await edit.apply(await edit.planClone(ID, { name: "Other" }))).plan.session.id;
});
afterEach(() => home.remove());

const nameOf = (id: string): string | undefined =>
  /^name: (.*)$/m.exec(readFileSync(join(home.copilot, "session-state", id, "workspace.yaml"), "utf8"))?.[1];

async function renameBoth(): Promise<EditPlan> {
  const edit = home.edit();
  return joinPlans(
    [await edit.planRename(ID, "First"), await edit.planRename(other, "Second")],
    "two sessions",
  );
}

describe("plans joined into one", () => {
  it("happen together, are one line of history, and are undone together", async () => {
    const before = lookAtAll(home.copilot);
    const edit = home.edit();
    const { operation } = await edit.apply(await renameBoth());
    expect([nameOf(ID), nameOf(other)]).toEqual(["First", "Second"]);
    expect((await edit.history())[0]).toMatchObject({ operation, title: "two sessions", kind: "rename" });
    await edit.apply(await edit.planUndo(operation));
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("come to nothing when the last step fails", async () => {
    const before = lookAtAll(home.copilot);
    let renames = 0;
    const disk = watchedDisk(({ verb }) => {
      if (verb === "rename" && ++renames === 2)
        throw Object.assign(new Error("EIO: as asked"), { code: "EIO" });
    });
    await expect(home.edit(disk).apply(await renameBoth())).rejects.toMatchObject({ code: "write-failed" });
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("are refused while any of their sessions is open", async () => {
    const plan = await renameBoth();
    writeFileSync(
      join(home.copilot, "session-state", other, `inuse.${pidLike("copilot")}.lock`),
      `${pidLike("copilot")}\n`,
    );
    await expect(home.edit().apply(plan)).rejects.toMatchObject({ code: "session-busy" });
    expect(nameOf(ID)).not.toBe("First");
  });

  it("are taken back when one of their sessions reads back wrong", async () => {
    const before = lookAtAll(home.copilot);
    const plan = await renameBoth();
    const also = plan.also?.map((each) => ({ ...each, expected: { turns: 99, context: "" } })) ?? [];
    await expect(home.edit().apply({ ...plan, also })).rejects.toMatchObject({ code: "write-unverified" });
    expect(lookAtAll(home.copilot)).toEqual(before);
  });

  it("count what all of them keep", async () => {
    const [one, both] = [await home.edit().planRename(ID, "First"), await renameBoth()];
    expect(both.stats?.originalTurns).toBe(2 * (one.stats?.originalTurns ?? 0));
  });

  it("may not change the same thing twice", async () => {
    const plan = await home.edit().planRename(ID, "First");
    expect(() => joinPlans([plan, plan], "twice")).toThrow("would be changed twice");
  });
});

it.runIf(OTHER_DISK)(
  "a folder of sessions that is a link to another disk is written to, and back",
  async () => {
    const elsewhere = mkdtempSync(join(OTHER_DISK, "rethread-sessions-"));
    const sessions = join(home.copilot, "session-state");
    cpSync(sessions, elsewhere, { recursive: true, preserveTimestamps: true });
    rmSync(sessions, { recursive: true });
    symlinkSync(elsewhere, sessions);
    try {
      const before = lookAtAll(elsewhere);
      const edit = home.edit();
      await edit.apply(await edit.planClone(ID, {}));
      await edit.apply(await edit.planDelete(ID));
      expect(readdirSync(elsewhere)).not.toContain(ID);
      await edit.apply(await edit.planUndo());
      await edit.apply(await edit.planUndo());
      expect(lookAtAll(elsewhere)).toEqual(before);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  },
);

describe.runIf(OTHER_DISK)("a step on another disk", () => {
  let elsewhere: string;
  beforeEach(() => {
    elsewhere = mkdtempSync(join(OTHER_DISK, "rethread-elsewhere-"));
    mkdirSync(join(elsewhere, "src"));
    writeFileSync(join(elsewhere, "src", "a.ts"), "old");
  });
  afterEach(() => rmSync(elsewhere, { recursive: true, force: true }));

  const withFile = async (): Promise<EditPlan> => {
    const plan = await home.edit().planRename(ID, "First");
    const path = join(elsewhere, "src", "a.ts");
    const entry = lookAt(path);
    if (entry?.kind !== "file") throw new Error("the file is not there");
    const step: Step = {
      does: "replace",
      path,
      entries: [{ kind: "file", path, mode: 0o644, mtimeMs: 0, size: 3, pieces: [{ text: "new" }] }],
      hideout: join(elsewhere, ".rethread"),
    };
    return { ...plan, basis: [...plan.basis, { entry }], steps: [...plan.steps, step] };
  };

  it("is built there, leaves nothing behind, and is undone", async () => {
    const before = lookAtAll(elsewhere);
    const edit = home.edit();
    await edit.apply(await withFile());
    expect([readFileSync(join(elsewhere, "src", "a.ts"), "utf8"), nameOf(ID)]).toEqual(["new", "First"]);
    expect(readdirSync(elsewhere)).toEqual(["src"]);
    await edit.apply(await edit.planUndo());
    expect(lookAtAll(elsewhere)).toEqual(before);
  });

  it("is taken back when it fails, and with it what was done before", async () => {
    const before = [lookAtAll(elsewhere), lookAtAll(home.copilot)];
    for (let failAt = 1; ; failAt++) {
      let isOver = true;
      const disk = watchedDisk(({ number, verb }) => {
        if (number !== failAt || verb === "remove") return;
        isOver = false;
        throw Object.assign(new Error("EIO: as asked"), { code: "EIO" });
      });
      const failure = await home
        .edit(disk)
        .apply(await withFile())
        .then(() => undefined, String);
      if (isOver && failure === undefined) break;
      if (isOver) continue;
      expect([lookAtAll(elsewhere), lookAtAll(home.copilot)], `at moment ${failAt}`).toEqual(before);
      expect(unfinished(home.data)).toEqual([]);
    }
  });
});
