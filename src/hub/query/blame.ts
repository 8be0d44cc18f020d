/** Who of a team wrote the lines of a file: the recorded changes of all sessions that one may see, carried out in order. */
import { replayKnown } from "../../model/blame/known-text.ts";
import { AppError } from "../../model/errors.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import { segmentsOf, wayFrom } from "../../model/values/paths.ts";
import type { SessionEdit } from "../../query/blame/edit-collector.ts";
import { createEditList } from "../../query/blame/edit-list.ts";
import { fullPath } from "../../query/blame/same-file.ts";
import { readEdits } from "../../query/blame/session-edits.ts";
import { locateSession } from "../../query/resolve.ts";
import type { HubDatabase, Rows, Transaction } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { requireScope } from "../ingest/access.ts";
import { toLike } from "./filter.ts";
import { type HomeCache, openHubSession } from "./open-session.ts";

export interface HubFile {
  /** From the root of the repository on, as far as sessions tell it. */
  readonly path: string;
  readonly repository: string;
  readonly sessions: number;
  readonly people: readonly string[];
  readonly lastAt?: string;
}

export interface HubFilesRequest {
  readonly repository?: string;
  /** A part of the path, in any case. */
  readonly text?: string;
  readonly limit?: number;
}

export interface HubEdit extends SessionEdit {
  readonly session: SessionKey & {
    readonly title: string;
    readonly person: string;
    readonly hubSession: string;
  };
}

export interface HubBlame {
  readonly file: string;
  readonly repository: string;
  readonly lines: readonly { readonly line: number; readonly text: string; readonly written?: HubEdit }[];
  readonly isPartial: boolean;
  /** Sessions that changed the file and cannot be read, or are older than those that were. */
  readonly unread: number;
  readonly leftOut: number;
}

const MOST_FILES = 200;
const ROWS = 5000;

/** Files of repositories that sessions changed, the latest first. */
export const hubFiles = (
  db: HubDatabase,
  who: Credentials,
  { repository, text = "", limit = MOST_FILES }: HubFilesRequest,
): Promise<HubFile[]> =>
  db.as(who, async (tx) => {
    await requireScope(tx, "read");
    const rows = await tx.query(
      `SELECT f.file_path AS path, s.cwd, lower(s.repository) AS place, max(s.repository) AS repository,
              array_agg(DISTINCT s.account_id::text || ' ' || s.id) AS sessions, array_agg(DISTINCT a.name) AS people,
              max(coalesce(f.first_seen_at, s.updated_at) COLLATE "C") AS at
         FROM hub.session_files f JOIN hub.sessions s ON s.account_id = f.account_id AND s.id = f.session_id
         LEFT JOIN hub.accounts a ON a.account_id = s.account_id
        WHERE f.action <> 'read' AND s.repository IS NOT NULL AND f.file_path ILIKE $1
          AND ($2::text IS NULL OR lower(s.repository) = lower($2))
        GROUP BY 1, 2, 3 ORDER BY at DESC NULLS LAST, 1 LIMIT ${ROWS}`,
      [`%${toLike(text)}%`, repository ?? null],
    );
    const below = rows.flatMap((row) => {
      const path = placeOf(row.path, row.cwd);
      return path === undefined ? [] : [{ row, path }];
    });
    const known = new Set(below.map(({ path, row }) => `${row.place}\n${path}`));
    const placed = below.map(({ row, path }) => ({ row, path: inRepository(row, path, known) }));
    const files = Map.groupBy(placed, ({ path, row }) => `${row.place}\n${path}`);
    return [...files.values()].slice(0, limit).map((own) => {
      const [{ path = "", row = undefined } = {}] = own;
      const all = (column: "sessions" | "people"): Set<string> =>
        new Set(own.flatMap((each) => each.row[column] as readonly string[]));
      return {
        path,
        repository: String(row?.repository),
        sessions: all("sessions").size,
        people: [...all("people")].sort(),
        ...(typeof row?.at === "string" && { lastAt: row.at }),
      };
    });
  });

/** The path of a file below the folder of its session; nothing for files elsewhere. */
function placeOf(path: unknown, folder: unknown): string | undefined {
  if (typeof path !== "string" || typeof folder !== "string") return undefined;
  const full = fullPath({ path, workspace: folder });
  return full === undefined ? undefined : wayFrom(folder, full)?.replaceAll("\\", "/");
}

/**
 * The path from the root of the repository on. A session that began in a folder of it has its files below that folder; the
 * longer path is known from sessions that began at the root, whoever had them.
 */
function inRepository(row: Rows[number], path: string, known: ReadonlySet<string>): string {
  const above = segmentsOf(String(row.cwd));
  for (let at = 1; at < above.length; at++) {
    const longer = [...above.slice(at), path].join("/");
    if (known.has(`${row.place}\n${longer}`)) return longer;
  }
  return path;
}

/** The file that is meant: by its path below the session's folder, or below a folder above that. */
function isFile(path: unknown, folder: unknown, file: string): boolean {
  const below = placeOf(path, folder);
  if (below === undefined || typeof folder !== "string" || below === file) return below === file;
  return file.endsWith(`/${below}`) && `/${segmentsOf(folder).join("/")}/${below}`.endsWith(`/${file}`);
}

interface Editor {
  readonly account: string;
  readonly person: string;
  readonly hubSession: string;
  readonly title: string;
  readonly workspace: string;
  readonly paths: ReadonlySet<string>;
}

/** More sessions are not opened for one file: the latest tell most of it. */
const MOST_SESSIONS = 200;

export async function hubBlame(
  db: HubDatabase,
  who: Credentials,
  cache: HomeCache,
  { repository, file }: { readonly repository: string; readonly file: string },
): Promise<HubBlame> {
  const editors = await db.as(who, async (tx) => {
    await requireScope(tx, "read");
    return findEditors(tx, repository, file);
  });
  if (editors.length === 0)
    throw new AppError(
      "file-not-found",
      `No session that you may see changed ${file} of ${repository}`,
      "See the files that sessions changed",
    );
  const list = createEditList<HubEdit>();
  const found: HubEdit[] = [];
  let unread = Math.max(0, editors.length - MOST_SESSIONS);
  for (const editor of editors.slice(0, MOST_SESSIONS)) {
    const edits = await editsOf(db, who, cache, editor);
    if (edits) found.push(...edits);
    else unread++;
  }
  for (const edit of found.sort((a, b) => compare(a.time ?? "", b.time ?? ""))) list.push(edit);
  const edits = list.items();
  const { lines, isPartial } = replayKnown(edits.map(({ edit }) => edit));
  return {
    file,
    repository,
    lines: lines.map(({ text, by }, at) => {
      const written = edits[by];
      return { line: at + 1, text, ...(written && { written }) };
    }),
    isPartial,
    unread,
    leftOut: list.leftOut(),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The latest first. */
async function findEditors(tx: Transaction, repository: string, file: string): Promise<Editor[]> {
  const name = file.split("/").at(-1) ?? file;
  const rows = await tx.query(
    `SELECT s.account_id, s.id, s.title, s.cwd, a.name AS person, array_agg(f.file_path) AS paths
       FROM hub.session_files f JOIN hub.sessions s ON s.account_id = f.account_id AND s.id = f.session_id
       LEFT JOIN hub.accounts a ON a.account_id = s.account_id
      WHERE f.action <> 'read' AND s.cwd IS NOT NULL AND lower(s.repository) = lower($1) AND f.file_path LIKE $2
      GROUP BY 1, 2, 3, 4, 5, s.updated_at ORDER BY s.updated_at COLLATE "C" DESC NULLS LAST, s.id`,
    [repository, `%${toLike(name)}`],
  );
  return rows.flatMap((row) => {
    const paths = (row.paths as readonly string[]).filter((path) => isFile(path, row.cwd, file));
    if (paths.length === 0) return [];
    return [
      {
        account: String(row.account_id),
        person: String(row.person ?? ""),
        hubSession: String(row.id),
        title: String(row.title),
        workspace: String(row.cwd),
        paths: new Set(paths),
      },
    ];
  });
}

/** Nothing for a session that cannot be read. */
async function editsOf(
  db: HubDatabase,
  who: Credentials,
  cache: HomeCache,
  { account, person, hubSession, title, workspace, paths }: Editor,
): Promise<HubEdit[] | undefined> {
  try {
    const { catalog, key } = await openHubSession(db, who, cache, { session: hubSession, person });
    const artifact = await locateSession(catalog, formatKey(key));
    const full = new Set([...paths].map((path) => fullPath({ path, workspace }) ?? path));
    const read = await readEdits(catalog, artifact, {
      isWanted: (path) => paths.has(path) || full.has(fullPath({ path, workspace }) ?? path),
      turns: undefined,
    });
    if (!read) return undefined;
    const copied = await db.as(who, (tx) => copiedTurns(tx, account, hubSession));
    return read.edits
      .filter(({ turn }) => !copied.has(turn))
      .map((edit) => ({ ...edit, session: { ...key, title, person, hubSession } }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return undefined;
  }
}

/** Those that another session tells of, which one sees as well. */
async function copiedTurns(tx: Transaction, account: string, session: string): Promise<Set<number>> {
  const rows = await tx.query(
    `SELECT c.turn_index FROM hub.turn_copies c JOIN hub.sessions o ON o.account_id = c.account_id AND o.id = c.owner
      WHERE c.account_id = $1 AND c.session_id = $2`,
    [account, session],
  );
  return new Set(rows.map(({ turn_index }) => Number(turn_index)));
}
