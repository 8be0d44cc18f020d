/** *Export Chat…* both ways: VS Code's own import takes what we export, and its loader what we make of its exports. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { reduceForExport } from "../../src/app/export/reduced.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import vscode from "../../src/sources/vscode/index.ts";
import { lookAtUser, openEditing } from "../edit/vscode-home.ts";
import { CHATS, type CorpusStore, type Form, writeStore } from "./vscode-corpus.ts";
import { isSound, judgeWorkspace } from "./vscode-judge.ts";
import { loadVsCode, type RawModel } from "./vscode-modules.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-interchange-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(() => void vi.useRealTimers());

const FORMS: readonly Form[] = ["document", "saved"];
const turnsOf = (model: RawModel): object[] =>
  model.getRequests().map(({ message, response }) => ({
    user: message.text,
    assistant: response?.response.getMarkdown() ?? "",
  }));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function artifactsOf(user: string): Promise<Map<string, Artifact>> {
  const found = new Map<string, Artifact>();
  const problem = () => undefined; // told by other tests
  await vscode.scan(localFs, user, { artifact: (each) => void found.set(each.id, each), problem });
  return found;
}

/** The session as VS Code has it in memory. */
async function loaded({ folder }: CorpusStore, form: Form, id: string): Promise<RawModel> {
  const { readLog, createModel } = await loadVsCode();
  const bytes = readFileSync(join(folder, "chatSessions", `${id}.${form === "document" ? "json" : "jsonl"}`));
  const value = form === "document" ? JSON.parse(bytes.toString()) : readLog(bytes);
  return createModel({ value }, id, []);
}

describe.each(FORMS)("chats in a store of the form %s", (form) => {
  it("are exported so that VS Code makes the same of it as of its own export", async () => {
    // What was pending counts as cancelled at the moment of loading.
    vi.useFakeTimers({ toFake: ["Date"] });
    const user = join(root, form, "User");
    const store = await writeStore(user, form, CHATS);
    const [{ importChat }, interchange] = await Promise.all([loadVsCode(), vscode.interchange?.()]);
    const artifacts = await artifactsOf(user);
    for (const [name, id] of store.sessions) {
      const written: string[] = [];
      const options = { clean: <T>(value: T): T => value, write: (more: string) => void written.push(more) };
      await interchange?.copy?.(localFs, artifacts.get(id) as Artifact, options);
      const text = written.join("");
      const complaints: string[] = [];
      const original = await loaded(store, form, id);
      const own = importChat(JSON.stringify(original.toExport()), id, []);
      const ours = importChat(text, id, complaints);
      expect(complaints, name).toEqual([]);
      expect(ours.isImported, name).toBe(true);
      expect(turnsOf(ours), name).toEqual(turnsOf(original));
      expect(plain(ours.toExport()), name).toEqual(plain(own.toExport()));
      expect(text, name).toBe(JSON.stringify(JSON.parse(text), undefined, 2));
    }
  });

  it("are exported smaller so that VS Code opens every turn that is left", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const user = join(root, `${form}-smaller`, "User");
    const store = await writeStore(user, form, CHATS);
    const { catalog, edit } = openEditing(user, join(root, `${form}-smaller`, "data"));
    const core = edit();
    const [{ importChat }, interchange] = await Promise.all([loadVsCode(), vscode.interchange?.()]);
    const artifacts = await artifactsOf(user);
    for (const [name, id] of store.sessions) {
      const artifact = artifacts.get(id) as Artifact;
      const reduction = { tools: { truncate: 20 }, dropThinking: true, dropOldest: { percent: 50 } } as const;
      const small = await reduceForExport(catalog, artifact, reduction, core.planClone);
      const written: string[] = [];
      const options = { clean: <T>(value: T): T => value, write: (more: string) => void written.push(more) };
      await interchange?.copy?.(small.catalog.fs, small.artifact, options);
      const complaints: string[] = [];
      const model = importChat(written.join(""), id, complaints);
      expect(complaints, name).toEqual([]);
      expect(model.getRequests().length, name).toBe(JSON.parse(written.join("")).requests.length);
      expect(model.getRequests().length, name).toBeGreaterThan(0);
    }
  });

  it("come back from VS Code's own exports, listed and whole, beside what was there", async () => {
    const home = join(root, `${form}-back`);
    const user = join(home, "User");
    // Half of them here and half there, as every import is a whole write.
    const chats = Object.entries(CHATS).filter((_, index) => index % 2 === FORMS.indexOf(form));
    const store = await writeStore(user, form, Object.fromEntries(chats));
    const edit = openEditing(user, join(home, "data")).edit();
    const originals = new Map((await judgeWorkspace(store.folder)).sessions.map((each) => [each.id, each]));
    const imported = new Map<string, string>();
    const to = store.folder.replace(/^.*[\\/]/, "");
    for (const [name, id] of store.sessions) {
      const file = join(home, "chat.json");
      writeFileSync(file, JSON.stringify((await loaded(store, form, id)).toExport(), undefined, 2));
      const { plan } = await edit.apply(await edit.planImport(file, { to, name }));
      imported.set(id, plan.session.id);
    }
    const { sessions, indexAccepted } = await judgeWorkspace(store.folder);
    expect(indexAccepted).toBe(true);
    const after = new Map(sessions.map((each) => [each.id, each]));
    for (const [name, id] of store.sessions) {
      const ours = after.get(imported.get(id) ?? "");
      expect(ours && isSound(ours), `${name}: ${JSON.stringify(ours).slice(0, 500)}`).toBe(true);
      expect(ours, name).toMatchObject({ listed: true, title: name, turns: originals.get(id)?.turns });
      expect(after.get(id), name).toEqual(originals.get(id));
    }
    const last = [...imported.values()].at(-1) ?? "";
    await edit.apply(await edit.planUndo());
    expect(Object.keys(lookAtUser(user)).filter((path) => path.includes(last))).toEqual([]);
  }, 120_000);
});
