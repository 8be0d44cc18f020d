/** Users, teams and tokens of a hub, as its operator keeps them. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toExpiry, toName, toScopes } from "../../src/hub/accounts/names.ts";
import { giveOperatorToken, setUpHub } from "../../src/hub/accounts/setup.ts";
import { addTeam, joinTeam, leaveTeam, listTeams } from "../../src/hub/accounts/teams.ts";
import { giveToken } from "../../src/hub/accounts/tokens.ts";
import { addUser, listUsers, revokeUser, rotateUser } from "../../src/hub/accounts/users.ts";
import { findCredentials, toCredentials } from "../../src/hub/database/credentials.ts";
import { asOwner, placeOf } from "../../src/hub/place/place.ts";
import { prepareHub, requireHub } from "../../src/hub/place/prepare.ts";
import { newHub, type TestHub } from "./cluster.ts";

let hub: TestHub;
let first: string;

beforeAll(async () => {
  hub = await newHub();
  first = (await asOwner(hub.admin, (tx) => setUpHub(tx))).token;
});
afterAll(() => hub.close());

const who = async (token: string): Promise<Record<string, unknown> | undefined> => {
  const [row] = await hub.db.as(toCredentials(token), (tx) =>
    tx.query("SELECT name, scopes, kind FROM hub.who()"),
  );
  return row;
};
const add = (
  name: string,
  scopes: readonly ("push" | "read" | "admin")[] = ["push", "read"],
  expiresAt?: Date,
) => asOwner(hub.admin, (tx) => addUser(tx, { name, scopes, teams: [], ...(expiresAt && { expiresAt }) }));

it("is set up once, with an admin in a team", async () => {
  expect(await who(first)).toEqual({ name: "admin", scopes: ["push", "read", "admin"], kind: "program" });
  expect(await asOwner(hub.admin, listTeams)).toEqual([{ name: "team", members: ["admin"] }]);
  await expect(asOwner(hub.admin, (tx) => setUpHub(tx))).rejects.toMatchObject({ code: "user-exists" });
});

it("gives a token with the scopes that were asked for, and keeps neither it nor its proof", async () => {
  const { token } = await add("ada", ["push"]);
  expect(await who(token)).toEqual({ name: "ada", scopes: ["push"], kind: "program" });
  const client = new pg.Client(hub.admin);
  await client.connect();
  const { rows } = await client.query("SELECT t::text AS row FROM hub.tokens t");
  await client.end();
  const texts = rows.map(({ row }) => String(row)).join("\n");
  const secret = token.split("_").slice(2).join("_");
  expect(rows.length).toBeGreaterThan(1);
  for (const part of [token, secret, toCredentials(token).proof]) expect(texts).not.toContain(part);
});

it("refuses a second user or team of the same name, also in another case and at the same time", async () => {
  await add("grace");
  await expect(add("Grace")).rejects.toMatchObject({ code: "user-exists" });
  const both = await Promise.allSettled([add("twin"), add("TWIN")]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await asOwner(hub.admin, (tx) => addTeam(tx, "infra"));
  await expect(asOwner(hub.admin, (tx) => addTeam(tx, "infra"))).rejects.toMatchObject({
    code: "team-exists",
  });
});

it("ends a token when it expires, is rotated, or its user is revoked", async () => {
  const brief = await add("brief", ["read"], new Date(Date.now() - 1));
  expect(await who(brief.token)).toBeUndefined();
  const old = await add("linus", ["push", "read"]);
  const fresh = await asOwner(hub.admin, (tx) => rotateUser(tx, "linus", {}));
  expect([await who(old.token), (await who(fresh.token))?.scopes]).toEqual([undefined, ["push", "read"]]);
  expect(await asOwner(hub.admin, (tx) => revokeUser(tx, "linus"))).toEqual({ user: "linus", tokens: 1 });
  expect(await who(fresh.token)).toBeUndefined();
  const users = await asOwner(hub.admin, listUsers);
  expect(users.find(({ name }) => name === "linus")).toMatchObject({
    tokens: [],
    revokedAt: expect.any(String),
  });
  await expect(asOwner(hub.admin, (tx) => revokeUser(tx, "nobody"))).rejects.toMatchObject({
    code: "user-not-found",
  });
});

it("gives an admin whom only the server has signed in a token of an admin", async () => {
  const { account } = await add("operator");
  await asOwner(hub.admin, async (tx) => {
    await tx.change("DELETE FROM hub.tokens WHERE account_id = $1", [account]);
    await giveToken(tx, account, { scopes: ["push", "read", "admin"], kind: "serve" });
  });
  const { token } = await asOwner(hub.admin, (tx) => rotateUser(tx, "operator", {}));
  expect((await who(token))?.scopes).toEqual(["push", "read", "admin"]);
});

it("takes back what was shared with a team when its owner leaves", async () => {
  const { account, token } = await add("barbara");
  await asOwner(hub.admin, (tx) => addTeam(tx, "compilers"));
  await asOwner(hub.admin, (tx) => joinTeam(tx, "compilers", "barbara"));
  const sees = async (name: string): Promise<number> =>
    asOwner(hub.admin, async (tx) => {
      const [row] = await tx.query(
        `SELECT count(*)::int AS n FROM hub.sessions s JOIN hub.teams t ON t.team_id = s.team_id WHERE t.name = $1`,
        [name],
      );
      return Number(row?.n);
    });
  await asOwner(hub.admin, (tx) =>
    tx.change(
      `INSERT INTO hub.sessions (account_id, id, machine_id, source, vendor_id, team_id)
       SELECT $1, 'copilot-cli:x@m', gen_random_uuid(), 'copilot-cli', 'x', team_id FROM hub.teams WHERE name = 'compilers'`,
      [account],
    ),
  );
  expect([await sees("compilers"), (await who(token))?.name]).toEqual([1, "barbara"]);
  await asOwner(hub.admin, (tx) => leaveTeam(tx, "compilers", "barbara"));
  expect(await sees("compilers")).toBe(0);
  expect((await asOwner(hub.admin, listTeams)).find(({ name }) => name === "compilers")?.members).toEqual([]);
});

it("gives the operator of a new hub a token without a setup of its own", async () => {
  const empty = await newHub();
  const { token } = await asOwner(empty.admin, (tx) => giveOperatorToken(tx, { kind: "serve" }));
  const [row] = await empty.db.as(toCredentials(token), (tx) => tx.query("SELECT name, kind FROM hub.who()"));
  const [{ tokens = [] } = {}] = await asOwner(empty.admin, listUsers);
  await empty.close();
  expect([row, tokens.length]).toEqual([{ name: "admin", kind: "serve" }, 1]);
});

it.each(["", "-a", "a-", "a b", "../etc", "<b>", "=1+1", "a\nb", "é", "x".repeat(65), "'; DROP", "a,b", '"'])(
  "takes no name like %j",
  (name) => expect(() => toName("user", name)).toThrow(expect.objectContaining({ code: "usage" })),
);

it("reads scopes and lifetimes, and refuses others", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  expect(toScopes(["read", "push"])).toEqual(["push", "read"]);
  for (const bad of [[], ["root"], ["read", "Admin"]]) expect(() => toScopes(bad)).toThrow("scope");
  expect(toExpiry("12h", now)?.toISOString()).toBe("2026-01-01T12:00:00.000Z");
  expect(toExpiry("never", now)).toBeUndefined();
  for (const bad of ["0d", "1", "-1d", "99999d", "1m", ""])
    expect(() => toExpiry(bad, now)).toThrow("lifetime");
});

it("knows a token by its form alone before anything else", () => {
  for (const bad of ["", "rth_", `${first} `, first.slice(0, -1), first.replace("rth", "RTH"), `x${first}`])
    expect(findCredentials(bad)).toBeUndefined();
});

it("keeps the password of a database out of what it says, and refuses other addresses", () => {
  for (const bad of [
    "http://u:hunter2@h/d",
    "postgres://:hunter2@/",
    "postgres://u:hunter2@[::/d",
    "hunter2",
  ])
    try {
      placeOf(bad, "s");
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "usage" });
      expect(String((error as Error).message)).not.toContain("hunter2");
    }
  const { place, admin } = placeOf("postgres://u:hunter2@db.example:6432/hub?sslmode=verify-full", "s");
  expect(place).toMatchObject({ host: "db.example", port: 6432, database: "hub" });
  expect([place.ssl !== undefined, admin.password]).toEqual([true, "hunter2"]);
});

it("does not change the passwords of a hub's roles by accident", async () => {
  const other = { ...hub.place, secret: "another secret of the tests" };
  await expect(prepareHub(hub.admin, other)).rejects.toMatchObject({ code: "config-invalid" });
  expect((await prepareHub(hub.admin, hub.place)).applied).toEqual([]);
  await expect(requireHub({ ...hub.admin, database: "postgres" })).rejects.toMatchObject({
    code: "database-unavailable",
  });
});

it("operates no hub whose schema is still being made", async () => {
  const partly = await newHub();
  const client = new pg.Client(partly.admin);
  await client.connect();
  await client.query("DELETE FROM hub.migrations WHERE id = '0006-operate'");
  await client.end();
  await expect(requireHub(partly.admin)).rejects.toMatchObject({
    message: "The hub's database is not at the schema of this version yet",
  });
  await expect(requireHub(hub.admin)).resolves.toBeUndefined();
  await partly.close();
});
