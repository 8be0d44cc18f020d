/** Updates the rows of changed sessions in an agent's own database. */
import { createPlannedFs } from "../../edit/plan/planned-fs.ts";
import { sumCounts } from "../../indexer/vendor-store.ts";
import { findVendorStore, followSession, previewSession } from "../../indexer/vendor-store-follow.ts";
import { AppError } from "../../model/errors.ts";
import type { EditPlan } from "../../model/plan.ts";
import type { Advice } from "../../model/remedy.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";
import type { Catalog, PlacedVendorStore } from "../../sources/catalog.ts";
import type { Counts } from "../../store/copilot/copilot-store.ts";
import type { RowImage } from "../../store/copilot/image.ts";
import { type Followup, type Followups, openFollowups, rowsKeptBy } from "../../store/state/followups.ts";

export interface VendorRows {
  /** Whose database it is, for people. */
  readonly label: string;
  readonly path: string;
  readonly tables: Counts;
  /** Why they could not follow, and what to do about it. */
  readonly trouble?: Advice;
}

/** A writer waits up to 500 ms for the lock; a command that only passes by gives up after 50 ms. */
const PATIENCE_MS = { writer: 500, passer: 50 };

/**
 * Does what writes have left to do, and tells of each database. A write that is done does not fail for it: what cannot be
 * done now is tried again by the next rethread.
 */
export async function runFollowups(
  catalog: Catalog,
  folder: string,
  now: () => Date,
  who: keyof typeof PATIENCE_MS,
): Promise<VendorRows[]> {
  const done: VendorRows[] = [];
  try {
    const followups = openFollowups(folder, now);
    try {
      for (const followup of followups.due())
        done.push(...(await runFollowup(catalog, followups, followup, PATIENCE_MS[who])));
    } finally {
      followups.close();
    }
  } catch (error) {
    done.push({ label: "Rethread", path: folder, tables: {}, trouble: toTrouble(error) });
  }
  return joined(done);
}

async function runFollowup(
  catalog: Catalog,
  followups: Followups,
  followup: Followup,
  patienceMs: number,
): Promise<VendorRows[]> {
  const { session, before, isOlder } = followup;
  const place = await findVendorStore(catalog, session);
  const keep = (image: RowImage): void => followups.keep(followup, image);
  try {
    const options = { keep, patienceMs, isOlder, ...(before && { before }) };
    const tables = place ? await followSession(catalog, place, session, options) : {};
    followups.finish(followup);
    return place ? [{ ...nameOf(place), tables }] : [];
  } catch (error) {
    const trouble = toTrouble(error);
    if (isFinal(error)) followups.finish(followup);
    return place ? [{ ...nameOf(place), tables: {}, trouble }] : [];
  }
}

const nameOf = ({ label, root, store }: PlacedVendorStore) => ({ label, path: store.path(root) });

/** What a plan will mean for the rows of its sessions. */
export async function previewRows(
  catalog: Catalog,
  plan: EditPlan,
  folder: string,
  now: () => Date,
): Promise<VendorRows[]> {
  const planned = catalog.on(createPlannedFs(catalog.fs, plan.steps));
  const previewed: VendorRows[] = [];
  for (const session of plan.closed) {
    const place = await findVendorStore(catalog, session);
    if (!place) continue;
    try {
      const before = plan.undoes === undefined ? undefined : rowsKeptBy(folder, now, plan.undoes, session);
      previewed.push({ ...nameOf(place), tables: await previewSession(planned, place, session, before) });
    } catch (error) {
      previewed.push({ ...nameOf(place), tables: {}, trouble: toTrouble(error) });
    }
  }
  return joined(previewed);
}

/** There is no use in trying it again. */
const isFinal = (error: unknown): boolean =>
  error instanceof AppError && (error.code === "not-supported" || error.code === "unreadable");

/** Whatever it is, it never undoes or fails the write that it follows. */
function toTrouble(error: unknown): Advice {
  return isFinal(error)
    ? `its rows were not changed: ${reasonOf(error)}`
    : {
        say: `its rows cannot be updated now: ${reasonOf(error)}. The next rethread command tries again, or run`,
        remedy: { action: "index", args: { copilot: true } },
      };
}

/** One for each database. */
function joined(all: readonly VendorRows[]): VendorRows[] {
  const byPath = new Map<string, VendorRows>();
  for (const rows of all) {
    const { tables, trouble } = byPath.get(rows.path) ?? { tables: {} };
    const said = rows.trouble ?? trouble;
    byPath.set(rows.path, {
      label: rows.label,
      path: rows.path,
      tables: sumCounts(tables, rows.tables),
      ...(said !== undefined && { trouble: said }),
    });
  }
  return [...byPath.values()].filter(
    ({ tables, trouble }) => trouble !== undefined || Object.keys(tables).length > 0,
  );
}
