/** A source that fails on one of its sessions in every way a reader can: the others are read, and this one is named. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTinyStore, type TinyStore } from "../../test/tiny-store.ts";
import { archiveSessions } from "../indexer/archive.ts";
import { AppError } from "../model/errors.ts";
import type { Artifact, Event } from "../model/session/session.ts";
import { createMemoryFs } from "../platform/fs/memory.ts";
import { diagnose } from "../query/doctor.ts";
import { listFromFiles } from "../query/list.ts";
import { overviewFromFiles } from "../query/overview.ts";
import { titlesInFiles } from "../query/resolve.ts";
import type { Archive } from "../store/state/archive.ts";
import { type Catalog, openCatalog } from "./catalog.ts";
import { toProblem } from "./isolation.ts";
import { defineSource, type SessionFiles, type Source } from "./source.ts";

const ORIGIN = { line: 1, start: 0, end: 1 };
const prompt = (text: string): Event => ({ kind: "prompt", text, origin: ORIGIN });
const IDS = ["first", "poisoned", "last"];
const artifactOf = (id: string): Artifact => ({
  source: "fake",
  id,
  root: "/home",
  path: `/home/${id}`,
  fingerprint: { size: 9, mtimeMs: 0, ino: 1 },
});

/** What goes wrong with the poisoned session. */
type Poison = Partial<Pick<Source, "actionOf" | "files">> & {
  readonly read?: (give: (event: Event) => void) => void;
};
const POISONS: Record<string, Poison> = {
  "a reader that throws at once": {
    read: () => {
      throw new TypeError("the reader failed");
    },
  },
  "a reader that throws half-way": {
    read: (give) => {
      give(prompt("asked before it failed"));
      throw new RangeError("the reader failed");
    },
  },
  "a tool that nobody understands": {
    read: (give) => give({ kind: "tool-call", callId: "c", name: "poison", input: {}, origin: ORIGIN }),
    actionOf: (name) => {
      if (name === "poison") throw new TypeError("the reader failed");
      return undefined;
    },
  },
};

const sourceWith = ({ read, ...more }: Poison): Source =>
  defineSource({
    id: "fake",
    label: "Fake",
    locate: () => ["/home"],
    async scan(_fs, _root, sink) {
      for (const id of IDS) sink.artifact(artifactOf(id));
    },
    async read(_fs, artifact, sink) {
      if (artifact.id === "poisoned" && read) read(sink.event);
      else sink.event(prompt(`words of ${artifact.id}`));
      const { source, id, path } = artifact;
      return { source, id, path, title: `Title of ${id}`, turns: 1, problems: 0, models: [], bytes: 9 };
    },
    ...more,
  });
const catalogWith = (poison: Poison): Catalog =>
  openCatalog([sourceWith(poison)], { platform: "linux", homeDir: "/", vars: {} }, createMemoryFs());

let store: TinyStore;
beforeAll(() => {
  store = createTinyStore();
});
afterAll(() => store.remove());

describe.each(Object.entries(POISONS))("%s", (_name, poison) => {
  const catalog = catalogWith(poison);
  const failed = {
    code: "reader-failed",
    session: "poisoned",
    message: expect.stringContaining("the reader failed"),
  };

  it("costs no other session its place in the store", async () => {
    store.clear();
    const first = await store.index(catalog);
    expect(first).toMatchObject({ indexed: 3, withProblems: 1, unreadable: 1, pending: 0 });
    expect(store.words("SELECT vendor_id, problem_count FROM sessions ORDER BY vendor_id")).toEqual([
      "first 0",
      "last 0",
      "poisoned 1",
    ]);
    expect(store.words("SELECT code, message FROM problems")).toEqual([
      expect.stringMatching(
        /^reader-failed .*the reader failed \(isolation\.test\.ts:\d+\); please report it$/,
      ),
    ]);
    expect(store.words("SELECT user_message FROM turns WHERE user_message LIKE 'words%'")).toHaveLength(2);
    expect(await store.index(catalog)).toMatchObject({ indexed: 0, unchanged: 3 });
  });

  it("costs no other session its place in what is answered from the files", async () => {
    const { sessions } = await listFromFiles(catalog, {});
    expect(sessions.map(({ id }) => id).sort()).toEqual(["first", "last", "poisoned"]);
    const { problems } = await diagnose(catalog);
    expect(problems).toMatchObject([failed]);
    expect(await overviewFromFiles(catalog, new Date(0))).toMatchObject({ sessions: 3, troubled: 1 });
    expect(await titlesInFiles(catalog)(IDS.map(artifactOf))).toHaveLength(3);
  });
});

it("keeps what was read of a session until its reader failed", async () => {
  const events: Event[] = [];
  const sink = { event: (event: Event) => void events.push(event), problem: () => undefined };
  const poison = POISONS["a reader that throws half-way"] as Poison;
  const session = await catalogWith(poison).read(artifactOf("poisoned"), sink);
  expect(events).toHaveLength(1);
  expect(session).toMatchObject({ id: "poisoned", turns: 1, title: "asked before it failed", problems: 1 });
});

it("takes what the store makes of an event for a problem of the session, too", async () => {
  const nonsense = { kind: "text", origin: ORIGIN } as Event; // a text without text
  store.clear();
  const result = await store.index(
    catalogWith({
      read: (give) => {
        give(prompt("asked"));
        give(nonsense);
      },
    }),
  );
  expect(result).toMatchObject({ indexed: 3, unreadable: 1 });
  expect(store.words("SELECT code FROM problems")).toEqual(["reader-failed"]);
  expect(store.words("SELECT user_message FROM turns ORDER BY 1")).toEqual([
    "words of first",
    "words of last",
  ]);
});

it("does not take a store that cannot be written for a problem of a session", async () => {
  const full = Object.assign(new Error("database or disk is full"), {
    errcode: 13,
    code: "ERR_SQLITE_ERROR",
  });
  const refusing = {
    event: () => {
      throw full;
    },
    problem: () => undefined,
  };
  await expect(catalogWith({}).read(artifactOf("first"), refusing)).rejects.toBe(full);
  // Not even where a reader takes it for a failing disk and goes on.
  const deaf = sourceWith({
    read: (give) => {
      try {
        give(prompt("x"));
      } catch {
        return;
      }
    },
  });
  const catalog = openCatalog([deaf], { platform: "linux", homeDir: "/", vars: {} }, createMemoryFs());
  await expect(catalog.read(artifactOf("poisoned"), refusing)).rejects.toBe(full);
});

it("goes on with other roots and other sources when a scan or a closer look fails", async () => {
  const failing: Source = {
    ...sourceWith({}),
    id: "failing",
    locate: () => ["/one", "/two"],
    async scan(_fs, root, sink) {
      if (root === "/one") throw new TypeError("the scan failed");
      sink.artifact({ ...artifactOf("second root"), source: "failing", root });
    },
    health: {
      async diagnose(_fs, root) {
        if (root === "/one") throw new TypeError("the look failed");
      },
    },
  };
  const env = { platform: "linux", homeDir: "/", vars: {} } as const;
  const catalog = openCatalog([failing, sourceWith({})], env, createMemoryFs());
  const { artifacts, problems } = await catalog.scan();
  expect(artifacts.map(({ id }) => id)).toEqual(["second root", ...IDS]);
  expect(problems).toMatchObject([{ code: "reader-failed", source: "failing", path: "/one" }]);
  expect(await catalog.diagnose()).toMatchObject([
    { code: "reader-failed", path: "/one", message: expect.stringContaining("the look failed") },
  ]);
});

it("copies the other sessions when one cannot be copied", async () => {
  const files: SessionFiles = {
    async of(_fs, { id }) {
      if (id === "poisoned") throw new TypeError("the list of files failed");
      return [];
    },
  };
  const put: string[] = [];
  const archive = {
    setVanished: () => undefined,
    forget: () => undefined,
    sweep: () => undefined,
    filesOf: () => [],
    put: async (copies: readonly { artifact: Artifact }[]) => {
      put.push(...copies.map(({ artifact }) => artifact.id));
      return [];
    },
  };
  const problems: unknown[] = [];
  const plan = { copy: IDS.map(artifactOf), vanished: [], returned: [], forget: [] };
  const copied = await archiveSessions(
    catalogWith({ files }),
    archive as unknown as Archive,
    plan,
    () => new Date(0),
    { isTimeUp: () => false, isThorough: false, problem: (problem) => void problems.push(problem) },
  );
  expect(copied).toBe(2);
  expect(put).toEqual(["first", "last"]);
  expect(problems).toMatchObject([{ code: "reader-failed", session: "poisoned" }]);
});

it("tells what the system or a message for people says in those words", () => {
  const on = { source: "fake", session: "s", path: "/p" };
  const denied = Object.assign(new Error("EACCES: permission denied, open '/p'"), { code: "EACCES" });
  expect(toProblem(denied, on)).toMatchObject({ code: "session-unreadable", message: "permission denied" });
  expect(toProblem(denied, { source: "fake", path: "/p" })).toMatchObject({ code: "folder-unreadable" });
  const damaged = new AppError("vault-damaged", "A copy is damaged", "hint");
  expect(toProblem(damaged, on)).toMatchObject({ code: "session-unreadable", message: "A copy is damaged" });
  const long = Object.assign(new Error("Cannot create a string longer than…"), {
    code: "ERR_STRING_TOO_LONG",
  });
  expect(toProblem(long, on)).toMatchObject({ message: "it is too large to read" });
});
