/** Whatever is written where somebody says, it is never written into the home of an agent, nor into ours. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { type Flags, toConfig } from "../../src/app/config.ts";
import type { App } from "../../src/app/contract.ts";
import { lookAtAll } from "./home.ts";
import { NOW } from "./source-homes.ts";

const ID = "11111111-aaaa-4bbb-8ccc-000000000009";
const LOG = [
  { type: "session.start", data: { sessionId: ID, version: 1 }, id: "a", parentId: null },
  { type: "user.message", data: { content: "one" }, id: "b", parentId: "a" },
]
  .map((record) => `${JSON.stringify({ ...record, timestamp: "2026-11-01T10:00:00.000Z" })}\n`)
  .join("");
let folder: string;
let app: App;
const place = (...names: string[]): string => join(folder, ...names);
const log = (): string => place("copilot/session-state", ID, "events.jsonl");
const vars = (): Record<string, string> => ({
  RETHREAD_HOME: place("data"),
  COPILOT_HOME: place("copilot"),
  CLAUDE_CONFIG_DIR: place("claude"),
  VSCODE_STORAGE_PATH: place("code/User/workspaceStorage"),
});
const open = (more: Record<string, string> = {}, flags: Flags = {}): Promise<App> =>
  createApp(
    toConfig(flags, {
      vars: { ...vars(), ...more },
      platform: process.platform,
      homeDir: place("nowhere"),
      folder,
      stdout: {},
      stderr: {},
      self: [],
      now: () => NOW,
    }),
  );

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rethread-outputs-"));
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(place(path)), { recursive: true });
    writeFileSync(place(path), text);
  };
  put(`copilot/session-state/${ID}/events.jsonl`, LOG);
  put("copilot/session-store.db", "the agent's");
  put("claude/projects/-work/22222222-aaaa-4bbb-8ccc-000000000001.jsonl", "{}\n");
  put("code/User/workspaceStorage/one/state.vscdb", "the agent's");
  put("code/User/globalStorage/state.vscdb", "the agent's");
  put("out/note.md", "mine");
  mkdirSync(place("small/session-state"), { recursive: true });
  app = await open();
  await app.index({});
});
afterAll(() => rmSync(folder, { recursive: true }));

const page = {
  head: () => undefined,
  preamble: () => undefined,
  turn: () => undefined,
  end: () => undefined,
};
const WAYS: Record<string, (app: App, out: string) => Promise<unknown>> = {
  text: (app, out) =>
    app.export({
      names: [ID],
      where: {},
      format: { extension: "md", isJoined: false, page: () => page },
      out,
      write: () => undefined,
      force: true,
      redact: false,
      whole: false,
    }),
  bundle: (app, out) => app.exportBundle({ names: [ID], where: {}, out, force: true, madeBy: "test" }),
  transcript: (app, out) =>
    app.exportTranscript({
      names: [ID],
      where: {},
      format: "copilot",
      out,
      force: true,
      redact: false,
      write: () => undefined,
    }),
  archive: async (app, out) => {
    const migrating = await app.migrating();
    await migrating.plan({ from: place("small"), to: out, madeBy: "test" }).finally(() => migrating.close());
  },
};
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "written",
    (error: { code: string }) => error.code,
  );
const everything = () => {
  const { data: _, ...rest } = Object.groupBy(
    Object.entries(lookAtAll(folder)).filter(([name]) => !/unpacked|-(wal|shm)$/.test(name)),
    ([name]) => name.split("/")[0] ?? "",
  );
  return rest;
};

describe("a file that somebody names", () => {
  const INSIDE: Record<string, () => string> = {
    "a session's log": log,
    "the agent's database": () => place("copilot/session-store.db"),
    "another agent's session": () =>
      place("claude/projects/-work/22222222-aaaa-4bbb-8ccc-000000000001.jsonl"),
    "a database of VS Code": () => place("code/User/workspaceStorage/one/state.vscdb"),
    "what VS Code shares": () => place("code/User/globalStorage/state.vscdb"),
    "our own database": () => place("data/state.db"),
    "a new file in a home": () => place("copilot/new.tar.gz"),
    "a new folder in ours": () => place("data/new/it.tar.gz"),
    "a way with dots": () => place("out/../copilot/x/../session-store.db"),
    "a relative way": () => relative(folder, log()),
  };
  it.each(Object.entries(WAYS))("is nothing of an agent's, and nothing of ours: %s", async (_, write) => {
    const before = everything();
    for (const [what, path] of Object.entries(INSIDE))
      expect([what, await codeOf(write(app, path()))]).toEqual([what, "place-protected"]);
    expect(everything()).toEqual(before);
  });

  it("is none of those by another name either", async () => {
    mkdirSync(place("links"));
    symlinkSync(place("copilot/session-state"), place("links/folder"));
    symlinkSync(log(), place("links/log.tar.gz"));
    symlinkSync(place("data/new.db"), place("links/later.tar.gz"));
    symlinkSync("later.tar.gz", place("links/twice.tar.gz"));
    linkSync(log(), place("links/second-name.tar.gz"));
    linkSync(place("data/session-store.db"), place("links/store.tar.gz"));
    const names = [
      ...readdirSync(place("links")).filter((name) => name !== "folder"),
      `folder/${ID}/new.tar.gz`,
    ];
    const before = everything();
    for (const name of names)
      expect([name, await codeOf(WAYS.bundle?.(app, place("links", name)) ?? Promise.resolve())]).toEqual([
        name,
        "place-protected",
      ]);
    expect(everything()).toEqual(before);
    expect(readFileSync(log(), "utf8")).toBe(LOG);
  });

  it("is no part of a session that lies elsewhere, behind a link of the home", async () => {
    const [state, own] = [place("copilot/session-state"), place("elsewhere")];
    renameSync(state, own);
    symlinkSync(own, state);
    renameSync(join(own, ID, "events.jsonl"), place("log-elsewhere"));
    symlinkSync(place("log-elsewhere"), join(own, ID, "events.jsonl"));
    const other = await open();
    try {
      for (const path of [join(own, ID, "events.jsonl"), join(own, "new.md"), place("log-elsewhere")])
        expect([path, await codeOf(WAYS.bundle?.(other, path) ?? Promise.resolve())]).toEqual([
          path,
          "place-protected",
        ]);
    } finally {
      rmSync(state);
      rmSync(join(own, ID, "events.jsonl"));
      renameSync(place("log-elsewhere"), join(own, ID, "events.jsonl"));
      renameSync(own, state);
    }
  });

  it("is protected while the demo is read, too", async () => {
    mkdirSync(place("demo"));
    const demo = await open({ RETHREAD_HOME: place("demo") }, { demo: "on" });
    for (const path of [log(), place("demo/it.tar.gz"), place("demo/demo/copilot/it.tar.gz")])
      expect(await codeOf(WAYS.archive?.(demo, path) ?? Promise.resolve())).toBe("place-protected");
    expect(readFileSync(log(), "utf8")).toBe(LOG);
  });

  it("is refused with a reason where it cannot be", async () => {
    symlinkSync("nowhere", place("out/lost"));
    symlinkSync("circle", place("out/circle"));
    symlinkSync(".", place("out/folder"));
    const before = everything();
    for (const name of [
      "out/lost/x.md",
      "out/circle/x.md",
      "out/note.md/x.md",
      "out/folder",
      `${"n".repeat(300)}.md`,
    ])
      for (const [way, write] of Object.entries(WAYS).slice(1))
        expect([name, way, await codeOf(write(app, name))]).toEqual([
          name,
          way,
          expect.stringMatching(
            way === "archive" ? /^(written|file-exists|permission-denied)$/ : /^permission-denied$/,
          ),
        ]);
    expect(everything()).toEqual(before);
  });

  it("may be anything else, also one that is there or that a home has a link to the folder above of", async () => {
    symlinkSync(folder, place("copilot/session-state", ID, "everything"));
    for (const name of ["out/note.md", "out/new.md", "copilot-notes.md", "other/folder/note.md"]) {
      expect([name, await codeOf(WAYS.bundle?.(app, name) ?? Promise.resolve())]).toEqual([name, "written"]);
      expect(existsSync(place(name))).toBe(true);
    }
    rmSync(place("copilot/session-state", ID, "everything"));
  });
});

describe("a home that is brought back", () => {
  it("may take the place of its own program's home, but lie in no other", async () => {
    const migrating = await app.migrating();
    const { plan } = await migrating.plan({ from: "small", to: "home.tar.gz", madeBy: "test" });
    writeFileSync(place("home.tar.gz"), readFileSync(pieceOf(plan.steps)));
    const fresh = await (await open({ COPILOT_HOME: place("fresh") })).migrating();
    const planTo = (to: string) => codeOf(fresh.plan({ from: "home.tar.gz", to, madeBy: "test" }));
    expect(await planTo("fresh")).toBe("written");
    expect(await planTo("fresh/inside")).toBe("place-protected");
    expect(await planTo("claude/inside")).toBe("place-protected");
    expect(await planTo("data/inside")).toBe("place-protected");
    for (const each of [migrating, fresh]) each.close();
  });

  const pieceOf = (steps: readonly object[]): string => {
    const [step] = steps as { entries: { pieces: { file: string }[] }[] }[];
    return step?.entries[0]?.pieces[0]?.file ?? "";
  };
});

describe("our own folder", () => {
  it("is not that of an agent", async () => {
    symlinkSync("copilot", place("alias"));
    for (const path of ["copilot", "alias", "code/User", "out/../claude"])
      expect([path, await codeOf(open({ RETHREAD_HOME: place(path) }))]).toEqual([path, "config-invalid"]);
    expect(readdirSync(place("copilot")).sort()).toEqual(["session-state", "session-store.db"]);
  });
});
