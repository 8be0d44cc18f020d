/** Who asks, as the database sees it: policies hide rows without a word, so what is refused is said here. */
import { AppError } from "../../model/errors.ts";
import type { Transaction } from "../database/connect.ts";
import { prepared } from "../database/prepared.ts";

const ME = prepared("SELECT hub.me() AS me");
const SCOPE = prepared("SELECT hub.me() AS me, hub.may($1) AS may");

export type Scope = "push" | "read" | "admin";

/** The account, if its token is valid and may do that. */
export async function requireScope(tx: Transaction, scope: Scope): Promise<string> {
  const [row] = await tx.query(SCOPE, [scope]);
  if (typeof row?.me !== "string")
    throw new AppError(
      "not-signed-in",
      "The hub does not know that token",
      "Ask an admin of the hub for one",
    );
  if (row.may !== true)
    throw new AppError(
      "hub-refused",
      `That token does not allow to ${scope}`,
      `Ask an admin of the hub for a token with the scope ${scope}`,
    );
  return row.me;
}

/** The account behind a valid token, whatever it may do: its own sessions it sees in any case. */
export async function requireAccount(tx: Transaction): Promise<string> {
  const [row] = await tx.query(ME);
  if (typeof row?.me === "string") return row.me;
  throw new AppError("not-signed-in", "The hub does not know that token", "Ask an admin of the hub for one");
}

export const unknownSession = (session: string): AppError =>
  new AppError("session-not-found", `The hub has no session ${session}`, "See `rethread sync status`");
