/** What a new demo would take away. */
import { demoFolder } from "../demo/places.ts";
import { localFs } from "../platform/fs/local.ts";
import { askJournal } from "../store/state/journal.ts";
import type { AppConfig } from "./config.ts";

export interface EarlierDemo {
  readonly folder: string;
  /** How many writes its history has. */
  readonly writes: number;
}

export async function earlierDemo({ dataHome, now }: AppConfig): Promise<EarlierDemo | undefined> {
  const folder = demoFolder(dataHome);
  if (!(await localFs.exists(folder))) return undefined;
  return { folder, writes: countWrites(folder, now) };
}

function countWrites(folder: string, now: () => Date): number {
  try {
    return askJournal(folder, now, (journal) => journal?.entries().length ?? 0);
  } catch {
    return 0; // a history that cannot be read is a reason for a new demo, not against it
  }
}
