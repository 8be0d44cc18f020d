/**
 * A draft in terms of the files that it really concerns. Sources draft by the names under which their programs know
 * sessions, as if there were no symbolic links. Here each name becomes the place that it leads to: so what a link leads
 * to is written and the link stays one, a rename never crosses disks, and undo finds everything when links have changed.
 *
 * An entry that was seen as a link means the link itself. One that was seen as a file or folder means what is there,
 * even where a link leads to it.
 */
import { AppError } from "../../model/errors.ts";
import type { Basis, Draft, Entry, Piece, PlannedSession, SetStep, Step } from "../../model/plan.ts";
import { brokenLinkOnTheWay, entryAt, linksAt, realPath, realPlace } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

type Places = Pick<Draft, "basis" | "steps">;

export async function atRealPlaces<T extends Places>(fs: SessionFs, draft: T): Promise<T> {
  const seen = new Map(draft.basis.map(({ entry }) => [entry.path, entry.kind]));
  const basis = new Map<string, Basis>();
  const keep = (each: Basis): void => void basis.set(each.entry.path, each);
  for (const { entry, ...how } of draft.basis)
    keep({ entry: { ...entry, path: await placeOf(fs, entry) }, ...how });
  const files = await findFiles(fs, draft.steps);
  const toFile = (path: string): string => files.get(path) ?? path;
  const steps: Step[] = [];
  for (const step of draft.steps) {
    if (step.does === "set") steps.push(await realSet(fs, step));
    else if (step.does === "remove" && seen.get(step.path) === "link")
      steps.push(named(step, await realPlace(fs, step.path)));
    else if (step.does === "remove") {
      const links = await linksAt(fs, step.path);
      for (const link of links) keep({ entry: (await entryAt(fs, link)) as Entry });
      // What is there first: where that fails, the session can still be found.
      steps.push(named(step, await realPath(fs, step.path)));
      for (const link of links) steps.push(named({ ...step, path: step.path }, link));
    } else {
      const find = seen.get(step.path) === "link" ? realPlace : realPath;
      const path = await find(fs, step.path);
      if (step.does === "place") await refuseBroken(fs, step.path);
      const entries = step.entries.map((entry) => ({
        ...entry,
        path: path + entry.path.slice(step.path.length),
        ...(entry.like !== undefined && { like: toFile(entry.like) }),
        ...(entry.pieces && { pieces: entry.pieces.map((piece) => realPiece(piece, toFile)) }),
      }));
      steps.push(named({ ...step, entries }, path));
    }
  }
  refuseTwice(steps);
  return { ...draft, basis: [...basis.values()], steps };
}

/** A session by its name and, where links lead elsewhere, by its place in the folder that it really lies in. */
export async function withRealPath<T extends PlannedSession>(fs: SessionFs, session: T): Promise<T> {
  const real = await realPlace(fs, session.path);
  return real === session.path ? session : { ...session, realPath: real };
}

const placeOf = (fs: SessionFs, entry: Entry): Promise<string> =>
  entry.kind === "link" ? realPlace(fs, entry.path) : realPath(fs, entry.path);

const named = <T extends Step>(step: T, path: string): T =>
  path === step.path ? step : { ...step, path, as: step.as ?? step.path };

/** Its copy is left beside the database itself, and under its name. */
async function realSet(fs: SessionFs, step: SetStep): Promise<Step> {
  const path = await realPath(fs, step.path);
  return named({ ...step, copy: path + step.copy.slice(step.path.length) }, path);
}

const realPiece = (piece: Piece, toFile: (path: string) => string): Piece =>
  "file" in piece ? { ...piece, file: toFile(piece.file) } : piece;

/** Where the files that steps copy from really are. A step may have thousands of pieces, most of them of one file. */
async function findFiles(fs: SessionFs, steps: readonly Step[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const find = async (path: string): Promise<void> => {
    if (!found.has(path)) found.set(path, await realPath(fs, path));
  };
  for (const step of steps)
    for (const { like, pieces = [] } of "entries" in step ? step.entries : []) {
      if (like !== undefined) await find(like);
      for (const piece of pieces) if ("file" in piece && !found.has(piece.file)) await find(piece.file);
    }
  return found;
}

/** What it leads to may be on a disk that is not mounted now. */
async function refuseBroken(fs: SessionFs, path: string): Promise<void> {
  const link = await brokenLinkOnTheWay(fs, path);
  if (link === undefined) return;
  throw new AppError(
    "not-supported",
    `${link} is a link to ${await realPath(fs, link)}, which does not exist, so nothing can be written below it`,
    "Mount or create its target, or remove the link, then run the command again",
  );
}

/** Two names of one file: each change was made as if it were the only one. */
function refuseTwice(steps: readonly Step[]): void {
  const first = new Map<string, Step>();
  for (const step of steps) {
    const other = first.get(step.path);
    if (!other) first.set(step.path, step);
    else if ((other.as ?? other.path) !== (step.as ?? step.path))
      throw new AppError(
        "not-supported",
        `${other.as ?? other.path} and ${step.as ?? step.path} lead to the same file, ${step.path}, and both would be changed`,
        "Make one of them a separate file, then run the command again",
      );
  }
}
