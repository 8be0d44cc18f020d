/** Shows sessions on the hub to a team, and takes that back: all that is named is found before anything changes. */

import type { HubClient, HubShare } from "../../hub/sync/hub-client.ts";
import { AppError } from "../../model/errors.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import { toRepositoryName } from "../../model/values/repository.ts";
import type { ShareChange, ShareReport, ShareRequest } from "./contract.ts";
import { findTarget, type HubAround } from "./deleting.ts";
import { clientFor } from "./pushing.ts";

type Target = Pick<ShareChange, "repository" | "session" | "title">;

/** What is asked for, with what the hub has already. */
interface Asked {
  readonly client: HubClient;
  readonly own: OwnOnHub;
  readonly shares: readonly HubShare[];
  readonly targets: readonly Target[];
  readonly isDry: boolean;
}

export async function shareOnHub(
  around: HubAround,
  { repositories = [], sessions = [], team, dryRun = false, isOver = false }: ShareRequest,
): Promise<ShareReport> {
  const client = clientFor(around, around.login);
  const shares = await client.shares();
  const found = await findTargets(around, repositories, sessions);
  if (found.length === 0 && isOver) throw nothingNamed();
  const own = await ownOnHub(client, found.length > 0 || shares.some(({ session }) => session !== undefined));
  const titled = <T extends Target>(each: T): T => ({ ...each, title: each.title || own.titleOf(each) });
  const asked: Asked = { client, own, shares, targets: found.map(titled), isDry: dryRun };
  const changes =
    found.length === 0
      ? shares.map((share) => ({ ...titled({ ...share, title: "" }), outcome: "unchanged" as const }))
      : isOver
        ? await unshare(asked, team)
        : await share(asked, team);
  return {
    hub: around.login.url,
    shares: changes.map((each) => ({ ...each, isSealed: own.isSealed(each) })),
  };
}

const known = ({ shares }: Asked, target: Target): HubShare | undefined =>
  shares.find((each) => isOf(each, target));

async function unshare(asked: Asked, team: string | undefined): Promise<ShareChange[]> {
  const { client, own, shares, targets, isDry } = asked;
  /** A session of a repository that is shared, too. */
  const sharedWith = (target: Target): string | undefined => {
    const repository = own.repositoryOf(target);
    const whole = shares.find((each) => each.session === undefined && same(each.repository, repository));
    const isOverAsWell = targets.some((each) => same(each.repository, repository));
    return whole && !isOverAsWell ? whole.repository : undefined;
  };
  const over = targets.map((target) => {
    const share = known(asked, target);
    if (!share || (team !== undefined && !isTeam(share, team))) throw notShared(target, sharedWith(target));
    const stillBy = sharedWith(target);
    return { ...share, title: target.title, ...(stillBy !== undefined && { stillBy }) };
  });
  const changes: ShareChange[] = [];
  for (const share of over) {
    const outcome = isDry ? "planned" : "unshared";
    const changed = isDry ? share.sessionCount : await client.unshare(share.id);
    changes.push({ ...share, changed, outcome });
  }
  return changes;
}

async function share(asked: Asked, team: string | undefined): Promise<ShareChange[]> {
  const { client, own, targets, isDry } = asked;
  for (const target of targets)
    if (target.session !== undefined && !own.has(target.session)) throw notThere(target.session);
  const name = team ?? (await onlyTeam(client));
  for (const target of targets) {
    const before = known(asked, target);
    if (before && !isTeam(before, name)) throw otherTeam(target, before);
  }
  const changes: ShareChange[] = [];
  for (const target of targets) {
    const before = known(asked, target);
    const { title } = target;
    if (before) changes.push({ ...before, title, outcome: "unchanged" });
    else if (isDry)
      changes.push({ ...target, team: name, sessionCount: own.count(target), outcome: "planned" });
    else
      changes.push({
        ...(await client.share({ team: name, ...wishOf(target) })),
        ...{ title, outcome: "shared" },
      });
  }
  return changes;
}

async function findTargets(
  around: HubAround,
  repositories: readonly string[],
  sessions: readonly string[],
): Promise<readonly Target[]> {
  const targets: Target[] = repositories.map((text) => ({
    repository: toRepositoryName(text.trim()) ?? text.trim(),
    title: "",
  }));
  for (const name of new Set(sessions)) {
    const { hubSession, title } = await findTarget(around, name);
    targets.push({ session: hubSession, title });
  }
  return targets;
}

const same = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one.toLowerCase() === other?.toLowerCase();
const isTeam = ({ team }: HubShare, name: string): boolean => same(team, name.trim());
const isOf = (share: HubShare, { repository, session }: Target): boolean =>
  session === undefined ? same(repository, share.repository) : session === share.session;
const wishOf = ({ repository, session }: Target) => ({
  ...(repository !== undefined && { repository }),
  ...(session !== undefined && { session }),
});

/** What the hub has of this account. */
interface OwnOnHub {
  has(session: string): boolean;
  /** How many sessions are meant. */
  count(target: Target): number;
  titleOf(target: Target): string;
  repositoryOf(target: Target): string | undefined;
  isSealed(target: Target): boolean;
}

async function ownOnHub(client: HubClient, isNeeded: boolean): Promise<OwnOnHub> {
  const sessions = new Map((isNeeded ? await client.own() : []).map((each) => [each.session, each]));
  const of = ({ session = "" }: Target) => sessions.get(session);
  return {
    has: (session) => sessions.has(session),
    count: (target) =>
      target.session === undefined
        ? [...sessions.values()].filter(({ facts }) => same(facts.repository, target.repository)).length
        : Number(sessions.has(target.session)),
    titleOf: (target) => of(target)?.facts.title ?? "",
    repositoryOf: (target) => of(target)?.facts.repository,
    isSealed: (target) => of(target)?.isSealed === true,
  };
}

async function onlyTeam(client: HubClient): Promise<string> {
  const { teams } = await client.me();
  const [only] = teams;
  if (only && teams.length === 1) return only.name;
  throw teams.length === 0
    ? new AppError(
        "team-not-found",
        "You are in no team on the hub",
        "Ask an admin of the hub to add you to one",
      )
    : new AppError(
        "usage",
        `You are in ${teams.length} teams: ${teams.map(({ name }) => name).join(", ")}`,
        "Name one of them: --team <team>",
      );
}

const nothingNamed = (): AppError =>
  new AppError("usage", "No repository or session is named", "See what you share: rethread sync share");

const nameOf = ({ repository, session, title }: Target): string =>
  repository ?? (title === "" ? String(session) : `"${title}"`);

const notShared = (target: Target, by: string | undefined): AppError =>
  by === undefined
    ? new AppError(
        "share-not-found",
        `You do not share ${nameOf(target)}`,
        "See what you share: rethread sync share",
      )
    : new AppError(
        "share-not-found",
        `${nameOf(target)} is shared with all of ${by}, and not by itself`,
        `Share that repository no longer: ${shellLine`rethread sync unshare ${by}`}`,
      );

const otherTeam = (target: Target, { team }: HubShare): AppError =>
  new AppError(
    "share-exists",
    `You share ${nameOf(target)} with the team "${team}" already, and one team sees a session`,
    "Take that back first (rethread sync unshare), then share it with this team",
  );

const notThere = (session: string): AppError =>
  new AppError(
    "session-not-found",
    `The hub has no session ${session} of yours`,
    "Send it first: rethread sync",
  );
