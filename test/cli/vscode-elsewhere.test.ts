/** VS Code's chats taken elsewhere, as a person would do it: exported, imported, bundled, moved. */
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lookAtUser } from "../edit/vscode-home.ts";
import { pidLike } from "../lookalike.ts";
import { CHATS, type Chat, type CorpusStore, writeStore } from "../real/vscode-corpus.ts";
import { createHome, type Home } from "./home.ts";

const [EDITED, TESTED] = ["files edited", "commands in the terminal"];
let home: Home;
let user: string;
let store: CorpusStore;
const id = (name: string): string => store.sessions.get(name) ?? "";
const folder = (name: string): string => join(realpathSync(home.path), name);
const json = (...words: string[]) => JSON.parse(home.again(...words, "--json").stdout);

beforeEach(async () => {
  const plain = createHome();
  user = join(plain.path, ".config", "Code", "User");
  home = plain.with({ VSCODE_STORAGE_PATH: join(user, "workspaceStorage") });
  for (const name of ["shop", "store"]) mkdirSync(folder(name));
  const chats = { [EDITED]: CHATS[EDITED] as Chat, [TESTED]: CHATS[TESTED] as Chat };
  store = await writeStore(
    user,
    "log",
    JSON.parse(JSON.stringify(chats).replaceAll("/srv/app", folder("shop"))),
  );
  const about = { folder: pathToFileURL(folder("shop")).href };
  writeFileSync(join(store.folder, "workspace.json"), JSON.stringify(about));
});
afterEach(() => home.remove());

it("exports a chat as VS Code does, and imports it into another folder", () => {
  const { stdout, stderr } = home.again("export", id(TESTED), "--format", "vscode");
  expect(Object.keys(JSON.parse(stdout))).toEqual(["responderUsername", "initialLocation", "requests"]);
  expect(stderr).toContain("title, dates and unsent draft");
  expect(json("export", id(TESTED), "--format", "vscode", "--out", "chat.json")).toMatchObject({
    path: join(home.path, "chat.json"),
    sessions: [{ source: "vscode", id: id(TESTED), title: TESTED }],
    redactions: null,
  });
  expect(readFileSync(join(home.path, "chat.json"), "utf8")).toBe(stdout);
  const imported = json("import", "chat.json", "--to", "store", "--name", "From afar");
  expect(imported).toMatchObject({
    session: { source: "vscode" },
    stats: { originalTurns: 2, clonedTurns: 2 },
    losses: [],
  });
  expect(json("list", "--workspace", folder("store")).sessions).toMatchObject([
    { id: imported.session.id, title: "From afar", workspace: folder("store"), turns: 2 },
  ]);
  expect(home.again("import", "chat.json", "--to", "nowhere").stderr).toContain("(usage)");
});

it("exports a smaller copy while VS Code runs, whatever its list is like, which comes back as it was said", () => {
  const lock = join(user, "..", "code.lock");
  writeFileSync(lock, String(pidLike("code")));
  const list = join(store.folder, "state.vscdb");
  const sound = readFileSync(list);
  writeFileSync(list, "no database");
  const before = lookAtUser(user);
  const words = ["export", id(TESTED), "--format", "vscode", "--drop-oldest", "1", "--drop-tools"];
  const small = json(...words, "--redact", "--out", "small.json");
  expect(small).toMatchObject({
    sessions: [{ source: "vscode", id: id(TESTED) }],
    stats: { originalTurns: 2, clonedTurns: 1, removedTurns: 1 },
    ledger: { turns: { kept: 1, dropped: 1 } },
    redactions: expect.any(Array),
  });
  const { originalTokens, clonedTokens, removedTokens } = small.stats;
  expect(clonedTokens + removedTokens).toBe(originalTokens);
  const chat = JSON.parse(readFileSync(join(home.path, "small.json"), "utf8"));
  expect(Object.keys(chat)).toEqual(["responderUsername", "initialLocation", "requests"]);
  expect(home.again(...words).stderr).toContain(`1 of 2 turns, ${clonedTokens} of ${originalTokens} tokens`);
  expect(lookAtUser(user)).toEqual(before);
  expect(json("export", id(TESTED), "--drop-tools", "--format", "html").error.code).toBe("usage");

  rmSync(lock);
  writeFileSync(list, sound);
  const { stats, session } = json("import", "small.json", "--to", "store");
  expect(stats).toMatchObject({ clonedTurns: 1, clonedTokens });
  expect(json("context", session.id).tokens).toBe(clonedTokens);
});

it("brings a bundle of chats back where they were", () => {
  home.again("export", id(TESTED), id(EDITED), "--out", "chats.tar.gz");
  const before = lookAtUser(user);
  for (const name of [TESTED, EDITED]) home.again("delete", id(name), "--yes");
  expect(json("list").sessions).toEqual([]);
  const { also, session } = json("import", "chats.tar.gz", "--to", store.folder.slice(-32));
  expect([session.id, also[0].id].sort()).toEqual([id(TESTED), id(EDITED)].sort());
  const files = (seen: object): object =>
    Object.fromEntries(Object.entries(seen).filter(([path]) => path.includes("chatSessions")));
  expect(Object.keys(files(lookAtUser(user)))).toEqual(Object.keys(files(before)));
  expect(home.again("import", "chats.tar.gz", "--to", store.folder.slice(-32)).stdout).toContain(
    "Nothing to do",
  );
});

it("lets all chats of a folder follow it, says what is rewritten, and takes it back at once", () => {
  const before = lookAtUser(user);
  const plan = home.again("move", "--from", "shop", "--to", "store", "--dry-run").stdout;
  expect(plan).toContain("Would move 2 sessions");
  expect(lookAtUser(user)).toEqual(before);
  const moved = json("move", "--from", "shop", "--to", "store", "--yes");
  expect(moved).toMatchObject({
    move: { from: folder("shop"), to: folder("store"), isHere: true, mentions: 0, withText: false },
    sessions: expect.arrayContaining([{ source: "vscode", id: id(EDITED), title: EDITED }]),
  });
  expect(moved.move.others).toBeGreaterThan(5);
  const { sessions } = json("list");
  expect(sessions.map(({ workspace }: { workspace: string }) => workspace)).toEqual([
    folder("store"),
    folder("store"),
  ]);
  home.again("undo", moved.operation, "--yes");
  expect(lookAtUser(user)).toEqual(before);
});
