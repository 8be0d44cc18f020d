/** An archive of a home, opened and proven, as a home that our own readers can look into where it is. */
import { join } from "node:path";
import { openBundle } from "../../bundle/open.ts";
import { createPlannedFs } from "../../edit/plan/planned-fs.ts";
import type { BundlePart } from "../../model/bundle.ts";
import type { Planned } from "../../model/plan.ts";
import type { ScratchFile } from "../../platform/disk/scratch-file.ts";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import type { Catalog, PlacedHome } from "../../sources/catalog.ts";
import * as refuse from "./refusals.ts";

export interface HomeArchive {
  readonly part: BundlePart;
  /** Relative to the home; files are pieces of the scratch file. */
  readonly entries: readonly Planned[];
  /** A folder that is not there, and the only home of a catalog that sees the archive in it. */
  readonly root: string;
  readonly catalog: Catalog;
  readonly fs: SessionFs;
}

/** Every file of it has the hash that its manifest says. */
export async function openHomeArchive(
  catalog: Catalog,
  { source, layout }: Pick<PlacedHome, "source" | "layout">,
  path: string,
  scratch: ScratchFile,
): Promise<HomeArchive> {
  const bundle = await openBundle(catalog.fs, path, scratch).catch((error: unknown) => {
    throw isErrno(error, "EISDIR", "EINVAL", "EACCES", "EPERM", "EIO") ? refuse.unopened(path, error) : error;
  });
  const { kind, parts } = bundle.manifest;
  const [part] = parts;
  if (kind !== "home" || !part) throw refuse.noHomeInside(path);
  if (part.source !== source) throw refuse.otherHome(path, part.source);
  const entries = part.entries.map((entry): Planned => {
    if (entry.kind === "folder") return entry;
    return { ...entry, pieces: entry.size === 0 ? [] : [bundle.pieceOf(part, entry)] };
  });
  if (!layout.isHome(entries.map((entry) => entry.path))) throw refuse.noHomeInside(path);
  const root = `${path}#`;
  const placed = entries.map((entry) => ({ ...entry, path: join(root, entry.path) }));
  const top: Planned = { kind: "folder", path: root, mode: 0o700, mtimeMs: 0 };
  const fs = createPlannedFs(catalog.fs, [{ does: "place", path: root, entries: [top, ...placed] }]);
  return { part, entries, root, fs, catalog: catalog.on(fs).at(source, root) };
}
