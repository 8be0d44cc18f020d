/** Compares what the hub has with what was sent: every acknowledged byte once, and nothing of any push by halves. */
import { createHash } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import type pg from "pg";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { makeHistory, SOURCE } from "./history.ts";
import type { Pusher } from "./people.ts";
import type { Sent } from "./pushing.ts";

export interface Verified {
  readonly sessions: number;
  readonly events: number;
  readonly bytes: number;
  /** Given up by their client: there as a whole, or not at all. */
  readonly abandonedThere: number;
  readonly abandonedNot: number;
  /** What is wrong; nothing. */
  readonly faults: readonly string[];
}

interface StoredPiece {
  readonly session_id: string;
  readonly path: string;
  readonly size: string;
  readonly sha256: string;
  readonly file_events: string;
  readonly has_next: boolean;
  readonly start: string;
  readonly bytes: number;
  readonly events: number;
  readonly body: Buffer;
}

const SESSIONS_AT_ONCE = 200;
const MOST_FAULTS = 20;

export async function verify(
  admin: pg.Client,
  people: readonly Pusher[],
  sent: readonly Sent[],
  turns: number,
): Promise<Verified> {
  const total = { sessions: 0, events: 0, bytes: 0, abandonedThere: 0, abandonedNot: 0 };
  const faults: string[] = [];
  for (const [at, { account, machine }] of people.entries()) {
    const own = sent.filter(({ seed }) => seed % people.length === at);
    const { rows } = await admin.query<{ count: string }>(
      "SELECT count(*) FROM hub.sessions WHERE account_id = $1",
      [account],
    );
    let there = 0;
    for (let from = 0; from < own.length; from += SESSIONS_AT_ONCE) {
      const some = own.slice(from, from + SESSIONS_AT_ONCE).map((each) => {
        const history = makeHistory(each.seed, turns);
        return { ...each, history, session: hubSessionId(SOURCE, history.id, machine.id) };
      });
      const stored = await read(
        admin,
        account,
        some.map(({ session }) => session),
      );
      for (const { seed, session, history, acknowledged, isAbandoned } of some) {
        const pieces = stored.get(session) ?? [];
        const parts = acknowledged + (isAbandoned && pieces.length > acknowledged ? 1 : 0);
        if (isAbandoned) total[parts > acknowledged ? "abandonedThere" : "abandonedNot"]++;
        const wrong = whatIsWrong(pieces, history.parts.slice(0, parts), history.path);
        if (wrong !== undefined && faults.length < MOST_FAULTS) faults.push(`session ${seed}: ${wrong}`);
        if (parts > 0) there++;
        total.sessions++;
        total.events += pieces.reduce((sum, { events }) => sum + events, 0);
        total.bytes += pieces.reduce((sum, { bytes }) => sum + bytes, 0);
      }
    }
    if (Number(rows[0]?.count) !== there)
      faults.push(`account ${at} has ${rows[0]?.count} sessions, and ${there} were sent`);
  }
  return { ...total, faults };
}

async function read(
  admin: pg.Client,
  account: string,
  sessions: readonly string[],
): Promise<Map<string, StoredPiece[]>> {
  // Joined from both sides: a piece without its file, and a file without its pieces, are faults.
  const { rows } = await admin.query<StoredPiece>(
    `SELECT coalesce(f.session_id, e.session_id) AS session_id, f.path, f.size, encode(f.sha256, 'hex') AS sha256,
        f.events AS file_events, f.next_generation IS NOT NULL AS has_next, e.start, e.bytes, e.events, e.body
       FROM (SELECT * FROM hub.raw_files WHERE account_id = $1 AND session_id = ANY ($2)) f
       FULL JOIN (SELECT * FROM hub.raw_events WHERE account_id = $1 AND session_id = ANY ($2)) e
         ON e.session_id = f.session_id AND e.path = f.path AND e.generation = f.generation
      ORDER BY 1, e.start`,
    [account, sessions],
  );
  return Map.groupBy(rows, ({ session_id }) => session_id);
}

/** One piece for each part, with its bytes, and a file that says so. */
function whatIsWrong(
  pieces: readonly StoredPiece[],
  parts: readonly Buffer[],
  path: string,
): string | undefined {
  if (pieces.length !== parts.length) return `${pieces.length} pieces of ${parts.length}`;
  const hash = createHash("sha256");
  let size = 0;
  let events = 0;
  for (const [at, piece] of pieces.entries()) {
    const part = parts[at];
    if (piece.path !== path) return `a file ${piece.path}`;
    if (Number(piece.start) !== size) return `a piece at ${piece.start} instead of ${size}`;
    const plain = zstdDecompressSync(piece.body);
    if (!part?.equals(plain)) return `other bytes at ${piece.start}`;
    hash.update(plain);
    size += plain.length;
    events += piece.events;
  }
  const [file] = pieces;
  if (!file) return undefined;
  if (file.has_next) return "something that is not complete";
  if (Number(file.size) !== size || Number(file.file_events) !== events) return "a file of another size";
  return file.sha256 === hash.digest("hex") ? undefined : "a file with another hash";
}
