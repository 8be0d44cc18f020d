/** The policies and functions that a hub gets on Citus, made of those of a plain server: this needs no cluster. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policiesOf, replacePolicies, withoutSubqueries } from "../../src/hub/database/citus-policies.ts";
import { onCitus, onOneServer } from "../../src/hub/database/layout.ts";
import { search } from "../../src/hub/database/migrations/0004/search.ts";
import { CITUS, newHub, type TestHub } from "./cluster.ts";

describe.skipIf(CITUS)("the policies for Citus", () => {
  let hub: TestHub;
  let admin: pg.Client;
  const made = new Map<string, readonly string[]>();

  beforeAll(async () => {
    hub = await newHub();
    admin = new pg.Client(hub.admin);
    await admin.connect();
    const { rows } = await admin.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind = 'p'`,
    );
    for (const { name } of rows) {
      const isPlanned = !["accounts", "tokens", "teams", "members"].includes(name);
      made.set(name, replacePolicies(name, await policiesOf(admin, name), isPlanned));
    }
  });
  afterAll(async () => {
    await admin?.end();
    await hub?.close();
  });

  const created = (table: string): string[] =>
    (made.get(table) ?? [])
      .filter((text) => text.startsWith("CREATE"))
      .map((text) => text.replaceAll(/\s+/g, " ").trim());

  it("have no subqueries, and none is restrictive: Citus refuses the one and loses the other", () => {
    expect(made.size).toBeGreaterThan(20);
    for (const table of made.keys()) {
      expect(created(table).length).toBeGreaterThan(0);
      for (const policy of created(table)) expect(policy).not.toMatch(/\(\s*SELECT\b|RESTRICTIVE|EXISTS/);
    }
  });

  it("still let nobody put rows before a team that they are not in", () => {
    for (const table of ["sessions", "raw_files", "raw_events"])
      for (const command of ["INSERT", "UPDATE"]) {
        const policies = created(table).filter((text) => text.includes(` FOR ${command} TO rethread_app `));
        expect(policies).toHaveLength(1);
        expect(policies[0]).toMatch(/WITH CHECK \(.*planned_me\(\).*\) AND \(.*planned_joined_teams\(\)/);
      }
  });

  it("show people's own SQL copied turns of their own alone, and the server those of teams", () => {
    const policies = created("turn_copies").filter((text) => text.includes(" FOR SELECT "));
    expect(policies.filter((text) => text.includes("TO rethread_app "))).toHaveLength(1);
    const [forSql, ...more] = policies.filter((text) => text.includes("TO rethread_sql "));
    expect(more).toEqual([]);
    expect(forSql).toMatch(/AND \(account_id = hub\.planned_me\(\)\)\)$/);
  });

  it("are planned only on tables that lie on nodes", () => {
    expect(created("accounts").join()).not.toContain("planned_");
    expect(created("turns").join()).not.toMatch(/hub\.(me|my_teams|may)\(/);
  });

  it("refuse what they cannot say", () => {
    expect(() => withoutSubqueries("(EXISTS ( SELECT 1 FROM hub.sessions))", true)).toThrow(/subqueries/);
  });

  it("go with searches that name one account in no way that makes Citus ask all shards", () => {
    expect(search(onOneServer(4)).join()).toContain("account_id = $2 OR");
    expect(search(onCitus).join()).not.toMatch(/account_id = \$2 OR|few AS MATERIALIZED/);
  });

  it("are not needed here: a plain server is known as such", async () => {
    expect((await hub.db.dialect()).isCitus).toBe(false);
  });
});
