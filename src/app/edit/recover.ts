/** Undoes the interrupted writes of dead processes before a request is answered. */
import { type Recovered, recover, type WriteContext } from "../../edit/undo/recover.ts";
import { type Became, nounOf } from "../../model/plan.ts";
import type { Advice } from "../../model/remedy.ts";
import type { Clock } from "../../model/values/time.ts";
import { type Disk, localDisk } from "../../platform/disk/disk.ts";
import { localFs } from "../../platform/fs/local.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { Tell } from "../call.ts";

/** Sessions are written where they are read, if that can be: all others are on the disk. */
export const createWriteContext = (
  home: string,
  now: Clock,
  { disk = localDisk, sessions = localFs }: { readonly disk?: Disk; readonly sessions?: SessionFs } = {},
): WriteContext => ({ home, now, fs: sessions.transactions ? sessions : localFs, disk });

export async function recoverWrites(writeContext: WriteContext, catalog: Catalog, tell: Tell): Promise<void> {
  try {
    for (const recovered of await recover(writeContext, catalog)) tell(describe(recovered));
  } catch (error) {
    // Reading still works in any case, and a write will report it again.
    tell(`An interrupted write cannot be undone now: ${reasonOf(error)}`);
  }
}

function describe({ operation, kind, title, sessions, became, wasDone }: Recovered): Advice {
  const count = (wanted: Became): number => sessions.filter(({ became }) => became === wanted).length;
  const write = `The ${nounOf(kind)} of "${title}" was interrupted`;
  if (became.every((each) => each === "old")) return `${write} and has been undone`;
  if (wasDone) return `${write} when all of it was written, so it is complete (operation ${operation})`;
  if (became.every((each) => each === "new"))
    return `${write}; its result was changed since, so the write was completed (operation ${operation})`;
  if (sessions.length === 0)
    return `${write}; others have changed its files since, so they are left as they are`;
  const parts = [
    ...(count("new") > 0 ? [`${amount(count("new"))} changed since, so completed`] : []),
    ...(count("old") > 0 ? [`${amount(count("old"))} restored`] : []),
    ...(count("mixed") > 0 ? [`${amount(count("mixed"))} left as others changed it`] : []),
  ];
  return {
    say: `${write}: ${parts.join(", ")}. See`,
    remedy: { action: "history" },
    after: `, operation ${operation}`,
  };
}

const amount = (count: number): string => `${count} ${count === 1 ? "session" : "sessions"}`;
