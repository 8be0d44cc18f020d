/** Functions that a hub on Citus has besides, or in another form than on a server of its own. */
import { memberOf } from "../../model/values/member.ts";
import { ASKED_FUNCTIONS } from "./citus-policies.ts";
import { addJobs, definer } from "./migrations/0002-core.ts";
import { SAME_READING, WEB_HOURS } from "./migrations/0003-server.ts";
import { roleName } from "./roles.ts";

const [APP, SQL, WORKER] = [roleName("app"), roleName("sql"), roleName("worker")];

const SIGNATURES: Readonly<Record<string, readonly [takes: string, returns: string]>> = {
  me: ["", "uuid"],
  may: ["scope text", "boolean"],
};

/**
 * What policies ask who asks, answered while a statement is planned: there is no other way to have it asked once and not
 * for every row, as Citus has no policies with subqueries. That they are immutable is not true, so they serve for policies
 * of distributed tables alone: a node plans each statement that the coordinator sends anew, within the transaction that says
 * who asks.
 */
const PLANNED = ASKED_FUNCTIONS.flatMap((name) => {
  const [takes, returns] = memberOf(SIGNATURES, name) ?? ["", "uuid[]"];
  const [word = "", type = ""] = takes.split(" ");
  return [
    `CREATE OR REPLACE FUNCTION hub.planned_${name}(${takes}) RETURNS ${returns} LANGUAGE plpgsql IMMUTABLE
       SET search_path = pg_catalog, pg_temp AS $body$BEGIN RETURN hub.${name}(${word}); END$body$`,
    `REVOKE ALL ON FUNCTION hub.planned_${name}(${type}) FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION hub.planned_${name}(${type}) TO ${APP}, ${SQL}`,
  ];
});

/** What set_config says stays on the coordinator; this reaches the nodes. */
const SET_LOCAL = [
  `CREATE OR REPLACE FUNCTION hub.set_local(name text, value text) RETURNS void LANGUAGE plpgsql
     SET search_path = pg_catalog, pg_temp AS $body$
     BEGIN
       IF name !~ '^rethread\\.[a-z_]+$' THEN RAISE invalid_parameter_value USING MESSAGE = 'no setting of a hub'; END IF;
       EXECUTE format('SET LOCAL %s = %L', name, value);
     END$body$`,
  "REVOKE ALL ON FUNCTION hub.set_local(text, text) FROM PUBLIC",
  `GRANT EXECUTE ON FUNCTION hub.set_local(text, text) TO ${APP}, ${SQL}, ${WORKER}`,
];

/** Citus changes rows by what it knows before it asks their node: when a statement begins to be carried out. */
const CLOCK = [
  `CREATE OR REPLACE FUNCTION hub.clock() RETURNS timestamptz LANGUAGE plpgsql STABLE
     SET search_path = pg_catalog, pg_temp AS $body$BEGIN RETURN clock_timestamp(); END$body$`,
  "REVOKE ALL ON FUNCTION hub.clock() FROM PUBLIC",
  `GRANT EXECUTE ON FUNCTION hub.clock() TO ${APP}, ${SQL}, ${WORKER}`,
];

/**
 * Nobody reads what another role has written in the same transaction, so the owner cannot look for the session that a push
 * has just made: whoever asks looks for it, and the owner adds the job. A job for a session that is not there does nothing.
 */
const ASK = [
  ...definer({
    ...{ name: "queue_rows", takes: "asked text", returns: "void", for: APP },
    body: `
      DECLARE mine uuid := hub.me();
      BEGIN
        IF mine IS NULL THEN RAISE insufficient_privilege USING MESSAGE = 'no such session'; END IF;
        ${addJobs("(SELECT mine AS account_id, asked AS id) s")}
      END`,
  }),
  `CREATE FUNCTION hub.ask_for_rows(asked text) RETURNS void LANGUAGE plpgsql SECURITY INVOKER
     SET search_path = pg_catalog, pg_temp AS $body$
     DECLARE mine uuid := hub.me(); found text;
     BEGIN
       SELECT s.id INTO found FROM hub.sessions s WHERE s.account_id = mine AND s.id = asked;
       IF found IS NULL THEN RAISE insufficient_privilege USING MESSAGE = 'no such session'; END IF;
       PERFORM hub.queue_rows(asked);
     END$body$`,
];

/** Which sessions are meant is asked of the nodes first: the queue lies here, and Citus joins nothing of here with them. */
const queueing = (where: string, job: string): string => `
  DECLARE n bigint; accounts uuid[]; ids text[];
  BEGIN
    SELECT array_agg(s.account_id), array_agg(s.id) INTO accounts, ids FROM hub.sessions s WHERE ${where};
    ${addJobs("unnest(accounts, ids) s(account_id, id)", job)}
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
  END`;

const QUEUEING = [
  ...definer({
    ...{ name: "sweep_rows", takes: "current integer", returns: "bigint", for: WORKER },
    body: queueing(
      "(s.raw_version > s.derived_version OR s.rows_version < current) AND NOT s.is_sealed",
      `NOT EXISTS (SELECT 1 FROM hub_queue.job j
        WHERE j.name = 'derive' AND j.singleton_key = s.account_id::text || ' ' || s.id
          AND j.state IN ('created', 'retry', 'active', 'failed'))`,
    ),
  }),
  ...definer({
    ...{ name: "reindex_rows", takes: "whose uuid", returns: "bigint", for: WORKER },
    body: queueing("NOT s.is_sealed AND (whose IS NULL OR s.account_id = whose)", "true"),
  }),
];

const WEB_TOKEN = definer({
  ...{ name: "web_token", takes: "id uuid, hash bytea", returns: "timestamptz", for: APP },
  body: `
    DECLARE mine uuid := hub.me(); allowed text[]; ends timestamptz;
    BEGIN
      SELECT t.scopes, least(now() + interval '${WEB_HOURS} hours', t.expires_at) INTO allowed, ends FROM hub.tokens t
       WHERE t.account_id = mine AND t.token_id = hub.my_token() AND t.kind <> 'web' AND octet_length($2) = 32;
      IF allowed IS NULL THEN RETURN NULL; END IF;
      INSERT INTO hub.tokens (account_id, token_id, hash, scopes, label, expires_at, kind)
        VALUES (mine, $1, $2, allowed, 'browser', ends, 'web');
      INSERT INTO hub.audit (account_id, entry_id, actor, action) VALUES (mine, gen_random_uuid(), mine, 'signed-in');
      RETURN ends;
    END`,
});

const NOTE_READ = definer({
  ...{ name: "note_read", takes: "owner uuid, session text", returns: "void", for: APP },
  body: `
    DECLARE mine uuid := hub.me(); teams uuid[] := hub.my_teams(); team uuid;
    BEGIN
      SELECT s.team_id INTO team FROM hub.sessions s WHERE s.account_id = owner AND s.id = session;
      IF owner = mine OR team IS NULL OR NOT team = ANY (teams) THEN RETURN; END IF;
      INSERT INTO hub.audit (account_id, entry_id, actor, action, subject)
        SELECT owner, gen_random_uuid(), mine, 'session-read', session
         WHERE NOT EXISTS (SELECT 1 FROM hub.audit a WHERE a.account_id = owner AND a.actor = mine
           AND a.subject = session AND a.action = 'session-read' AND a.at > now() - interval '${SAME_READING}');
    END`,
});

/** Those that take the place of others keep their signatures; a change of language or rights needs no other name. */
export const CITUS_FUNCTIONS: readonly string[] = [
  ...PLANNED,
  ...SET_LOCAL,
  ...CLOCK,
  ...[...ASK, ...QUEUEING, ...WEB_TOKEN, ...NOTE_READ].map((statement) =>
    statement.replace(/^CREATE FUNCTION/, "CREATE OR REPLACE FUNCTION"),
  ),
];
