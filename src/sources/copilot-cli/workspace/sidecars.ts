/** Lists the files beside a session's log: the plan, checkpoints, kept files, recorded file states, the task list. */

import { isNewerThan } from "../../../model/session/newer.ts";
import type { Sidecar } from "../../../model/session/session.ts";
import { printed } from "../../../model/text/printed.ts";
import { type FolderEntry, isErrno, reasonOf, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { peek } from "../../../platform/sqlite/untouched.ts";
import { asArray, asString, isObject } from "../../log/jsonl.ts";
import { CHECKPOINT_FOLDER, CHECKPOINT_INDEX, readCheckpointTitles } from "./checkpoints.ts";
import { PLAN, under } from "./locate.ts";

type Unreadable = (path: string, why: string) => void;
type Newer = (path: string, what: string) => void;

const TASKS = "session.db";
const SNAPSHOTS = "rewind-file-snapshots";
/** The last schema of file states that we know. */
export const KNOWN_SNAPSHOTS = 1;

export async function readSidecars(
  fs: SessionFs,
  folder: string,
  unreadable: Unreadable,
  newer: Newer = () => undefined,
  /** What is in the folder, where the caller has listed it: then nothing else is asked for. */
  listed?: readonly FolderEntry[],
): Promise<Sidecar[]> {
  const names = listed && new Set(listed.map(({ name }) => name));
  const isThere = (name: string): boolean => names?.has(name) ?? true;
  const guarded = async <T>(path: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ENOTDIR")) unreadable(path, reasonOf(error));
      return undefined;
    }
  };
  const sized = async (kind: Sidecar["kind"], path: string, name: string): Promise<Sidecar[]> => {
    const stat = await guarded(path, () => fs.stat(path));
    return stat?.kind === "file" ? [{ kind, name, path, bytes: stat.size }] : [];
  };
  const filesIn = async (kind: Sidecar["kind"], name: string, wanted: (entry: FolderEntry) => boolean) => {
    if (!isThere(name)) return [];
    const path = under(folder, name);
    const entries = (await guarded(path, () => fs.readdir(path))) ?? [];
    const found: Sidecar[] = [];
    for (const entry of entries.filter(wanted))
      found.push(...(await sized(kind, under(path, entry.name), entry.name)));
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  const isFile = ({ kind }: FolderEntry): boolean => kind === "file";
  const checkpoints = await filesIn(
    "checkpoint",
    CHECKPOINT_FOLDER,
    (entry) => isFile(entry) && entry.name !== CHECKPOINT_INDEX,
  );
  const titles =
    checkpoints.length > 0
      ? await readCheckpointTitles(fs, folder, unreadable, newer)
      : new Map<number, string>();

  return [
    ...(isThere(PLAN) ? await sized("plan", under(folder, PLAN), PLAN) : []),
    ...checkpoints.map((found) => withNumber(found, titles)),
    ...(await filesIn("file", "files", isFile)),
    ...(await filesIn("research", "research", isFile)),
    ...(isThere(SNAPSHOTS) ? await readSnapshots(fs, folder, unreadable, newer) : []),
    ...(isThere(TASKS) ? await sized("tasks", under(folder, TASKS), TASKS) : []).map((found) =>
      withTasks(fs, found, unreadable),
    ),
  ];
}

/** The digits that its name begins with; its title stands in the table alone. */
function withNumber(found: Sidecar, titles: ReadonlyMap<number, string>): Sidecar {
  const digits = /^\d+/.exec(found.name)?.[0];
  if (digits === undefined) return found;
  const title = titles.get(Number(digits));
  return { ...found, number: Number(digits), ...(title !== undefined && { detail: title }) };
}

/** One for every turn that changed files; the states themselves lie in `backups/` under their hash. */
async function readSnapshots(
  fs: SessionFs,
  folder: string,
  unreadable: Unreadable,
  newer: Newer,
): Promise<Sidecar[]> {
  const path = under(folder, SNAPSHOTS, "index.json");
  let index: unknown;
  try {
    index = JSON.parse(Buffer.from(await fs.read(path)).toString("utf8"));
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR"))
      unreadable(path, error instanceof SyntaxError ? "not valid JSON" : reasonOf(error));
    return [];
  }
  if (isObject(index) && isNewerThan(index.schema, KNOWN_SNAPSHOTS))
    newer(path, `the record of file states (schema ${printed(index.schema)})`);
  const snapshots = asArray(isObject(index) ? index.snapshots : undefined).filter(isObject);
  return snapshots.map((snapshot) => {
    const count = Object.keys(isObject(snapshot.files) ? snapshot.files : {}).length;
    return {
      kind: "snapshot",
      name: asString(snapshot.userMessage) ?? asString(snapshot.snapshotId) ?? "",
      path,
      detail: `${count} ${count === 1 ? "file" : "files"}`,
      ...(asString(snapshot.eventId) !== undefined && { record: asString(snapshot.eventId) as string }),
    };
  });
}

/** The task list is a database, which only a real disk can open. */
function withTasks(fs: SessionFs, found: Sidecar, unreadable: Unreadable): Sidecar {
  if (!fs.isDisk || found.bytes === 0) return found;
  try {
    const counts = peek(found.path, (db) =>
      db.prepare("SELECT status, count(*) AS n FROM todos GROUP BY status ORDER BY status").all(),
    );
    const detail = counts.map((row) => `${row.n} ${row.status}`).join(", ");
    return detail === "" ? found : { ...found, detail };
  } catch (error) {
    // Made on demand: without a table of tasks there simply are none.
    if (!/no such table/.test(String(error))) unreadable(found.path, reasonOf(error));
    return found;
  }
}
