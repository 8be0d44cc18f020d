/** Sessions of Copilot CLI behind symbolic links: every write does what it does without links, and leaves them links. */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { EditApp } from "../../src/app/edit-contract.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { OTHER_DISK } from "../other-disk.ts";
import { bundleOf } from "./bundle.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
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
const OPERATIONS: Record<string, (edit: EditApp, home: EditHome) => Promise<EditPlan>> = {
  clone: (edit) => edit.planClone(ID, { name: "Copy" }),
  "clone with less": (edit) => edit.planClone(ID, { dropOldest: "1", summarize: true }),
  fork: (edit) => edit.planFork(ID, { at: "1" }),
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

async function tryAll(kind: string, names = Object.keys(OPERATIONS), disk?: string): Promise<void> {
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

describe("every write, with a link in the place of", () => {
  it.each(Object.keys(KINDS))("%s", (kind) => tryAll(kind));
  it.runIf(OTHER_DISK).each(ON_ANOTHER_DISK.kinds)("%s, to another disk", (kind) =>
    tryAll(kind, ON_ANOTHER_DISK.operations, OTHER_DISK),
  );
});
