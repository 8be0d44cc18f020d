/** `rethread hub init`, `hub user` and `hub team`: who may use a hub. */

import { AppError } from "../../model/errors.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import { memberOf } from "../../model/values/member.ts";
import { plural } from "../../present/text/measure.ts";
import type { Output } from "../output.ts";
import { type HubAct, operatorOptions, refuseMore, required } from "./called.ts";

const load = () => import("../../app/hub/operator.ts");
const print = () => import("../print/answers/hub-people.ts");

export const init: HubAct = async (called) => {
  const { args, config, out } = called;
  refuseMore("init", args.what);
  const { initHub } = await load();
  const made = await initHub(config, operatorOptions(called), {
    ...(args.team[0] !== undefined && { team: args.team[0] }),
    ...(args.expires !== undefined && { expires: args.expires }),
    ...(args.newSecret && { newSecret: true }),
  });
  if (args.json) out.json({ ...made });
  else if (made.token === undefined) out.line("The roles of the hub have new passwords.");
  else {
    out.line(`The hub is ready, with the user ${made.user} and the team "${made.team}".`);
    showToken(out, made.token);
  }
  return 0;
};

const users: Readonly<Record<string, HubAct>> = {
  async add(called) {
    const { args, config, out } = called;
    refuseMore("user add <name>", args.user);
    const name = required(args.name, "a name", "user add <name>");
    const { addHubUser } = await load();
    const { teams, ...given } = await addHubUser(config, operatorOptions(called), {
      name,
      ...tokenWish(args),
      ...(args.team.length > 0 && { teams: args.team }),
    });
    if (args.json) out.json({ ...given, teams });
    else {
      out.line(
        `${given.user} may use the hub, and is in ${teams.length > 0 ? teams.join(", ") : "no team yet"}.`,
      );
      if (teams.length === 0)
        out.note(`Show them what a team shares: ${shellLine`rethread hub team join <team> ${given.user}`}`);
      showToken(out, given.token);
    }
    return 0;
  },
  async list(called) {
    const { args, config, out } = called;
    refuseMore("user list", args.name);
    const { listHubUsers } = await load();
    const found = await listHubUsers(config, operatorOptions(called));
    if (args.json) out.json({ users: found });
    else for (const line of (await print()).printUsers(found, config.now(), out)) out.line(line);
    return 0;
  },
  async revoke(called) {
    const { args, config, out } = called;
    refuseMore("user revoke <name>", args.user);
    const { revokeHubUser } = await load();
    const name = required(args.name, "a name", "user revoke <name>");
    const done = await revokeHubUser(config, operatorOptions(called), name);
    if (args.json) out.json(done);
    else
      out.line(
        `${done.user} may no longer use the hub (${plural(done.tokens, "token", "tokens")} ended). What was pushed is still there.`,
      );
    return 0;
  },
  async rotate(called) {
    const { args, config, out } = called;
    refuseMore("user rotate <name>", args.user);
    const { rotateHubUser } = await load();
    const name = required(args.name, "a name", "user rotate <name>");
    const given = await rotateHubUser(config, operatorOptions(called), { name, ...tokenWish(args) });
    if (args.json) out.json({ ...given });
    else {
      out.line(
        `${given.user} has a new token (${plural(given.revoked, "earlier one", "earlier ones")} ended).`,
      );
      showToken(out, given.token);
    }
    return 0;
  },
};

const teams: Readonly<Record<string, HubAct>> = {
  async add(called) {
    const { args, config, out } = called;
    refuseMore("team add <name>", args.user);
    const { addHubTeam } = await load();
    const made = await addHubTeam(
      config,
      operatorOptions(called),
      required(args.name, "a name", "team add <name>"),
    );
    if (args.json) out.json(made);
    else
      out.line(
        `Added the team "${made.team}". Add people to it: ${shellLine`rethread hub team join ${made.team} <user>`}`,
      );
    return 0;
  },
  async list(called) {
    const { args, config, out } = called;
    refuseMore("team list", args.name);
    const { listHubTeams } = await load();
    const found = await listHubTeams(config, operatorOptions(called));
    if (args.json) out.json({ teams: found });
    else for (const line of (await print()).printTeams(found, out)) out.line(line);
    return 0;
  },
  join: (called) => move(called, "join"),
  leave: (called) => move(called, "leave"),
};

const move = async (called: Parameters<HubAct>[0], action: "join" | "leave"): Promise<number> => {
  const { args, config, out } = called;
  const usage = `team ${action} <team> <user>`;
  const team = required(args.name, "a team and a user", usage);
  const { changeHubTeam } = await load();
  const who = { team, user: required(args.user, "a user", usage) };
  const done = await changeHubTeam(config, operatorOptions(called), action, who);
  if (args.json) out.json(done);
  else out.line(`${done.user} ${action === "join" ? "is in" : "is no longer in"} ${done.team}.`);
  return 0;
};

const choose = (kind: string, acts: Readonly<Record<string, HubAct>>): HubAct => {
  const names = Object.keys(acts);
  return (called) => {
    const act = memberOf(acts, called.args.what ?? "");
    if (act) return act(called);
    throw new AppError(
      "usage",
      called.args.what === undefined
        ? `hub ${kind} needs an action`
        : `hub ${kind} has no action ${called.args.what}`,
      `Use one of ${names.join(", ")}`,
    );
  };
};

export const user = choose("user", users);
export const team = choose("team", teams);

const tokenWish = ({
  scopes,
  expires,
}: {
  readonly scopes: readonly string[];
  readonly expires: string | undefined;
}) => ({
  ...(scopes.length > 0 && { scopes }),
  ...(expires !== undefined && { expires }),
});

function showToken(out: Output, token: string): void {
  out.line(token);
  out.note("This token is shown once and kept nowhere. Its owner sets it with `rethread hub login`.");
}
