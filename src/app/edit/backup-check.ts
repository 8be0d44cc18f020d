/** Whether the backups of our writes and the archived copies of sessions can still be relied on. */
import { whileOwnLocked } from "../../edit/apply/locks.ts";
import type { WriteContext } from "../../edit/undo/recover.ts";
import { AppError } from "../../model/errors.ts";
import type { Problem } from "../../model/problem.ts";
import { type Remedy, remedyOf } from "../../model/remedy.ts";
import { formatKey } from "../../model/values/id.ts";
import type { Clock } from "../../model/values/time.ts";
import { type Audit, audit, glance, type Need } from "../../store/state/audit.ts";

export async function verifyBackups(
  { home, now, fs }: WriteContext,
  { repair }: { readonly repair: boolean },
  progress?: (done: number, total: number) => void,
): Promise<Audit> {
  const check = (): Promise<Audit> => audit(home, now, { fs, repair, ...(progress && { progress }) });
  return repair ? whileOwnLocked(home, check) : check();
}

const REMEDY: Remedy = { action: "history", args: { verify: true, repair: true } };

/**
 * Finds missing, empty or too large blocks without reading them: one problem for each write and each archived session.
 * Problems of our own database are reported for the source `rethread`.
 */
export function findBadBackups(dataFolder: string, now: Clock): Problem[] {
  try {
    return describeBad(glance(dataFolder, now));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, hint } = error;
    const remedy = remedyOf(error.advice);
    return [
      {
        code: "backup-damaged",
        source: "rethread",
        path: dataFolder,
        message,
        fix: hint,
        ...(remedy && { remedy }),
      },
    ];
  }
}

function describeBad(bad: ReturnType<typeof glance>): Problem[] {
  const affected = bad.flatMap(({ path, why, needs }) => needs.map((need) => ({ path, why, need })));
  const groups = Map.groupBy(affected, ({ need }) => need.write?.operation ?? formatKey(need.session));
  return [...groups.values()].flatMap((group): Problem[] => {
    const [first] = group;
    if (!first) return [];
    const blocks = new Set(group.map(({ path }) => path)).size;
    return [
      {
        code: "backup-damaged",
        source: first.need.session.source,
        session: first.need.session.id,
        path: first.path,
        message: `${nameOf(first.need)} lacks ${blocks === 1 ? "a block" : `${blocks} blocks`} (${first.why})`,
        remedy: REMEDY,
      },
    ];
  });
}

const nameOf = ({ write }: Need): string =>
  write ? `The backup of operation ${write.operation} (${write.kind})` : "The archived copy";
