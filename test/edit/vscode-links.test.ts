/** VS Code's chats behind symbolic links: every write does what it does without links, and leaves them links. */
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { EditCore } from "../../src/app/edit/core.ts";
import { exportBundle } from "../../src/app/export/bundle.ts";
import { checkPrograms } from "../../src/edit/apply/check.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { readHead } from "../../src/query/heads.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { OTHER_DISK } from "../other-disk.ts";
import { hashTail } from "./guard.ts";
import { linksBelow, lookThroughAll, moveBehindLink } from "./linking.ts";
import { NOW } from "./source-homes.ts";
import {
  createVsCodeHome,
  ELSEWHERE,
  ID,
  lookAtUser,
  OTHER,
  rowsOf,
  type VsCodeHome,
} from "./vscode-home.ts";

let homes: VsCodeHome[] = [];
afterEach(() => {
  for (const home of homes) home.remove();
  homes = [];
});

function createHome(): VsCodeHome {
  const home = createVsCodeHome();
  homes.push(home);
  mkdirSync(elsewhere(home));
  return home;
}

/** What links lead to lies there. */
const elsewhere = ({ user }: VsCodeHome, ...names: string[]): string =>
  join(dirname(user), "elsewhere", ...names);
const behind = (home: VsCodeHome, path: string, name: string): void =>
  void moveBehindLink(path, elsewhere(home, name));

const KINDS: Record<string, (home: VsCodeHome) => void> = {
  "the user's folder and workspaceStorage": (home) => {
    behind(home, join(home.user, "workspaceStorage"), "storage");
    behind(home, home.user, "User");
  },
  "the folders of workspaces and of chats": (home) => {
    behind(home, home.file("chatSessions"), "chats");
    behind(home, home.file(), "shop");
    behind(home, join(home.user, "workspaceStorage", ELSEWHERE), "other");
  },
  "a chat's files": (home) => {
    behind(home, home.file("chatSessions", `${ID}.jsonl`), "log");
    behind(home, home.file("chatSessions", `${ID}.json`), "document");
    behind(home, home.file("chatEditingSessions", ID), "edits");
    behind(home, home.file("GitHub.copilot-chat"), "extension");
  },
  "state.vscdb": (home) => {
    behind(home, home.file("state.vscdb"), "1.db");
    behind(home, join(home.user, "workspaceStorage", ELSEWHERE, "state.vscdb"), "2.db");
  },
};

/** The last turn is torn. */
function damage(home: VsCodeHome): void {
  const path = home.file("chatSessions", `${ID}.jsonl`);
  truncateSync(path, 1500);
  utimesSync(path, 1_700_000_000, 1_700_000_000);
}

async function bundleOf({ catalog, user, data }: VsCodeHome): Promise<string> {
  const head = await readHead(catalog, (await resolveSession(catalog, ID)).artifact);
  const [guard, folder] = [hashTail(catalog, data), dirname(user)];
  const request = { out: "one.tar.gz", folder, force: true, guard, now: NOW, madeBy: "test" };
  return (await exportBundle(catalog, [head], request)).path;
}

const OPERATIONS: Record<string, (edit: EditCore, home: VsCodeHome) => Promise<EditPlan>> = {
  clone: (edit) => edit.planClone(ID, { name: "Copy" }),
  "clone to another workspace": (edit) => edit.planClone(ID, { to: ELSEWHERE }),
  fork: (edit) => edit.planFork(ID, { at: 1 }),
  rewind: (edit) => edit.planRewind(ID, 0),
  "rewind in place": (edit) => edit.planRewind(ID, 0, { inPlace: true }),
  rename: (edit) => edit.planRename(ID, "Another name"),
  move: (edit) => edit.planMove({ session: ID, to: ELSEWHERE, text: true }),
  rescue(edit, home) {
    damage(home);
    return edit.planRescue(ID);
  },
  "rescue of all": (edit, home) => {
    damage(home);
    return edit.planRescueAll("vscode");
  },
  import: async (edit, home) => edit.planImport(await bundleOf(home), { newId: true, to: ELSEWHERE }),
  delete: (edit) => edit.planDelete(ID),
};

/** Every file, with databases as their rows whatever they are called. */
function lookAtChats(folder: string): Record<string, unknown> {
  const seen = lookAtUser(folder);
  for (const name of globSync("**/*.db", { cwd: folder })) seen[name] = rowsOf(join(folder, name));
  return seen;
}

/** Lists as what they say; copies of databases are left beside what links lead to. */
const look = ({ user }: VsCodeHome): Record<string, string> => {
  const seen = lookThroughAll(user, (path, text) =>
    path.endsWith("state.vscdb") ? JSON.stringify(rowsOf(path)) : text,
  );
  const isList = (name: string): boolean => name.includes("state.vscdb");
  return Object.fromEntries(
    Object.entries(seen).flatMap(([name, each]) => {
      if (name.includes(".rethread-")) return [];
      return [[name, isList(name) ? each.replace(/^file \d+ \d+/, "list") : each]];
    }),
  );
};

const plain = new Map<string, Promise<Record<string, string>>>();
function withoutLinks(name: string): Promise<Record<string, string>> {
  const run = async () => {
    const home = createHome();
    const edit = home.edit();
    await edit.apply((await OPERATIONS[name]?.(edit, home)) as EditPlan);
    edit.close();
    return look(home);
  };
  const known = plain.get(name) ?? run();
  plain.set(name, known);
  return known;
}

describe("every write, with a link in the place of", () => {
  it.each(Object.entries(KINDS))("%s", async (_, link) => {
    for (const [name, plan] of Object.entries(OPERATIONS)) {
      const home = createHome();
      link(home);
      const edit = home.edit();
      const planned = await plan(edit, home);
      const [before, links] = [lookAtChats(dirname(home.user)), linksBelow(dirname(home.user))];
      await edit.apply(planned);
      edit.close();
      expect(look(home), name).toEqual(await withoutLinks(name));
      const left = linksBelow(dirname(home.user));
      for (const [path, target] of Object.entries(links))
        if (existsSync(path)) expect(left[path], `${name}: ${path}`).toBe(target);
      await edit.apply(await edit.planUndo());
      expect(lookAtChats(dirname(home.user)), `${name}, undone`).toEqual(before);
    }
  });
});

it.each(Object.entries(KINDS))(
  "a backup is brought back as a copy, with a link in the place of %s",
  async (_, link) => {
    for (const name of ["rewind in place", "delete"]) {
      const home = createHome();
      link(home);
      const edit = home.edit();
      await edit.apply((await OPERATIONS[name]?.(edit, home)) as EditPlan);
      const { plan } = await edit.apply(await edit.planBackupCopy());
      edit.close();
      expect(plan.stats, name).toMatchObject({ clonedTurns: 3 });
      expect(dirname(plan.session.path)).toBe(home.file("chatSessions"));
      expect(existsSync(plan.session.path)).toBe(true);
    }
  },
);

describe("two names for one chat", () => {
  it("are one chat to scans and rescues where a workspace has two", async () => {
    const home = createHome();
    symlinkSync(home.file(), join(home.user, "workspaceStorage", "aaaa0000aaaa0000aaaa0000aaaa0000"));
    const { artifacts, problems } = await home.catalog.scan();
    expect(artifacts).toHaveLength(2);
    expect(problems.filter(({ message }) => message.includes("in another workspace"))).toEqual([]);
    damage(home);
    const plan = await home.edit().planRescueAll("vscode");
    expect(new Set(plan.steps.map(({ path }) => path)).size).toBe(plan.steps.length);
    await home.edit().apply(plan);
  });

  it("part when the second is deleted, and the chat stays", async () => {
    const home = createHome();
    const [chat, second] = [OTHER, "33333333-aaaa-4bbb-8ccc-000000000003"].map((id) =>
      home.file("chatSessions", `${id}.jsonl`),
    ) as [string, string];
    symlinkSync(`${OTHER}.jsonl`, second);
    const edit = home.edit();
    await edit.apply(await edit.planDelete("33333333"));
    expect([existsSync(second), existsSync(chat)]).toEqual([false, true]);
  });
});

describe("a chat behind a link", () => {
  it("is not changed while VS Code runs, which is known by its own name for the chat", async () => {
    const home = createHome();
    behind(home, home.file("chatSessions"), "chats");
    behind(home, home.file("state.vscdb"), "1.db");
    const edit = home.edit();
    const plan = await edit.planRename(ID, "Another name");
    expect(plan.steps).toMatchObject([
      { path: elsewhere(home, "chats", `${ID}.jsonl`), as: home.file("chatSessions", `${ID}.jsonl`) },
      { path: elsewhere(home, "1.db"), as: home.file("state.vscdb") },
    ]);
    const asked: string[] = [];
    const { source, editor } = await home.catalog.editing({ source: "vscode" });
    const findUser = async (_: unknown, path: string): Promise<undefined> => void asked.push(path);
    const database = editor.database && { ...editor.database, findUser };
    await checkPrograms(
      {
        ...home.catalog,
        editing: async () => ({ source, editor: { ...editor, ...(database && { database }) } }),
      },
      plan,
    );
    expect(asked).toEqual(plan.steps.flatMap(({ path, as }) => [as, path]));
  });

  it.runIf(OTHER_DISK)("is changed and taken away on another disk, list and all, and undone", async () => {
    const home = createHome();
    const disk = mkdtempSync(join(OTHER_DISK, "rethread-elsewhere-"));
    moveBehindLink(home.file("chatSessions"), join(disk, "chats"));
    moveBehindLink(home.file("state.vscdb"), join(disk, "1.db"));
    const before = [lookAtChats(disk), lookAtUser(home.user)];
    const edit = home.edit();
    for (const plan of [() => edit.planRename(ID, "Another name"), () => edit.planDelete(ID)]) {
      await edit.apply(await plan());
      expect(lookAtChats(disk)).not.toEqual(before[0]);
      await edit.apply(await edit.planUndo());
      expect([lookAtChats(disk), lookAtUser(home.user)]).toEqual(before);
    }
    rmSync(disk, { recursive: true });
  });

  it("goes back where it really is, although the links are gone since", async () => {
    const home = createHome();
    behind(home, home.file("chatSessions"), "chats");
    behind(home, home.file("state.vscdb"), "1.db");
    const before = lookAtChats(elsewhere(home));
    const edit = home.edit();
    await edit.apply(await edit.planRename(ID, "Another name"));
    for (const name of ["chatSessions", "state.vscdb"]) rmSync(home.file(name));
    await edit.apply(await edit.planUndo());
    expect(lookAtChats(elsewhere(home))).toEqual(before);
  });
});
