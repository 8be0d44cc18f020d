/** Queries about a team to start from; in the words of PostgreSQL. */
import type { NamedQuery } from "../../pages/sql/examples.ts";

export const HUB_EXAMPLES: readonly NamedQuery[] = [
  {
    name: "Who worked on what",
    sql: `SELECT person, repository, count(*) AS sessions, sum(turns) AS turns, max(active_at) AS last
  FROM session_overview
 GROUP BY 1, 2
 ORDER BY last DESC`,
  },
  {
    name: "What was asked in the last seven days",
    sql: `SELECT started_at, person, session_id, turn, repository, prompt
  FROM turn_overview
 WHERE started_at > to_char(now() - interval '7 days', 'YYYY-MM-DD') AND inherited_from IS NULL
 ORDER BY started_at DESC
 LIMIT 200`,
  },
  {
    name: "Files that several people changed",
    sql: `SELECT repository, path, count(DISTINCT person) AS people, max(seen_at) AS last
  FROM file_use
 WHERE action <> 'read'
 GROUP BY 1, 2
HAVING count(DISTINCT person) > 1
 ORDER BY people DESC, last DESC`,
  },
  {
    name: "Commands that fail most often",
    sql: `SELECT tool, label, count(*) AS failures, count(DISTINCT person) AS people
  FROM tool_use
 WHERE status = 'failed'
 GROUP BY 1, 2
 ORDER BY failures DESC
 LIMIT 50`,
  },
  {
    name: "Tokens by person, model and month",
    sql: `SELECT left(at, 7) AS month, person, model, sum(input_tokens) AS input, sum(output_tokens) AS output
  FROM model_use
 GROUP BY 1, 2, 3
 ORDER BY 1 DESC, 4 DESC`,
  },
];
