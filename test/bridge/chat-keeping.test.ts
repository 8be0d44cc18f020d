/** Conversations are renamed, deleted and brought back; the program's own sessions stay as they are. */
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ChatHome, createChatHome, say } from "./home.ts";

let home: ChatHome;
beforeEach(() => {
  home = createChatHome();
});
afterEach(() => home.remove());

const deleted = (): string[] => readdirSync(join(home.data, "chats/deleted"));

it("takes another title, by which it is listed, and continues under it", async () => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  await say(chats, id, "one");
  const before = home.kept(id);
  expect(await chats.keeping.rename(id.slice(0, 8), "  Retries\n and more ")).toMatchObject({ id });
  expect(home.kept(id)).toEqual({ ...before, title: "Retries and more" });
  expect((await say(chats, id, "two")).answer).toBe("Heard 2: one | two");
  expect(chats.chats.list().chats).toMatchObject([{ title: "Retries and more" }]);
});

it.each([
  ["", "must not be empty"],
  [" \n", "must not be empty"],
  ["x".repeat(201), "this one has 201"],
])("refuses the title %j", async (title, why) => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  await say(chats, id, "one");
  await expect(chats.keeping.rename(id, title)).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining(why),
  });
  expect(home.kept(id).title).toBe("one");
});

it("is deleted from the list and brought back as it was, without a change to the program's session", async () => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  const { cliSession = "" } = await say(chats, id, "one");
  const log = join(home.copilot, "session-state", cliSession, "events.jsonl");
  const [record, bytes] = [home.kept(id), readFileSync(log, "utf8")];
  expect(await chats.keeping.delete(id)).toMatchObject({ id, title: "one" });
  expect(chats.chats.list()).toEqual({ chats: [], unreadable: [] });
  await expect(say(chats, id, "two")).rejects.toMatchObject({ code: "session-not-found" });
  expect(readFileSync(log, "utf8")).toBe(bytes);
  const restarted = await home.app();
  expect(await restarted.keeping.bringBack(id.slice(0, 6))).toMatchObject({ id });
  expect(home.kept(id)).toEqual(record);
  expect(deleted()).toEqual([]);
  expect((await say(restarted, id, "two")).answer).toBe("Heard 2: one | two");
});

it("refuses both while it is being answered, and says why", async () => {
  const chats = await home.app();
  const { id } = await chats.begin({});
  for await (const event of chats.send(id, "one")) {
    if (event.kind !== "text") continue;
    for (const change of [() => chats.keeping.rename(id, "No"), () => chats.keeping.delete(id)])
      await expect(change()).rejects.toMatchObject({
        code: "session-busy",
        message: `Conversation ${id.slice(0, 8)} is being answered, so it was not changed`,
      });
  }
  expect(home.kept(id)).toMatchObject({ title: "one", messages: [{}, { state: "whole" }] });
  await chats.keeping.delete(id);
  expect(deleted()).toEqual([`${id}.json`]);
});

it("keeps a deleted one for 30 days", async () => {
  const chats = await home.app();
  const ids: string[] = [];
  for (const text of ["old", "young", "now"]) {
    const { id } = await chats.begin({});
    await say(chats, id, text);
    ids.push(id);
  }
  const [old = "", young = "", now = ""] = ids;
  for (const [id, days] of [
    [old, 31],
    [young, 29],
  ] as const) {
    await chats.keeping.delete(id);
    const then = Date.now() / 1000 - days * 86_400;
    utimesSync(join(home.data, "chats/deleted", `${id}.json`), then, then);
  }
  await chats.keeping.delete(now);
  expect(deleted().sort()).toEqual([young, now].map((id) => `${id}.json`).sort());
  await expect(chats.keeping.bringBack(old)).rejects.toMatchObject({ code: "session-not-found" });
});
