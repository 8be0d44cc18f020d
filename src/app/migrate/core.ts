/** A whole home taken to another folder or into one archive, and back: planned, verified, and undone as any other write. */
import { randomUUID } from "node:crypto";
import { apply } from "../../edit/apply/apply.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { Clock } from "../../model/values/time.ts";
import { localDisk } from "../../platform/disk/disk.ts";
import { createScratchFile, type ScratchFile } from "../../platform/disk/scratch-file.ts";
import { createCountingFs } from "../../platform/fs/counting.ts";
import { localFs } from "../../platform/fs/local.ts";
import type { Progress } from "../../query/heads.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { scratchFolder } from "../edit/import.ts";
import type { OutputGuard } from "../export/output-guard.ts";
import type { HomeLink } from "./home-tree.ts";
import { planMigration } from "./plan.ts";
import { type Proof, prove } from "./proof.ts";
import type { SessionDigest } from "./sessions.ts";

export interface MigrateOf {
  /** A home or an archive; this machine's own home without one. */
  readonly from?: string;
  readonly to: string;
  /** This program and its version. */
  readonly madeBy: string;
  /** Copy it although its program seems to have sessions open. */
  readonly ignoreLock?: boolean;
}

export interface Migration {
  readonly plan: EditPlan;
  /** What the copy has to hold. */
  readonly sessions: readonly SessionDigest[];
  readonly facts: MigrationFacts;
}

export interface MigrationFacts {
  readonly from: string;
  readonly to: string;
  readonly isArchive: boolean;
  readonly sessions: number;
  readonly files: number;
  readonly bytes: number;
  /** Rows of each table, by the database's name. */
  readonly databases: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What stays behind, by why. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
  /** What becomes of links: a copy of what they lead to, a link that leads to its copy, or nothing. */
  readonly links: readonly Pick<HomeLink, "path" | "target" | "becomes">[];
  /** How its program is made to use it; none for an archive. */
  readonly use?: string;
}

export interface Migrated extends Proof {
  readonly operation: string;
}

export interface MigrateOptions {
  readonly catalog: Catalog;
  /** Our own data folder. */
  readonly home: string;
  readonly now: Clock;
  /** Where relative paths start. */
  readonly folder: string;
  readonly guard: OutputGuard;
}

/** What surfaces have as `MigrateApp`, with plans handed in as they are: for the app itself and for tests. */
export interface MigrateCore {
  /** What it is made from lies in our own folder until `close`. */
  plan(request: MigrateOf, progress?: Progress): Promise<Migration>;
  apply(migration: Migration, progress?: Progress): Promise<Migrated>;
  close(): void;
}

export function createMigrateCore({ catalog, home, now, folder, guard }: MigrateOptions): MigrateCore {
  const scratches: ScratchFile[] = [];
  const newScratch = (): ScratchFile => {
    const scratch = createScratchFile(scratchFolder(home));
    scratches.push(scratch);
    return scratch;
  };
  return {
    plan: (request, progress = () => undefined) =>
      planMigration({ catalog, now: now(), folder, guard, newScratch }, request, progress),
    async apply({ plan, facts, sessions }, progress = () => undefined) {
      const operation = randomUUID().slice(0, 8);
      // Read to be copied, then once more where they were copied to.
      const total = 2 * bytesIn(plan);
      const fs = createCountingFs(localFs, (bytes) => progress(Math.min(bytes, total), total));
      const { source } = plan.session;
      const at = catalog.at(source, facts.from);
      await apply({ home, now, fs, disk: localDisk }, at, operation, plan);
      const placed = catalog.homes.find((each) => each.source === source);
      if (!placed) throw new Error(`${source} has no home`);
      return { operation, ...(await prove(catalog, placed, facts, sessions, newScratch)) };
    },
    close() {
      for (const scratch of scratches.splice(0)) scratch.remove();
    },
  };
}

const bytesIn = ({ steps }: EditPlan): number =>
  steps
    .flatMap((step) => ("entries" in step ? step.entries : []))
    .reduce((sum, entry) => sum + (entry.kind === "file" ? entry.size : 0), 0);
