/** Queries to start from, each of which answers a question that people have. */
export interface NamedQuery {
  readonly name: string;
  readonly sql: string;
}

export const EXAMPLES: readonly NamedQuery[] = [
  {
    name: "Sessions with the most tool calls",
    sql: `SELECT source, session, title, repository, turns, tool_calls
  FROM session_overview
 ORDER BY tool_calls DESC
 LIMIT 50`,
  },
  {
    name: "What was asked in the last seven days",
    sql: `SELECT started_at, source, session, turn, repository, prompt
  FROM turn_overview
 WHERE started_at > datetime('now', '-7 days') AND inherited_from IS NULL
 ORDER BY started_at DESC`,
  },
  {
    name: "Files changed most often",
    sql: `SELECT path, count(DISTINCT session_id) AS sessions, max(seen_at) AS last
  FROM file_use
 WHERE action <> 'read'
 GROUP BY path
 ORDER BY sessions DESC, last DESC
 LIMIT 50`,
  },
  {
    name: "Commands that fail most often",
    sql: `SELECT tool, label, count(*) AS failures
  FROM tool_use
 WHERE status = 'failed'
 GROUP BY tool, label
 ORDER BY failures DESC
 LIMIT 50`,
  },
  {
    name: "Tokens by model and month",
    sql: `SELECT substr(at, 1, 7) AS month, model,
       sum(input_tokens) AS input, sum(output_tokens) AS output
  FROM model_use
 GROUP BY 1, 2
 ORDER BY 1 DESC, 2`,
  },
  {
    name: "How busy each weekday is",
    sql: `SELECT CASE strftime('%w', day)
         WHEN '0' THEN 'Sunday' WHEN '1' THEN 'Monday' WHEN '2' THEN 'Tuesday' WHEN '3' THEN 'Wednesday'
         WHEN '4' THEN 'Thursday' WHEN '5' THEN 'Friday' ELSE 'Saturday' END AS weekday,
       sum(turns) AS turns
  FROM daily_use
 GROUP BY strftime('%w', day)
 ORDER BY strftime('%w', day)`,
  },
  {
    name: "Turns about a word",
    sql: `SELECT s.source, s.vendor_id AS session, s.title,
       snippet(search_index, 0, '[', ']', '…', 12) AS found
  FROM search_index JOIN sessions s ON s.id = search_index.session_id
 WHERE search_index MATCH 'test'
 ORDER BY rank
 LIMIT 50`,
  },
];
