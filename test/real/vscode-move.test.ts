/** Moved sessions, judged by VS Code's own loader: listed and whole in the new workspace, gone from the old one. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { localFs } from "../../src/platform/fs/local.ts";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { idOf } from "../../src/sources/vscode/edit/copy/target.ts";
import { lookAtUser, openEditing } from "../edit/vscode-home.ts";
import { CHATS, type Chat, type Form, writeStore } from "./vscode-corpus.ts";
import { isSound, judgeWorkspace } from "./vscode-judge.ts";
import { loadVsCode } from "./vscode-modules.ts";
import type { Json } from "./vscode-templates.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-move-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder that was renamed: all chats of the corpus are about it, and VS Code has opened the new one already. */
async function createHome(form: Form) {
  const home = join(root, form);
  const [user, old, now] = ["User", "shop", "store"].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [old, now]) mkdirSync(folder, { recursive: true });
  const text = JSON.stringify(CHATS).replaceAll("/srv/app", old);
  const store = await writeStore(user, form, JSON.parse(text) as Record<string, Chat>);
  const about = (folder: string): string => JSON.stringify({ folder: pathToFileURL(folder).href });
  writeFileSync(join(store.folder, "workspace.json"), about(old));
  return { user, old, now, store, edit: openEditing(user, join(home, "data")).edit() };
}

async function stateOf(path: string): Promise<Json> {
  const bytes = readFileSync(path);
  const state = path.endsWith(".jsonl") ? (await loadVsCode()).readLog(bytes) : JSON.parse(bytes.toString());
  return JSON.parse(JSON.stringify(state)) as Json;
}

/** The same value with every address of a file, and every path that a tool was called with, below the new folder. */
function relocated(value: unknown, move: (path: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => relocated(each, move));
  if (typeof value !== "object" || value === null) return value;
  const object = Object.fromEntries(
    Object.entries(value).map(([key, held]) => [key, relocated(held, move)]),
  ) as Json;
  if (object.scheme === "file")
    for (const key of ["path", "fsPath", "external"])
      if (typeof object[key] === "string") object[key] = move(object[key]);
  if (typeof object.arguments === "string" && isJson(object.arguments))
    object.arguments = move(object.arguments);
  return object;
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // one of the corpus is torn on purpose
  }
};

describe.each<Form>(["document", "saved"])("chats in a store of the form %s", (form) => {
  it("follow their folder together, whole and listed, and come back together", async () => {
    const { user, old, now, store, edit } = await createHome(form);
    const before = lookAtUser(user);
    const originals = new Map((await judgeWorkspace(store.folder)).sessions.map((each) => [each.id, each]));
    const files = new Map<string, Json>();
    const fileOf = (folder: string, id: string): string =>
      join(folder, "chatSessions", `${id}.${form === "document" ? "json" : "jsonl"}`);
    for (const id of store.sessions.values()) files.set(id, await stateOf(fileOf(store.folder, id)));

    const { plan } = await edit.apply(await edit.planMove({ from: old, to: now, text: false }));
    const target = dirname(dirname(plan.session.path));
    expect(basename(target)).not.toBe(basename(store.folder));
    const { sessions, indexAccepted } = await judgeWorkspace(target);
    expect({ indexAccepted, left: (await judgeWorkspace(store.folder)).sessions }).toEqual({
      indexAccepted: true,
      left: [],
    });
    const after = new Map(sessions.map((each) => [each.id, each]));
    for (const [name, id] of store.sessions) {
      const moved = after.get(id);
      expect(moved && isSound(moved), `${name}: ${JSON.stringify(moved).slice(0, 500)}`).toBe(true);
      expect(moved, name).toEqual(originals.get(id));
      const wanted = relocated(files.get(id), (path) => path.replaceAll(old, now));
      expect(await stateOf(fileOf(target, id)), name).toEqual(wanted);
    }
    expect(plan.move?.sessions).toHaveLength(store.sessions.size);

    await edit.apply(await edit.planUndo());
    expect(lookAtUser(user)).toEqual(before);

    // The same in copies for the new folder.
    const answers = (state: Json): unknown => (state.requests as Json[]).map((turn) => turn.response);
    let rewritten = 0;
    const speaksOf = ([, id]: [string, string]): boolean => JSON.stringify(files.get(id)).includes(`${old}/`);
    for (const [name, id] of [...store.sessions].filter(speaksOf).slice(0, 8)) {
      const request = { to: now, paths: "rewrite" } as const;
      const { plan: copied } = await edit.apply(await edit.planClone(`vscode:${id}`, request));
      const judged = await judgeWorkspace(dirname(dirname(copied.session.path)));
      const copy = judged.sessions.find((each) => each.id === copied.session.id);
      expect(copy && isSound(copy) && copy.listed, name).toBe(true);
      const wanted = relocated(files.get(id), (path) => path.replaceAll(old, now)) as Json;
      expect(answers(await stateOf(copied.session.path)), name).toEqual(answers(wanted));
      expect(copied.paths?.kept, name).toBe(0);
      rewritten += copied.paths?.rewritten ?? 0;
      await edit.apply(await edit.planUndo());
    }
    expect(rewritten).toBeGreaterThan(0);

    // The same in a rescue, once VS Code has opened what is at the old path now.
    const used = join(dirname(store.folder), await idOf(localFs, old));
    mkdirSync(used);
    writeFileSync(join(used, "workspace.json"), JSON.stringify({ folder: pathToFileURL(old).href }));
    writeFileSync(join(used, "state.vscdb"), toKeyValueDb("ItemTable", { other: "kept" }));
    const rescue = await edit.apply(await edit.planRescueAll("vscode"));
    expect(rescue.plan.adoptions).toMatchObject([{ from: old, to: old, sessions: store.sessions.size }]);
    expect((await judgeWorkspace(store.folder)).sessions).toEqual([]);
    const adopted = await judgeWorkspace(used);
    expect(adopted.indexAccepted).toBe(true);
    for (const each of adopted.sessions) expect(each, each.id).toEqual(originals.get(each.id));
    expect(adopted.sessions).toHaveLength(store.sessions.size);
  }, 120_000);
});
