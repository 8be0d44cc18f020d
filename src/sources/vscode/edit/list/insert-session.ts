/** Inserts session files into a workspace and its list. The files come first, so that the list never names what is not there. */
import { dirname, join } from "node:path";
import { type Draft, type Piece, type Planned, type Step, sizeOfPieces } from "../../../../model/plan.ts";
import { entryAt } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { toKeyValueDb } from "../../../../platform/sqlite/key-value-db.ts";
import { INDEX_KEY, TABLE } from "../../index-db/state-db.ts";
import { DATABASE } from "../../index-db/stores.ts";
import type { Target } from "../copy/target.ts";
import { joinSteps } from "./join-steps.ts";
import { addEntry, readList, type toEntry, toSet, warningAbout } from "./list.ts";
import { folderModeIn, storeModes } from "./neighbours.ts";

export interface NewSession {
  /** The session's own file. */
  readonly file: Planned;
  /** An older copy of it lies there. */
  readonly isThere?: boolean;
  /** What else is included: files, or folders with everything in them. */
  readonly beside?: readonly (readonly Planned[])[];
  readonly listed: ReturnType<typeof toEntry>;
}

export async function insertSession(
  fs: SessionFs,
  target: Target,
  { file, isThere = false, beside = [], listed }: NewSession,
  now: Date,
): Promise<Pick<Draft, "steps" | "losses">> {
  const store = target.home.folder ?? "";
  const others: Step[] = [];
  for (const entries of beside) others.push(await place(fs, entries, store, now));
  if (target.unopened) {
    const besides = joinSteps(others).flatMap((step) => ("entries" in step ? step.entries : []));
    const modes = await storeModes(fs, store);
    return { steps: [makeReady(target, [file, ...besides], listed, modes, now)], losses: [] };
  }
  const list = await readList(fs, target.home.database);
  const own: Step = isThere
    ? { does: "replace", path: file.path, entries: [file] }
    : await place(fs, [file], store, now);
  return {
    steps: joinSteps([own, ...others, await toSet(fs, list, [addEntry(list, listed)], now)]),
    losses: warningAbout(list),
  };
}

/** With the folders around it that the store lacks, so that they come and go together. */
export async function place(
  fs: SessionFs,
  entries: readonly Planned[],
  store: string,
  now: Date,
): Promise<Step> {
  const path = entries[0]?.path ?? store;
  const missing: Planned[] = [];
  const mode = await folderModeIn(fs, store);
  for (let parent = dirname(path); parent !== store && !(await entryAt(fs, parent)); parent = dirname(parent))
    missing.unshift({ kind: "folder", path: parent, mode, mtimeMs: now.getTime() });
  return { does: "place", path: missing[0]?.path ?? path, entries: [...missing, ...entries] };
}

/** A folder that VS Code has never opened gets all at once that it will look for when it does. */
function makeReady(
  { home, unopened }: Target,
  files: readonly Planned[],
  listed: NewSession["listed"],
  modes: Awaited<ReturnType<typeof storeModes>>,
  now: Date,
): Step {
  const folder = home.folder ?? "";
  const at = { mode: modes.folder, mtimeMs: now.getTime() };
  const index = { version: 1, entries: { [listed.sessionId]: listed } };
  const database = Buffer.from(toKeyValueDb(TABLE, { [INDEX_KEY]: JSON.stringify(index) }));
  return {
    does: "place",
    path: folder,
    entries: [
      { kind: "folder", path: folder, ...at },
      { kind: "folder", path: home.sessions, ...at },
      ...files,
      toFile(join(folder, DATABASE), [{ base64: database.toString("base64") }], now, modes.file),
      toFile(join(folder, "workspace.json"), [{ text: JSON.stringify(unopened, null, 2) }], now, modes.file),
    ],
  };
}

export const toFile = (path: string, pieces: readonly Piece[], now: Date, mode: number): Planned => ({
  kind: "file",
  path,
  mode,
  mtimeMs: now.getTime(),
  size: sizeOfPieces(pieces),
  pieces,
});
