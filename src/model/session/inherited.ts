/** Which sessions came from which, by the turns that they share: as the store finds it, for when it cannot be used. Pure. */
import type { Session } from "./session.ts";

export interface SessionWork {
  readonly session: Session;
  /** The work keys of its turns, in order. */
  readonly works: readonly number[];
  /** When its file was made, where that is known. */
  readonly bornMs?: number;
}

/** The sessions in the same order, those without a recorded parent with the one that they have turns from. */
export function withInheritedParents(all: readonly SessionWork[]): Session[] {
  const bySource = new Map<string, Map<number, SessionWork>>();
  /** What was handed over from another program is no fork of it. */
  const ownersIn = ({ session: { source } }: SessionWork): Map<number, SessionWork> => {
    const owners = bySource.get(source) ?? new Map<number, SessionWork>();
    bySource.set(source, owners);
    return owners;
  };
  for (const one of all.toSorted(earliestFirst))
    for (const work of one.works) if (!ownersIn(one).has(work)) ownersIn(one).set(work, one);
  return all.map((one) => {
    const { session, works } = one;
    if (session.parent || session.handedFrom) return session;
    const owners = ownersIn(one);
    const last = works.findLast((work) => owners.get(work) !== one);
    const owner = last === undefined ? undefined : owners.get(last)?.session;
    return owner && owner.id !== session.id
      ? { ...session, parent: { id: owner.id, kind: "fork" }, parentFrom: "turns" }
      : session;
  });
}

/** A copy often has the times of its original in it, so what was recorded and when the file was made count as well. */
function earliestFirst(a: SessionWork, b: SessionWork): number {
  const [one, other] = [a.session, b.session];
  return (
    compare(one.createdAt ?? "~", other.createdAt ?? "~") ||
    compare(Number(one.parent !== undefined), Number(other.parent !== undefined)) ||
    compare(a.bornMs ?? Number.POSITIVE_INFINITY, b.bornMs ?? Number.POSITIVE_INFINITY) ||
    compare(one.updatedAt ?? "", other.updatedAt ?? "") ||
    compare(one.id, other.id)
  );
}

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
