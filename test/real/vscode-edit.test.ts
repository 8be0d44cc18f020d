/** What we write for VS Code, judged by VS Code's own loader: every chat of the corpus, in every form of store. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { lookAtUser, openEditing, rowsOf } from "../edit/vscode-home.ts";
import {
  type CorpusStore,
  type Form,
  LARGE_MB,
  LONG_TURNS,
  largeChat,
  longChat,
  writeStore,
} from "./vscode-corpus.ts";
import { INDEX_KEY, isSound, type JudgedSession, judgeWorkspace } from "./vscode-judge.ts";
import { loadVsCode } from "./vscode-modules.ts";
import type { Json } from "./vscode-templates.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-vscode-edit-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const isThorough = process.env.RETHREAD_FULL !== undefined;
/** What VS Code saves is a log as well. */
const FORMS: readonly Form[] = isThorough ? ["document", "log", "saved"] : ["document", "saved"];
/** Each of these writes takes long: every second chat is tried, with RETHREAD_FULL=1 all of them. */
const some = <T>(list: readonly T[]): T[] => list.filter((_, at) => isThorough || at % 2 === 0);
let homes = 0;

async function openStore(form: Form, chats?: Parameters<typeof writeStore>[2]) {
  const home = join(root, String(++homes));
  const user = join(home, "User");
  const store = await writeStore(user, form, chats);
  return { user, store, edit: openEditing(user, join(home, "data")).edit() };
}

const judged = async ({ folder }: CorpusStore): Promise<Map<string, JudgedSession>> => {
  const { sessions, indexAccepted } = await judgeWorkspace(folder);
  expect(indexAccepted).toBe(true);
  return new Map(sessions.map((session) => [session.id, session]));
};

/** A clone is called so; one without a title has the one that VS Code's list shows of it from now on. */
const listedAs = (title: string, state: Json, judgement: JudgedSession | undefined) =>
  judgement && { ...judgement, title: `${state.customTitle ?? state.computedTitle ?? title} (clone)` };

const fileIn = (folder: string, id: string): string => {
  const name = readdirSync(join(folder, "chatSessions")).find((each) => each.startsWith(id));
  return join(folder, "chatSessions", name ?? "none");
};

/** The session as VS Code replays it. */
async function stateOf(folder: string, id: string): Promise<Json> {
  const path = fileIn(folder, id);
  const bytes = readFileSync(path);
  const state = path.endsWith(".jsonl") ? (await loadVsCode()).readLog(bytes) : JSON.parse(bytes.toString());
  return JSON.parse(JSON.stringify(state)) as Json;
}

/** What a clone must be, worked out from the original. */
function asClone(original: Json, id: string, title: string, turns?: number): Json {
  const { pendingRequests: _, hasPendingEdits: __, ...state } = structuredClone(original);
  const requests = (state.requests as Json[]).slice(0, turns);
  for (const request of requests) {
    // Equal ids would mean equal turns.
    for (const kind of ["request", "response"])
      if (typeof request[`${kind}Id`] === "string")
        request[`${kind}Id`] = expect.not.stringMatching(String(request[`${kind}Id`]));
    const metadata = (request.result as Json | undefined)?.metadata as Json | undefined;
    if (typeof metadata?.sessionId === "string") metadata.sessionId = id;
    for (const round of (metadata?.toolCallRounds ?? []) as Json[]) delete round.statefulMarker;
  }
  return { ...state, version: 3, sessionId: id, customTitle: title, requests };
}

const entriesIn = (folder: string): Json => {
  const row = rowsOf(join(folder, "state.vscdb"))[INDEX_KEY] as { list: { entries: Json } };
  return row.list.entries;
};

describe.each(FORMS)("chats in a store of the form %s", (form) => {
  it("are cloned whole, listed, and nothing else changes; undone, nothing is left", async () => {
    const { user, store, edit } = await openStore(form);
    const before = lookAtUser(user);
    const originals = await judged(store);
    const clones = new Map<string, string>();
    for (const id of store.sessions.values()) {
      const { plan } = await edit.apply(await edit.planClone(id, {}));
      clones.set(id, plan.session.id);
    }
    const after = await judged(store);
    for (const [name, id] of store.sessions) {
      const clone = clones.get(id) ?? "";
      const [original, ours] = [originals.get(id), after.get(clone)];
      expect(after.get(id), name).toEqual(original);
      expect(ours && isSound(ours), `${name}: ${JSON.stringify(ours).slice(0, 500)}`).toBe(true);
      const state = await stateOf(store.folder, id);
      expect({ ...ours, id }, name).toEqual(listedAs(name, state, original));
      const title = String(ours?.title);
      expect(await stateOf(store.folder, clone), name).toEqual(asClone(state, clone, title));
      expect((entriesIn(store.folder)[clone] as Json).title).toBe(title);
    }
    const now = lookAtUser(user);
    const own = (path: string): boolean => [...clones.values()].some((id) => path.includes(id));
    const others = Object.keys(now).filter((path) => !own(path) && !path.endsWith("state.vscdb"));
    expect(Object.fromEntries(others.map((path) => [path, now[path]]))).toEqual(
      Object.fromEntries(Object.entries(before).filter(([path]) => !path.endsWith("state.vscdb"))),
    );
    for (const _ of clones) await edit.apply(await edit.planUndo());
    expect(lookAtUser(user)).toEqual(before);
  }, 120_000);
});

describe.each<Form>(isThorough ? ["document", "saved"] : ["saved"])(
  "chats in a store of the form %s, changed further",
  (form) => {
    it("are forked at a turn and rewound to it", async () => {
      const { user, store, edit } = await openStore(form);
      const before = lookAtUser(user);
      const originals = await judged(store);
      const long = some([...store.sessions].filter(([, id]) => (originals.get(id)?.stored ?? 0) > 1));
      const forks = new Map<string, string>();
      for (const [, id] of long) {
        const { plan } = await edit.apply(await edit.planFork(id, { at: 0 }));
        forks.set(id, plan.session.id);
        await edit.apply(await edit.planRewind(id, 0, { inPlace: true }));
      }
      const after = await judged(store);
      for (const [name, id] of long) {
        const first = originals.get(id)?.turns?.slice(0, 1);
        for (const ours of [after.get(id), after.get(forks.get(id) ?? "")]) {
          expect(ours && isSound(ours), `${name}: ${JSON.stringify(ours).slice(0, 500)}`).toBe(true);
          expect(ours, name).toMatchObject({ turns: first, listed: true });
        }
      }
      expect(long.length).toBeGreaterThan(4);
      for (const _ of long) for (const __ of ["rewind", "fork"]) await edit.apply(await edit.planUndo());
      expect(lookAtUser(user)).toEqual(before);
    }, 120_000);

    it("are renamed in file and list, and taken away with their entries", async () => {
      const { user, store, edit } = await openStore(form);
      const before = lookAtUser(user);
      const originals = await judged(store);
      const ids = [...store.sessions.values()];
      const named = some(ids);
      for (const id of named) await edit.apply(await edit.planRename(id, `Named: "${id.slice(0, 8)}"`));
      const renamed = await judged(store);
      for (const [name, id] of store.sessions) {
        const title = `Named: "${id.slice(0, 8)}"`;
        const isNamed = named.includes(id);
        expect(renamed.get(id), name).toEqual({ ...originals.get(id), ...(isNamed && { title }) });
        if (isNamed) expect((entriesIn(store.folder)[id] as Json).title).toBe(title);
      }
      const gone = named.filter((_, i) => i % 2 === 0);
      for (const id of gone) await edit.apply(await edit.planDelete(id));
      const left = await judged(store);
      expect([...left.keys()].sort()).toEqual(ids.filter((id) => !gone.includes(id)).sort());
      for (const [id, session] of left) expect(session).toEqual(renamed.get(id));
      for (const _ of [...named, ...gone]) await edit.apply(await edit.planUndo());
      expect(lookAtUser(user)).toEqual(before);
    }, 120_000);
  },
);

describe(`chats of ${LONG_TURNS} turns and of ${LARGE_MB} MB`, () => {
  it.each<[Form, string]>([
    ["saved", "large"],
    ["document", "long"],
  ])(
    "are cloned and forked in a store of the form %s: %s",
    async (form, name) => {
      const chat = name === "large" ? largeChat() : longChat();
      const { store, edit } = await openStore(form, { [name]: chat });
      const [id = ""] = store.sessions.values();
      const half = Math.floor(chat.turns.length / 2);
      const clone = (await edit.apply(await edit.planClone(id, {}))).plan.session.id;
      const fork = (await edit.apply(await edit.planFork(id, { at: half - 1 }))).plan.session.id;
      const after = await judged(store);
      for (const [made, turns] of [
        [clone, chat.turns.length],
        [fork, half],
      ] as const) {
        const ours = after.get(made);
        expect(ours && isSound(ours), name).toBe(true);
        expect([ours?.turns?.length, ours?.listed], name).toEqual([turns, true]);
      }
    },
    300_000,
  );
});

describe("a chat that is cloned into another workspace", () => {
  it.each<[Form, Form]>([
    ["document", "log"],
    ["saved", "document"],
  ])(
    "takes the form of that store: %s to %s",
    async (from, to) => {
      const { user, store, edit } = await openStore(from);
      const other = await writeStore(user, to, { neighbour: longChat(1) });
      const originals = await judged(store);
      const clones = new Map<string, string>();
      for (const id of store.sessions.values()) {
        const plan = await edit.planClone(id, { to: basename(other.folder) });
        await edit.apply(plan);
        clones.set(id, plan.session.id);
      }
      const after = await judged(other);
      for (const [name, id] of store.sessions) {
        const clone = clones.get(id) ?? "";
        expect({ ...after.get(clone), id }, name).toEqual(
          listedAs(name, await stateOf(store.folder, id), originals.get(id)),
        );
        expect(fileIn(other.folder, clone).endsWith(to === "document" ? ".json" : ".jsonl"), name).toBe(true);
      }
      expect(after.size).toBe(clones.size + 1);
    },
    120_000,
  );

  it("finds a folder made ready that VS Code has never opened", async () => {
    const { user, store, edit } = await openStore("saved");
    const folder = join(user, "..", "never opened");
    mkdirSync(folder);
    const [id = ""] = store.sessions.values();
    const { session } = (await edit.apply(await edit.planClone(id, { to: folder }))).plan;
    const second = (await edit.apply(await edit.planClone(id, { to: folder }))).plan.session;
    const home = join(session.path, "..", "..");
    expect(basename(home)).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.parse(readFileSync(join(home, "workspace.json"), "utf8"))).toEqual({
      folder: `file://${encodeURI(folder)}`,
    });
    const after = await judged({ ...store, folder: home });
    expect([...after.values()].every(isSound)).toBe(true);
    expect([...after.keys()].sort()).toEqual([session.id, second.id].sort());
  });
});
