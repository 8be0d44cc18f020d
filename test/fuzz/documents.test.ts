/** Every single document that comes from outside, damaged at random: it is understood, or refused with a reason. */
import { hash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toConfig } from "../../src/app/config.ts";
import { toSettings } from "../../src/app/settings.ts";
import { upgrade } from "../../src/bridge/chat-versions.ts";
import { parseManifest } from "../../src/bundle/manifest.ts";
import { openBundle } from "../../src/bundle/open.ts";
import { AppError } from "../../src/model/errors.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { changeMemberText, memberText } from "../../src/platform/json/members.ts";
import { driver } from "../../src/sources/copilot-cli/drive/index.ts";
import { checkSnapshots } from "../../src/sources/copilot-cli/edit/copy/import-snapshots.ts";
import {
  changeFields,
  hasFields,
  readFields,
} from "../../src/sources/copilot-cli/edit/copy/workspace-text.ts";
import {
  backupsIn,
  isNewerIndex,
  readSnapshots,
} from "../../src/sources/copilot-cli/edit/rewind-files/snapshots.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { rootsOf } from "../../src/sources/source.ts";
import { rescueList } from "../../src/sources/vscode/edit/rescue/list.ts";
import { toIndex } from "../../src/sources/vscode/index-db/state-db.ts";
import { readWorkspace } from "../../src/sources/vscode/index-db/workspace.ts";
import { manifestOf, toBundle } from "../edit/made-up-bundle.ts";
import { blows, strikeAll } from "./blows.ts";
import { runs } from "./runs.ts";

const ID = "11111111-aaaa-4bbb-8ccc-000000000001";
const TIME = "2026-01-02T03:04:05.000Z";
const OLD = hash("sha256", "old");
const lines = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** What work throws is an `AppError`, or nothing. */
async function orRefused<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return undefined;
  }
}

/** Tries damaged copies of a text. `path` says how it can be damaged. */
async function tryAll(
  path: string,
  texts: readonly string[],
  work: (text: string, bytes: Buffer) => unknown,
  count = 400,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...texts), blows, async (text, all) => {
      const bytes = strikeAll(path, Buffer.from(text), all);
      await work(bytes.toString("utf8"), bytes);
    }),
    runs(count),
  );
}

describe("Copilot CLI", () => {
  it("has a workspace.yaml, which can be changed", async () => {
    const texts = [
      `id: ${ID}\ncwd: /srv/shop\nbranch: main\nname: A name\nuser_named: false\nsummary_count: 1\ncreated_at: ${TIME}\n`,
      'name: |-\n  Say "one"\n  and more\nfuture: { a: [1, 2] }\nid: "x"\n',
    ];
    await tryAll(
      "workspace.yaml",
      texts,
      async (text) => {
        readFields(text);
        hasFields(text);
        const changed = changeFields(text, { name: "Another: name", summary_count: 2 });
        expect(readFields(changed)).toMatchObject({ name: "Another: name", summary_count: "2" });
      },
      100,
    );
  });

  it("has recorded file states", async () => {
    const content = (path: string) => ({
      kind: "content",
      contentHash: OLD,
      backupFile: OLD,
      mode: 33188,
      resolvedPath: path,
      encodedPath: { encoding: "unix-bytes", data: Buffer.from(path).toString("hex") },
    });
    const file = (path: string) => ({
      path,
      preimage: content(path),
      postimage: { kind: "absent" },
      linesAdded: 1,
    });
    const link = { kind: "symlink", target: "a", resolved: content("/work/shop/a") };
    const snapshot = {
      snapshotId: "s",
      eventId: "e",
      files: { a: file("/work/shop/a"), b: { ...file("/work/shop/b"), preimage: link } },
      backupFiles: [OLD],
      fileCount: 2,
    };
    const index = JSON.stringify({ schema: 1, snapshots: [snapshot, { ...snapshot, eventId: "f" }] });
    let taken = 0;
    await tryAll("index.json", [index], async (text) => {
      readSnapshots(text);
      backupsIn(text);
      isNewerIndex(text);
      const texts: Record<string, string> = {
        "rewind-file-snapshots/index.json": text,
        [`rewind-file-snapshots/backups/${OLD}`]: "old",
      };
      const files = Object.entries(texts).map(([path, each]) => ({
        path,
        mode: 0o600,
        mtimeMs: 0,
        size: Buffer.byteLength(each),
        pieces: [{ text: each }],
      }));
      const request = { folders: ["/work/shop"], userHome: "/home/dev" };
      await orRefused(async () => {
        await checkSnapshots(localFs, files, { ...request, read: async (path) => texts[path] });
        taken++;
      });
    });
    expect(taken).toBeGreaterThan(0);
  });

  it("prints what it does, and tells of itself", async () => {
    const record = (type: string, data: object) => ({ type, data, id: ID, timestamp: TIME, parentId: null });
    const printed = lines(
      record("assistant.message_delta", { messageId: "m", deltaContent: "An " }),
      record("assistant.message", { messageId: "m", content: "An answer" }),
      record("assistant.reasoning_delta", { deltaContent: "Hm" }),
      record("tool.execution_start", { toolCallId: "t", toolName: "bash", arguments: { command: "ls" } }),
      record("tool.execution_complete", { toolCallId: "t", success: false, error: { message: "no" } }),
      record("assistant.usage", { inputTokens: 1, outputTokens: 2 }),
      record("session.usage_record", { usage: { inputTokens: 1, outputTokens: 2, duration: 3 } }),
      record("session.error", { message: "Oh" }),
      { type: "result", sessionId: ID, usage: { premiumRequests: 1, totalApiDurationMs: 5 } },
    );
    await tryAll("events.jsonl", [printed], async (text) => {
      const can = driver.readAbilities(text, `--resume --stream ${text}`);
      driver.explain(text);
      const read = driver.createStream(can);
      const told = text.split("\n").flatMap((line) => read(line));
      for (const event of told) {
        JSON.stringify(event);
        if (event.kind === "text") expect(typeof event.text).toBe("string");
        if (event.kind === "usage" || event.kind === "end")
          for (const amount of Object.values(event.usage)) expect(Number.isFinite(amount)).toBe(true);
      }
      const log = await driver.logPath(createMemoryFs({}), "/root", ID, "/work");
      const fs = createMemoryFs({ [log]: text });
      await driver.logEnd(fs, "/root", ID);
      const spent = await driver.spentSince(fs, "/root", ID, 0);
      for (const amount of Object.values(spent)) expect(Number.isFinite(amount)).toBe(true);
    });
  });
});

describe("VS Code", () => {
  it("has a list of sessions", async () => {
    const entry = (sessionId: string) => ({
      sessionId,
      title: "A chat",
      lastMessageDate: 5,
      initialLocation: "panel",
      isEmpty: false,
      timing: { created: 1 },
    });
    const list = JSON.stringify({ version: 1, entries: { a: entry("a"), b: entry("b"), c: entry("c") } });
    const facts = { title: "A chat", created: 1, started: 2, ended: 3, turns: 1, state: 1 };
    let changed = 0;
    await tryAll("list.json", [list], (value) => {
      const index = toIndex({ value, type: "text" });
      const chats = new Map([
        ["a", facts],
        ["d", facts],
      ]);
      const { cells } = rescueList({ value, chats, hasFile: (id) => id === "a" || id === "d" });
      if (index.state !== "read") return;
      // One member after another; each leaves JSON behind.
      let text = value;
      for (const { at, after } of cells)
        if (at) {
          memberText(text, at);
          text = changeMemberText(text, at, after) ?? text;
          JSON.parse(text);
          changed++;
        }
    });
    expect(changed).toBeGreaterThan(0);
  });

  it("says which folder a store is about", async () => {
    const texts = [
      '{"folder":"file:///srv/shop"}',
      '{"workspace":{"configPath":"file:///srv/a.code-workspace"}}',
      '{\n  // a comment\n  "folderUri": "vscode-remote://ssh-remote+host/srv", }',
    ];
    await tryAll("workspace.json", texts, async (_, bytes) => {
      const fs = createMemoryFs({ "/store/workspace.json": bytes, "/store/meta.json": bytes });
      const place = await readWorkspace(fs, "/store", () => undefined);
      if (place) expect(typeof place.name).toBe("string");
    });
  });
});

describe("what people hand over", () => {
  const header = { type: "session", version: 1, externalId: "x", createdAt: TIME, title: "A title" };
  const message = (id: string, role: string, more: object = {}) => ({
    type: "message",
    id,
    timestamp: TIME,
    role,
    content: [{ type: "text", text: "words" }],
    ...more,
  });
  const turn = {
    requestId: "r1",
    message: { text: "question", parts: [] },
    variableData: { variables: [] },
    response: [{ value: "answer" }, { kind: "toolInvocationSerialized", toolCallId: "t", toolId: "run" }],
    result: { metadata: { toolCallRounds: [{ id: "r", response: "", toolCalls: [] }] } },
    timestamp: 1,
  };
  const chat = {
    version: 3,
    responderUsername: "GitHub Copilot",
    initialLocation: "panel",
    sessionId: "s",
    creationDate: 1,
    requests: [turn, { ...turn, requestId: "r2" }],
  };
  const TRANSCRIPTS: Readonly<Record<string, readonly string[]>> = {
    copilot: [
      lines(
        header,
        message("m1", "user", { attachments: [{ path: "a.png", mediaType: "image/png" }] }),
        message("m2", "assistant"),
        { type: "tool-call", id: "c1", timestamp: TIME, name: "bash", arguments: { command: "ls" } },
        {
          type: "tool-result",
          id: "r1",
          timestamp: TIME,
          toolCallId: "c1",
          success: true,
          content: "ok",
        },
        message("m3", "user"),
      ),
    ],
    vscode: [JSON.stringify(chat), `${JSON.stringify({ kind: 0, v: chat })}\n`],
  };

  it.each(Object.keys(TRANSCRIPTS))("is a transcript for %s", async (format) => {
    const all = await Promise.all(SOURCES.map(async ({ interchange }) => interchange?.()));
    const interchange = all.find((each) => each?.format === format);
    const request = { id: ID, now: new Date(0), workspace: "/srv/here" };
    let taken = 0;
    await tryAll("transcript.jsonl", TRANSCRIPTS[format] ?? [], async (text, bytes) => {
      for (const each of all) each?.isOne(text.slice(0, 4096));
      const fs = createMemoryFs({ "/in/it": bytes });
      const received = await orRefused(() => interchange?.read(fs, "/in/it", request));
      if (!received) return;
      taken++;
      for (const line of received.log.lines) JSON.parse(line);
      expect(Number.isFinite(received.mtimeMs)).toBe(true);
    });
    expect(taken).toBeGreaterThan(0);
  });

  it("is a bundle", async () => {
    const content = { "events.jsonl": `{"type":"session.start"}\n`, "files/note.md": "one" };
    const whole = gunzipSync(toBundle(manifestOf(content), content));
    const taken = { bundles: 0, manifests: 0 };
    await fc.assert(
      fc.asyncProperty(blows, fc.boolean(), async (all, isPacked) => {
        const bytes = strikeAll("it.tar", whole, all);
        const fs = createMemoryFs({ "/it": isPacked ? gzipSync(bytes, { level: 1 }) : bytes });
        if (await orRefused(() => openBundle(fs, "/it"))) taken.bundles++;
      }),
      runs(300),
    );
    await tryAll("manifest.json", [JSON.stringify(manifestOf(content))], async (text) => {
      if (await orRefused(() => parseManifest(text))) taken.manifests++;
    });
    for (const [kind, count] of Object.entries(taken)) expect(count, kind).toBeGreaterThan(0);
  });

  it("is a conversation of our own that somebody mended by hand", async () => {
    const chatFile = {
      version: 1,
      id: "abcd",
      title: "t",
      workspace: "/srv",
      createdAt: TIME,
      updatedAt: TIME,
      logEnd: 5,
      answering: { pid: 1, birth: "x" },
      messages: [{ role: "user", text: "a", at: TIME }],
    };
    let taken = 0;
    const first = { SessionId: "abcd", Title: "t", MessageHistory: [{ Role: "user", Content: "a" }] };
    await tryAll("chat.json", [JSON.stringify(chatFile), JSON.stringify(first)], (text) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return;
      }
      if (upgrade(value)) taken++;
    });
    expect(taken).toBeGreaterThan(0);
  });
});

describe("configuration", () => {
  it("is understood or refused", async () => {
    const settings = { vanished: "keep", archive: true, backupDays: 30, backupBytes: "500 MB" };
    await tryAll("config.json", [JSON.stringify(settings)], async (text) => {
      const overrides = { backupDays: { variable: "RETHREAD_BACKUP_DAYS", text: text.slice(0, 40) } };
      for (const each of [{}, overrides]) {
        const found = await orRefused(() => toSettings("/home/config.json", text, each));
        if (found) expect(Number.isSafeInteger(found.backupDays)).toBe(true);
      }
    });
  });

  it("takes any environment", () => {
    const name = fc.constantFrom(
      ...["RETHREAD_HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "APPDATA", "COLUMNS", "NO_COLOR", "FORCE_COLOR"],
      ...["TERM", "COPILOT_HOME", "CLAUDE_CONFIG_DIR", "VSCODE_STORAGE_PATH", "VSCODE_APPDATA"],
      ...["VSCODE_PORTABLE", "XDG_CONFIG_HOME", "RETHREAD_BACKUP_BYTES", "RETHREAD_DEBUG", "__proto__"],
    );
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "",
        " ",
        "\ud800\u0000",
        "/",
        "\\",
        "..",
        "-1",
        "1e9",
        "~",
        "C:\\",
        "\\\\host\\share",
        "a/workspaceStorage//",
      ),
    );
    fc.assert(
      fc.property(
        fc.dictionary(name, value, { maxKeys: 5 }),
        fc.constantFrom<NodeJS.Platform>("linux", "darwin", "win32"),
        (vars, platform) => {
          const config = toConfig(
            {},
            {
              vars,
              platform,
              homeDir: "/home/dev",
              folder: "/srv",
              stdout: {},
              stderr: {},
              self: [],
              now: () => new Date(0),
            },
          );
          expect(config.columns).toBeGreaterThanOrEqual(30);
          for (const source of SOURCES) {
            rootsOf(source, config.environment);
            source.files?.ownFolders?.(config.environment);
          }
        },
      ),
      runs(100),
    );
  });
});
