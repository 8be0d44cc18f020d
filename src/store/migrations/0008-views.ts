import { defineMigration } from "../migration.ts";

/** Promised to stay: a later migration may add columns at the end, never rename or remove one. Told in `schema.ts`. */
export default defineMigration({
  id: "0008-views",
  why: "queries that people write find what belongs together in one place, under names that stay",
  up(db) {
    db.exec(`
      CREATE VIEW session_overview AS
        SELECT s.source, s.vendor_id AS session, s.title, s.cwd AS workspace, s.repository, s.branch,
               s.created_at AS started_at, s.updated_at AS active_at, s.turn_count AS turns,
               (SELECT count(*) FROM tool_calls k WHERE k.session_id = s.id) AS tool_calls,
               (SELECT count(*) FROM session_files f WHERE f.session_id = s.id AND f.action <> 'read') AS files_changed,
               (SELECT sum(u.input_tokens) FROM assistant_usage_events u WHERE u.session_id = s.id) AS input_tokens,
               (SELECT sum(u.output_tokens) FROM assistant_usage_events u WHERE u.session_id = s.id) AS output_tokens,
               s.models, s.problem_count AS problems, s.bytes, s.resume, s.parent_id AS parent, s.parent_kind,
               s.vanished_at, s.id AS session_id
          FROM sessions s;

      CREATE VIEW turn_overview AS
        SELECT s.source, s.vendor_id AS session, s.title, s.repository, t.turn_index AS turn,
               t.timestamp AS started_at, t.ended_at,
               round(unixepoch(t.ended_at, 'subsec') - unixepoch(t.timestamp, 'subsec'), 1) AS seconds,
               t.user_message AS prompt, t.assistant_response AS answer,
               (SELECT count(*) FROM tool_calls k WHERE k.session_id = t.session_id AND k.turn_index = t.turn_index) AS tool_calls,
               t.session_id
          FROM turns t JOIN sessions s ON s.id = t.session_id;

      CREATE VIEW tool_use AS
        SELECT s.source, s.vendor_id AS session, s.title, s.repository, k.turn_index AS turn, t.timestamp AS turn_at,
               k.tool_name AS tool, k.status, k.label, k.result_size, k.sub_agent, k.session_id
          FROM tool_calls k JOIN sessions s ON s.id = k.session_id
          LEFT JOIN turns t ON t.session_id = k.session_id AND t.turn_index = k.turn_index;

      CREATE VIEW file_use AS
        SELECT s.source, s.vendor_id AS session, s.title, s.repository, f.file_path AS path, f.action,
               f.tool_name AS tool, f.turn_index AS turn, f.first_seen_at AS seen_at, f.session_id
          FROM session_files f JOIN sessions s ON s.id = f.session_id;

      CREATE VIEW model_use AS
        SELECT s.source, s.vendor_id AS session, s.title, s.repository, u.turn_index AS turn, u.created_at AS at,
               u.model, u.input_tokens, u.cache_read_tokens, u.cache_write_tokens, u.output_tokens,
               u.reasoning_tokens, u.duration_ms, u.session_id
          FROM assistant_usage_events u JOIN sessions s ON s.id = u.session_id;

      CREATE VIEW daily_use AS
        SELECT date(t.timestamp, 'localtime') AS day, s.source, s.repository,
               count(DISTINCT t.session_id) AS sessions, count(*) AS turns
          FROM turns t JOIN sessions s ON s.id = t.session_id
         WHERE t.timestamp IS NOT NULL GROUP BY 1, 2, 3;
    `);
  },
});
