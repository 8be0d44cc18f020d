/** Where each source keeps its sessions on this machine: found out once, without looking at the disk. */
import type { SourceId } from "../../model/session/session.ts";
import { memberOf } from "../../model/values/member.ts";
import type { McpSettings } from "../mcp-settings.ts";
import { type Environment, type HomeLayout, rootsOf, type Source, type VendorStore } from "../source.ts";

export interface SourceRoots {
  readonly source: SourceId;
  readonly label: string;
  readonly roots: readonly string[];
  /** The variable that leads to other roots. */
  readonly variable?: string;
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

/** A program that can be told of MCP servers, and where. */
export interface PlacedMcpSettings {
  readonly source: SourceId;
  readonly label: string;
  /** The roots that have settings, and their files. */
  readonly files: readonly { readonly root: string; readonly path: string }[];
  readonly settings: McpSettings;
}

export interface PlacedSources {
  readonly env: Environment;
  readonly placed: readonly { readonly source: Source; readonly roots: readonly string[] }[];
  readonly sources: readonly SourceRoots[];
  readonly vendorStores: readonly PlacedVendorStore[];
  readonly homes: readonly PlacedHome[];
  readonly mcpSettings: readonly PlacedMcpSettings[];
  /** The variables that lead to the sessions of all programs, as far as they are set. */
  readonly placeVars: Readonly<Record<string, string>>;
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
      ...(source.variables?.[0] !== undefined && { variable: source.variables[0] }),
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
    mcpSettings: placed.flatMap(({ source: { id, label, mcp }, roots }) => {
      const files = roots.flatMap((root) => {
        const path = mcp?.file(env, root);
        return path === undefined ? [] : [{ root, path }];
      });
      return mcp ? [{ source: id, label, files, settings: mcp }] : [];
    }),
    placeVars: Object.fromEntries(
      sources
        .flatMap(({ variables = [] }) => variables)
        .flatMap((name) => {
          const value = memberOf(env.vars, name);
          return value ? [[name, value] as const] : [];
        }),
    ),
    newSessionFolders: placed.flatMap(({ source, roots }) =>
      roots.flatMap((root) => source.watch?.newSessionFolders?.(root) ?? []),
    ),
  };
}
