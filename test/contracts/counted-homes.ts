/** Homes on a machine of their own, a store of them, and how many bytes were read of each file. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import { demoFolder, demoVars } from "../../src/demo/places.ts";
import { refresh } from "../../src/indexer/refresh.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source } from "../../src/sources/source.ts";
import { openStore } from "../../src/store/open.ts";
import { createSessionStore, type SessionStore } from "../../src/store/session-store.ts";
import { claudeFiles, copilotFiles, type Step, vsCodeFiles } from "../made-up-turns.ts";
import type { FIXTURES } from "./fixtures.ts";

const now = new Date("2026-11-15T12:00:00.000Z");

export interface CountedHomes {
  readonly folder: string;
  readonly store: SessionStore;
  /** What was read of each file, by its path. */
  readonly bytes: Map<string, number>;
  open(sources: readonly Source[], vars?: Record<string, string>): Catalog;
  index(catalog: Catalog): ReturnType<typeof refresh>;
  fixture(fixture: (typeof FIXTURES)[number]): Catalog;
  demo(sources?: readonly Source[]): Promise<Catalog>;
  /** Homes of several sources with the same conversations. */
  homes(chats: readonly (readonly Step[])[], name?: string): Catalog;
}

export const nameOf = ({ source, id }: Artifact): string => `${source}:${id}`;

/** Homes and store are new for each test. */
export function useCountedHomes(): CountedHomes {
  let folder = "";
  let store: SessionStore | undefined;
  const bytes = new Map<string, number>();
  const note = (path: string, size: number): void => void bytes.set(path, (bytes.get(path) ?? 0) + size);
  const counting: SessionFs = {
    ...localFs,
    async *chunks(path, range) {
      for await (const chunk of localFs.chunks(path, range)) {
        note(path, chunk.length);
        yield chunk;
      }
    },
    async read(path, range) {
      const content = await localFs.read(path, range);
      note(path, content.length);
      return content;
    },
  };
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-counted-")));
    bytes.clear();
  });
  afterEach(() => {
    store?.db.close();
    store = undefined;
    rmSync(folder, { recursive: true, force: true });
  });
  const homes: CountedHomes = {
    get folder() {
      return folder;
    },
    get store() {
      store ??= createSessionStore(
        openStore({ folder: join(folder, "data"), now: () => now, notice: () => undefined }),
      );
      return store;
    },
    bytes,
    open: (sources, vars = {}) =>
      openCatalog(sources, { platform: "linux", homeDir: join(folder, "nowhere"), vars }, counting),
    index: (catalog) => refresh(catalog, homes.store, { outputHead: 256, now: () => now }),
    fixture({ source, home: from }) {
      const home = join(folder, "home");
      cpSync(from, home, { recursive: true });
      return homes.open([{ ...source, locate: () => [home] }]);
    },
    async demo(sources = SOURCES) {
      await createDemo({ fs: localFs, sources: SOURCES, home: folder, now });
      return homes.open(sources, demoVars(demoFolder(folder)));
    },
    homes(chats, name = "home") {
      const home = join(folder, name);
      const write = (below: string, files: Record<string, string | Uint8Array>): void => {
        for (const [file, content] of Object.entries(files)) {
          const path = join(home, below, file);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, content);
        }
      };
      for (const [number, steps] of chats.entries()) {
        write("copilot", copilotFiles(number, steps));
        write("claude", claudeFiles(number, steps));
      }
      write("vscode", vsCodeFiles(chats));
      return homes.open(SOURCES, {
        COPILOT_HOME: join(home, "copilot"),
        CLAUDE_CONFIG_DIR: join(home, "claude"),
        VSCODE_STORAGE_PATH: join(home, "vscode"),
      });
    },
  };
  return homes;
}
