/** Homes of every source in memory, damaged at random: readers throw nothing and read little more than there is, editors refuse in a sentence. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { AppError } from "../../src/model/errors.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { toTurns } from "../../src/model/session/turns.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { createMemoryFs, type MemoryFs } from "../../src/platform/fs/memory.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import type { Editor } from "../../src/sources/editor.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source } from "../../src/sources/source.ts";
import { FIXTURES, readAll, scanHome } from "../contracts/fixtures.ts";
import { blow, strikeAll } from "./blows.ts";
import type { Blow } from "./damages.ts";
import { runs } from "./runs.ts";

const ROOT = "/root";
const NOW = new Date("2026-11-15T12:00:00.000Z");
const ID = "11111111-aaaa-4bbb-8ccc-000000000009";

type Files = Readonly<Record<string, Buffer>>;

const homes = new Map<string, Files>();
/** By their paths in the home. */
function filesOf(name: string): Files {
  const { home = "" } = FIXTURES.find((fixture) => fixture.name === name) ?? {};
  const files = homes.get(name) ?? readBelow(home);
  homes.set(name, files);
  return files;
}

const readBelow = (home: string): Files =>
  Object.fromEntries(
    globSync("**/*", { cwd: home })
      .filter((path) => statSync(join(home, path)).isFile())
      .sort()
      .map((path) => [path, readFileSync(join(home, path))]),
  );

const inMemory = (files: Files): MemoryFs =>
  createMemoryFs(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [join(ROOT, path), bytes])));

interface Damaged {
  readonly fixture: string;
  readonly hits: readonly { readonly file: number; readonly onLog: boolean; readonly blow: Blow }[];
}

/** Several files of a home may be hit; logs, which matter most, more often than others. */
const damagedHome = (source: Source): fc.Arbitrary<Damaged> =>
  fc.record({
    fixture: fc.constantFrom(...FIXTURES.filter((each) => each.source === source).map(({ name }) => name)),
    hits: fc.array(fc.record({ file: fc.nat(1000), onLog: fc.boolean(), blow }), {
      minLength: 1,
      maxLength: 4,
    }),
  });

function damage({ fixture, hits }: Damaged): Files {
  const files = { ...filesOf(fixture) };
  const all = Object.keys(files);
  const logs = all.filter((path) => /\.jsonl?$/.test(path));
  for (const { file, onLog, blow: each } of hits) {
    const list = onLog && logs.length > 0 ? logs : all;
    const path = list[file % list.length] ?? "";
    files[path] = strikeAll(path, files[path] ?? Buffer.alloc(0), [each]);
  }
  return files;
}

const sizeOf = (files: Files): number => Object.values(files).reduce((sum, { length }) => sum + length, 0);

function counting(fs: MemoryFs): { fs: SessionFs; bytes(): number } {
  let bytes = 0;
  return {
    bytes: () => bytes,
    fs: {
      ...fs,
      async read(path, range) {
        const read = await fs.read(path, range);
        bytes += read.length;
        return read;
      },
      async *chunks(path, range) {
        for await (const chunk of fs.chunks(path, range)) {
          bytes += chunk.length;
          yield chunk;
        }
      },
    },
  };
}

/** How often a session's files may be gone through by one reading: once for their shape, once for their content, and for what stands at their ends. */
const READINGS = 6;
const ENDS = 256 << 10;

describe.each(SOURCES.map((source) => [source.id, source] as const))("%s", (_, source) => {
  it("reads whatever is in a home", async () => {
    await fc.assert(
      fc.asyncProperty(damagedHome(source), fc.boolean(), async (damaged, skim) => {
        const files = damage(damaged);
        const { fs, bytes } = counting(inMemory(files));
        const { artifacts } = await scanHome(source, ROOT, fs);
        await source.health?.diagnose(fs, ROOT, { problem: () => undefined });
        await source.processes?.owners?.(fs, ROOT, artifacts);
        for (const artifact of artifacts) {
          const before = bytes();
          const { events, session } = await readAll(source, artifact, fs, { skim });
          expect(session.turns).toBe(toTurns(events).length);
          JSON.stringify([session, events]);
          const afterRead = bytes();
          expect(afterRead - before).toBeLessThanOrEqual(READINGS * sizeOf(files) + ENDS);
          await source.context?.messages(fs, artifact);
          await source.context?.measure?.(fs, artifact);
          await source.files?.of?.(fs, artifact);
          await source.watch?.inspect?.(fs, artifact);
          source.start?.command(artifact, session);
          expect(bytes() - afterRead).toBeLessThanOrEqual(2 * READINGS * sizeOf(files) + ENDS);
        }
      }),
      runs(150),
    );
  });
});

const REQUESTS: Readonly<
  Record<string, (editor: Editor, fs: SessionFs, artifact: Artifact) => Promise<unknown> | undefined>
> = {
  clone: (editor, fs, artifact) => editor.clone(fs, artifact, { id: ID, now: NOW, name: "Another" }),
  "smaller clone": (editor, fs, artifact) =>
    editor.clone(fs, artifact, {
      id: ID,
      now: NOW,
      reduce: {
        reduction: { tools: { oldest: 50 }, dropThinking: true, dropOldest: { percent: 50 } },
        count: ({ length }) => length,
        summarize: {},
      },
    }),
  fork: (editor, fs, artifact) => editor.fork(fs, artifact, { id: ID, now: NOW, recordId: ID, at: 0 }),
  rewind: (editor, fs, artifact) =>
    editor.rewind(fs, artifact, { id: ID, now: NOW, to: 0, files: true, inPlace: true }),
  compact: (editor, fs, artifact) => editor.summaries?.compact(fs, artifact, { now: NOW, keep: 1 }),
  checkpoint: (editor, fs, artifact) => editor.summaries?.checkpoint?.(fs, artifact, { now: NOW }),
  rename: (editor, fs, artifact) => editor.rename(fs, artifact, { name: "Another", now: NOW }),
  move: (editor, fs, artifact) =>
    editor.moves?.move(fs, artifact, { to: "/elsewhere", text: true, now: NOW }),
  remove: (editor, fs, artifact) => editor.remove(fs, artifact, { now: NOW }),
  rescue: (editor, fs, artifact) => editor.repairs?.session(fs, artifact, { now: NOW }),
};

describe.each(SOURCES.filter(({ editor }) => editor).map((source) => [source.id, source] as const))(
  "changes of %s",
  (_, source) => {
    it("are drafted or refused, whatever is in a home", async () => {
      const editor = (await source.editor?.()) as Editor;
      let drafted = 0;
      await fc.assert(
        fc.asyncProperty(
          damagedHome(source),
          fc.constantFrom(...Object.keys(REQUESTS)),
          async (damaged, request) => {
            const [fs, root] = place(source, damage(damaged));
            const { artifacts } = await scanHome(source, root, fs);
            for (const artifact of artifacts)
              await orRefused(async () => {
                if (await REQUESTS[request]?.(editor, fs, artifact)) drafted++;
              });
            if (request === "rescue")
              await orRefused(async () => editor.repairs?.all?.(fs, root, { now: NOW }));
          },
        ),
        runs(200),
      );
      expect(drafted).toBeGreaterThan(50);
    });
  },
);

const disk = mkdtempSync(join(tmpdir(), "rethread-fuzz-"));
afterAll(() => rmSync(disk, { recursive: true, force: true }));

/** VS Code's list is a database, which only a disk has. */
function place(source: Source, files: Files): [fs: SessionFs, root: string] {
  if (source.id !== "vscode") return [inMemory(files), ROOT];
  const root = join(disk, "home");
  rmSync(root, { recursive: true, force: true });
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
  return [localFs, root];
}

async function orRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
