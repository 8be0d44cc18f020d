/** What a folder is to other machines: the repository that it is a clone of, and its place in it. */
import { isAbsolute } from "node:path";
import type { ProjectPlace } from "../model/values/elsewhere.ts";
import { wayFrom, withSlashes } from "../model/values/paths.ts";
import { readGit } from "../platform/disk/git-folder.ts";
import { realPath } from "../platform/fs/fs-links.ts";
import type { Catalog } from "../sources/catalog.ts";
import { ownTops } from "../sources/machine/own-tops.ts";

/** Nothing for what is no folder of this machine, or in no repository. */
export async function projectPlace(
  { fs, folders }: Pick<Catalog, "fs" | "folders">,
  folder: string,
): Promise<ProjectPlace | undefined> {
  if (!isAbsolute(folder)) return undefined;
  const repository = (await folders.of(folder))?.repository;
  if (repository === undefined) return undefined;
  const real = await realPath(fs, folder);
  const root = (await readGit(fs, real))?.root ?? real;
  return { ...(await ownTops(fs)), repository, way: withSlashes(wayFrom(root, real) ?? "") };
}
