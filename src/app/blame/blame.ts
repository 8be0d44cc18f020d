/** Answers who wrote the lines of a file: opens it, asks git and the store, and reads the sessions that changed it. */
import { AppError } from "../../model/errors.ts";
import type { Artifact } from "../../model/session/session.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import { foldsCase } from "../../model/values/paths.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import { type Blame, blameFile } from "../../query/blame/blame.ts";
import { changedFiles, type EditedFiles, type FilesRequest } from "../../query/blame/changed-files.ts";
import type { EditStore, GatherParts } from "../../query/blame/gather.ts";
import { movesIn, namesBefore } from "../../query/blame/moves.ts";
import type { Disk } from "../../query/blame/same-file.ts";
import { type Why, whyOf } from "../../query/blame/why.ts";
import { locateSession } from "../../query/resolve.ts";
import { turnsOf } from "../../query/turns.ts";
import type { Catalog } from "../../sources/catalog.ts";
import {
  findChangedFiles,
  findFileEditors,
  findMoveCommands,
  findSessionFolders,
  findTurnOwners,
  findTurnsOfFiles,
} from "../../store/file-edits.ts";
import type { SessionStore } from "../../store/session-store.ts";
import { findCurrent } from "../../store/turn-ranges.ts";
import { type Call, toProgress } from "../call.ts";
import type { AppConfig } from "../config.ts";
import type { Request } from "../request.ts";
import { gitFactsOf, isIgnored } from "./git.ts";
import type { ReachParts } from "./reach.ts";
import { openTarget } from "./target.ts";

export interface BlameRequest {
  /** Absolute, or from `here`. */
  readonly file: string;
  /** The first and the last line that are wanted, counted from 1. */
  readonly from?: number;
  readonly to?: number;
  /** Say why as well; of one line. */
  readonly why?: boolean;
  /** Tell the prompt of a run of lines with the first of them only. */
  readonly brief?: boolean;
  /** The folder of the person who asks at this machine, and may read any file; others may read those of sessions. */
  readonly here?: string;
}

export interface BlameReport extends Blame {
  /** Of the one line that was asked about; nothing where no session wrote it. */
  readonly why?: Why;
  readonly isBrief: boolean;
  /** Git keeps the folder and has answered: only then a line without a commit is not committed. */
  readonly hasGit: boolean;
  /** Why git could not be asked: then lines may be committed although no commit is told. */
  readonly gitTrouble?: string;
}

export async function askBlame(
  opened: Request,
  config: AppConfig,
  request: BlameRequest,
  call: Call,
): Promise<BlameReport> {
  const { from = 1, to = Number.POSITIVE_INFINITY } = request;
  if (to < from)
    throw new AppError("usage", `Line ${to} comes before line ${from}`, "Name the first one first");
  if (request.why && from !== to)
    throw new AppError("usage", "Why a line was written is told of one line", "Name it: <file>:<line>");
  const blame = await opened.askStore({}, (store) => blameIn(store, opened, config, request, call));
  if (from > Math.max(blame.total, 1))
    throw new AppError(
      "usage",
      `${request.file} has no line ${from}: it has ${blame.total}`,
      "Name another line",
    );
  const lines = blame.lines.slice(from - 1, to);
  const [only] = request.why ? lines : [];
  const why = only?.written && (await whyWritten(opened, only.written));
  return { ...blame, lines, isBrief: request.brief ?? false, ...(why && { why }) };
}

async function blameIn(
  store: SessionStore,
  opened: Request,
  config: AppConfig,
  { file, here }: BlameRequest,
  call: Call,
): Promise<Blame & Pick<BlameReport, "hasGit" | "gitTrouble">> {
  const { catalog } = opened;
  const { fs } = catalog;
  const { db } = store;
  const guard = await opened.openGuard();
  const { vars, homeDir } = config.environment;
  const reach: ReachParts = {
    fs,
    folders: findSessionFolders(db),
    homeDir,
    isKept: (folder) => isRefused(() => guard.check(folder)),
    isIgnored: (path) => isIgnored(path, { fs, vars, ...(call.signal && { signal: call.signal }) }),
    isDemo: opened.demo !== undefined,
  };
  const target = await openTarget(file, reach, here);
  const git = await gitFactsOf(target.path, {
    fs,
    vars,
    movedFrom: (root) =>
      namesBefore(target.path, findMoveCommands(db, root, undefined).flatMap(movesIn)).map(
        ({ path }) => path,
      ),
    ...(call.signal && { signal: call.signal }),
  });
  if (git.trouble !== undefined) opened.notice(git.trouble);
  const root = git.root ?? target.folder;
  const repository = root === undefined ? undefined : (await catalog.folders.of(root))?.repository;
  const progress = toProgress(call);
  const parts: GatherParts = {
    catalog,
    store: editStore(store),
    disk: diskOf(catalog),
    locate: createLocate(opened),
    ...(progress && { onSession: progress }),
  };
  const blame = await blameFile(parts, {
    text: target.text,
    committed: git.committed,
    former: git.former,
    place: {
      path: target.path,
      worktrees: git.worktrees,
      foldsCase: foldsCase(config.environment.platform),
      ...(root !== undefined && { root }),
      ...(repository !== undefined && { repository }),
    },
  });
  return {
    ...blame,
    hasGit: git.root !== undefined && git.trouble === undefined,
    ...(git.trouble !== undefined && { gitTrouble: git.trouble }),
  };
}

function isRefused(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return true;
  }
}

export function askFiles({ askStore, catalog }: Request, request: FilesRequest): Promise<EditedFiles> {
  const find =
    ({ db }: SessionStore) =>
    (text: string, limit: number) =>
      findChangedFiles(db, text, limit);
  return askStore({}, (store) => changedFiles(find(store), diskOf(catalog), request));
}

const diskOf = ({ fs }: Pick<Catalog, "fs">): Disk => ({
  realPath: (path) => realPath(fs, path).catch(() => path),
  exists: (path) => fs.exists(path),
});

const editStore = ({ db, rowsVersion }: SessionStore): EditStore => ({
  editors: (path) => findFileEditors(db, path),
  turns: (artifact, { row, turn }) =>
    findCurrent(db, artifact, rowsVersion)?.id === row ? findTurnsOfFiles(db, row, turn) : undefined,
  owners: (row) => findTurnOwners(db, row),
  moves: (folder, repository) => findMoveCommands(db, folder, repository),
});

/** Sessions whose files are gone are looked for among our copies, once. */
function createLocate({ catalog, naming }: Request): GatherParts["locate"] {
  let kept: Promise<readonly Artifact[]> | undefined;
  return async (session) => {
    if (!session.isGone) return find(catalog, naming, session);
    kept ??= catalog.scan().then(({ artifacts }) => artifacts);
    return (await kept).find(({ source, id }) => source === session.source && id === session.id);
  };
}

async function find(
  catalog: Request["catalog"],
  naming: Request["naming"],
  key: SessionKey,
): Promise<Artifact | undefined> {
  try {
    return await locateSession(catalog, formatKey(key), undefined, naming);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return undefined; // it went between the index and now
  }
}

/** What the turn says; of a session that is gone, no more than its prompt. */
async function whyWritten(
  { catalog, naming }: Request,
  { session, turn, callId, prompt }: NonNullable<Blame["lines"][number]["written"]>,
): Promise<Why> {
  try {
    const range = { from: turn, to: turn, textLimit: 0 };
    const [found] = (await turnsOf(catalog, formatKey(session), range, { naming })).turns;
    if (found) return whyOf(found, callId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return { prompt: prompt.trim(), reasons: [] };
}
