/** Looks at a home that was written somewhere, as its program will: its sessions are found, hashed and read there. */
import { join } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { ScratchFile } from "../../platform/disk/scratch-file.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { inspectDatabase } from "../../platform/sqlite/copy.ts";
import type { Catalog, PlacedHome } from "../../sources/catalog.ts";
import { openHomeArchive } from "./archive.ts";
import type { MigrationFacts } from "./core.ts";
import { digestSessions, findMissing, type SessionDigest } from "./sessions.ts";

export interface Proof {
  /** Found and read where they are now. */
  readonly sessions: number;
  readonly turns: number;
}

interface Written {
  readonly catalog: Catalog;
  readonly root: string;
  readonly fs: SessionFs;
}

/** What was written is held against what the source had, file by file; nothing that was only planned counts. */
export async function prove(
  catalog: Catalog,
  home: PlacedHome,
  facts: MigrationFacts,
  wanted: readonly SessionDigest[],
  newScratch: () => ScratchFile,
): Promise<Proof> {
  const { to } = facts;
  const written: Written = facts.isArchive
    ? await openHomeArchive(catalog, home, to, newScratch())
    : { catalog: catalog.at(home.source, to), root: to, fs: catalog.fs };
  if (!facts.isArchive) proveDatabases(facts);
  const found = await digestSessions(written.catalog, written.root, (_, file) => hashOf(written.fs, file));
  const missing = findMissing(wanted, found);
  if (missing !== undefined) throw differs(missing, facts);
  let turns = 0;
  const sink = { event: () => undefined, problem: () => undefined }; // what was damaged was copied as it is
  for (const artifact of (await written.catalog.scan()).artifacts)
    turns += (await written.catalog.read(artifact, sink, { skim: true })).turns;
  return { sessions: found.length, turns };
}

function proveDatabases(facts: MigrationFacts): void {
  for (const [name, rows] of Object.entries(facts.databases)) {
    let found: object;
    try {
      found = inspectDatabase(join(facts.to, name));
    } catch (error) {
      throw differs(`a damaged ${name} (${reasonOf(error)})`, facts);
    }
    if (JSON.stringify(found) !== JSON.stringify(rows)) throw differs(`other rows in ${name}`, facts);
  }
}

const differs = (what: string, { from, to }: MigrationFacts): AppError =>
  new AppError("write-unverified", `${to} has ${what}, so it is not a copy of ${from}`, {
    say: "Undo it and try again",
    remedy: { action: "undo" },
  });
