/** Which sessions of the hub a question is about, as a condition on `hub.sessions s`; by the rules of the local store. */
import { COPY_KINDS } from "../../model/session/facets.ts";
import { toWords } from "../../model/session/session-words.ts";
import { isAbout, isInRepository, isOnBranch } from "../../model/values/place.ts";
import type { SessionFilter } from "../../store/filter.ts";
import type { Transaction } from "../database/connect.ts";

export interface HubFilter
  extends Omit<SessionFilter, "tags" | "session" | "ids" | "recordedCopies" | "sources"> {
  readonly sources?: readonly string[];
  /** Names of users. */
  readonly people?: readonly string[];
  /** The name of a team: only what is shared with it. */
  readonly team?: string;
  /** Only rows of these accounts; servers that have none of them are not asked. */
  readonly accounts?: readonly string[];
  /** Only these, by account and id. */
  readonly sessions?: readonly SessionRef[];
}

/** A session of the hub, whose ids are unique within an account. */
export interface SessionRef {
  readonly account: string;
  readonly id: string;
}

/** Conditions and their values, numbered as PostgreSQL wants them. */
export interface Where {
  readonly where: string;
  readonly values: readonly unknown[];
}

/** Times are ISO text, and compared as such in every locale. */
export const byBytes = (column: string): string => `(${column}) COLLATE "C"`;
/** Nothing is known of a sealed session but when it came. */
export const ACTIVE = `coalesce(s.updated_at, s.created_at, CASE WHEN s.is_sealed
  THEN to_char(s.pushed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END)`;
export const IS_COPY = `coalesce(s.parent_kind IN (${COPY_KINDS.map((kind) => `'${kind}'`).join(", ")}), false)`;

/** The first number is `first`, for statements that have values of their own. */
export async function compileHubFilter(tx: Transaction, filter: HubFilter, first = 1): Promise<Where> {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: (...names: string[]) => string, ...bound: unknown[]): void => {
    const names = bound.map((value) => {
      values.push(value);
      return `$${first + values.length - 1}`;
    });
    conditions.push(condition(...names));
  };
  const { exact = false, accounts } = filter;
  /** In every table that is asked: a join alone leaves all servers to be asked. The accounts are the first value. */
  const here = (row: string): string => (accounts ? `${row}.account_id = ANY ($${first}::uuid[]) AND` : "");
  if (accounts) add((list) => `s.account_id = ANY (${list}::uuid[])`, accounts);
  if (filter.sources) add((list) => `s.source = ANY (${list})`, filter.sources);
  for (const { column, wanted, fits } of namesIn(filter)) {
    if (exact) add((name) => `s.${column} = ${name}`, wanted);
    else
      add(
        (list) => `s.${column} = ANY (${list})`,
        await namesThat(tx, column, accounts, (name) => fits(name, wanted)),
      );
  }
  if (filter.since !== undefined) add((time) => `${byBytes(ACTIVE)} >= ${time}`, filter.since);
  if (filter.until !== undefined) add((time) => `${byBytes(ACTIVE)} <= ${time}`, filter.until);
  if (filter.file !== undefined)
    add(
      (part) =>
        `EXISTS (SELECT 1 FROM hub.session_files f WHERE ${here("f")} f.account_id = s.account_id AND f.session_id = s.id AND f.file_path ILIKE ${part})`,
      `%${toLike(filter.file)}%`,
    );
  if (filter.ref)
    add(
      (type, value) =>
        `EXISTS (SELECT 1 FROM hub.session_refs r WHERE ${here("r")} r.account_id = s.account_id AND r.session_id = s.id AND r.ref_type = ${type} AND r.ref_value = ${value})`,
      ...[filter.ref.type, filter.ref.value],
    );
  if (filter.tool !== undefined)
    add(
      (tool) =>
        `EXISTS (SELECT 1 FROM hub.tool_calls c WHERE ${here("c")} c.account_id = s.account_id AND c.session_id = s.id AND lower(c.tool_name) = lower(${tool}))`,
      filter.tool,
    );
  if (filter.model !== undefined)
    add(
      (model) => (exact ? `strpos(s.models, ${model}) > 0` : `strpos(lower(s.models), lower(${model})) > 0`),
      exact ? JSON.stringify(filter.model) : filter.model,
    );
  for (const word of toWords(filter.text ?? ""))
    add((name) => `strpos(coalesce(s.words, lower(s.title)), ${name}) > 0`, word);
  if (filter.people)
    add(
      (names) => `s.account_id IN (SELECT a.account_id FROM hub.accounts a WHERE a.name = ANY (${names}))`,
      filter.people,
    );
  if (filter.team !== undefined)
    add((name) => `s.team_id IN (SELECT t.team_id FROM hub.teams t WHERE t.name = ${name})`, filter.team);
  if (filter.sessions)
    add(
      (accounts, ids) =>
        `(s.account_id, s.id) IN (SELECT u.a, u.i FROM unnest(${accounts}::uuid[], ${ids}::text[]) u(a, i))`,
      filter.sessions.map(({ account }) => account),
      filter.sessions.map(({ id }) => id),
    );
  if (filter.problems) add(() => "s.problem_count > 0");
  if (filter.copies) add(() => IS_COPY);
  return { where: conditions.length === 0 ? "true" : conditions.join(" AND "), values };
}

type Named = "repository" | "branch" | "cwd";

const namesIn = ({ workspace, repository, branch }: HubFilter) =>
  [
    { column: "cwd", wanted: workspace, fits: isAbout },
    { column: "repository", wanted: repository, fits: isInRepository },
    { column: "branch", wanted: branch, fits: isOnBranch },
  ].flatMap(({ column, wanted, fits }) =>
    wanted === undefined ? [] : [{ column: column as Named, wanted, fits }],
  );

/** What fits a name is decided by the same function everywhere, so it is asked of each name that there is. */
async function namesThat(
  tx: Transaction,
  column: Named,
  accounts: HubFilter["accounts"],
  fits: (name: string) => boolean,
): Promise<readonly string[]> {
  const rows = await tx.query(
    `SELECT DISTINCT s.${column} AS name FROM hub.sessions s WHERE s.${column} IS NOT NULL
      ${accounts ? "AND s.account_id = ANY ($1::uuid[])" : ""}`,
    accounts ? [accounts] : [],
  );
  return rows.flatMap(({ name }) => (typeof name === "string" && fits(name) ? [name] : []));
}

/** As a text in a pattern of LIKE that means itself. */
export const toLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
