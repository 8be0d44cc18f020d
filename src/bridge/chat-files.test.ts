import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openChats } from "./chat-files.ts";
import { answer, ask, type ChatRecord, hold, newChat } from "./chat-record.ts";

const NOW = new Date("2026-11-16T10:00:00.000Z");
const ID = "0b1c2d3e-0000-4000-8000-000000000001";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-chats-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const chats = () => openChats(folder);
const file = (name: string): string => join(folder, "chats", name);
const put = (name: string, text: string): void => {
  mkdirSync(join(folder, "chats"), { recursive: true });
  writeFileSync(file(name), text);
};
const said = (id = ID, later = 0): ChatRecord => {
  const now = new Date(NOW.getTime() + later);
  const asked = ask(
    newChat({ id, source: "copilot-cli" }, "/srv/shop", now),
    'Say "hi"\n  "messages": [ 1\nand more',
    now,
  );
  return answer(hold(asked, "cli-1", true), { text: "Hi.", state: "whole" }, now);
};
const edited = (change: object): string => JSON.stringify({ ...said(), ...change });

const toFile = (chat: ChatRecord): string => {
  chats().save(chat);
  return readFileSync(file(`${chat.id}.json`), "utf8");
};
/** By this process, as the system counts it. */
const bytesRead = (): number => Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "latin1"))?.[1]);

describe("a conversation's file", () => {
  it("gives back what was saved, and only its owner may read it", () => {
    chats().save(said());
    expect(chats().load("0b1c")).toEqual(said());
    expect(statSync(file(`${ID}.json`)).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(`${ID}.json`), "utf8")).toMatch(/^\{\n {2}"version": 1,\n/);
  });

  it("is listed without its messages, the latest first", () => {
    const other = "1b1c2d3e-0000-4000-8000-000000000002";
    chats().save(said());
    chats().save(said(other, 1000));
    const { messages: _, ...head } = said();
    expect(chats().list()).toEqual({ chats: [expect.objectContaining({ id: other }), head], unreadable: [] });
  });

  it("is read no further than its head for a list", () => {
    const long = answer(said(), { text: "x".repeat(1 << 20), state: "whole" }, NOW);
    chats().save(long);
    const text = readFileSync(file(`${ID}.json`), "utf8");
    writeFileSync(file(`${ID}.json`), `${text.slice(0, 20_000)}torn`);
    expect(chats().list().chats).toHaveLength(1);
    expect(() => chats().load(ID)).toThrow("cannot be read: not JSON");
  });

  it.runIf(existsSync("/proc/self/io"))(
    "is one of a thousand, and all their heads are a few bytes each",
    () => {
      const text = toFile(answer(said(), { text: "x".repeat(40_000), state: "whole" }, NOW));
      for (let number = 0; number < 1000; number++) {
        const id = `0b1c2d3e-0000-4000-8000-${String(number).padStart(12, "0")}`;
        put(`${id}.json`, text.replace(ID, id));
      }
      const before = bytesRead();
      expect(chats().list().chats).toHaveLength(1000);
      expect(bytesRead() - before).toBeLessThan(1000 * (9 << 10));
    },
  );

  it.each([
    ["torn", '{"version":1,"id":"0b1c2d3e', /^not JSON: /],
    ["empty", "", /^not JSON: /],
    ["a list", "[]", "not an object"],
    ["without its folder", edited({ workspace: undefined }), "workspace is missing"],
    ["with a folder that is none", edited({ workspace: 3 }), "workspace is not a text"],
    [
      "with what are no messages",
      edited({ messages: [{ role: "system", text: "" }] }),
      'messages[0].role is neither "user" nor "assistant"',
    ],
    ["with a session that is none", edited({ cliSession: 7 }), "cliSession is not a text"],
    ["with an earlier session that is none", edited({ earlier: ["a", 1] }), "earlier[1] is not a text"],
    ["answered by what is no process", edited({ answering: "yes" }), "answering is not an object"],
    ["answered by no process", edited({ answering: {} }), "answering.pid is missing"],
    [
      "with a message of no time",
      edited({ messages: [{ role: "user", text: "Hi" }] }),
      "messages[0].at is missing",
    ],
  ])("that is %s is set aside and named, its bytes kept", (_, text, why) => {
    put(`${ID}.json`, text);
    const { chats: found, unreadable } = chats().list();
    expect(found).toEqual([]);
    expect(unreadable).toEqual([
      { path: file(`${ID}.json.damaged`), why: typeof why === "string" ? why : expect.stringMatching(why) },
    ]);
    expect(readFileSync(unreadable[0]?.path ?? "", "utf8")).toBe(text);
    expect(chats().list()).toEqual({ chats: [], unreadable: [] });
  });

  it("of a newer version is left where that finds it", () => {
    put(`${ID}.json`, JSON.stringify({ ...said(), version: 2 }));
    expect(chats().list()).toEqual({
      chats: [],
      unreadable: [{ path: file(`${ID}.json`), why: expect.any(String) }],
    });
    expect(() => chats().load(ID)).toThrow("written by a newer version");
    expect(readdirSync(join(folder, "chats"))).toEqual([`${ID}.json`]);
  });

  it("with the names of the first design is understood", () => {
    const first = {
      SessionId: "abc12345",
      CopilotSessionId: "e7194601-209d-4bfc-b89f-a6f8912cdc04",
      WorkingDirectory: "C:\\WorkSpace\\Project",
      MessageHistory: [
        { Role: "user", Content: "Hello", Timestamp: "2026-02-03T22:26:45.448Z" },
        { Role: "assistant", Content: "Hi", Timestamp: "2026-02-03T22:26:50.448Z" },
      ],
    };
    put("abc12345.json", JSON.stringify(first));
    expect(chats().load("abc1")).toEqual({
      version: 1,
      source: "copilot-cli",
      id: "abc12345",
      cliSession: first.CopilotSessionId,
      title: "Hello",
      workspace: first.WorkingDirectory,
      createdAt: "2026-02-03T22:26:45.448Z",
      updatedAt: "2026-02-03T22:26:50.448Z",
      messages: [
        { role: "user", text: "Hello", at: "2026-02-03T22:26:45.448Z" },
        { role: "assistant", text: "Hi", at: "2026-02-03T22:26:50.448Z" },
      ],
    });
  });

  it("keeps what it does not know", () => {
    put(`${ID}.json`, JSON.stringify({ ...said(), pinned: true }));
    chats().save(ask(chats().load(ID), "more", NOW));
    expect(JSON.parse(readFileSync(file(`${ID}.json`), "utf8"))).toMatchObject({ pinned: true });
  });

  it("is found by a unique start of its id alone, and never outside the folder", () => {
    chats().save(said());
    chats().save(said("0b1cffff-0000-4000-8000-000000000002"));
    expect(() => chats().load("0b1c")).toThrow('"0b1c" matches several conversations');
    for (const name of ["", "ffff", "../state", "..", "0b1c2d3e-0000-4000-8000-000000000001.json"])
      expect(() => chats().load(name)).toThrow("No conversation matches");
    expect(() => chats().save({ ...said(), id: "../../escape" })).toThrow();
    expect(readdirSync(folder)).toEqual(["chats"]);
  });

  it("is sent in by one at a time", () => {
    const unlock = chats().lock(ID);
    expect(chats().lock(ID)).toBeUndefined();
    unlock?.();
    expect(chats().lock(ID)).toBeDefined();
  });
});
