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
import { brokenLinkOnTheWay, linksAt, realPath, realPlace } from "../../platform/fs/links.ts";
import { lookAt } from "../../platform/fs/tree.ts";

type Places = Pick<Draft, "basis" | "steps">;

export function atRealPlaces<T extends Places>(draft: T): T {
  const seen = new Map(draft.basis.map(({ entry }) => [entry.path, entry.kind]));
  const basis = new Map<string, Basis>();
  const keep = (each: Basis): void => void basis.set(each.entry.path, each);
  for (const { entry, ...how } of draft.basis) keep({ entry: { ...entry, path: placeOf(entry) }, ...how });
  const toFile = remembered(realPath);
  const steps = draft.steps.flatMap((step): Step[] => {
    if (step.does === "set") return [realSet(step)];
    if (step.does === "remove") {
      if (seen.get(step.path) === "link") return [named(step, realPlace(step.path))];
      const links = linksAt(step.path);
      for (const link of links) keep({ entry: lookAt(link) as Entry });
      // What is there first: where that fails, the session can still be found.
      return [
        named(step, realPath(step.path)),
        ...links.map((path): Step => named({ ...step, path: step.path }, path)),
      ];
    }
    const path = seen.get(step.path) === "link" ? realPlace(step.path) : realPath(step.path);
    if (step.does === "place") refuseBroken(step.path);
    const entries = step.entries.map((entry) => ({
      ...entry,
      path: path + entry.path.slice(step.path.length),
      ...(entry.like !== undefined && { like: toFile(entry.like) }),
      ...(entry.pieces && { pieces: entry.pieces.map((piece) => realPiece(piece, toFile)) }),
    }));
    return [named({ ...step, entries }, path)];
  });
  refuseTwice(steps);
  return { ...draft, basis: [...basis.values()], steps };
}

/** A session by its name and, where links lead elsewhere, by its place in the folder that it really lies in. */
export function withRealPath<T extends PlannedSession>(session: T): T {
  const real = realPlace(session.path);
  return real === session.path ? session : { ...session, realPath: real };
}

const placeOf = (entry: Entry): string =>
  entry.kind === "link" ? realPlace(entry.path) : realPath(entry.path);

const named = <T extends Step>(step: T, path: string): T =>
  path === step.path ? step : { ...step, path, as: step.as ?? step.path };

/** Its copy is left beside the database itself, and under its name. */
function realSet(step: SetStep): Step {
  const path = realPath(step.path);
  return named({ ...step, copy: path + step.copy.slice(step.path.length) }, path);
}

const realPiece = (piece: Piece, toFile: (path: string) => string): Piece =>
  "file" in piece ? { ...piece, file: toFile(piece.file) } : piece;

/** A file may have ten thousands of pieces, most of them of one other file. */
function remembered(find: (path: string) => string): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    const found = known.get(path) ?? find(path);
    known.set(path, found);
    return found;
  };
}

/** What it leads to may be on a disk that is not mounted now. */
function refuseBroken(path: string): void {
  const link = brokenLinkOnTheWay(path);
  if (link === undefined) return;
  throw new AppError(
    "not-supported",
    `${link} is a link to ${realPath(link)}, which is not there, so nothing can be written below it`,
    "Mount or make what it leads to, or remove the link, and run the command again",
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
        "Make one of them a file of its own, and run the command again",
      );
  }
}
