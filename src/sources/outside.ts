/** The public part of sources and the catalog, smaller than what we use, so that internals can change. */
import type { SessionFs } from "../platform/fs/session-fs.ts";
import { type Catalog, openCatalog as open } from "./catalog.ts";
import { SOURCES as ALL } from "./registry.ts";
import type { Environment, Source } from "./source.ts";

/** Finds and reads the sessions of one agent; what it may leave out makes it able to do more. */
export type SessionSource = Pick<
  Source,
  "id" | "label" | "locate" | "scan" | "read" | "actionOf" | "context" | "files" | "watch"
>;

/** All sources behind one door. */
export type SessionCatalog = Pick<
  Catalog,
  "sources" | "fs" | "scan" | "read" | "context" | "files" | "owners"
>;

export const SOURCES: readonly SessionSource[] = ALL;

export const defineSource = (source: SessionSource): SessionSource => source;

export const openCatalog = (
  sources: readonly SessionSource[],
  env: Environment,
  fs: SessionFs,
): SessionCatalog => open(sources, env, fs);
