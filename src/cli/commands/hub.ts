/** `rethread hub`: makes a team's shared history, and keeps its users. */
import type { Zod } from "../../operations/operation.ts";
import type { ArgSpecs } from "../args.ts";
import { defineCommand } from "../command.ts";
import { HUB_ACTIONS } from "../hub/actions.ts";
import { addedShape, initShape, rotatedShape, teamShape, teamsShape, usersShape } from "../hub/shapes.ts";

export const HUB_ARGS = {
  action: {
    kind: "positional",
    choices: ["init", "user", "team"],
    help: "init (make the hub), user and team (who may use it)",
  },
  what: {
    kind: "positional",
    optional: true,
    help: "for `user`: add, list, revoke, rotate; for `team`: add, list, join, leave",
  },
  name: { kind: "positional", optional: true, help: "the user or the team" },
  user: { kind: "positional", optional: true, help: "who joins or leaves the team" },
  databaseUrl: {
    kind: "text",
    value: "url",
    help: "a PostgreSQL server of your own (15 or newer) instead of the embedded one; better in RETHREAD_HUB_DATABASE_URL, which others on the machine cannot see",
  },
  scopes: {
    kind: "list",
    value: "scope",
    help: "`user`: what the token may do: push, read, admin (default: push,read)",
  },
  expires: { kind: "text", value: "time", help: "when the token ends: 12h, 90d, 1y, never (default: 1y)" },
  team: {
    kind: "list",
    value: "name",
    help: "`user add`: the team to join (default: the only one there is); `init`: the first team",
  },
  newSecret: { kind: "flag", help: "`init`: give the roles of an existing hub the passwords of this secret" },
} as const satisfies ArgSpecs;

export default defineCommand({
  name: "hub",
  summary: "Make a team's shared history on PostgreSQL, and say who may use it",
  brief: "Make a team's shared history",
  about:
    "A hub keeps what a team pushes to it on PostgreSQL: an embedded server in the data folder, or your own with RETHREAD_HUB_DATABASE_URL. What people push is private unless they share it with a team, and row-level security in the database decides what each token sees. These commands are for the machine that runs it. Tokens are shown once and kept as hashes.",
  args: HUB_ARGS,
  examples: [
    {
      command: "rethread hub init --expires 90d",
      why: "make the hub and its first admin, and print the token",
    },
    { command: "rethread hub user add robin --scopes push,read", why: "let somebody in" },
    { command: "rethread hub user rotate robin", why: "replace a token that was lost or seen" },
    { command: "rethread hub team join team robin", why: "show somebody what is shared with a team" },
  ],
  operations: [],
  json: [
    { when: "of `init`", schema: initShape },
    { when: "of `user add`", schema: addedShape },
    { when: "of `user rotate`", schema: rotatedShape },
    { when: "of `user list`", schema: usersShape },
    { when: "of `user revoke`", schema: (z: Zod) => z.object({ user: z.string(), tokens: z.int() }) },
    { when: "of `team add`, `team join` and `team leave`", schema: teamShape },
    { when: "of `team list`", schema: teamsShape },
  ],
  async run(called) {
    const act = await HUB_ACTIONS[called.args.action as keyof typeof HUB_ACTIONS]();
    return act(called);
  },
});
