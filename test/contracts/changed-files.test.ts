/** The files that a session changed, with the lines of its edits, however its log was read. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import { createTinyHome } from "../tiny-home.ts";

describe("the demo", () => {
  it("has lines for the files of every source, each file once", { timeout: 60_000 }, async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-changed-")));
    try {
      const config = toConfig(
        { demo: "on" },
        {
          vars: { RETHREAD_HOME: join(folder, "data") },
          platform: process.platform,
          homeDir: join(folder, "home"),
          folder,
          stdout: {},
          stderr: {},
          self: [process.execPath],
          now: () => new Date("2026-11-15T12:00:00.000Z"),
        },
      );
      const app = await createApp(config);
      const { sessions } = await app.list({});
      const counted = new Map<string, number>();
      for (const { source, id } of sessions) {
        const files = await app.changedFiles(`${source}:${id}`);
        expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
        for (const { lines } of files) if (lines) counted.set(source, (counted.get(source) ?? 0) + 1);
      }
      expect([...counted.keys()].toSorted()).toEqual(["claude-code", "copilot-cli", "vscode"]);
      const flaky = sessions.find(({ title }) => title === "Flaky login test in CI");
      const files = await app.changedFiles(`copilot-cli:${flaky?.id}`);
      expect(files.map(({ path, action, lines }) => [path.split("/").at(-1), action, lines])).toEqual([
        ["rate-limiter.ts", "edited", { added: expect.any(Number), removed: expect.any(Number) }],
        ["login.test.ts", "edited", { added: expect.any(Number), removed: expect.any(Number) }],
        ["too-many-requests.ts", "created", { added: expect.any(Number), removed: 0 }],
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("edits of one file", () => {
  const ID = "0b1c2d3e-0000-4000-8000-000000000001";
  let count = 10;
  const record = (type: string, data: object) => ({
    type,
    data,
    id: `fee10000-0000-4000-8000-0000000000${count++}`,
    timestamp: "2026-11-01T10:00:00.000Z",
    parentId: null,
  });
  const call = (toolCallId: string, name: string, args: object) => [
    record("assistant.message", {
      messageId: toolCallId,
      content: "",
      toolRequests: [{ toolCallId, name, arguments: args }],
    }),
  ];
  const result = (toolCallId: string, paths: string[], metrics: object = {}) =>
    record("tool.execution_complete", {
      toolCallId,
      success: true,
      fileEdits: paths.map((path) => ({ path, kind: "edit" })),
      result: { content: "ok" },
      toolTelemetry: { metrics },
    });
  const patch =
    "*** Begin Patch\n*** Update File: a.ts\n-x\n+y\n+z\n*** Update File: b.ts\n+w\n*** End Patch";
  const edit = { path: "/srv/shop/a.ts", old_str: "x", new_str: "y" };
  const log = [
    record("session.start", {
      sessionId: ID,
      version: 1,
      producer: "x",
      startTime: "2026-11-01T10:00:00Z",
      context: { cwd: "/srv/shop" },
    }),
    record("user.message", { content: "Change them" }),
    ...call("c1", "edit", edit),
    result("c1", ["/srv/shop/a.ts"], { linesAdded: 10, linesRemoved: 1 }),
    ...call("c2", "apply_patch", { patch }),
    result("c2", ["/srv/shop/a.ts", "/srv/shop/b.ts"], { linesAdded: 3, linesRemoved: 1 }),
    // Of this one nobody knows how many lines.
    ...call("c3", "edit", { ...edit, path: "/srv/shop/c.ts" }),
    result("c3", ["/srv/shop/c.ts"], { linesAdded: 5, linesRemoved: 5 }),
    ...call("c4", "edit", { ...edit, path: "/srv/shop/c.ts" }),
    result("c4", ["/srv/shop/c.ts"]),
  ];
  const SQL =
    "SELECT path, action, lines_added, lines_removed FROM file_use WHERE path LIKE '/%' ORDER BY path";

  it("add up, and are unknown where one of them is", async () => {
    const home = createTinyHome();
    try {
      home.write(`copilot/session-state/${ID}/events.jsonl`, ...log);
      await home.index();
      expect(home.ask(SQL)).toMatchObject([
        { path: "/srv/shop/a.ts", lines_added: 12, lines_removed: 2 },
        { path: "/srv/shop/b.ts", lines_added: 1, lines_removed: 0 },
        { path: "/srv/shop/c.ts", lines_added: null, lines_removed: null },
      ]);
    } finally {
      home.remove();
    }
  });

  it("come to the same, wherever the log was read on", async () => {
    const whole = createTinyHome();
    whole.write(`copilot/session-state/${ID}/events.jsonl`, ...log);
    await whole.index();
    for (let at = 2; at < log.length; at++) {
      const home = createTinyHome();
      home.write(`copilot/session-state/${ID}/events.jsonl`, ...log.slice(0, at));
      await home.index();
      home.write(`copilot/session-state/${ID}/events.jsonl`, ...log);
      await home.index();
      expect(home.ask(SQL), `${at}`).toEqual(whole.ask(SQL));
      expect(home.words("SELECT turn_index, text_bytes FROM turns"), `${at}`).toEqual(
        whole.words("SELECT turn_index, text_bytes FROM turns"),
      );
      home.remove();
    }
    whole.remove();
  });
});
