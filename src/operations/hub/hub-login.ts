/** Which hub this machine syncs with, and the key that seals sessions for it. */
import type { HubIdentity, KeyReport } from "../../app/sync/contract.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { machine } from "../schemas/sync.ts";

const identityShape = (z: Zod) =>
  z.object({
    hub: z.string().describe("its address"),
    user: z.string(),
    scopes: z.array(z.string()).describe("what the token may do: push, read, admin"),
    teams: z.array(z.string()),
    machines: z.array(machine(z)).describe("those that have pushed something"),
    machine: machine(z),
    from: z.enum(["file", "variable"]).describe("where the address and token come from"),
  });

const toIdentityJson = ({ url, user, scopes, teams, machines, machine: own, from }: HubIdentity) => ({
  ...{ hub: url, user, scopes, from },
  teams: teams.map(({ name }) => name),
  machines: machines.map(({ id, name }) => ({ id, name })),
  machine: own,
});

export const hubLogin = defineOperation({
  name: "hub-login",
  kind: "change",
  summary: "Keep the address of a hub and a token for it, once the hub accepts them",
  input: (z) =>
    z.strictObject({
      url: z.string().min(1),
      token: z.string().min(1),
      isInsecure: z
        .boolean()
        .exactOptional()
        .describe("true allows http to another machine, where others may read all of it"),
      isNewMachine: z
        .boolean()
        .exactOptional()
        .describe("true where this data folder is a copy of another machine's, which keeps its id"),
    }),
  output: identityShape,
  run: async (app, input, call) => (await app.sync()).login(input, call),
  toJson: toIdentityJson,
});

export const hubLogout = defineOperation({
  name: "hub-logout",
  kind: "change",
  summary: "Forget the hub and its token on this machine",
  input: (z) => z.strictObject({}),
  output: (z) => z.object({ wasLoggedIn: z.boolean() }),
  run: async (app, _, call) => (await app.sync()).logout(call),
  toJson: ({ wasLoggedIn }) => ({ wasLoggedIn }),
});

export const hubWhoami = defineOperation({
  name: "hub-whoami",
  kind: "question",
  summary: "Ask the hub who we are to it",
  input: (z) => z.strictObject({}),
  output: identityShape,
  run: async (app, _, call) => (await app.sync()).whoami(call),
  toJson: toIdentityJson,
});

export const hubKey = defineOperation({
  name: "hub-key",
  kind: "change",
  summary: "Make, show or import the key that seals sessions, so that the hub cannot read them",
  input: (z) =>
    z.strictObject({
      action: z.enum(["new", "show", "import"]),
      identity: z.string().exactOptional().describe("for `import`: AGE-SECRET-KEY-…"),
    }),
  output: (z) =>
    z.object({
      path: z.string().describe("the file that it is kept in"),
      recipient: z.string().describe("what sessions are sealed for; no secret"),
      identity: z.string().nullable().describe("the secret key; only with `show`"),
    }),
  run: async (app, input, call) => (await app.sync()).key(input, call),
  toJson: ({ path, recipient, identity }: KeyReport) => ({ path, recipient, identity: identity ?? null }),
});
