/** Statements that every connection prepares once. Only for texts that never change: each is kept for as long as the connection. */

const names = new Map<string, string>();

/** Gives back the same text, which transactions know from now on. */
export function prepared(sql: string): string {
  if (!names.has(sql)) names.set(sql, `rethread_${names.size}`);
  return sql;
}

export const nameOfStatement = (sql: string): string | undefined => names.get(sql);
