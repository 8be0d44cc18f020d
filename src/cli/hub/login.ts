/** `rethread hub login`, `logout`, `whoami` and `key`: which hub this machine syncs with, and as whom. */
import { AppError } from "../../model/errors.ts";
import { memberOf } from "../../model/values/member.ts";
import { hubKey, hubLogin, hubLogout, hubWhoami } from "../../operations/hub/hub-login.ts";
import { plural } from "../../present/text/measure.ts";
import { oneLine, wrap } from "../../present/text/text.ts";
import { type HubAct, type HubCall, refuseMore, required } from "./called.ts";

/** A token is never an argument: everybody on the machine sees those. */
export const login: HubAct = async (called) => {
  const { args, config, out, openApp } = called;
  refuseMore("login <url>", args.name);
  const url = args.what ?? config.hub.url;
  const named = required(url, "the address of the hub", "login <url>");
  const token = config.hub.token ?? (await secretFrom(called, "Token"));
  const app = await openApp();
  const me = await hubLogin.run(app, {
    ...{ url: named, token },
    ...(args.insecure && { isInsecure: true }),
    ...(args.newMachine && { isNewMachine: true }),
  });
  if (args.json) out.json(hubLogin.toJson(me, app));
  else {
    out.line(`Logged in to ${me.url} as ${oneLine(me.user)} (${me.scopes.join(", ")}).`);
    if (args.newMachine)
      out.line(`This machine is ${oneLine(me.machine.name)} (${me.machine.id.slice(0, 8)}) now.`);
    out.note(
      `Nothing is sent yet. See what would leave: rethread sync --dry-run${app.demo ? " --demo" : ""}`,
    );
  }
  return 0;
};

export const logout: HubAct = async ({ args, config, out, openApp }) => {
  refuseMore("logout", args.what);
  const app = await openApp();
  const done = await hubLogout.run(app, {});
  if (args.json) out.json(hubLogout.toJson(done, app));
  else
    out.line(
      done.wasLoggedIn
        ? "Logged out: the token is no longer on this machine. What was pushed is still on the hub."
        : "Nobody was logged in.",
    );
  if (config.hub.token !== undefined || config.hub.url !== undefined)
    out.note("RETHREAD_HUB_URL and RETHREAD_HUB_TOKEN still name a hub.");
  return 0;
};

export const whoami: HubAct = async ({ args, out, openApp }) => {
  refuseMore("whoami", args.what);
  const app = await openApp();
  const me = await hubWhoami.run(app, {});
  if (args.json) {
    out.json(hubWhoami.toJson(me, app));
    return 0;
  }
  const from = me.from === "variable" ? ", as RETHREAD_HUB_URL and RETHREAD_HUB_TOKEN say" : "";
  const teams =
    me.teams.length === 0 ? "in no team" : `in ${me.teams.map(({ name }) => oneLine(name)).join(", ")}`;
  for (const line of [
    ...wrap(`${oneLine(me.user)} on ${me.url}${from}: ${teams}; may ${me.scopes.join(", ")}.`, out.columns),
    ...wrap(
      `This machine is ${oneLine(me.machine.name)} (${me.machine.id.slice(0, 8)}); ${plural(me.machines.length, "machine has", "machines have")} pushed${me.machines.length === 0 ? "" : `: ${me.machines.map(({ name }) => oneLine(name)).join(", ")}`}.`,
      out.columns,
    ),
  ])
    out.line(line);
  return 0;
};

const keys: Readonly<Record<string, HubAct>> = {
  new: (called) => keep(called, "new"),
  import: (called) => keep(called, "import"),
  async show({ args, out, openApp }) {
    const app = await openApp();
    const shown = await hubKey.run(app, { action: "show" });
    if (args.json) out.json(hubKey.toJson(shown, app));
    else {
      out.line(shown.identity ?? "");
      out.note(
        `This is the secret key for ${shown.recipient}. Whoever has it can read your sealed sessions; keep a copy in a password manager.`,
      );
    }
    return 0;
  },
};

async function keep(called: HubCall, action: "new" | "import"): Promise<number> {
  const { args, out, openApp } = called;
  const identity =
    action === "import" ? await secretFrom(called, "Secret key (AGE-SECRET-KEY-…)") : undefined;
  const app = await openApp();
  const made = await hubKey.run(app, { action, ...(identity !== undefined && { identity }) });
  if (args.json) out.json(hubKey.toJson(made, app));
  else {
    out.line(made.recipient);
    out.note(
      action === "new"
        ? `The key is in ${made.path}. Without it nobody can read what is sealed with it: keep a copy (rethread hub key show), and import it on your other machines.`
        : `The key is in ${made.path}.`,
    );
  }
  return 0;
}

export const key: HubAct = (called) => {
  const { args } = called;
  refuseMore("key new|show|import", args.name);
  const act = memberOf(keys, args.what ?? "");
  if (act) return act(called);
  throw new AppError(
    "usage",
    args.what === undefined ? "hub key needs an action" : `hub key has no action ${args.what}`,
    `Use one of ${Object.keys(keys).join(", ")}`,
  );
};

/** Typed without being shown, or read from stdin. */
async function secretFrom({ config }: HubCall, what: string): Promise<string> {
  if (config.canAsk) return (await import("../asking.ts")).askHidden(`${what}: `);
  const text = (await (await import("../stdin-text.ts")).readStdinText()).trim();
  if (text !== "") return text;
  throw new AppError(
    "usage",
    `${what.replace(/ \(.*/, "")} is missing, and nobody is at the terminal to type it`,
    what === "Token"
      ? "Pass it on stdin, or in RETHREAD_HUB_TOKEN"
      : "Pass it on stdin: rethread hub key import < key.txt",
  );
}
