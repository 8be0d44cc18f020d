/**
 * Policies as Citus can have them: without subqueries, which it refuses, and none that is restrictive, since it would make
 * a permissive one of that on the nodes.
 */
import type pg from "pg";
import { memberOf } from "../../model/values/member.ts";

export interface Policy {
  readonly name: string;
  /** As PostgreSQL keeps it: `r`, `a`, `w`, `d`, or `*` for all. */
  readonly command: string;
  readonly isRestrictive: boolean;
  readonly roles: readonly string[];
  readonly using: string | null;
  readonly check: string | null;
}

const COMMANDS: Readonly<Record<string, string>> = {
  r: "SELECT",
  a: "INSERT",
  w: "UPDATE",
  d: "DELETE",
  "*": "ALL",
};

/** What a policy asks who asks; each of them has a function \`planned_…\` for tables that lie on nodes. */
export const ASKED_FUNCTIONS = ["me", "may", "my_teams", "my_mates", "joined_teams"];

export async function policiesOf(client: pg.ClientBase, table: string): Promise<Policy[]> {
  const { rows } = await client.query<Policy>(
    `SELECT polname AS name, polcmd::text AS command, NOT polpermissive AS "isRestrictive",
            polroles::regrole[]::text[] AS roles, pg_get_expr(polqual, polrelid) AS using,
            pg_get_expr(polwithcheck, polrelid) AS check
       FROM pg_policy WHERE polrelid = ('hub.' || $1)::regclass ORDER BY 1`,
    [table],
  );
  return rows;
}

/** The statements that put these in the place of those that a table has. */
export function replacePolicies(table: string, old: readonly Policy[], isPlanned: boolean): string[] {
  const readers = old.filter(({ command, isRestrictive }) => command === "r" && !isRestrictive).length;
  const plain = old.map((each) => {
    const using = each.using && withoutSubqueries(each.using, isPlanned);
    const isAlternative = each.command === "r" && (readers > 1 || using?.includes(" OR "));
    return {
      ...each,
      using: isAlternative && using ? unseen(using) : using,
      check: each.check && withoutSubqueries(each.check, isPlanned),
    };
  });
  return [
    ...old.map(({ name }) => `DROP POLICY ${name} ON hub.${table}`),
    ...permissive(plain).map(
      ({ name, command, roles, using, check }) =>
        `CREATE POLICY ${name} ON hub.${table} FOR ${memberOf(COMMANDS, command)} TO ${roles.join(", ")}
           ${using === null ? "" : `USING (${using})`} ${check === null ? "" : `WITH CHECK (${check})`}`,
    ),
  ];
}

/** What a restrictive policy asks of a role, its permissive ones ask besides. */
function permissive(policies: readonly Policy[]): Policy[] {
  let found = policies.filter(({ isRestrictive }) => !isRestrictive);
  for (const limit of policies.filter(({ isRestrictive }) => isRestrictive))
    found = found.flatMap((policy) => {
      const limited = policy.roles.filter((role) => limit.roles.includes(role));
      if (policy.command !== limit.command || limited.length === 0) return [policy];
      const others = policy.roles.filter((role) => !limit.roles.includes(role));
      const both = (one: string | null, other: string | null): string | null =>
        one === null ? other : other === null ? one : `(${one}) AND (${other})`;
      return [
        ...(others.length === 0 ? [] : [{ ...policy, roles: others }]),
        {
          ...policy,
          name: others.length === 0 ? policy.name : `${policy.name}_${limit.name}`,
          roles: limited,
          using: both(policy.using, limit.using),
          check: both(policy.check, limit.check),
        },
      ];
    });
  return found;
}

/** As PostgreSQL writes \`(SELECT hub.me())\`. */
const ASKED = /\( SELECT hub\.(\w+)(\([^()]*\)) AS \w+\)/g;

/**
 * Where a policy, or two of them, has accounts as alternatives to something else, Citus asks all shards whatever accounts a
 * query names. So they are compared in a way that it does not see through. No index serves that: what names no account
 * reads all rows of a shard.
 */
const unseen = (expression: string): string =>
  expression
    .replaceAll("account_id = hub.planned_me()", "account_id IS NOT DISTINCT FROM hub.planned_me()")
    .replaceAll(
      /account_id = ANY \(\(?hub\.planned_my_mates\(\)\)?(?:::uuid\[\])?\)/g,
      "ARRAY[account_id] <@ hub.planned_my_mates()",
    );

/** The only policy that reads another table: it begins with what holds for one's own rows, and to those it is narrowed. */
const OWN_OR_READ = /^\(\((account_id = hub\.planned_me\(\))\) OR \(EXISTS /;

export function withoutSubqueries(expression: string, isPlanned: boolean): string {
  const plain = expression.replaceAll(ASKED, (_, name: string, values: string) =>
    isPlanned && ASKED_FUNCTIONS.includes(name) ? `hub.planned_${name}${values}` : `hub.${name}${values}`,
  );
  const own = OWN_OR_READ.exec(plain)?.[1];
  if (own !== undefined) return own;
  if (/\bSELECT\b/.test(plain)) throw new Error(`Citus has no policies with subqueries: ${plain}`);
  return plain;
}
