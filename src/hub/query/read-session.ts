/** Reads one session of the hub with the code that reads one at home. */
import type { ChangedFile } from "../../model/session/changed-files.ts";
import { joinSpellings } from "../../model/session/changed-files.ts";
import type { Session } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import { type ContextReport, contextOf } from "../../query/context.ts";
import { type FindRequest, type FoundText, findText } from "../../query/find.ts";
import { imageOf, type SessionImage } from "../../query/image.ts";
import { outlineOf, type SessionOutline } from "../../query/outline.ts";
import { type RecordRequest, recordOf } from "../../query/record.ts";
import { type TurnPage, type TurnsRequest, turnsOf } from "../../query/turns.ts";
import type { RecordText } from "../../sources/log/record-text.ts";
import type { HubDatabase } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { findVisible, type HomeCache, type OpenSession, openHubSession } from "./open-session.ts";
import type { HubSession } from "./session-rows.ts";

/** Whose session, where several have one of that id. */
export interface Named {
  readonly session: string;
  readonly person?: string;
}

export interface SessionReader {
  outline(named: Named): Promise<Omit<SessionOutline, "session"> & { readonly session: HubSession }>;
  turns(named: Named, request: TurnsRequest): Promise<TurnPage>;
  context(named: Named): Promise<Omit<ContextReport, "session"> & { readonly session: HubSession }>;
  find(named: Named, request: FindRequest): Promise<FoundText>;
  record(named: Named, request: RecordRequest): Promise<RecordText>;
  image(named: Named, id: string): Promise<SessionImage>;
  changedFiles(named: Named): Promise<readonly ChangedFile[]>;
}

export function createSessionReader(db: HubDatabase, who: Credentials, cache: HomeCache): SessionReader {
  const open = (named: Named): Promise<OpenSession> => openHubSession(db, who, cache, named);
  return {
    async outline(named) {
      const { catalog, key, session } = await open(named);
      const outline = await outlineOf(catalog, formatKey(key));
      return { ...outline, session: asOnHub(outline.session, session) };
    },
    async turns(named, request) {
      const { catalog, key } = await open(named);
      return turnsOf(catalog, formatKey(key), request);
    },
    async context(named) {
      const { catalog, key, session } = await open(named);
      const report = await contextOf(catalog, formatKey(key));
      return { ...report, session: asOnHub(report.session, session) };
    },
    async find(named, request) {
      const { catalog, key } = await open(named);
      return findText(catalog, formatKey(key), request);
    },
    async record(named, request) {
      const { catalog, key } = await open(named);
      return recordOf(catalog, formatKey(key), request);
    },
    async image(named, id) {
      const { catalog, key } = await open(named);
      return imageOf(catalog, formatKey(key), id);
    },
    changedFiles: ({ session: name, person }) =>
      db.as(who, async (tx) => {
        const session = await findVisible(tx, name, person);
        const rows = await tx.query(
          `SELECT file_path, action, turn_index, lines_added, lines_removed, uncounted FROM hub.session_files
            WHERE account_id = $1 AND session_id = $2 AND action <> 'read'
            ORDER BY turn_index NULLS FIRST, file_path COLLATE "C"`,
          [session.account, session.hubSession],
        );
        const files = rows.map(
          (row): ChangedFile => ({
            path: String(row.file_path),
            action: String(row.action) as ChangedFile["action"],
            ...(row.turn_index !== null && { turn: Number(row.turn_index) }),
            ...(row.lines_added !== null &&
              row.uncounted === 0 && {
                lines: { added: Number(row.lines_added), removed: Number(row.lines_removed) },
              }),
          }),
        );
        return joinSpellings(files, session.workspace);
      }),
  };
}

/** What its files say, with what only other sessions and the hub know of it. */
const asOnHub = (read: Session, stored: HubSession): HubSession => ({
  ...stored,
  ...read,
  path: stored.path,
  ...(stored.repository !== undefined && { repository: stored.repository }),
  ...(!read.parent && stored.parent && { parent: stored.parent }),
});
