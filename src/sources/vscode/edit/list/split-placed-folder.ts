/** Splits a placed folder into per-file steps, so that undo removes only our files. */
import { basename } from "node:path";
import type { PlaceStep, Step } from "../../../../model/plan.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { newCopy } from "../../../../platform/sqlite/copy-name.ts";
import type { ReadPlanned } from "../../../editor.ts";
import { INDEX_KEY, TABLE } from "../../index-db/state-db.ts";
import { DATABASE } from "../../index-db/stores.ts";
import { entriesIn } from "./join-steps.ts";

/** The file that identifies the workspace is kept, because others may use the folder. */
const KEPT = ["workspace.json", DATABASE];

/** Files first, then the list, as if they had been put there one by one; nothing for what is no folder. */
export async function splitPlacedFolder(
  fs: SessionFs,
  { entries, hideout }: PlaceStep,
  now: Date,
  bytesOf: ReadPlanned,
): Promise<Step[]> {
  if (entries[0]?.kind !== "folder") return [];
  const near = hideout === undefined ? {} : { hideout };
  const files = entries.filter(({ kind, path }) => kind !== "folder" && !KEPT.includes(basename(path)));
  const databases = entries.filter(({ path }) => basename(path) === DATABASE);
  const lists: Step[] = [];
  for (const database of databases)
    lists.push({
      does: "set",
      path: database.path,
      table: TABLE,
      cells: Object.entries(entriesIn(await bytesOf(database))).map(([id, entry]) => ({
        key: INDEX_KEY,
        at: ["entries", id],
        before: null,
        after: JSON.stringify(entry),
      })),
      copy: await newCopy(fs, database.path, now),
      ...near,
    });
  return [
    ...files.map((entry): Step => ({ does: "place", path: entry.path, entries: [entry], ...near })),
    ...lists,
  ];
}
