/** Whose board is meant: a repository by its name, its address or a clone of it; without one, that of the folder. */
import { resolve } from "node:path";
import { EVERY_BRANCH, isSameRepository } from "../../model/board/item.ts";
import { AppError } from "../../model/errors.ts";
import { nameSome } from "../../model/text/name-some.ts";
import { hasDrive, isAtOrBelow, startsWithSeparator } from "../../model/values/paths.ts";
import { toRepositoryName } from "../../model/values/repository.ts";
import { readGit } from "../../platform/disk/git-folder.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import type { Catalog } from "../../sources/catalog.ts";

export interface BoardPlaceRequest {
  /** `owner/name` or a part of it, an address, or the path of a clone; by default what the folder is a clone of. */
  readonly repository?: string;
  /** `*` for what holds on every branch; by default what is checked out in the folder. */
  readonly branch?: string;
  /** Every repository and branch. */
  readonly all?: boolean;
}

/** Without a repository: all of them. Without a branch: no one in particular. */
export interface FoundPlace {
  readonly repository?: string;
  readonly branch?: string;
}

export interface PlaceParts {
  readonly catalog: Pick<Catalog, "fs" | "folders">;
  /** The current folder. */
  readonly folder: string;
  /** Only folders below it count, where the demo is read. */
  readonly within?: string;
  /** The repositories that items or sessions are about. */
  known(): Promise<readonly string[]>;
  /** What sessions in a folder say that it is a clone of, where the folder itself does not say. */
  recall(folder: string): Promise<string | undefined>;
}

export async function findPlace(request: BoardPlaceRequest, parts: PlaceParts): Promise<FoundPlace> {
  if (request.all) return {};
  const { branch } = request;
  const found =
    request.repository === undefined
      ? await placeOfFolder(parts.folder, parts)
      : await placeNamed(request.repository, parts);
  return { ...found, ...(branch !== undefined && { branch }) };
}

/** The one board that something is to be written to. Without a branch, it is for every branch. */
export async function getPlace(
  request: Omit<BoardPlaceRequest, "all">,
  parts: PlaceParts,
): Promise<{ repository: string; branch: string }> {
  const { repository, branch = EVERY_BRANCH } = await findPlace(request, parts);
  if (repository === undefined) throw noRepository(parts.folder);
  return { repository, branch };
}

async function placeNamed(text: string, parts: PlaceParts): Promise<FoundPlace> {
  const known = await parts.known();
  const name = toRepositoryName(text) ?? text;
  const same = known.find((each) => isSameRepository(each, name));
  if (same !== undefined) return withFolderBranch(same, parts);
  if (/^[.~]/.test(text) || startsWithSeparator(text) || hasDrive(text)) {
    const folder = resolve(parts.folder, text);
    const { within: _, ...anywhere } = parts;
    const found = await placeOfFolder(folder, anywhere);
    if (found.repository === undefined) throw noRepository(folder);
    return found;
  }
  const ends = `/${name.toLowerCase()}`;
  const [only, ...others] = known.filter((each) => each.toLowerCase().endsWith(ends));
  if (only !== undefined && others.length === 0) return withFolderBranch(only, parts);
  if (only !== undefined)
    throw new AppError(
      "repository-ambiguous",
      `Several repositories are called ${text}: ${nameSome([only, ...others])}`,
      "Write it as owner/name",
    );
  if (name.includes("/")) return withFolderBranch(name, parts);
  throw new AppError(
    "no-repository",
    `No session and no item is about a repository called ${text === "" ? '""' : text}`,
    "Write it as owner/name, or give the path of a clone",
  );
}

/** What is checked out in the folder counts where the folder is a clone of that very repository. */
async function withFolderBranch(repository: string, parts: PlaceParts): Promise<FoundPlace> {
  // Only git knows the branch, so sessions need not be asked.
  const here = await placeOfFolder(parts.folder, { ...parts, recall: async () => undefined });
  return here.repository !== undefined && isSameRepository(here.repository, repository)
    ? { ...here, repository }
    : { repository };
}

/** A work tree without a remote is known by its path, as Copilot CLI has it. */
async function placeOfFolder(
  folder: string,
  { catalog: { fs, folders }, within, recall }: PlaceParts,
): Promise<FoundPlace> {
  const real = await realPath(fs, folder);
  if (within !== undefined && !isAtOrBelow(real, await realPath(fs, within))) return {};
  const [git, clone] = [await readGit(fs, real), await folders.of(real)];
  const repository = clone?.repository ?? git?.root ?? (await recall(real));
  return {
    ...(repository !== undefined && { repository }),
    ...(git?.branch !== undefined && { branch: git.branch }),
  };
}

export const noRepository = (folder: string): AppError =>
  new AppError(
    "no-repository",
    `${folder} is in no repository, so it has no context board`,
    "Go to a clone of one, or name it: --repo owner/name",
  );
