/** A session file-system provider in the shape that `@github/copilot-sdk` asks an application for. */
import type { FileStat, SessionFs } from "../../platform/fs/session-fs.ts";
import { isErrno } from "../../platform/fs/session-fs.ts";
import type { SqlResult, SqlStatement } from "../../platform/sqlite/held-database.ts";
import { errno, folderOf, normalize } from "./places.ts";
import type { SessionDatabase } from "./session-database.ts";

/** Where the program finds the files of a session, in its own eyes. */
export const STATE_PATH = "/session";

/** For `sessionFs` of `CopilotClient`. */
export interface CopilotSessionFsConfig {
  initialCwd: string;
  sessionStatePath: string;
  conventions: "posix";
  capabilities: { sqlite: true; binary: true };
}

export const copilotSessionFs = (initialCwd: string): CopilotSessionFsConfig => ({
  initialCwd,
  sessionStatePath: STATE_PATH,
  conventions: "posix",
  capabilities: { sqlite: true, binary: true },
});

export interface CopilotFileInfo {
  isFile: boolean;
  isDirectory: boolean;
  size: number;
  mtime: string;
  birthtime: string;
}

export interface CopilotSqlite {
  query(
    queryType: SqlStatement["queryType"],
    query: string,
    params?: Record<string, string | number | null>,
  ): Promise<CopilotSqlResult>;
  transaction(statements: SqlStatement[]): Promise<CopilotSqlResult[]>;
  exists(): Promise<boolean>;
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK declares JSON values, and SQLite has bytes, too
export type CopilotSqlResult = Omit<SqlResult, "rows"> & { rows: Record<string, any>[] };

/** What `createSessionFsProvider` of a session's configuration returns. */
export interface CopilotSessionFsProvider {
  readFile(path: string): Promise<string>;
  readFileBytes(path: string): Promise<Uint8Array>;
  writeFile(path: string, content: string, mode?: number): Promise<void>;
  writeFileBytes(path: string, content: Uint8Array, mode?: number): Promise<void>;
  appendFile(path: string, content: string, mode?: number): Promise<void>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<CopilotFileInfo>;
  mkdir(path: string, recursive: boolean, mode?: number): Promise<void>;
  readdir(path: string): Promise<string[]>;
  readdirWithTypes(path: string): Promise<{ name: string; type: "file" | "directory" }[]>;
  rm(path: string, recursive: boolean, force: boolean): Promise<void>;
  rename(src: string, dest: string): Promise<void>;
  readonly sqlite: CopilotSqlite;
}

/** `fs` makes the folders above what is written. */
export function createCopilotSessionFsProvider(
  session: string,
  fs: SessionFs,
  database: SessionDatabase,
): CopilotSessionFsProvider {
  const at = (path: string): string => placeIn(session, path);
  return {
    readFile: async (path) => Buffer.from(await fs.read(at(path))).toString("utf8"),
    readFileBytes: (path) => fs.read(at(path)),
    writeFile: async (path, content, mode) => fs.write(at(path), content, mode),
    writeFileBytes: async (path, content, mode) => fs.write(at(path), content, mode),
    appendFile: async (path, content) => fs.append(at(path), content),
    async exists(path) {
      const place = findPlace(session, path);
      return place !== undefined && (await fs.exists(place));
    },
    stat: async (path) => toInfo(await fs.stat(at(path))),
    async mkdir(path, recursive) {
      const place = at(path);
      if (!recursive) await fs.stat(place.slice(0, place.lastIndexOf("/")));
      await fs.mkdir(place);
    },
    readdir: async (path) => (await fs.readdir(at(path))).map(({ name }) => name),
    readdirWithTypes: async (path) =>
      (await fs.readdir(at(path))).map(({ name, kind }) => ({
        name,
        type: kind === "folder" ? "directory" : "file",
      })),
    async rm(path, recursive, force) {
      const place = at(path);
      if (!force || !recursive) {
        const stat = await fs.stat(place).catch((error: unknown) => {
          if (force && isErrno(error, "ENOENT")) return undefined;
          throw error;
        });
        if (!stat) return;
        if (!recursive && stat.kind === "folder" && (await fs.readdir(place)).length > 0)
          throw errno("ENOTEMPTY", path);
      }
      await fs.rm(place);
    },
    rename: async (src, dest) => fs.rename(at(src), at(dest)),
    sqlite: {
      async query(queryType, query, params) {
        const [result] = await database.run([{ queryType, query, ...(params && { params }) }]);
        return result ?? { rows: [], columns: [], rowsAffected: 0 };
      },
      transaction: (statements) => database.run(statements),
      exists: () => database.exists(),
    },
  };
}

/** A missing file, where something is asked for that is no part of the session. */
function placeIn(session: string, path: string): string {
  const place = findPlace(session, path);
  if (place === undefined) throw errno("ENOENT", path);
  return place;
}

/**
 * The program names most files by the path that it was given for them, but some by where they would be on its own disk;
 * both are the same file.
 */
function findPlace(session: string, name: string): string | undefined {
  const path = normalize(name);
  const folder = folderOf(session);
  if (path === STATE_PATH || path.startsWith(`${STATE_PATH}/`)) return folder + path.slice(STATE_PATH.length);
  const onDisk = `/session-state/${session}`;
  const at = path.indexOf(onDisk);
  const rest = at >= 0 ? path.slice(at + onDisk.length) : undefined;
  return rest === "" || rest?.startsWith("/") ? folder + rest : undefined;
}

const toInfo = ({ kind, size, mtimeMs, birthtimeMs = mtimeMs }: FileStat): CopilotFileInfo => ({
  isFile: kind === "file",
  isDirectory: kind === "folder",
  size,
  mtime: new Date(mtimeMs).toISOString(),
  birthtime: new Date(birthtimeMs).toISOString(),
});
