/** From which workspace to which a session moves, and which paths change with that. */
import { basename, dirname } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { type Relocation, relocate } from "../../../../model/values/relocate.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { MoveRequest } from "../../../requests.ts";
import { SOURCE } from "../../format/problems.ts";
import { isList, isUntitled, readWorkspace, type Workspace } from "../../index-db/workspace.ts";
import { homeOf } from "../copy/session-home.ts";
import { findTarget, type Target } from "../copy/target.ts";

export interface Route extends Relocation {
  readonly target: Target;
  /** Files have the same paths as before. */
  readonly isSamePlace: boolean;
  /** How addresses change; undefined when they do not, or when it is unknown. */
  readonly relocation?: Relocation;
}

export async function findRoute(fs: SessionFs, artifact: Artifact, request: MoveRequest): Promise<Route> {
  const { root = artifact.root } = request;
  const near = root === artifact.root ? artifact : { root, path: "" };
  const { folder } = homeOf(artifact);
  const own = folder === undefined ? undefined : await placeOf(fs, folder);
  const wanted = request.workspace ?? (await folderFor(fs, own, request));
  const target = await findTarget(fs, near, wanted);
  const there = target.unopened ? { name: wanted, isLocal: true } : await placeOf(fs, target.home.folder);
  const [from, to] = [own?.name ?? "", there?.name ?? wanted];
  const isFolderMoved = request.from !== undefined && request.workspace === undefined;
  const isSamePlace = from === to || (!isFolderMoved && (await isBesideFiles(fs, from, to)));
  const relocation = isSamePlace ? undefined : relocationOf(own, there, request);
  return { target, from, to, isSamePlace, ...(relocation && { relocation }) };
}

/** Told by its `workspace.json`; one that cannot be read says nothing. */
const placeOf = async (fs: SessionFs, folder: string | undefined): Promise<Workspace | undefined> =>
  folder === undefined ? undefined : readWorkspace(fs, folder, () => undefined);

/** Where the session's own folder is now. */
async function folderFor(
  fs: SessionFs,
  own: Workspace | undefined,
  { from, to }: MoveRequest,
): Promise<string> {
  const folder = (from === undefined ? undefined : relocate(own?.name ?? "", { from, to })) ?? to;
  if (await fs.exists(folder)) return folder;
  throw new AppError("usage", `${folder} does not exist here, so VS Code's id for it is not known`, {
    say: "Name a folder on this machine, or the id of a workspace",
    remedy: { action: "workspaces", args: { source: SOURCE } },
  });
}

/** What a list of folders names stays where it is, unless the list went along with the folder around it. */
async function isBesideFiles(fs: SessionFs, from: string, to: string): Promise<boolean> {
  if (isList(from) !== isList(to)) return true;
  if (!isList(from)) return false;
  return dirname(from) === dirname(to) || isUntitled(from) || isUntitled(to) || (await fs.exists(from));
}

function relocationOf(
  own: Workspace | undefined,
  there: Workspace | undefined,
  { from, to, workspace }: MoveRequest,
): Relocation | undefined {
  if (from !== undefined && workspace === undefined) return { from, to };
  if (!own?.isLocal || !there?.isLocal) return undefined;
  return isList(own.name)
    ? { from: dirname(own.name), to: dirname(there.name) }
    : { from: own.name, to: there.name };
}

/** By the folder that it is known by, such as `Code - Insiders`, or a word of it; or by the path of that. */
export function findEditor(roots: readonly string[], name: string): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const wanted = plain(name) === "stable" ? "code" : plain(name);
  const called = (root: string): string =>
    plain(basename(dirname(root)).replace(/^data$/, dirname(dirname(root))));
  return (
    roots.find((root) => [root, dirname(root)].includes(name)) ??
    roots.find((root) => called(root) === wanted) ??
    roots.find((root) => called(root) === `code${wanted}`)
  );
}
