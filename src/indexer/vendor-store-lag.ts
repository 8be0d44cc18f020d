/** Tells whether a vendor's own store lacks sessions or turns that are on the disk, or still has some that are not. */
import { AppError } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import type { Session } from "../model/session/session.ts";
import { isAtOrBelow } from "../model/values/paths.ts";
import type { Catalog, PlacedVendorStore } from "../sources/catalog.ts";
import { countVendorTurns } from "../store/copilot/counts.ts";
import { readWanted } from "./vendor-store.ts";

/** Only what its program would put into it counts; a session that is open may not be there yet. */
export async function findVendorLag(catalog: Catalog, sessions: readonly Session[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const place of catalog.vendorStores) {
    const path = place.store.path(place.root);
    const present = await place.store.sessions(catalog.fs, place.root);
    if (!present || !catalog.fs.isDisk || !(await catalog.fs.exists(path))) continue;
    const known = countTurns(path);
    if (!known) continue;
    const mine = sessions.filter(
      ({ source, path: log }) => source === place.source && isAtOrBelow(log, place.root),
    );
    let [missing, turns] = [0, 0];
    for (const session of mine) {
      const has = known.get(session.id);
      if (session.turns <= (has ?? 0) || session.openIn !== undefined) continue;
      const lacking = (await countWanted(catalog, place, session)) - (has ?? 0);
      if (lacking > 0 && has === undefined) missing++;
      else if (lacking > 0) turns += lacking;
    }
    const gone = [...known.keys()].filter((id) => !present.has(id)).length;
    const what = [
      ...(missing > 0 ? [`lacks ${count(missing, "session")}`] : []),
      ...(turns > 0 ? [`lacks ${count(turns, "turn")} of sessions that it has`] : []),
      ...(gone > 0 ? [`still has ${count(gone, "session")} whose files are gone`] : []),
    ];
    if (what.length === 0) continue;
    problems.push({
      code: "index-behind",
      source: place.source,
      path,
      message: `the index that ${place.label} keeps ${what.join(", and ")}`,
      remedy: { action: "index", args: { copilot: true } },
    });
  }
  return problems;
}

/** Nothing for a store that is damaged, in use or of another version: `index --copilot` says so. */
function countTurns(path: string): Map<string, number> | undefined {
  try {
    return countVendorTurns(path);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The program counts turns by a rule of its own. */
async function countWanted(
  catalog: Catalog,
  place: PlacedVendorStore,
  { source, id, path }: Session,
): Promise<number> {
  const { size, mtimeMs, ino } = await catalog.fs.stat(path);
  const artifact = { source, id, path, root: place.root, fingerprint: { size, mtimeMs, ino } };
  if (!place.store.takes(artifact)) return 0;
  return (await readWanted(catalog, place, artifact))?.wanted.turns.length ?? 0;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
