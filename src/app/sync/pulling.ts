/** Brings sessions of one's other machines here as native sessions, through the one write path. */
import { createHash } from "node:crypto";
import type { OwnSession } from "../../hub/protocol.ts";
import { toProblem } from "../../hub/sync/push.ts";
import { createSeal } from "../../hub/sync/seal.ts";
import { findLocalFiles, markOf } from "../../hub/sync/session-files.ts";
import { AppError } from "../../model/errors.ts";
import type { EditPlan, PlannedSession } from "../../model/plan.ts";
import { shellLine, toShell } from "../../model/text/shell-words.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import { createScratchFolder } from "../../platform/disk/scratch-folder.ts";
import { isAborted } from "../../platform/fs/abortable.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { IncomingFile } from "../../sources/requests.ts";
import type { PulledRecord } from "../../store/state/sync.ts";
import type { AppConfig } from "../config.ts";
import { scratchFolder } from "../edit/import.ts";
import { openCore } from "../edit/open-core.ts";
import { planLaunch } from "../launching.ts";
import { artifactsByKey } from "./candidates.ts";
import type { PulledSession, PullReport, PullRequest } from "./contract.ts";
import { findLocalFolder } from "./local-folder.ts";
import { type Login, readIdentity } from "./login.ts";
import { clientFor, type SyncAround } from "./pushing.ts";
import { type Unpacked, unpackSession } from "./unpack.ts";

type PullAround = SyncAround & { readonly login: Login; readonly config: AppConfig };

export async function pullSessions(around: PullAround, wanted: PullRequest): Promise<PullReport> {
  const { login, machine } = around;
  const client = clientFor(around, login);
  const others = (await client.own()).filter((each) => each.machine.id !== machine.id);
  const sessions: PulledSession[] = [];
  for (const session of chosen(others, wanted)) {
    const about = {
      hubSession: session.session,
      title: session.facts.title ?? "",
      machine: session.machine.name,
      source: session.source,
    };
    try {
      sessions.push({ ...about, ...(await pullOne(around, client, session, wanted)) });
    } catch (error) {
      if (
        isAborted(error) ||
        (error instanceof AppError && error.code === "hub-refused" && !session.isSealed)
      )
        throw error;
      const { source, id } = session;
      sessions.push({
        ...about,
        outcome: "left-out",
        problem: { session: { source, id }, ...toProblem(error) },
      });
    }
  }
  // Who asked for all of them asked for those that have a place here.
  const isAll = (wanted.sessions ?? []).length === 0;
  const isPartial = sessions.some(({ problem }) => problem && !(isAll && PLACELESS.has(problem.code)));
  return { hub: login.url, outcome: isPartial ? "partial" : "clean", sessions };
}

const PLACELESS: ReadonlySet<string> = new Set(["not-supported", "workspace-missing"]);

function chosen(own: readonly OwnSession[], { sessions: names = [] }: PullRequest): readonly OwnSession[] {
  if (names.length === 0) return own.filter(({ facts }) => facts.vanishedAt === undefined);
  return names.map((name) => {
    const rest = name.slice(name.indexOf(":") + 1);
    const matches = own.filter(
      ({ session, id, source }) =>
        session === name || formatKey({ source, id }) === name || (rest.length >= 4 && id.startsWith(rest)),
    );
    const [first] = matches;
    if (first && matches.length === 1) return first;
    if (matches.length > 1)
      throw new AppError(
        "session-ambiguous",
        `${matches.length} sessions on the hub match "${name}"`,
        `Name one of them: ${matches.map((each) => each.session).join(", ")}`,
      );
    throw new AppError(
      "session-not-found",
      `No session of yours from another machine matches "${name}" on the hub`,
      "See what there is: rethread sync --pull --dry-run",
    );
  });
}

/** Changes when the hub gets more of it. */
const remoteMark = ({ files }: OwnSession): string =>
  createHash("sha256")
    .update(JSON.stringify(files.filter(({ removed }) => !removed).map(({ path, sha256 }) => [path, sha256])))
    .digest("hex")
    .slice(0, 32);

async function pullOne(
  around: PullAround,
  client: ReturnType<typeof clientFor>,
  session: OwnSession,
  { to, dryRun = false, sessions: names = [] }: PullRequest,
): Promise<Omit<PulledSession, "hubSession" | "title" | "machine" | "source"> & { readonly title?: string }> {
  const { request, records, login, config } = around;
  const remote = remoteMark(session);
  const before = records.pulled(login.key).find(({ hubSession }) => hubSession === session.session);
  if (before?.remoteMark === remote) {
    const isHere = (await artifactsByKey(request)).has(formatKey(before));
    // One that was deleted here since does not come back by itself.
    if (isHere || names.length === 0) return { outcome: "unchanged", id: before.id };
  }
  await refuseUnwritable(request.catalog, session.source);
  const over = before && (await asPulled(request, before));
  const scratch = createScratchFolder(scratchFolder(request.dataFolder));
  try {
    const identity = session.isSealed ? readIdentity(request.dataFolder) : undefined;
    const seal = identity === undefined ? undefined : await createSeal(identity);
    const unpacked = await unpackSession(client, session, scratch, seal);
    const title = unpacked.facts.title ?? session.facts.title ?? "";
    const folder = to ?? over?.folder ?? (await findLocalFolder(request, unpacked.facts, config.folder));
    if (folder === undefined) throw noFolder(unpacked, session);
    const core = openCore(request, config);
    try {
      const files = await toIncoming(around, session, scratch.path, unpacked);
      const { plan, ...how } = await planTake(core.planTake, session, files, { folder, title, over });
      const about = { title, folder, id: plan.session.id, ...how };
      if (dryRun) return { ...about, outcome: plan.steps.length === 0 ? "unchanged" : "planned" };
      const operation = plan.steps.length === 0 ? undefined : (await core.apply(plan)).operation;
      const key = { source: session.source, id: plan.session.id };
      await notePulled(around, session, key, remote);
      return {
        ...about,
        outcome: operation === undefined ? "unchanged" : "pulled",
        ...(operation !== undefined && { operation }),
        ...(await resumeOf(around, key)),
      };
    } finally {
      core.close();
    }
  } finally {
    scratch.remove();
  }
}

/** At once, before anything is fetched. */
async function refuseUnwritable(catalog: Catalog, source: string): Promise<void> {
  const known = (await catalog.abilities()).find((each) => each.source === source);
  if (known && !known.cannot.some(({ change }) => change === "import")) return;
  throw new AppError(
    "not-supported",
    `Sessions of ${known?.label ?? source} can be searched on the hub, but not brought here yet`,
    "Search them there: rethread search --hub <words>",
  );
}

/** The session as its source finds it among the files, so that only what belongs to it is taken. */
async function toIncoming(
  { request }: PullAround,
  { source, id }: OwnSession,
  root: string,
  { files }: Unpacked,
): Promise<readonly IncomingFile[]> {
  const there = request.catalog.at(source, root);
  const artifact = (await there.scan()).artifacts.find((each) => each.id === id);
  if (!artifact)
    throw new AppError(
      "unreadable",
      `What the hub has of ${id} holds no session`,
      "Push it again from its machine",
    );
  const { folder, files: places } = await there.packing(artifact);
  const incoming: IncomingFile[] = [];
  for (const place of places) {
    const look = files.get(place.slice(root.length + 1).replaceAll("\\", "/"));
    const path = place.slice(folder.length + 1).replaceAll("\\", "/");
    const { size } = await there.fs.stat(place);
    if (look)
      incoming.push({
        ...{ path, mode: look.mode, mtimeMs: look.mtimeMs, size },
        pieces: size === 0 ? [] : [{ file: place, start: 0, end: size }],
      });
  }
  return incoming;
}

type PlanTake = ReturnType<typeof openCore>["planTake"];

interface Taken {
  readonly plan: EditPlan;
  readonly isCopy?: true;
  readonly isUpdate?: true;
}

/**
 * What was pulled and is here as it came goes on in its place. What differs otherwise under the same id stays as it is:
 * then the session comes as another one.
 */
async function planTake(
  take: PlanTake,
  { source, id, machine }: OwnSession,
  files: readonly IncomingFile[],
  {
    folder,
    title,
    over,
  }: { readonly folder: string; readonly title: string; readonly over: PulledBefore | undefined },
): Promise<Taken> {
  const from = { source, id, ...(title !== "" && { title }) };
  const name = title === "" ? {} : { name: `${title} (from ${machine.name})` };
  try {
    if (!over) return { plan: await take(from, files, { to: folder }) };
    const called = over.id === id ? {} : name;
    return { plan: await take(from, files, { to: folder, over, ...called }), isUpdate: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "session-exists") throw error;
    return { plan: await take(from, files, { to: folder, newId: true, ...name }), isCopy: true };
  }
}

type PulledBefore = PlannedSession & { readonly files: readonly string[]; readonly folder?: string };

/** The session that was pulled, where nobody has changed it since. */
async function asPulled(
  request: PullAround["request"],
  { source, id, localMark }: PulledRecord,
): Promise<PulledBefore | undefined> {
  const artifact = (await artifactsByKey(request)).get(formatKey({ source, id }));
  if (!artifact) return undefined;
  const local = await findLocalFiles(request.catalog, artifact);
  if (markOf(local) !== localMark) return undefined;
  const { folder } = await planLaunch(request.catalog, artifact).catch(() => ({ folder: undefined }));
  return {
    ...{ source, id, path: artifact.path, files: local.files.map(({ place }) => place) },
    ...(folder !== undefined && { folder }),
  };
}

/** As it is now, it need not be pushed: the hub has it. */
async function notePulled(
  { request, records, login }: PullAround,
  { session }: OwnSession,
  key: SessionKey,
  remote: string,
): Promise<void> {
  const artifact = (await artifactsByKey(request)).get(formatKey(key));
  const local = artifact ? markOf(await findLocalFiles(request.catalog, artifact)) : "";
  records.notePulled(login.key, { ...key, hubSession: session, remoteMark: remote, localMark: local });
}

async function resumeOf({ request }: PullAround, key: SessionKey): Promise<{ readonly resume?: string }> {
  const artifact = (await artifactsByKey(request)).get(formatKey(key));
  if (!artifact) return {};
  try {
    const { folder, words } = await planLaunch(request.catalog, artifact);
    const start = toShell(words);
    return { resume: folder === undefined ? start : `cd ${toShell([folder])} && ${start}` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {}; // its program has no such command
  }
}

const noFolder = ({ facts }: Unpacked, { session }: OwnSession): AppError =>
  new AppError(
    "workspace-missing",
    facts.repository === undefined
      ? `It belongs to no repository, and ${facts.workspace ?? "its folder"} is not on this machine`
      : `No clone of ${facts.repository} is known on this machine`,
    `${facts.repository === undefined ? "Name a folder" : "Run `rethread sync --pull` in a clone of it, or name a folder for one session"}: ${shellLine`rethread sync --pull ${session}`} --to <folder>`,
  );
