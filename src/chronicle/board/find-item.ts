/** Which item of the board a name means. */
import { type BoardItem, isOnBoard, isOwn, isSameRepository, placeWords } from "../../model/board/item.ts";
import { ambiguous, notFound } from "./refusals.ts";

/** A board, or all of a repository's; without a repository, all there are. */
export interface BoardScope {
  readonly repository?: string;
  readonly branch?: string;
}

export const isInScope = (item: BoardItem, { repository, branch }: BoardScope): boolean =>
  repository === undefined || isOnBoard(item, repository, branch);

export interface Wanted extends BoardScope {
  readonly name: string;
  /** Where several wrote one of that name. */
  readonly source?: string;
}

/** Our own come before those of others, and the branch's own before what holds on every branch. */
export function findItem(items: readonly BoardItem[], wanted: Wanted): BoardItem {
  const name = wanted.name.trim().normalize("NFC");
  const isNamed = (item: BoardItem): boolean =>
    item.name === name && (wanted.source === undefined || item.source === wanted.source);
  const named = items.filter((item) => isNamed(item) && isInScope(item, wanted));
  const own = named.filter(isOwn);
  const candidates = own.length > 0 ? own : named;
  const exact = candidates.filter(({ branch }) => branch === wanted.branch);
  const [first, ...others] = exact.length > 0 ? exact : candidates;
  if (!first) {
    const elsewhere = items.filter(isNamed).sort((a, b) => rank(a, wanted) - rank(b, wanted))[0];
    throw notFound(name, whereWords(wanted), elsewhere);
  }
  // One place may have several items of a name, of different sources; the first of them is as good as any.
  const isElsewhere = ({ repository, branch }: BoardItem): boolean =>
    !isSameRepository(repository, first.repository) || branch !== first.branch;
  if (others.some(isElsewhere)) throw ambiguous(name, [first, ...others]);
  return first;
}

const rank = (item: BoardItem, { repository }: BoardScope): number =>
  repository !== undefined && isSameRepository(item.repository, repository) ? 0 : 1;

const whereWords = ({ repository, branch }: BoardScope): string =>
  repository === undefined
    ? "any repository"
    : branch === undefined
      ? repository
      : placeWords({ repository, branch });
