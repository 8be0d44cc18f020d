/** The catalog of a pushed session: its files in memory, and what only its machine knows of it. */
import { posix } from "node:path";
import type { Artifact } from "../../model/session/session.ts";
import type { SessionKey } from "../../model/values/id.ts";
import { type SessionFs, statEach } from "../../platform/fs/session-fs.ts";
import { type Catalog, openCatalogAt } from "../../sources/catalog.ts";
import type { SessionFacts } from "../protocol.ts";
import { HUB_SOURCES, rootFor } from "./raw-home.ts";

/** It has this session alone, though its files may hold others: logs of sub-agents, copies. */
export function catalogOf(fs: SessionFs, key: SessionKey, facts: SessionFacts): Catalog {
  const recall = async (): Promise<string | undefined> =>
    facts.repositoryEvidence === "folder" ? facts.repository : undefined;
  const catalog = openCatalogAt(HUB_SOURCES, fs, undefined, recall);
  return {
    ...catalog,
    bornMs: async () => facts.bornMs,
    async scan() {
      const { artifacts } = await catalog.scan([key.source]);
      const found = artifacts.find(({ id }) => id === key.id) ?? (await toArtifact(fs, key, facts));
      return {
        artifacts: found ? [{ ...found, ...(facts.listed && { listed: facts.listed }) }] : [],
        // What a scan notices is about the machine: other copies, and what its program does not list.
        problems: [],
      };
    },
  };
}

/** A session that only its program's list leads to. */
async function toArtifact(
  fs: SessionFs,
  { source, id }: SessionKey,
  { path: below }: SessionFacts,
): Promise<Artifact | undefined> {
  if (below === undefined) return undefined;
  const root = rootFor(source);
  const path = posix.join(root, below);
  const [found] = await statEach(fs, [path]);
  if (!found || found instanceof Error || found.kind !== "file") return undefined;
  const { size, mtimeMs, ino } = found;
  return { source, id, root, path, fingerprint: { size, mtimeMs, ino } };
}
