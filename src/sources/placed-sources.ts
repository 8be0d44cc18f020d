/** Where each source keeps its sessions on this machine: found out once, without looking at the disk. */
import type { SourceId } from "../model/session/session.ts";
import { type Environment, type HomeLayout, rootsOf, type Source, type VendorStore } from "./source.ts";

export interface SourceRoots {
  readonly source: SourceId;
  readonly label: string;
  readonly roots: readonly string[];
  readonly countsCacheApart: boolean;
  /** The folders at or below the roots that are its program's own. */
  readonly ownFolders: readonly string[];
}

/** A vendor's own database, where it would be. */
export interface PlacedVendorStore {
  readonly source: SourceId;
  readonly label: string;
  readonly root: string;
  readonly store: VendorStore;
}

export interface PlacedHome {
  readonly source: SourceId;
  readonly label: string;
  readonly root: string;
  readonly layout: HomeLayout;
  /** The folders in which sessions appear, of any such home. */
  newSessionFolders(root: string): readonly string[];
}

export interface PlacedSources {
  readonly env: Environment;
  readonly placed: readonly { readonly source: Source; readonly roots: readonly string[] }[];
  readonly sources: readonly SourceRoots[];
  readonly vendorStores: readonly PlacedVendorStore[];
  readonly homes: readonly PlacedHome[];
  /** Folders in which new sessions, or their folders, appear; some may not be there yet. */
  readonly newSessionFolders: readonly string[];
}

export function placeSources(sources: readonly Source[], env: Environment): PlacedSources {
  const placed = sources.map((source) => ({ source, roots: rootsOf(source, env) }));
  return {
    env,
    placed,
    sources: placed.map(({ source, roots }) => ({
      source: source.id,
      label: source.label,
      roots,
      countsCacheApart: source.countsCacheApart ?? false,
      ownFolders: source.files?.ownFolders?.(env) ?? roots,
    })),
    vendorStores: placed.flatMap(({ source: { id, label, vendorStore }, roots }) =>
      vendorStore ? roots.map((root) => ({ source: id, label, root, store: vendorStore })) : [],
    ),
    homes: placed.flatMap(({ source: { id, label, home, watch }, roots }) =>
      home
        ? roots.map((root) => ({
            source: id,
            label,
            root,
            layout: home,
            newSessionFolders: (other: string) => watch?.newSessionFolders?.(other) ?? [],
          }))
        : [],
    ),
    newSessionFolders: placed.flatMap(({ source, roots }) =>
      roots.flatMap((root) => source.watch?.newSessionFolders?.(root) ?? []),
    ),
  };
}
