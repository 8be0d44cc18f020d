/** The row of a machine that pushes: made with its first push, and marked as seen. */
import type { Transaction } from "../database/connect.ts";
import { prepared } from "../database/prepared.ts";
import type { MachineName } from "../protocol.ts";

/** What has to be written about it, if anything. */
export type MachineNews = "unknown" | "outdated" | undefined;

/** Its `seen_at` is exact to the minute, so that the pushes of one machine do not wait for each other. */
const FIND = prepared(
  `SELECT name <> $3 OR seen_at < now() - interval '1 minute' AS is_outdated
     FROM hub.machines WHERE account_id = $1 AND machine_id = $2`,
);

export async function findMachine(
  tx: Transaction,
  account: string,
  { id, name }: MachineName,
): Promise<MachineNews> {
  const [row] = await tx.query(FIND, [account, id, name]);
  if (!row) return "unknown";
  return row.is_outdated === true ? "outdated" : undefined;
}

const ADD = prepared(
  "INSERT INTO hub.machines (account_id, machine_id, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
);
const NOTE = prepared(
  "UPDATE hub.machines SET name = $3, seen_at = now() WHERE account_id = $1 AND machine_id = $2",
);

export async function noteMachine(
  tx: Transaction,
  account: string,
  { id, name }: MachineName,
  news: MachineNews,
): Promise<void> {
  if (news !== undefined) await tx.change(news === "unknown" ? ADD : NOTE, [account, id, name]);
}
