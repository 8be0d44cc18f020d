/** Sharing as functions of the owner: the rows of a session are written by others, and a team must be one's own. */
import { type Layout, partitionName } from "../../layout.ts";
import { roleName } from "../../roles.ts";
import { DERIVED_TABLES } from "../0001-hub.ts";
import { definer } from "../0002-core.ts";

const [APP, SQL] = [roleName("app"), roleName("sql")];

/** Teams of the account, whatever its token may do: who only pushes still pushes what is shared. */
const JOINED = `
  BEGIN
    RETURN (SELECT coalesce(array_agg(m.team_id), '{}') FROM hub.members m WHERE m.account_id = hub.me());
  END`;

/** One of these by its name; those of others are as unknown as those that do not exist. */
const JOINED_NAMED = `
  BEGIN
    RETURN (SELECT t.team_id FROM hub.teams t WHERE t.name = lower(wanted) AND t.team_id = ANY (hub.joined_teams()) LIMIT 1);
  END`;

/** Each session of \`mine\` that is named, or that is about the repository, is seen by the team that its shares say. */
const SETTLE = `
  DECLARE ids text[]; teams uuid[]; n bigint;
  BEGIN
    SELECT array_agg(x.id), array_agg(x.team), count(*) FILTER (WHERE x.team_id IS DISTINCT FROM x.team)
      INTO ids, teams, n
      FROM (SELECT s.id, s.team_id, (SELECT h.team_id FROM hub.shares h WHERE h.account_id = mine
                       AND (h.session_id = s.id OR lower(h.repository) = lower(s.repository))
                     ORDER BY h.session_id IS NULL, h.shared_at, h.share_id LIMIT 1) AS team
              FROM hub.sessions s
             WHERE s.account_id = mine AND (s.id = about_session OR lower(s.repository) = lower(about_repository))) x;
    ${[...DERIVED_TABLES, "raw_files", "raw_events", "sessions"]
      .map(
        (table) => `UPDATE hub.${table} r SET team_id = x.team FROM unnest(ids, teams) x(id, team)
     WHERE r.account_id = mine AND r.${table === "sessions" ? "id" : "session_id"} = x.id AND r.team_id IS DISTINCT FROM x.team;`,
      )
      .join("\n    ")}
    RETURN n;
  END`;

const REFUSE = `IF mine IS NULL OR NOT hub.may('push') THEN
      RAISE insufficient_privilege USING MESSAGE = 'the scope push is needed';
    END IF;`;

/** What is shared already with that team stays as it is. The caller holds the lock of the account. */
const SHARE = `
  DECLARE mine uuid := hub.me();
  BEGIN
    ${REFUSE}
    IF NOT team = ANY (hub.joined_teams()) THEN
      RAISE insufficient_privilege USING MESSAGE = 'no such team';
    END IF;
    IF session IS NOT NULL AND NOT EXISTS (SELECT 1 FROM hub.sessions s WHERE s.account_id = mine AND s.id = session) THEN
      RAISE insufficient_privilege USING MESSAGE = 'no such session';
    END IF;
    SELECT h.share_id INTO share_id FROM hub.shares h WHERE h.account_id = mine AND h.team_id = team
       AND h.session_id IS NOT DISTINCT FROM session AND lower(h.repository) IS NOT DISTINCT FROM lower(repository);
    IF share_id IS NULL THEN
      share_id := gen_random_uuid();
      INSERT INTO hub.shares (account_id, share_id, team_id, repository, session_id)
        VALUES (mine, share_id, team, repository, session);
      INSERT INTO hub.audit (account_id, entry_id, actor, action, subject)
        VALUES (mine, gen_random_uuid(), mine, 'shared', coalesce(repository, session));
    END IF;
    changed := hub.settle_team(mine, session, repository);
  END`;

const UNSHARE = `
  DECLARE mine uuid := hub.me(); gone hub.shares%ROWTYPE;
  BEGIN
    ${REFUSE}
    DELETE FROM hub.shares h WHERE h.account_id = mine AND h.share_id = share RETURNING * INTO gone;
    IF gone.share_id IS NULL THEN RETURN NULL; END IF;
    INSERT INTO hub.audit (account_id, entry_id, actor, action, subject)
      VALUES (mine, gen_random_uuid(), mine, 'unshared', coalesce(gone.repository, gone.session_id));
    RETURN hub.settle_team(mine, gone.session_id, gone.repository);
  END`;

const PUSHED = ["sessions", "raw_files", "raw_events"];

/** Nobody puts rows before a team that they are not in. */
const ownTeams = (table: string): string[] =>
  ["INSERT", "UPDATE"].map(
    (
      action,
    ) => `CREATE POLICY own_teams_${action.toLowerCase()} ON hub.${table} AS RESTRICTIVE FOR ${action} TO ${APP}
      WITH CHECK (team_id IS NULL OR team_id = ANY ((SELECT hub.joined_teams())::uuid[]))`,
  );

/** The same where PostgreSQL does not compare new rows with the policies: partitions on other servers. */
const GUARD_TEAM = `CREATE FUNCTION hub.guard_team() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp AS $body$
    BEGIN
      IF current_user <> '${APP}' OR NEW.team_id IS NULL THEN RETURN NEW; END IF;
      IF NEW.team_id = ANY (hub.joined_teams()) THEN RETURN NEW; END IF;
      RAISE EXCEPTION 'new row violates row-level security policy for table "%"', TG_TABLE_NAME USING ERRCODE = '42501';
    END$body$`;

const guardTeams = ({ partitions, serverOf }: Layout): string[] =>
  Array.from({ length: partitions }, (_, at) => at)
    .filter((at) => serverOf(at) !== undefined)
    .flatMap((at) =>
      PUSHED.map(
        (name) =>
          `CREATE TRIGGER guard_team BEFORE INSERT OR UPDATE ON hub.${partitionName({ name }, at)} FOR EACH ROW EXECUTE FUNCTION hub.guard_team()`,
      ),
    );

export const sharing = (layout: Layout): readonly string[] => [
  ...definer({ name: "joined_teams", takes: "", returns: "uuid[]", body: JOINED, stable: true, for: APP }),
  ...definer({
    ...{ name: "joined_team", takes: "wanted text", returns: "uuid", body: JOINED_NAMED },
    ...{ stable: true, for: APP },
  }),
  // For the owner alone: it believes whoever calls it.
  `CREATE FUNCTION hub.settle_team(mine uuid, about_session text, about_repository text) RETURNS bigint LANGUAGE plpgsql
     SET search_path = pg_catalog, pg_temp AS $body$${SETTLE}$body$`,
  "REVOKE ALL ON FUNCTION hub.settle_team(uuid, text, text) FROM PUBLIC",
  `CREATE FUNCTION hub.share(team uuid, session text, repository text, OUT share_id uuid, OUT changed bigint)
     LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
     #variable_conflict use_variable
     ${SHARE}$body$`,
  "REVOKE ALL ON FUNCTION hub.share(uuid, text, text) FROM PUBLIC",
  `GRANT EXECUTE ON FUNCTION hub.share(uuid, text, text) TO ${APP}`,
  ...definer({ name: "unshare", takes: "share uuid", returns: "bigint", body: UNSHARE, for: APP }),
  `REVOKE INSERT, UPDATE, DELETE ON hub.shares FROM ${APP}`,
  ...PUSHED.flatMap(ownTeams),
  GUARD_TEAM,
  ...guardTeams(layout),
  // The name of a machine goes with the sessions of it that one may see, which the policy of sessions decides.
  `CREATE POLICY sees_shared ON hub.machines FOR SELECT TO ${APP}, ${SQL} USING (
     account_id = ANY ((SELECT hub.my_mates())::uuid[]) AND EXISTS (SELECT 1 FROM hub.sessions s
       WHERE s.account_id = machines.account_id AND s.machine_id = machines.machine_id))`,
];
