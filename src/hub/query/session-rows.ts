/** Sessions of the hub as its people see them: those of the local store, with whose they are and who else sees them. */
import type { Session } from "../../model/session/session.ts";
import { setMember } from "../../model/values/member.ts";
import { type SessionRow, toSession } from "../../store/sessions.ts";
import type { Rows } from "../database/connect.ts";
import { seenOrigin } from "../database/migrations/0010-origins.ts";
import type { SessionFacts } from "../protocol.ts";
import { ACTIVE } from "./filter.ts";

/** What only the hub knows of a session. */
export interface HubSessionFacts {
  /** The hub's own id for it: `source:id@machine`. */
  readonly hubSession: string;
  /** Whose it is, by name. */
  readonly person: string;
  /** The name of the machine that it was pushed from. */
  readonly machine: string;
  /** `private`, or the name of the team that sees it. */
  readonly sharing: string;
  /** Only its owner's machines can read it. */
  readonly isSealed: boolean;
}

export interface HubSession extends Session, HubSessionFacts {
  readonly account: string;
}

/** A condition on the rows of a table, which leaves servers out. */
export type Here = (row: string) => string;

export const sessionColumns = (
  here: Here = () => "true",
): string => `s.account_id, s.id, s.source, s.vendor_id, s.title, s.summary, s.cwd, s.repository,
  s.repository_evidence, s.branch, s.created_at, ${ACTIVE} AS updated_at, s.turn_count, s.problem_count, s.models, s.path,
  s.bytes, ${seenOrigin("s", here("o"))},
  s.from_source, s.from_id, s.from_title, s.producer, s.user_name, s.agent_name, s.resume,
  s.vanished_at, s.is_sealed, s.raw_version, s.about,
  (extract(epoch FROM s.pushed_at) * 1000000)::bigint AS pushed_us,
  (SELECT a.name FROM hub.accounts a WHERE a.account_id = s.account_id) AS person,
  (SELECT m.name FROM hub.machines m WHERE m.account_id = s.account_id AND m.machine_id = s.machine_id
    AND ${here("m")}) AS machine,
  (SELECT t.name FROM hub.teams t WHERE t.team_id = s.team_id LIMIT 1) AS team`;

export function toHubSession(row: Rows[number]): HubSession {
  const plain: Record<string, string | number | null> = {};
  for (const [name, value] of Object.entries(row))
    if (value === null || typeof value === "string" || typeof value === "number")
      setMember(plain, name, value);
  const session = toSession({ ...(plain as SessionRow), bytes: Number(row.bytes) });
  return {
    ...session,
    account: String(row.account_id),
    hubSession: String(row.id),
    person: String(row.person ?? ""),
    machine: String(row.machine ?? ""),
    sharing: typeof row.team === "string" ? row.team : "private",
    isSealed: row.is_sealed === true,
  };
}

/** A session with what is needed to read its files. */
export interface StoredSession extends HubSession {
  /** Of its files: another one after each push, and of a session that was deleted and came again. */
  readonly rawVersion: string;
  readonly facts: SessionFacts;
}

export const toStoredSession = (row: Rows[number]): StoredSession => ({
  ...toHubSession(row),
  rawVersion: `${row.raw_version} ${row.pushed_us}`,
  facts: row.about as SessionFacts,
});
