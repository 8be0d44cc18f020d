/** The provider as handlers of JSON-RPC, for applications that talk to the program without an SDK. Errors are results, where there is a place for them. */
import type { SqlStatement } from "../../platform/sqlite/held-database.ts";
import type { CopilotSessionFsProvider } from "./copilot-provider.ts";

// biome-ignore lint/suspicious/noExplicitAny: the parameters are whatever the program sends, and answers are JSON
export type RpcHandler = (params: any) => Promise<any>;

/** By the name of the method, `sessionFs.readFile` and so on; each finds its provider by the session's id. */
export function createSessionFsHandlers(
  providerOf: (session: string) => CopilotSessionFsProvider,
): Readonly<Record<string, RpcHandler>> {
  const on =
    (work: (provider: CopilotSessionFsProvider, params: Params) => Promise<unknown>, otherwise?: Otherwise) =>
    async (params: Params): Promise<unknown> => {
      try {
        return (await work(providerOf(params.sessionId), params)) ?? null;
      } catch (error) {
        if (!otherwise) throw error;
        return otherwise(toError(error));
      }
    };
  /** Of what has no answer the error is the answer. */
  const bare: Otherwise = (error) => error;
  return {
    "sessionFs.readFile": on(
      async (fs, { path }) => ({ content: await fs.readFile(path) }),
      (error) => ({ content: "", error }),
    ),
    "sessionFs.readFileBytes": on(
      async (fs, { path }) => ({ content: Buffer.from(await fs.readFileBytes(path)).toString("base64") }),
      (error) => ({ content: "", error }),
    ),
    "sessionFs.writeFile": on((fs, { path, content, mode }) => fs.writeFile(path, content, mode), bare),
    "sessionFs.writeFileBytes": on(
      (fs, { path, content, mode }) => fs.writeFileBytes(path, Buffer.from(content, "base64"), mode),
      bare,
    ),
    "sessionFs.appendFile": on((fs, { path, content, mode }) => fs.appendFile(path, content, mode), bare),
    // These have no place for an error. "It is not there" would have the program begin a session anew.
    "sessionFs.exists": on(async (fs, { path }) => ({ exists: await fs.exists(path) })),
    "sessionFs.stat": on(
      (fs, { path }) => fs.stat(path),
      (error) => ({ isFile: false, isDirectory: false, size: 0, mtime: EPOCH, birthtime: EPOCH, error }),
    ),
    "sessionFs.mkdir": on((fs, { path, recursive = false, mode }) => fs.mkdir(path, recursive, mode), bare),
    "sessionFs.readdir": on(
      async (fs, { path }) => ({ entries: await fs.readdir(path) }),
      (error) => ({ entries: [], error }),
    ),
    "sessionFs.readdirWithTypes": on(
      async (fs, { path }) => ({ entries: await fs.readdirWithTypes(path) }),
      (error) => ({ entries: [], error }),
    ),
    "sessionFs.rm": on(
      (fs, { path, recursive = false, force = false }) => fs.rm(path, recursive, force),
      bare,
    ),
    "sessionFs.rename": on((fs, { src, dest }) => fs.rename(src, dest), bare),
    "sessionFs.sqliteQuery": on(
      (fs, { queryType, query, params }) => fs.sqlite.query(queryType, query, params),
      (error) => ({ rows: [], columns: [], rowsAffected: 0, error }),
    ),
    "sessionFs.sqliteTransaction": on(
      async (fs, { statements }) => ({ results: await fs.sqlite.transaction(statements) }),
      ({ message }) => ({ results: [], error: { errorClass: "fatal", message } }),
    ),
    "sessionFs.sqliteExists": on(async (fs) => ({ exists: await fs.sqlite.exists() })),
  };
}

const EPOCH = new Date(0).toISOString();

interface RpcError {
  readonly code: "ENOENT" | "UNKNOWN";
  readonly message: string;
}
type Otherwise = (error: RpcError) => unknown;

interface Params {
  readonly sessionId: string;
  readonly path: string;
  readonly src: string;
  readonly dest: string;
  readonly content: string;
  readonly mode?: number;
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly queryType: SqlStatement["queryType"];
  readonly query: string;
  readonly params?: Record<string, string | number | null>;
  readonly statements: SqlStatement[];
}

const toError = (error: unknown): RpcError => ({
  code: error instanceof Error && "code" in error && error.code === "ENOENT" ? "ENOENT" : "UNKNOWN",
  message: error instanceof Error ? error.message : String(error),
});
