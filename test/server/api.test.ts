/** What the API answers: the operations' own JSON by their routes, plans and writes, downloads, chats. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ApiError } from "../../src/client/client.ts";
import type { ExamineEvent } from "../../src/client/types.ts";
import { OPERATIONS, type OperationName } from "../../src/operations/index.ts";
import { loadApi } from "../../src/server/endpoints.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let cli: string;
beforeAll(async () => {
  server = await startTestServer();
  const { sessions } = await server.app.list({ sources: ["copilot-cli"] });
  const [longest] = sessions.toSorted((a, b) => b.turns - a.turns);
  cli = `${longest?.source}:${longest?.id}`;
});
afterAll(() => server.stop());

describe("the doctor", () => {
  it("tells what it finds while it reads, and at last all of it", async () => {
    const events: ExamineEvent[] = [];
    await server.client.examine((event) => void events.push(event));
    const kinds = events.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["progress", "found"]));
    const last = events.at(-1);
    if (last?.kind !== "finished") throw new Error("it did not finish");
    const { schemaVersion: _, ...whole } = await server.client.problems();
    expect(last).toEqual({ kind: "finished", ...whole });
    const found = events.flatMap((event) => (event.kind === "found" ? event.problems : []));
    expect(found.length).toBeGreaterThan(0);
    for (const each of found) expect(last.problems).toContainEqual(each);
    const progress = events.flatMap((event) => (event.kind === "progress" ? [event.done] : []));
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(40);
  });

  it("stops reading when nobody listens any more", async () => {
    const control = new AbortController();
    let heard = 0;
    const listening = server.client.examine(
      () => {
        heard++;
        control.abort();
      },
      { signal: control.signal },
    );
    await expect(listening).rejects.toThrow();
    expect(heard).toBe(1);
  });

  it("refuses what it does not know", async () => {
    for (const query of ["source=nobody", "nonsense=1"]) {
      const { status, text } = await server.ask(`/api/problems/found?${query}`);
      expect(status === 400 || text.includes('"code":"usage"'), query).toBe(true);
    }
  });
});

describe("reports", () => {
  it("answer from the store, and improvements are planned, written and undone by fingerprint", async () => {
    const { client } = server;
    const since = new Date(Date.now() - 90 * 86_400_000).toISOString();
    const standup = await client.standup({ since, repo: "storefront" });
    expect(standup.repositories).toMatchObject([{ repository: "lumen-shop/storefront" }]);
    expect((await client.tips()).findings.length).toBeGreaterThan(0);
    const { findings, changes } = await client.improvements({ repo: "storefront" });
    expect(changes).toHaveLength(1);
    const path = changes[0]?.path ?? "";
    const plan = await client.plan("improve", {
      repository: "storefront",
      findings: findings.map(({ id }) => id),
    });
    expect(plan).toMatchObject({ session: null, changes: [{ path, diff: changes[0]?.diff }] });
    expect(existsSync(path)).toBe(false);
    const done = await client.apply(plan.fingerprint);
    expect(readFileSync(path, "utf8")).toContain("- Never round amounts more than once.\n");
    const undo = await client.plan("undo", { operation: done.operation });
    await client.apply(undo.fingerprint);
    expect(existsSync(path)).toBe(false);
  });

  it("write no text and no place of the caller's choice", async () => {
    for (const more of [{ lines: ["x"] }, { path: "/etc/motd" }, { files: ["../x"] }, { with: "copilot" }])
      expect(await (await server.post("/api/plans/improve", more)).json()).toMatchObject({
        error: { code: "usage" },
      });
  });
});

describe("the routes", () => {
  it("refuse names that no operation knows, whatever they are", async () => {
    for (const name of ["nobody", "__proto__", "constructor", "toString"])
      await expect(server.client.sessions({ [name]: "x" } as object)).rejects.toMatchObject({
        status: 400,
        code: "usage",
      });
  });

  it("tell the next step as data, with the words that introduce it and no command", async () => {
    await expect(server.client.session("copilot-cli:nobody")).rejects.toMatchObject({
      code: "session-not-found",
      say: "See all sessions",
      remedy: { action: "list" },
      hint: expect.stringContaining("rethread list"),
    });
  });

  it("refuse a value that a setting cannot have, as a mistake of who asks", async () => {
    await expect(server.client.setSetting("backupDays", "many")).rejects.toMatchObject({
      status: 400,
      code: "usage",
    });
  });

  it("answer as their operations do", async () => {
    const page = await server.client.sessions({ limit: 2, source: "copilot-cli", sort: "turns" });
    expect(page).toMatchObject({ schemaVersion: 1, sessions: [{ source: "copilot-cli" }, {}] });
    const next = await server.client.sessions({
      limit: 100,
      source: ["copilot-cli"],
      sort: "turns",
      cursor: page.nextCursor ?? "",
    });
    expect(next.nextCursor).toBeNull();
    expect(page.sessions.length + next.sessions.length).toBe(page.total);
    const { client } = server;
    expect((await client.session(cli)).turns.length).toBeGreaterThan(2);
    const { turns } = await client.turns(cli, { from: 1, to: 2 });
    expect(turns.map(({ index }) => index)).toEqual([1, 2]);
    expect((await client.context(cli)).tokens).toBeGreaterThan(0);
    expect((await client.search({ q: "test", limit: 1 })).hits).toHaveLength(1);
    expect((await client.where({ file: "src", limit: 2 })).places).toHaveLength(2);
    expect((await client.brief(cli)).goal.length).toBeGreaterThan(0);
    expect(await client.sql({ sql: "SELECT 1 AS one" })).toMatchObject({ columns: ["one"], rows: [[1]] });
    expect((await client.statsBy("source")).rows.length).toBe(3);
    expect((await client.diff(cli, cli)).same).toBe(true);
    expect((await client.problems()).problems.length).toBeGreaterThan(0);
    expect((await client.overview()).sessions).toBe(40);
    expect((await client.launch(cli)).command[0]).toBe("copilot");
    expect((await client.setSetting("backupDays", "80")).settings).toContainEqual(
      expect.objectContaining({ name: "backupDays", value: 80 }),
    );
  });

  it("lead to every operation, but to those that an address has no use for", async () => {
    const { endpoints } = await loadApi(z);
    const reached = new Set<string | undefined>(endpoints.map(({ operation }) => operation));
    const others = Object.keys(OPERATIONS).filter((name) => !reached.has(name));
    expect(others.toSorted()).toEqual(Object.keys(WITHOUT_ADDRESS).toSorted());
  });

  it("brief an agent that nobody writes sessions for, within a budget", async () => {
    const [session] = (await server.client.sessions({ source: "claude-code" })).sessions;
    const key = `${session?.source}:${session?.id}`;
    const { markdown, tokens } = await server.client.briefing(key);
    expect(markdown).toMatch(/^# .+\n\nYou are taking over work/);
    expect((await server.client.briefing(key, { budget: tokens - 1 })).tokens).toBeLessThan(tokens);
    const refused = await server.client.briefing(key, { budget: 1 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 400, remedy: { action: "handoff" } });
  });

  it("answer a name that means nothing with what to do", async () => {
    const missing = await server.client.session("vscode:nothing").catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(ApiError);
    expect(missing).toMatchObject({ status: 404, code: "session-not-found", hint: expect.any(String) });
  });
});

/** And why. */
const WITHOUT_ADDRESS: Readonly<Partial<Record<OperationName, string>>> = {
  show: "`outline` and `turns` tell the same in pieces",
  page: "`/export?format=html` sends the page",
  "last-prompt": "`outline` has all prompts",
  "mcp-install": "an agent's settings are changed by who is at this machine",
  "mcp-uninstall": "likewise",
  "apply-migration": "`/apply` carries out plans of every kind",
  watch: "`/api/events` tells what it finds",
  "export-transcript": "`/export?format=vscode` and `copilot` send what it writes",
  "sync-preview": "what leaves this machine is decided by who is at it",
  "sync-push": "likewise",
  "sync-watch": "likewise",
  "sync-rules": "likewise",
  "sync-pull": "likewise",
  "sync-delete": "likewise",
  "sync-share": "likewise",
  "hub-login": "a token of the hub is typed at this machine",
  "hub-logout": "likewise",
  "hub-key": "likewise",
  "hub-search": "the hub's own pages search it",
  "hub-sql": "likewise",
  "hub-schema": "likewise",
  "hub-whoami": "`/api/sync` names the hub",
};

describe("files", () => {
  it("are listed, and each line has who wrote it", async () => {
    const { files } = await server.client.files({ text: "src/money.ts" });
    expect(files).toMatchObject([{ sessionCount: 2, exists: true }]);
    const file = files[0]?.path ?? "";
    const { lines, total } = await server.client.blame({ file });
    expect(lines).toHaveLength(total);
    expect(new Set(lines.map(({ session }) => session?.source))).toEqual(
      new Set(["copilot-cli", "claude-code", undefined]),
    );
    const one = await server.client.blame({ file, line: 13, why: true });
    expect(one.lines.map(({ line, turn }) => [line, turn])).toEqual([[13, 1]]);
    expect(one.why?.reasons.map(({ kind }) => kind)).toEqual(["thinking"]);
    const some = await server.client.blame({ file, line: 2, to: 4 });
    expect(some.lines.map(({ line, prompt }) => [line, prompt !== null])).toEqual([
      [2, true],
      [3, true],
      [4, true],
    ]);
    const brief = await server.client.blame({ file, line: 2, to: 4, brief: true });
    expect(brief.lines.map(({ prompt }) => prompt !== null)).toEqual([true, false, false]);
  });

  it("are those of sessions alone, and nobody chooses another folder from outside", async () => {
    const outside = join(server.folder, "secret.txt");
    writeFileSync(outside, "secret\n");
    const ask = (query: string) => server.ask(`/api/blame?${query}`);
    for (const file of [
      outside,
      "/etc/passwd",
      `${server.folder}/data/demo/work/storefront/../../../../secret.txt`,
    ])
      expect(await ask(`file=${encodeURIComponent(file)}`), file).toMatchObject({
        status: 403,
        code: "file-refused",
      });
    writeFileSync(join(server.folder, "data/demo/work/storefront/.env"), "KEY=secret\n");
    expect(
      await ask(`file=${encodeURIComponent(`${server.folder}/data/demo/work/storefront/.env`)}`),
    ).toMatchObject({
      status: 403,
      text: expect.stringContaining("is a file for secrets"),
    });
    for (const query of [
      "file=src/money.ts",
      "file=%2Fa%00b",
      "",
      `file=${encodeURIComponent(outside)}&here=${encodeURIComponent(server.folder)}`,
      "file=%2Fa&line=0",
    ])
      expect(await ask(query), query).toMatchObject({ status: 400, code: "usage" });
  });
});

describe("plans", () => {
  it("write nothing, are carried out once, and can be undone", async () => {
    const { client } = server;
    const before = await client.session(cli);
    const plan = await client.plan("rename", { session: cli, name: "Named by a plan" });
    expect(plan).toMatchObject({ fingerprint: expect.any(String), plan: { kind: "rename" }, losses: [] });
    expect((await client.session(cli)).session.title).toBe(before.session.title);
    const written = await client.apply(plan.fingerprint);
    expect(written).toMatchObject({ operation: expect.any(String), session: { id: before.session.id } });
    expect((await client.session(cli)).session.title).toBe("Named by a plan");
    await expect(client.apply(plan.fingerprint)).rejects.toMatchObject({
      status: 410,
      code: "plan-not-found",
    });
    const undo = await client.plan("undo", { operation: written.operation });
    await client.apply(undo.fingerprint);
    expect((await client.session(cli)).session.title).toBe(before.session.title);
    expect((await client.history()).writes.slice(0, 2).map(({ kind }) => kind)).toEqual(["undo", "rename"]);
  });

  it("are refused with 409 when something has changed since", async () => {
    const { client } = server;
    const first = await client.plan("rewind", { session: cli, to: 0 });
    const second = await client.plan("rewind", { session: cli, to: 1 });
    const { operation } = await client.apply(first.fingerprint);
    await expect(client.apply(second.fingerprint)).rejects.toMatchObject({
      status: 409,
      code: "session-changed",
    });
    await client.apply((await client.plan("undo", { operation })).fingerprint);
  });

  it.each(["0".repeat(32), "nonsense", "x"])("are gone where nobody knows them: %s", async (fingerprint) => {
    const answer = await server.post(`/api/plans/${fingerprint}/apply`, {});
    expect([400, 410]).toContain(answer.status);
  });

  it("come from here alone", async () => {
    const plan = await server.client.plan("fork", { session: cli, at: 0 });
    const sent = await server.post("/api/plans/apply", plan);
    expect(sent).toMatchObject({ status: 404, code: "route-not-found" });
  });

  it("take no command to run, from nobody", async () => {
    const answer = await server.post("/api/plans/compact", { session: cli, with: "touch /tmp/owned" });
    expect(answer).toMatchObject({ status: 400, code: "usage" });
    expect(answer.text).toContain("with");
  });

  it("take in what was uploaded", async () => {
    const bundle = await server.ask(`/api/sessions/${cli}/export?format=bundle`);
    expect(bundle.status).toBe(200);
    const download = await fetch(server.client.exportUrl(cli, { format: "bundle" }), {
      headers: { authorization: `Bearer ${server.token}` },
    });
    const { file } = await server.client.upload(new Uint8Array(await download.arrayBuffer()), ".tar.gz");
    const plan = await server.client.plan("import", { file, newId: true, to: server.folder });
    const { session } = await server.client.apply(plan.fingerprint);
    expect((await server.client.session(`${session?.source}:${session?.id}`)).turns.length).toBeGreaterThan(
      2,
    );
  });

  it("are joined into one", async () => {
    const [a, b] = (await server.client.sessions({ source: "copilot-cli", limit: 2 })).sessions;
    const one = await server.client.plan("rename", { session: `${a?.source}:${a?.id}`, name: "One" });
    const two = await server.client.plan("rename", { session: `${b?.source}:${b?.id}`, name: "Two" });
    const both = await server.client.plan("plan-together", {
      fingerprints: [one.fingerprint, two.fingerprint],
    });
    const { operation } = await server.client.apply(both.fingerprint);
    const titles = async () =>
      (await server.client.sessions({ source: "copilot-cli" })).sessions.map(({ title }) => title);
    expect(await titles()).toEqual(expect.arrayContaining(["One", "Two"]));
    await server.client.apply((await server.client.plan("undo", { operation })).fingerprint);
    expect(await titles()).not.toContain("Two");
  });
});

describe("downloads", () => {
  it.each([
    ["html", "text/html; charset=utf-8", "<!doctype html>"],
    ["md", "text/markdown; charset=utf-8", "#"],
    ["json", "application/json; charset=utf-8", "{"],
    ["jsonl", "application/jsonl; charset=utf-8", "{"],
    ["copilot", "application/jsonl; charset=utf-8", "{"],
  ])("are files of their own: %s", async (format, type, start) => {
    const answer = await server.ask(`/api/sessions/${cli}/export?format=${format}&redact=1`);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        "content-type": type,
        "content-disposition": expect.stringMatching(
          /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.%-]+$/,
        ),
        "content-security-policy": "sandbox; default-src 'none'",
      },
    });
    expect(answer.text.toLowerCase().startsWith(start)).toBe(true);
  });

  it("are whole, and the same as the command writes", async () => {
    const answer = await server.ask(`/api/sessions/${cli}/export?format=json`);
    const out = join(server.folder, "same.json");
    await server.app.export({
      names: [cli],
      where: {},
      force: true,
      whole: false,
      redact: false,
      out,
      write: () => undefined,
      format: await (await import("../../src/operations/questions/export.ts")).loadFormat(
        "json",
        false,
        server.app,
      ),
    });
    const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
    expect(hash(answer.text)).toBe(hash(readFileSync(out, "utf8")));
  });

  it("say what is wrong before they begin", async () => {
    expect(await server.ask(`/api/sessions/${cli}/export`)).toMatchObject({ status: 400, code: "usage" });
    expect(await server.ask(`/api/sessions/${cli}/export?format=vscode`)).toMatchObject({ status: 422 });
    expect(await server.ask("/api/sessions/vscode:none/export?format=md")).toMatchObject({ status: 404 });
  });

  it("hold several sessions as one bundle", async () => {
    const keys = (await server.client.sessions({ source: "copilot-cli", limit: 2 })).sessions.map(
      ({ source, id }) => `${source}:${id}`,
    );
    const url = new URL(server.client.exportAllUrl(keys, { format: "bundle" }));
    const answer = await server.ask(url.pathname + url.search);
    expect(answer.headers["content-disposition"]).toContain('filename="2-sessions.tar.gz"');
  });
});

describe("conversations", () => {
  it("stream their answer, and keep it", async () => {
    const kinds: string[] = [];
    let id = "";
    await server.client.send({ message: "Hello", workspace: server.folder }, (event) => {
      kinds.push(event.kind);
      if (event.kind === "opened") id = event.id;
    });
    expect(kinds[0]).toBe("opened");
    expect(kinds.at(-1)).toBe("finished");
    const { messages } = await server.client.chat(id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect((await server.client.chats()).chats.map((chat) => chat.id)).toContain(id);
    await expect(server.client.followChat(id, () => undefined)).rejects.toMatchObject({ status: 404 });
    expect(await server.client.cancelChat(id)).toMatchObject({ cancelled: false });
  });

  it("fail with a status where nothing could be sent", async () => {
    const send = server.client.send({ message: "Hello", session: "no such conversation" }, () => undefined);
    await expect(send).rejects.toMatchObject({ status: 404, code: "session-not-found" });
  });
});

it("starts an index run and answers at once", async () => {
  expect(await server.client.startIndex({ rebuild: true })).toMatchObject({ started: true });
  expect(await server.client.startIndex()).toMatchObject({ started: false });
});
