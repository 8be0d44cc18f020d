/** The users and teams of a hub as tables. */
import type { HubTeam, HubUser } from "../../../app/hub/operator.ts";
import type { Page } from "../../../present/page.ts";
import { briefly } from "../../../present/text/measure.ts";
import { oneLine } from "../../../present/text/text.ts";
import { toTable } from "../terminal/table.ts";

export function printUsers(users: readonly HubUser[], now: Date, { style, columns }: Page): string[] {
  const scopesOf = ({ tokens }: HubUser): string =>
    [...new Set(tokens.flatMap(({ scopes }) => scopes))].join(", ");
  const lastUse = ({ tokens }: HubUser): string | undefined =>
    tokens
      .flatMap(({ lastUsedAt = [] }) => lastUsedAt)
      .sort()
      .at(-1);
  // That of a browser ends within a day and says nothing of the account.
  const firstEnd = ({ tokens }: HubUser): string =>
    tokens
      .filter(({ kind }, _, all) => kind === "program" || all.every((each) => each.kind !== "program"))
      .flatMap(({ expiresAt = [] }) => expiresAt)
      .sort()[0]
      ?.slice(0, 10) ?? "never";
  return toTable(
    users,
    [
      { head: "USER", text: ({ name }) => oneLine(name), paint: () => style.cyan },
      {
        head: "MAY",
        text: (user) => (user.revokedAt === undefined ? scopesOf(user) || "no token" : "revoked"),
        paint: (user) => (user.revokedAt === undefined && user.tokens.length > 0 ? plain : style.yellow),
      },
      { head: "ENDS", text: (user) => (user.tokens.length > 0 ? firstEnd(user) : ""), gives: 2 },
      { head: "USED", text: (user) => briefly(lastUse(user), now) || "–", gives: 1 },
      { head: "TEAMS", text: ({ teams }) => oneLine(teams.join(", ")), min: 10 },
    ],
    columns,
    style.dim,
  );
}

export const printTeams = (teams: readonly HubTeam[], { style, columns }: Page): string[] =>
  toTable(
    teams,
    [
      { head: "TEAM", text: ({ name }) => oneLine(name), paint: () => style.cyan },
      { head: "MEMBERS", text: ({ members }) => oneLine(members.join(", ")), min: 20 },
    ],
    columns,
    style.dim,
  );

const plain = (text: string): string => text;
