/** Looks at a home that was written somewhere, as its program will: its sessions are found and read, its databases sound. */
import { join } from "node:path";
import { openBundle } from "../bundle/open.ts";
import { AppError } from "../model/errors.ts";
import { inspectDatabase } from "../platform/database-copy.ts";
import { localFs } from "../platform/local-fs.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { MigrationFacts } from "./migrate-app.ts";

export interface Proof {
  /** Read where they are now. */
  readonly sessions: number;
  readonly turns: number;
}

export async function prove(target: Catalog, facts: MigrationFacts): Promise<Proof> {
  if (facts.isArchive) {
    // Its bytes were compared already; this says that they can be unpacked, each file to its hash.
    await openBundle(localFs, facts.to);
    return { sessions: facts.sessions, turns: 0 };
  }
  for (const [name, rows] of Object.entries(facts.databases)) {
    const found = inspectDatabase(join(facts.to, name));
    if (JSON.stringify(found) !== JSON.stringify(rows)) throw differs(`other rows in ${name}`, facts);
  }
  const { artifacts } = await target.scan();
  if (artifacts.length !== facts.sessions)
    throw differs(`${artifacts.length} sessions instead of ${facts.sessions}`, facts);
  let turns = 0;
  const sink = { event: () => undefined, problem: () => undefined }; // what was damaged came along as it was
  for (const artifact of artifacts) turns += (await target.read(artifact, sink, { skim: true })).turns;
  return { sessions: artifacts.length, turns };
}

const differs = (what: string, { from, to }: MigrationFacts): AppError =>
  new AppError(
    "write-unverified",
    `${to} has ${what}, so it is not what ${from} is`,
    "Take it back and try again: rethread undo",
  );
