/** Sharing: private until a repository or a session is shared with a team of one's own, and private again afterwards. */
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHubQuestions } from "../../src/app/hub/questions.ts";
import { leaveTeam } from "../../src/hub/accounts/teams.ts";
import { type HubDatabase, PLAIN, type Transaction } from "../../src/hub/database/connect.ts";
import { deriveSession } from "../../src/hub/derive/derive.ts";
import { deleteSession } from "../../src/hub/ingest/delete.ts";
import { lockSession } from "../../src/hub/ingest/locks.ts";
import { receivePush } from "../../src/hub/ingest/receive.ts";
import { hubSessionId } from "../../src/hub/protocol.ts";
import { createHomeCache } from "../../src/hub/query/open-session.ts";
import { createSessionReader } from "../../src/hub/query/read-session.ts";
import { searchHub } from "../../src/hub/query/search/search.ts";
import { listHubSessions } from "../../src/hub/query/sessions.ts";
import { readAudit } from "../../src/hub/sharing/audit-log.ts";
import { readDirectory } from "../../src/hub/sharing/directory.ts";
import { listShares, share, unshare } from "../../src/hub/sharing/shares.ts";
import { newHub, type TestHub } from "./cluster.ts";
import { type People, type Person, peopleOf } from "./people.ts";
import { MACHINE, pushOf } from "./pushing.ts";

let hub: TestHub;
let people: People;
let robin: Person;
let mate: Person;
let stranger: Person;
let admin: Person;
let crew: string;
beforeAll(async () => {
  hub = await newHub();
  people = await peopleOf(hub);
  robin = await people.add("robin");
  mate = await people.add("mate");
  stranger = await people.add("stranger");
  admin = await people.add("boss", ["read", "admin"]);
  crew = await people.team("crew", robin, mate);
  await people.team("others", stranger);
});
afterAll(async () => {
  await people.close();
  await hub.close();
});

const line = (at: number, type: string, data: object): string =>
  `${JSON.stringify({ type, data, id: `e${at}`, timestamp: `2026-11-15T12:00:0${at}.000Z`, parentId: null })}\n`;
const START = line(0, "session.start", { sessionId: "s", version: 1, producer: "copilot-agent" });

async function push(
  who: Person,
  id: string,
  repository: string | undefined,
  {
    isSealed = false,
    says = `about ${id} pelican`,
    text = START + line(1, "user.message", { content: says }),
  } = {},
): Promise<string> {
  const facts = {
    title: `session ${id}`,
    ...(repository !== undefined && { repository, repositoryEvidence: "folder" as const }),
  };
  const { header, bodies } = pushOf([{ path: `session-state/${id}/events.jsonl`, texts: [text] }], {
    id,
    facts,
    isSealed,
  });
  // What is sealed is sent as it is, whatever it may be.
  await receivePush(hub.db, who, header, isSealed ? [Buffer.from(text)] : bodies);
  const session = hubSessionId("copilot-cli", id, MACHINE.id);
  if (!isSealed) await deriveSession(hub.db, { account: who.account, session });
  return session;
}

const sees = async (who: Person): Promise<string[]> =>
  (await listHubSessions(hub.db, who, {})).sessions.map(({ hubSession }) => hubSession).toSorted();
const reader = (who: Person) => createSessionReader(hub.db, who, createHomeCache());

const asOwner: Transaction = {
  clock: PLAIN.clock,
  query: ((sql: string, values: readonly unknown[]) => people.ask(sql, values)) as never,
  change: async (sql, values) => (await people.ask(sql, values)).length,
};

/** The teams that all rows of a session are written for, in every table that has such a column. */
async function teamsOf(session: string): Promise<unknown[]> {
  const tables = await people.ask(
    `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'hub'::regnamespace AND c.relkind IN ('p', 'r') AND NOT relispartition AND a.attname = 'team_id'
        AND c.relname NOT IN ('teams', 'members', 'shares')`,
  );
  const found = new Set<unknown>();
  for (const { name } of tables)
    for (const { team_id } of await people.ask(
      `SELECT DISTINCT team_id FROM hub.${name} WHERE ${name === "sessions" ? "id" : "session_id"} = $1`,
      [session],
    ))
      found.add(team_id);
  return [...found];
}

describe("sharing", () => {
  let one: string;
  let two: string;
  let other: string;
  beforeEach(async () => {
    for (const { id } of await listShares(hub.db, robin)) await unshare(hub.db, robin, id);
  });
  beforeAll(async () => {
    one = await push(robin, "one", "acme/shop");
    two = await push(robin, "two", "Acme/Shop");
    other = await push(robin, "other", undefined);
  });

  it("shows nothing of a session that was deleted, once it comes again with other files", async () => {
    const cache = createHomeCache();
    const read = async (who: Person, session: string): Promise<string> =>
      JSON.stringify(await createSessionReader(hub.db, who, cache).turns({ session }, {}));
    const session = await push(robin, "again", "acme/shop");
    await share(hub.db, robin, { team: "crew", session });
    expect(await read(mate, session)).toContain("about again pelican");
    await deleteSession(hub.db, robin, session);
    await push(robin, "again", "acme/shop", { says: "nothing of that" });
    await share(hub.db, robin, { team: "crew", session });
    const now = await read(mate, session);
    expect([now.includes("pelican"), now.includes("nothing of that")]).toEqual([false, true]);
    await deleteSession(hub.db, robin, session);
  });

  it("leaves a session whole for its owner that is taken back while another begins to read it", async () => {
    const cache = createHomeCache();
    const session = await push(robin, "taken", undefined);
    const { share: made } = await share(hub.db, robin, { team: "crew", session });
    let isTaken = false;
    const db: HubDatabase = {
      ...hub.db,
      async as(who, work, options) {
        const answer = await hub.db.as(who, work, options);
        if (!isTaken) await unshare(hub.db, robin, made.id);
        isTaken = true;
        return answer;
      },
    };
    await expect(createSessionReader(db, mate, cache).turns({ session }, {})).rejects.toMatchObject({
      code: "session-not-found",
    });
    const own = await createSessionReader(hub.db, robin, cache).turns({ session }, {});
    expect(JSON.stringify(own)).toContain("pelican");
    await deleteSession(hub.db, robin, session);
  });

  it("is private by default, for every row", async () => {
    expect(await sees(robin)).toEqual([one, other, two].toSorted());
    expect([await sees(mate), await sees(stranger), await sees(admin)]).toEqual([[], [], []]);
    expect(await teamsOf(one)).toEqual([null]);
  });

  it("shows a repository to the team, however it is spelled, and what is pushed of it later", async () => {
    const { share: made, changed } = await share(hub.db, robin, {
      team: "crew",
      repository: "https://github.com/acme/shop.git",
    });
    expect({ ...made, id: "", sharedAt: "" }).toEqual({
      ...{ id: "", team: "crew", repository: "acme/shop", sharedAt: "", sessions: 2 },
    });
    expect(changed).toBe(2);
    expect(await sees(mate)).toEqual([one, two]);
    expect([await teamsOf(one), await teamsOf(other)]).toEqual([[crew], [null]]);
    const three = await push(robin, "three", "acme/shop");
    expect(await sees(mate)).toEqual([one, three, two].toSorted());
    expect(await sees(stranger)).toEqual([]);
    await unshare(hub.db, robin, made.id);
    expect(await sees(mate)).toEqual([]);
    expect([await teamsOf(one), await teamsOf(three)]).toEqual([[null], [null]]);
    await people.ask("DELETE FROM hub.sessions WHERE id = $1", [three]);
  });

  it("shows one session, which stays shared when it is derived again", async () => {
    const { share: made } = await share(hub.db, robin, { team: "crew", session: other });
    expect(await sees(mate)).toEqual([other]);
    await deriveSession(hub.db, { account: robin.account, session: other });
    expect(await teamsOf(other)).toEqual([crew]);
    const [found] = (await listHubSessions(hub.db, mate, {})).sessions;
    expect(found).toMatchObject({ person: "robin", machine: "laptop", sharing: "crew", isSealed: false });
    expect((await reader(mate).turns({ session: other }, {})).turns[0]?.user).toBe("about other pelican");
    await unshare(hub.db, robin, made.id);
    await expect(reader(mate).turns({ session: other }, {})).rejects.toMatchObject({
      code: "session-not-found",
    });
  });

  it("is the same share when it is made twice", async () => {
    const first = await share(hub.db, robin, { team: "crew", session: one });
    const again = await share(hub.db, robin, { team: "CREW ", session: one });
    expect(again).toEqual({ share: first.share, changed: 0 });
    expect(await listShares(hub.db, robin)).toHaveLength(1);
  });

  it("is possible with a token that only pushes, and what it pushes then is shared", async () => {
    const pusher = await people.add("pusher", ["push"]);
    await people.ask("INSERT INTO hub.members (account_id, team_id) VALUES ($1, $2)", [pusher.account, crew]);
    const { share: made } = await share(hub.db, pusher, { team: "crew", repository: "acme/pushed" });
    expect(made).toMatchObject({ team: "crew", repository: "acme/pushed", sessions: 0 });
    const pushed = await push(pusher, "pushed", "acme/pushed");
    expect(await sees(mate)).toEqual([pushed]);
    await unshare(hub.db, pusher, made.id);
    expect(await sees(mate)).toEqual([]);
  });

  it("keeps what another share still shows", async () => {
    await share(hub.db, robin, { team: "crew", repository: "acme/shop" });
    const { share: single } = await share(hub.db, robin, { team: "crew", session: one });
    expect(await unshare(hub.db, robin, single.id)).toEqual({ changed: 0 });
    expect(await sees(mate)).toEqual([one, two]);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      "a team that one is not in",
      () => share(hub.db, robin, { team: "others", session: one }),
      "team-not-found",
    ],
    [
      "a team that does not exist",
      () => share(hub.db, robin, { team: "nobody", session: one }),
      "team-not-found",
    ],
    [
      "somebody else's session",
      () => share(hub.db, mate, { team: "crew", session: one }),
      "session-not-found",
    ],
    ["nothing", () => share(hub.db, robin, { team: "crew" }), "usage"],
    ["both", () => share(hub.db, robin, { team: "crew", session: one, repository: "a/b" }), "usage"],
    ["without the scope push", () => share(hub.db, admin, { team: "crew", session: one }), "hub-refused"],
    [
      "without a token",
      () => share(hub.db, { ...robin, proof: "" }, { team: "crew", session: one }),
      "not-signed-in",
    ],
  ])("refuses %s", async (_, attempt, code) => {
    await expect(attempt()).rejects.toMatchObject({ code });
    expect(await teamsOf(one)).toEqual([null]);
  });

  it("lets only who shares take back", async () => {
    const { share: made } = await share(hub.db, robin, { team: "crew", session: one });
    for (const [who, id] of [
      [mate, made.id],
      [robin, "nothing"],
      [robin, "00000000-0000-4000-8000-000000000000"],
    ] as const)
      await expect(unshare(hub.db, who, id)).rejects.toMatchObject({ code: "share-not-found" });
    expect(await sees(mate)).toEqual([one]);
  });

  it("with a second team is refused, as nobody of it would see anything", async () => {
    const band = await people.team("band", robin, stranger);
    await share(hub.db, robin, { team: "crew", repository: "acme/shop" });
    await share(hub.db, robin, { team: "crew", session: other });
    for (const wish of [{ repository: "git@github.com:Acme/shop" }, { session: other }])
      await expect(share(hub.db, robin, { team: "band", ...wish })).rejects.toMatchObject({
        code: "share-exists",
        message: expect.stringContaining('the team "crew"'),
      });
    // One session of it is for another team than the rest.
    await share(hub.db, robin, { team: "band", session: one });
    expect([await sees(mate), await sees(stranger)]).toEqual([[other, two].toSorted(), [one]]);

    await leaveTeam(asOwner, "band", "robin");
    expect([await sees(mate), await sees(stranger)]).toEqual([[one, other, two].toSorted(), []]);
    expect(await teamsOf(one)).toEqual([crew]);
    await people.ask("DELETE FROM hub.teams WHERE team_id = $1", [band]);
  });

  it("waits for a push that is under way before somebody leaves the team", async () => {
    await hub.db.as(robin, async (tx) => {
      await lockSession(tx, robin.account, one);
      const client = new pg.Client(hub.admin);
      await client.connect();
      await client.query("BEGIN; SET LOCAL lock_timeout = '1ms'");
      const leaving = leaveTeam(
        {
          query: async (sql: string, values: unknown[]) => (await client.query(sql, values)).rows,
          change: async (sql: string, values: unknown[]) => (await client.query(sql, values)).rowCount ?? 0,
        } as never,
        "crew",
        "robin",
      );
      await expect(leaving).rejects.toMatchObject({ code: "55P03" });
      await client.end();
    });
  });

  it("ends for who leaves the team, and with it for what they shared", async () => {
    const leaver = await people.add("leaver");
    await people.ask("INSERT INTO hub.members (account_id, team_id) VALUES ($1, $2)", [leaver.account, crew]);
    const own = await push(leaver, "leaving", undefined);
    await share(hub.db, leaver, { team: "crew", session: own });
    await share(hub.db, robin, { team: "crew", session: one });
    expect([await sees(leaver), await sees(mate)]).toEqual([[own, one].toSorted(), [own, one].toSorted()]);
    await leaveTeam(asOwner, "crew", "leaver");
    expect([await sees(leaver), await sees(mate)]).toEqual([[own], [one]]);
    expect(await teamsOf(own)).toEqual([null]);
  });
});

it("of a fork tells nothing of a private session that it was forked from", async () => {
  const text = (turns: number): string =>
    Array.from({ length: turns }, (_, at) =>
      line(at + 1, "user.message", { content: `about forks ${at}` }),
    ).join("");
  const original = await push(robin, "forked-from", "acme/forks", { text: START + text(3) });
  const fork = await push(robin, "fork", "acme/forks", { text: START + text(4) });
  await share(hub.db, robin, { team: "crew", session: fork });
  const told = async (who: Person): Promise<string> => {
    const ask = createHubQuestions(hub.db, () => new Date())(who);
    const sql = ["SELECT * FROM sessions", "SELECT * FROM session_overview", "SELECT * FROM turn_copies"];
    const answers = [await ask.list({}, {}), await ask.outline({ session: fork })];
    for (const query of sql)
      answers.push((await ask.sql({ sql: `${query} WHERE person = 'robin'` })) as never);
    return JSON.stringify(answers);
  };
  expect((await told(robin)).split("forked-from").length).toBeGreaterThan(5);
  expect(await told(mate)).not.toContain("forked-from");
  // Nor do its turns count as those of another.
  const counted = await createHubQuestions(
    hub.db,
    () => new Date(),
  )(mate).sql({
    sql: "SELECT sum(turns) FROM daily_use WHERE repository = 'acme/forks'",
  });
  expect(counted.rows).toEqual([[4]]);
  await share(hub.db, robin, { team: "crew", session: original });
  expect(await told(mate)).toContain("forked-from");
  for (const session of [original, fork]) await deleteSession(hub.db, robin, session);
});

describe("a sealed session", () => {
  it("is listed by what may be told, and read by its owner's machines alone", async () => {
    const sealed = await push(robin, "sealed", "acme/secret", { isSealed: true });
    await share(hub.db, robin, { team: "crew", session: sealed });
    const [found] = (await listHubSessions(hub.db, mate, { text: "sealed" })).sessions;
    expect(found).toMatchObject({ hubSession: sealed, title: "session sealed", isSealed: true, turns: 0 });
    for (const who of [robin, mate])
      await expect(reader(who).outline({ session: sealed })).rejects.toMatchObject({
        code: "session-sealed",
        message: expect.stringContaining("only the machines of robin"),
      });
    const { hits } = await searchHub(hub.db, mate, {
      text: "pelican",
      filter: {},
      limit: 9,
      now: new Date(),
    });
    expect(hits.filter(({ session }) => session.hubSession === sealed)).toEqual([]);
  });
});

describe("two people with a session of the same id", () => {
  it("are asked for by name; one's own comes first", async () => {
    const session = await push(robin, "twin", undefined);
    expect(await push(mate, "twin", undefined)).toBe(session);
    await share(hub.db, robin, { team: "crew", session });
    await share(hub.db, mate, { team: "crew", session });
    expect((await reader(mate).outline({ session })).session.person).toBe("mate");
    expect((await reader(mate).outline({ session, person: "robin" })).session.person).toBe("robin");
    const third = await people.add("third");
    await people.ask("INSERT INTO hub.members (account_id, team_id) VALUES ($1, $2)", [third.account, crew]);
    await expect(reader(third).outline({ session })).rejects.toMatchObject({ code: "session-ambiguous" });
    expect((await reader(third).outline({ session, person: "mate" })).session.person).toBe("mate");
  });
});

describe("the directory", () => {
  it("shows one's teams and who is in them", async () => {
    const { teams, people: names } = await readDirectory(hub.db, mate);
    expect(teams).toEqual([{ team: "crew", members: expect.arrayContaining(["mate", "robin"]) }]);
    expect(names).toEqual(expect.arrayContaining(["mate", "robin"]));
    expect(names).not.toContain("stranger");
    expect(await readDirectory(hub.db, stranger)).toEqual({
      teams: [{ team: "others", members: ["stranger"] }],
      people: ["stranger"],
    });
  });
});

describe("the audit log", () => {
  it("tells admins who read whose session, once for a while, and who shared what", async () => {
    const session = await push(robin, "watched", undefined);
    await share(hub.db, robin, { team: "crew", session });
    for (let times = 0; times < 3; times++) await reader(mate).turns({ session }, {});
    await reader(robin).turns({ session }, {});
    const { entries } = await readAudit(hub.db, admin);
    const about = entries.filter(({ subject }) => subject === session);
    expect(about.map(({ action, actor, account }) => ({ action, actor, account }))).toEqual([
      { action: "session-read", actor: "mate", account: "robin" },
      { action: "shared", actor: "robin", account: "robin" },
    ]);
  });

  it("tells admins who searched what others share, once for a while", async () => {
    const session = await push(robin, "searched", undefined, { says: "a heron stands there" });
    await share(hub.db, robin, { team: "crew", session });
    const request = { text: "heron", filter: {}, limit: 5, now: new Date("2026-11-16T12:00:00Z") };
    const searches = async (): Promise<(string | undefined)[]> =>
      (await readAudit(hub.db, admin)).entries
        .filter(({ action }) => action === "searched")
        .map(({ actor }) => actor);
    const before = (await searches()).filter((actor) => actor === "robin").length;
    for (const who of [robin, mate, mate])
      expect((await searchHub(hub.db, who, request)).hits).not.toEqual([]);
    const actors = await searches();
    expect(actors.filter((actor) => actor === "mate")).toHaveLength(1);
    expect(actors.filter((actor) => actor === "robin")).toHaveLength(before);
  });

  it("has the titles of sessions that the admin may see, and of no others", async () => {
    const titled = async (id: string, title: string): Promise<string> => {
      const session = await push(robin, id, undefined);
      await people.ask("UPDATE hub.sessions SET title = $2 WHERE id = $1", [session, title]);
      await share(hub.db, robin, { team: "crew", session });
      return session;
    };
    const [seen, hidden] = [await titled("seen", "for all"), await titled("hidden", "the merger")];
    const boss = await people.add("second boss", ["read", "admin"]);
    const titles = async () => {
      const { entries } = await readAudit(hub.db, boss);
      return [seen, hidden].map((session) => entries.find(({ subject }) => subject === session)?.title);
    };
    expect(await titles()).toEqual([undefined, undefined]);
    const team = await people.team("heads", boss, robin);
    await people.ask("UPDATE hub.sessions SET team_id = $2 WHERE id = $1", [seen, team]);
    expect(await titles()).toEqual(["for all", undefined]);
  });

  it("comes in pages, each entry once", async () => {
    const all = (await readAudit(hub.db, admin, { limit: 500 })).entries;
    const paged: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await readAudit(hub.db, admin, { limit: 3, ...(cursor !== undefined && { cursor }) });
      paged.push(...page.entries);
      cursor = page.next;
    } while (cursor !== undefined);
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(6);
  });

  it("is for admins alone", async () => {
    await expect(readAudit(hub.db, mate)).rejects.toMatchObject({ code: "hub-refused" });
  });
});
