/** Session files put into a store, and into VS Code's list of it: the files first, so that it never names what is not there. */
import { join } from "node:path";
import { type Draft, type Piece, type Planned, type Step, sizeOfPieces } from "../../../model/plan.ts";
import { toKeyValueDb } from "../../../platform/key-value-db.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { INDEX_KEY, TABLE } from "../state-db.ts";
import { DATABASE } from "../stores.ts";
import { addEntry, readList, type toEntry, toSet, warningAbout } from "./list.ts";
import type { Target } from "./target.ts";

export interface Newcomer {
  /** The session's own file. */
  readonly file: Planned;
  /** What else comes along: files, or folders with all that is in them. */
  readonly beside?: readonly { readonly path: string; readonly entries: readonly Planned[] }[];
  readonly listed: ReturnType<typeof toEntry>;
}

const PRIVATE = { folder: 0o700, file: 0o600 };

export async function enterStore(
  fs: SessionFs,
  target: Target,
  { file, beside = [], listed }: Newcomer,
  now: Date,
): Promise<Pick<Draft, "steps" | "losses">> {
  const files = [{ path: file.path, entries: [file] }, ...beside];
  if (target.unopened) return { steps: [makeReady(target, files, listed, now)], losses: [] };
  const list = await readList(fs, target.home.database);
  return {
    steps: [
      ...files.map((each) => ({ does: "place" as const, ...each })),
      toSet(list, [addEntry(list, listed)], now),
    ],
    losses: warningAbout(list),
  };
}

/** A folder that VS Code has never opened gets all at once that it will look for when it does. */
function makeReady(
  { home, unopened }: Target,
  files: readonly { readonly entries: readonly Planned[] }[],
  listed: Newcomer["listed"],
  now: Date,
): Step {
  const folder = home.folder ?? "";
  const at = { mode: PRIVATE.folder, mtimeMs: now.getTime() };
  const index = { version: 1, entries: { [listed.sessionId]: listed } };
  const database = Buffer.from(toKeyValueDb(TABLE, { [INDEX_KEY]: JSON.stringify(index) }));
  return {
    does: "place",
    path: folder,
    entries: [
      { kind: "folder", path: folder, ...at },
      { kind: "folder", path: home.sessions, ...at },
      ...files.flatMap(({ entries }) => entries),
      toFile(join(folder, DATABASE), [{ base64: database.toString("base64") }], now),
      toFile(join(folder, "workspace.json"), [{ text: JSON.stringify(unopened, null, 2) }], now),
    ],
  };
}

export const toFile = (path: string, pieces: readonly Piece[], now: Date): Planned => ({
  kind: "file",
  path,
  mode: PRIVATE.file,
  mtimeMs: now.getTime(),
  size: sizeOfPieces(pieces),
  pieces,
});
