/** `rethread hub`: makes a team's shared history, keeps its users, and logs in to it. */
import { hubKey, hubLogin, hubLogout, hubWhoami } from "../../../operations/hub/hub-login.ts";
import type { Zod } from "../../../operations/operation.ts";
import { statusFields } from "../../../server/hub/status-schema.ts";
import type { ArgSpecs } from "../../args.ts";
import { defineCommand } from "../../command.ts";
import { HUB_ACTIONS } from "../../hub/actions.ts";
import {
  addedShape,
  backupFields,
  initShape,
  rotatedShape,
  teamShape,
  teamsShape,
  usersShape,
} from "../../hub/shapes.ts";
import { SERVING_ARGS, servedShape } from "../../serving-args.ts";

export const HUB_ARGS = {
  action: {
    kind: "positional",
    choices: [
      ...["serve", "init", "user", "team", "status", "reindex", "backup", "restore", "provider"],
      ...["login", "logout", "whoami", "key"],
    ],
    help: "serve (run the hub), init (make it without serving), user and team (who may use it), status, reindex (make all rows again), backup and restore, provider (the address for applications that keep their sessions in its database); for everybody who syncs: login, logout, whoami, key",
  },
  what: {
    kind: "positional",
    optional: true,
    help: "for `user`: add, list, revoke, rotate; for `team`: add, list, join, leave; for `reindex`: a user; for `backup` and `restore`: the file; for `login`: the address; for `key`: new, show, import",
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
  ...SERVING_ARGS,
  publicUrl: {
    kind: "text",
    value: "url",
    help: "`serve`: the address under which a proxy that speaks TLS is reached; then --host may be beyond 127.0.0.1 without --tls-cert",
  },
  openMetrics: {
    kind: "flag",
    help: "`serve`: let programs on this machine read /metrics without a token",
  },
  logFormat: {
    kind: "choice",
    choices: ["text", "json", "off"],
    help: "`serve`: how requests and events are logged on stderr (default: text in a terminal, json elsewhere)",
  },
  insecure: { kind: "flag", help: "`login`: allow http to another machine, where others may read all of it" },
  newMachine: {
    kind: "flag",
    help: "`login`: give this machine an id of its own, where its data folder is a copy of another machine's",
  },
  portable: {
    kind: "flag",
    help: "`backup`: write a file that needs no pg_dump, and is compared row by row when it is restored",
  },
  newSecret: { kind: "flag", help: "`init`: give the roles of an existing hub the passwords of this secret" },
} as const satisfies ArgSpecs;

export default defineCommand({
  name: "hub",
  summary: "Run a team's shared history on PostgreSQL, and say who may use it",
  brief: "Run a team's shared history",
  about:
    "A hub keeps what a team pushes to it on PostgreSQL: an embedded server in the data folder, or your own with RETHREAD_HUB_DATABASE_URL. What people push is private unless they share it with a team, and row-level security in the database decides what each token sees. `login`, `logout`, `whoami` and `key` are for the machines that sync with it; the others are for the machine that runs it. Tokens are shown once and kept as hashes. `serve` makes the hub if there is none, and prints an address that signs its operator in. docs/hub.md is for those who run one.",
  args: HUB_ARGS,
  examples: [
    { command: "rethread hub serve", why: "run a hub with an embedded PostgreSQL server, made if it is new" },
    {
      command: "rethread hub serve --port 8787 --host 0.0.0.0 --public-url https://hub.example.com",
      why: "run it behind a proxy that speaks TLS",
    },
    {
      command: "rethread hub login https://hub.example.com",
      why: "sync with a hub from now on; the token is asked for, or taken from stdin or RETHREAD_HUB_TOKEN",
    },
    {
      command: "rethread hub key new",
      why: "make the key that seals sessions, so that the hub cannot read them",
    },
    {
      command: "rethread hub init --expires 90d",
      why: "make the hub and its first admin, and print the token",
    },
    { command: "rethread hub user add robin --scopes push,read", why: "let somebody in" },
    { command: "rethread hub user rotate robin", why: "replace a token that was lost or seen" },
    { command: "rethread hub backup hub.dump", why: "keep a copy of everything, by pg_dump" },
    { command: "rethread hub team join team robin", why: "show somebody what is shared with a team" },
    {
      command: "rethread hub provider",
      why: "print what RETHREAD_PROVIDER_URL and openHubSessions take, with the password of rethread_app in it",
    },
  ],
  operations: [hubLogin, hubLogout, hubKey, hubWhoami],
  json: [
    { when: "of `serve`, once it answers", schema: servedShape },
    { when: "of `status`", schema: (z: Zod) => z.object(statusFields(z)) },
    {
      when: "of `reindex`",
      schema: (z: Zod) => z.object({ queued: z.int().describe("sessions whose rows will be made again") }),
    },
    { when: "of `login` and `whoami`", schema: hubWhoami.output },
    { when: "of `logout`", schema: hubLogout.output },
    { when: "of `key`", schema: hubKey.output },
    { when: "of `backup`", schema: (z: Zod) => z.object(backupFields(z)) },
    {
      when: "of `restore`",
      schema: (z: Zod) => z.object({ ...backupFields(z), people: z.int(), sessionCount: z.int() }),
    },
    { when: "of `init`", schema: initShape },
    { when: "of `user add`", schema: addedShape },
    { when: "of `user rotate`", schema: rotatedShape },
    { when: "of `user list`", schema: usersShape },
    { when: "of `user revoke`", schema: (z: Zod) => z.object({ user: z.string(), tokens: z.int() }) },
    { when: "of `team add`, `team join` and `team leave`", schema: teamShape },
    { when: "of `team list`", schema: teamsShape },
    { when: "of `provider`", schema: (z: Zod) => z.object({ url: z.string() }) },
  ],
  async run(called) {
    const act = await HUB_ACTIONS[called.args.action as keyof typeof HUB_ACTIONS]();
    return act(called);
  },
});
