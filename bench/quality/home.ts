/** Writes the corpus as the real programs would have written it, and indexes it the way every home is indexed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { demoVars, rootIn } from "../../src/demo/places.ts";
import { rebuild } from "../../src/indexer/rebuild.ts";
import type { FileImage } from "../../src/model/image.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { toFileBytes } from "../../src/platform/sqlite/key-value-db.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { type Entry, NOW } from "./corpus.ts";

/** Characters of each tool output that are searchable; as the command has it. */
const OUTPUT_HEAD = 256;

/** Indexes all entries into a store in `folder`. */
export async function indexCorpus(entries: readonly Entry[], folder: string): Promise<void> {
  for (const source of SOURCES) {
    const images: FileImage[] = [];
    for (const entry of entries)
      if (entry.source === source.id) images.push(...((await source.demo?.compose(entry.story)) ?? []));
    for (const { path, content } of (await source.demo?.merge?.(images)) ?? images) {
      const place = join(rootIn(folder, source.id), path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, toFileBytes(content));
    }
  }
  const environment = { platform: process.platform, homeDir: folder, vars: demoVars(folder) };
  const catalog = openCatalog(SOURCES, environment, localFs);
  const { indexed } = await rebuild(catalog, folder, { outputHead: OUTPUT_HEAD, now: () => NOW });
  if (indexed !== entries.length)
    throw new Error(`${indexed} of ${entries.length} sessions are in the store`);
}
