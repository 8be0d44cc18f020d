/** Sessions of Copilot CLI behind symbolic links: every write does what it does without links, and leaves them links. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { check } from "../../src/edit/apply/check.ts";
import { lockedFolders } from "../../src/edit/apply/locks.ts";
import { unfinished } from "../../src/edit/apply/stage.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { lockFor } from "../../src/platform/process/write-lock.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { OTHER_DISK } from "../other-disk.ts";
import { bundleOf } from "./bundle.ts";
import { recoverNow } from "./every-moment.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { watchedDisk } from "./killing-disk.ts";
import { linksBelow, lookThroughAll, moveBehindLink } from "./linking.ts";
import { recordFiles } from "./recorded-files.ts";

let folders: string[] = [];
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders = [];
});

interface Linked {
  readonly home: EditHome;
  /** What links lead to lies there. */
  readonly elsewhere: string;
}

function createHome(disk?: string): Linked {
  const home = createEditHome();
  const elsewhere =
    disk === undefined
      ? join(dirname(home.copilot), "elsewhere")
      : mkdtempSync(join(disk, "rethread-elsewhere-"));
  mkdirSync(elsewhere, { recursive: true });
  folders.push(dirname(home.copilot), dirname(home.data), elsewhere);
  recordFiles(home);
  return { home, elsewhere };
}

const own = ({ home, elsewhere }: Linked, name: string, as = name): string =>
  moveBehindLink(home.file(name), join(elsewhere, as));

const KINDS: Record<string, (linked: Linked) => void> = {
  "the session's folder": (linked) => void own(linked, "", "a session"),
  "the session's folder, with another one behind it": ({ home, elsewhere }) => {
    moveBehindLink(home.file(), join(elsewhere, "second"));
    moveBehindLink(join(elsewhere, "second"), join(elsewhere, "deeper", "third"), "deeper/third");
  },
  "session-state": ({ home, elsewhere }) =>
    void moveBehindLink(join(home.copilot, "session-state"), join(elsewhere, "state")),
  "the home": ({ home, elsewhere }) => void moveBehindLink(home.copilot, join(elsewhere, "home")),
  "each of its files": (linked) => {
    for (const name of ["events.jsonl", "workspace.yaml", "plan.md", "session.db"]) own(linked, name);
    for (const name of ["checkpoints/001-summary.md", "checkpoints/index.md"]) own(linked, name);
    own(linked, "rewind-file-snapshots/index.json");
  },
  "each of its folders": (linked) => {
    for (const name of ["checkpoints", "rewind-file-snapshots", "files", "research"]) own(linked, name);
  },
  "its folder, its log and its files": (linked) => {
    for (const name of ["events.jsonl", "files"]) own(linked, name);
    own(linked, "", "a session");
  },
};
/** The disk takes its time. */
const ON_ANOTHER_DISK = {
  kinds: ["session-state", "its folder, its log and its files"],
  operations: ["clone", "rewind with files", "compact", "delete"],
};

const DAMAGE = '{"type":"user.message","data":{"content":"torn';
const OPERATIONS: Record<string, (edit: EditCore, home: EditHome) => Promise<EditPlan>> = {
  clone: (edit) => edit.planClone(ID, { name: "Copy" }),
  "clone with less": (edit) => edit.planClone(ID, { dropOldest: { count: 1 }, summarize: true }),
  fork: (edit) => edit.planFork(ID, { at: 1 }),
  rewind: (edit) => edit.planRewind(ID, 0),
  "rewind with files": (edit) => edit.planRewind(ID, 0, { files: true }),
  compact: (edit) => edit.planCompact(ID, { keep: 1 }),
  "compact by appending": (edit) => edit.planCompact(ID, { append: true }),
  checkpoint: (edit) => edit.planCheckpoint(ID, {}),
  rename: (edit) => edit.planRename(ID, "Another name"),
  move: (edit) => edit.planMove({ session: ID, to: "/srv/shop", text: true }),
  rescue(edit, home) {
    appendFileSync(home.file("events.jsonl"), DAMAGE);
    utimesSync(home.file("events.jsonl"), 1_700_000_000, 1_700_000_000);
    return edit.planRescue(ID);
  },
  import: async (edit, home) => edit.planImport(await bundleOf(home), { newId: true }),
  delete: (edit) => edit.planDelete(ID),
};

const look = ({ home }: Linked) => lookThroughAll(home.copilot);
const lookAtBoth = ({ home, elsewhere }: Linked) => [lookAtAll(home.copilot), lookAtAll(elsewhere)];

/** What each operation makes of a home without links. */
const plain = new Map<string, Promise<Record<string, string>>>();
function withoutLinks(name: string): Promise<Record<string, string>> {
  const run = async () => {
    const linked = createHome();
    const edit = linked.home.edit();
    await edit.apply((await OPERATIONS[name]?.(edit, linked.home)) as EditPlan);
    edit.close();
    return look(linked);
  };
  const known = plain.get(name) ?? run();
  plain.set(name, known);
  return known;
}

async function tryAll(kind: string, names = chosen(OPERATIONS), disk?: string): Promise<void> {
  for (const name of names) {
    const linked = createHome(disk);
    KINDS[kind]?.(linked);
    const edit = linked.home.edit();
    const plan = (await OPERATIONS[name]?.(edit, linked.home)) as EditPlan;
    const [before, links] = [lookAtBoth(linked), linksBelow(linked.home.copilot, linked.elsewhere)];
    await edit.apply(plan);
    edit.close();
    expect(look(linked), name).toEqual(await withoutLinks(name));
    const left = linksBelow(linked.home.copilot, linked.elsewhere);
    // No link became a file; it may be gone with what it led to.
    for (const [path, target] of Object.entries(links))
      if (existsSync(path)) expect(left[path], `${name}: ${path}`).toBe(target);
    await edit.apply(await edit.planUndo());
    expect(lookAtBoth(linked), `${name}, undone`).toEqual(before);
  }
}

/** One link is less than two, and these writes have the same steps as others. */
const ALIKE = ["the session's folder", "the home", "clone with less", "compact by appending", "fork"];
const chosen = (names: object): string[] =>
  Object.keys(names).filter((name) => process.env.RETHREAD_FULL !== undefined || !ALIKE.includes(name));

describe("every write, with a link in the place of", () => {
  it.each(chosen(KINDS))("%s", (kind) => tryAll(kind));
  it.runIf(OTHER_DISK).each(ON_ANOTHER_DISK.kinds)("%s, to another disk", (kind) =>
    tryAll(kind, ON_ANOTHER_DISK.operations, OTHER_DISK),
  );
});

describe("a link", () => {
  it("that an agent keeps among its files is copied as one that leads to the same", async () => {
    const { home, elsewhere } = createHome();
    writeFileSync(join(elsewhere, "notes"), "notes");
    const put = (name: string, target: string) => symlinkSync(target, home.file("files", name));
    put("inside", "run.sh");
    put("whole-inside", home.file("plan.md"));
    put("outside", relative(home.file("files"), join(elsewhere, "notes")));
    put("whole-outside", join(elsewhere, "notes"));
    put("nowhere", "nothing");
    put("circle", "..");
    const edit = home.edit();
    const copy = async (): Promise<string[]> => {
      const { id } = (await edit.apply(await edit.planClone(ID, {}))).plan.session;
      const at = (name: string) => join(home.copilot, "session-state", id, "files", name);
      expect(readFileSync(at("outside"), "utf8")).toBe("notes");
      return ["inside", "whole-inside", "outside", "whole-outside", "nowhere", "circle"].map((name) =>
        readlinkSync(at(name)).replace(id, ID),
      );
    };
    const targets = [
      "run.sh",
      home.file("plan.md"),
      "../../../../elsewhere/notes",
      join(elsewhere, "notes"),
      "nothing",
      "..",
    ];
    expect(await copy()).toEqual(targets);
    // From elsewhere the relative one leads elsewhere.
    moveBehindLink(home.file(), join(elsewhere, "deep", "er", "session"));
    rmSync(join(elsewhere, "deep", "er", "session", "files", "outside"));
    symlinkSync("../../../../notes", join(elsewhere, "deep", "er", "session", "files", "outside"));
    expect(await copy()).toEqual(targets.with(2, join(elsewhere, "notes")));
  });

  it("that leads nowhere is filled where it leads, and nothing is written below it", async () => {
    const { home, elsewhere } = createHome();
    rmSync(home.file("workspace.yaml"));
    symlinkSync(join(elsewhere, "1.yaml"), home.file("workspace.yaml"));
    const edit = home.edit();
    await edit.apply(await edit.planRename(ID, "Another name"));
    expect(readFileSync(join(elsewhere, "1.yaml"), "utf8")).toContain("name: Another name\n");
    expect(readlinkSync(home.file("workspace.yaml"))).toBe(join(elsewhere, "1.yaml"));
    rmSync(home.file("checkpoints"), { recursive: true });
    symlinkSync(join(elsewhere, "unmounted"), home.file("checkpoints"));
    await expect(edit.planCheckpoint(ID, {})).rejects.toMatchObject({
      code: "not-supported",
      message: expect.stringContaining(`is a link to ${join(elsewhere, "unmounted")}, which does not exist`),
    });
  });

  it("to the same file as another one is refused when both would be changed", async () => {
    const { home, elsewhere } = createHome();
    own({ home, elsewhere }, "workspace.yaml");
    rmSync(home.file("checkpoints/index.md"));
    symlinkSync(join(elsewhere, "workspace.yaml"), home.file("checkpoints/index.md"));
    await expect(home.edit().planCheckpoint(ID, {})).rejects.toMatchObject({
      code: "not-supported",
      message: expect.stringContaining("lead to the same file"),
    });
  });

  it("that leads elsewhere since leaves undo where the write was", async () => {
    for (const change of [
      (link: string) => rmSync(link),
      (link: string, other: string) => {
        rmSync(link);
        symlinkSync(other, link);
      },
    ]) {
      const linked = createHome();
      own(linked, "", "a session");
      // Nobody else's: a folder that is shared may hold the lock files of other tests.
      const other = mkdtempSync(join(tmpdir(), "rethread-other-"));
      folders.push(other);
      const before = lookAtAll(linked.elsewhere);
      const edit = linked.home.edit();
      await edit.apply(await edit.planCompact(ID, { keep: 1 }));
      change(linked.home.file(), other);
      const { operation, plan } = await edit.apply(await edit.planBackupCopy());
      expect(plan.stats).toMatchObject({ clonedTurns: 3 });
      await edit.apply(await edit.planUndo(operation));
      await edit.apply(await edit.planUndo());
      expect(lookAtAll(linked.elsewhere)).toEqual(before);
    }
  });

  it("that was deleted with what it led to takes its place again, and what is there now is kept", async () => {
    const linked = createHome();
    own(linked, "", "a session");
    const edit = linked.home.edit();
    await edit.apply(await edit.planDelete(ID));
    mkdirSync(join(linked.elsewhere, "other"));
    symlinkSync(join(linked.elsewhere, "other"), linked.home.file());
    const now = lookAtBoth(linked);
    const { operation, plan } = await edit.apply(await edit.planUndo());
    expect(plan.losses).toEqual([expect.stringContaining(linked.home.file())]);
    expect(readlinkSync(linked.home.file())).toBe(join(linked.elsewhere, "a session"));
    expect(existsSync(linked.home.file("events.jsonl"))).toBe(true);
    await edit.apply(await edit.planUndo(operation));
    expect(lookAtBoth(linked)).toEqual(now);
  });
});

it.each(chosen(KINDS))("a backup is brought back as a copy, with a link in the place of %s", async (kind) => {
  for (const name of ["compact", "delete"]) {
    const linked = createHome();
    const files = lookThroughAll(linked.home.file("files"));
    KINDS[kind]?.(linked);
    const edit = linked.home.edit();
    const said = (path: string) => readFileSync(path, "utf8").split("\n").slice(1);
    const before = said(linked.home.file("events.jsonl"));
    await edit.apply((await OPERATIONS[name]?.(edit, linked.home)) as EditPlan);
    const { id } = (await edit.apply(await edit.planBackupCopy())).plan.session;
    const copy = (...names: string[]) => join(linked.home.copilot, "session-state", id, ...names);
    expect(said(copy("events.jsonl")), name).toEqual(before);
    expect(readFileSync(copy("workspace.yaml"), "utf8")).toContain("cwd: /work/shop\n");
    expect(readdirSync(copy("rewind-file-snapshots", "backups"))).toHaveLength(4);
    expect(Object.keys(lookThroughAll(copy("files")))).toEqual(Object.keys(files));
    expect(linksBelow(copy())).toEqual({});
    edit.close();
  }
});

it.each(["compact", "delete"])("a %s through links is old or new wherever it ends", async (name) => {
  const linked = createHome();
  KINDS["its folder, its log and its files"]?.(linked);
  const edit = linked.home.edit();
  const plan = (await OPERATIONS[name]?.(edit, linked.home)) as EditPlan;
  const before = lookAtBoth(linked);
  for (let last = 1; ; last++) {
    const dead = watchedDisk(({ number }) => {
      if (number >= last) throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    });
    const isDone = await linked.home
      .edit(dead)
      .apply(plan)
      .then(
        () => true,
        () => false,
      );
    if (isDone) break;
    await recoverNow(linked.home);
    expect(lookAtBoth(linked), `ended at ${last}`).toEqual(before);
    expect(unfinished(linked.home.data)).toEqual([]);
  }
  await edit.apply(await edit.planUndo());
  expect(lookAtBoth(linked)).toEqual(before);
});

describe("two names for one session", () => {
  const SECOND = "33333333-aaaa-4bbb-8ccc-000000000003";
  const second = ({ home }: Linked, ...names: string[]): string =>
    join(home.copilot, "session-state", SECOND, ...names);
  const createTwo = (): Linked => {
    const linked = createHome();
    symlinkSync(ID, second(linked));
    return linked;
  };

  it("both change it", async () => {
    const linked = createTwo();
    const edit = linked.home.edit();
    await edit.apply(await edit.planRename(SECOND, "By the second"));
    expect(readFileSync(linked.home.file("workspace.yaml"), "utf8")).toContain("name: By the second\n");
    await edit.apply(await edit.planRewind(ID, 0));
    await edit.apply(await edit.planCompact(SECOND, { append: true }));
    expect(readFileSync(linked.home.file("events.jsonl"), "utf8")).toContain("session.compaction_complete");
    expect(linksBelow(linked.home.copilot)).toEqual({ [second(linked)]: ID });
  });

  it("move once with their folder", async () => {
    const linked = createTwo();
    const edit = linked.home.edit();
    const plan = await edit.planMove({ from: "/work/shop", to: "/srv/shop", text: false });
    expect(plan.title).toBe("1 session");
    await edit.apply(plan);
    expect(readFileSync(linked.home.file("workspace.yaml"), "utf8")).toContain("cwd: /srv/shop\n");
  });

  it("go one by one from the second, and together with the first", async () => {
    const linked = createTwo();
    const before = lookAtBoth(linked);
    const edit = linked.home.edit();
    const ofSecond = await edit.planDelete(SECOND);
    expect(ofSecond.steps).toEqual([{ does: "remove", path: second(linked) }]);
    await edit.apply(ofSecond);
    expect(existsSync(linked.home.file("events.jsonl"))).toBe(true);
    await edit.apply(await edit.planUndo());
    await edit.apply(await edit.planDelete(ID));
    expect(existsSync(linked.home.file())).toBe(false);
    expect(linksBelow(linked.home.copilot)).toEqual({});
    await edit.apply(await edit.planUndo());
    expect(lookAtBoth(linked)).toEqual(before);
  });

  it("in two homes are locked together, and open in both when one is", async () => {
    const [mine, theirs] = [createHome(), createHome()];
    rmSync(mine.home.file(), { recursive: true });
    symlinkSync(theirs.home.file(), mine.home.file());
    const [plan, other] = await Promise.all(
      [mine, theirs].map(({ home }) => home.edit().planRename(ID, "Another name")),
    );
    const lockOf = (folder: string): string => lockFor(folder, mine.home.data);
    const locks = [plan, other].map((each) => new Set(lockedFolders(each as EditPlan).map(lockOf)));
    expect([...(locks[0] ?? [])].filter((lock) => locks[1]?.has(lock))).not.toEqual([]);
    // The program has it open by its other name, and the link is gone.
    rmSync(mine.home.file());
    const owners: Catalog["owners"] = async (sessions) =>
      new Map(sessions.flatMap(({ path }) => (path.startsWith(theirs.home.copilot) ? [[path, 7]] : [])));
    const catalog = { ...mine.home.catalog, owners };
    await expect(check(catalog, mine.home.data, plan as EditPlan)).rejects.toMatchObject({
      code: "session-busy",
    });
  });
});
