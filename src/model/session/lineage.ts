/** Builds family trees of sessions from the parents named in logs and the parents that only rethread recorded. */
import { formatKey, type SessionKey } from "../values/id.ts";
import type { Parent, Session } from "./session.ts";

export type LineageKind = Parent["kind"] | "handoff" | "import";

export interface LineageLink {
  readonly child: SessionKey;
  readonly parent: SessionKey;
  readonly kind: LineageKind;
  /** The parent's title, as its child remembers it. */
  readonly title?: string;
}

/** A session in its family. */
export interface Relative {
  readonly key: SessionKey;
  /** Missing for one that is not on this machine. */
  readonly session?: Session;
  /** Its own title, or what its children remember of it. */
  readonly title: string;
  /** How it came from its parent; the first of a family came from none. */
  readonly kind?: LineageKind;
  /** In the order they were made. */
  readonly children: readonly Relative[];
}

/** Callers that draw or write a family call themselves for each generation; later ones stand beside each other. */
const MOST_GENERATIONS = 200;

/** All families of more than one session, most recently active first. Our own records override those in logs. */
export function toFamilies(sessions: readonly Session[], recorded: readonly LineageLink[]): Relative[] {
  const here = new Map<string, Session>();
  // Of copies under two roots the first given counts.
  for (const session of sessions) if (!here.has(formatKey(session))) here.set(formatKey(session), session);
  const links = new Map<string, LineageLink>();
  for (const link of [...toldBy([...here.values()]), ...recorded])
    if (formatKey(link.child) !== formatKey(link.parent)) links.set(formatKey(link.child), link);
  cutCircles(links, here);

  const below = Map.groupBy(links.values(), (link) => formatKey(link.parent));
  const childrenOf = (key: SessionKey): readonly LineageLink[] => below.get(formatKey(key)) ?? [];
  const grow = (key: SessionKey, kind?: LineageKind, generation = 1): Relative => {
    const session = here.get(formatKey(key));
    const own = childrenOf(key);
    const shown =
      generation < MOST_GENERATIONS
        ? own
        : generation > MOST_GENERATIONS
          ? []
          : [...descendants(own, childrenOf)];
    return {
      key,
      title: session?.title ?? own.find((link) => link.title !== undefined)?.title ?? "",
      children: shown.map((link) => grow(link.child, link.kind, generation + 1)).sort(byBirth),
      ...(session && { session }),
      ...(kind !== undefined && { kind }),
    };
  };
  const founders = [...below.values()].flatMap(([link]) =>
    link && !links.has(formatKey(link.parent)) ? [link.parent] : [],
  );
  return founders
    .map((key) => grow(key))
    .sort((a, b) => compare(latestOf(b), latestOf(a)) || compare(formatKey(a.key), formatKey(b.key)));
}

/** What we recorded of a copy counts more than what its log or its turns tell. */
export function withRecordedParents(
  sessions: readonly Session[],
  recorded: readonly LineageLink[],
): readonly Session[] {
  if (recorded.length === 0) return sessions;
  const links = new Map(recorded.map((link) => [formatKey(link.child), link]));
  return sessions.map((session) => {
    const link = links.get(formatKey(session));
    if (link?.kind !== "clone" && link?.kind !== "fork") return session;
    return { ...session, parent: { ...session.parent, id: link.parent.id, kind: link.kind } };
  });
}

/** The keys of the forks and clones that we recorded. */
export const copiesIn = (recorded: readonly LineageLink[]): string[] =>
  recorded.flatMap(({ kind, child }) => (kind === "clone" || kind === "fork" ? [formatKey(child)] : []));

/** Those who came from a session, and all who came from them. There are no circles. */
function* descendants(
  links: readonly LineageLink[],
  childrenOf: (key: SessionKey) => readonly LineageLink[],
): Generator<LineageLink> {
  const waiting = [...links];
  for (let link = waiting.pop(); link; link = waiting.pop()) {
    yield link;
    for (const child of childrenOf(link.child)) waiting.push(child);
  }
}

/** A session and all that came from it, itself first. */
export function* everyRelative(relative: Relative): Generator<Relative> {
  const waiting = [relative];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    for (const child of next.children.toReversed()) waiting.push(child);
  }
}

function toldBy(sessions: readonly Session[]): LineageLink[] {
  return sessions.flatMap(({ source, id, parent, handedFrom }) => {
    const from = parent ? { source, ...parent } : handedFrom && { ...handedFrom, kind: "handoff" as const };
    return from
      ? [
          {
            child: { source, id },
            parent: { source: from.source, id: from.id },
            kind: from.kind,
            ...(from.title !== undefined && { title: from.title }),
          },
        ]
      : [];
  });
}

/** Breaks cycles in the records: the oldest member of a cycle becomes the first. */
function cutCircles(links: Map<string, LineageLink>, here: ReadonlyMap<string, Session>): void {
  const settled = new Set<string>();
  for (const start of [...links.keys()].sort()) {
    const seen = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !settled.has(at) && !seen.has(at)) {
      seen.add(at);
      const link = links.get(at);
      at = link && formatKey(link.parent);
    }
    const path = [...seen];
    if (at !== undefined && seen.has(at)) {
      const birth = (key: string): string => bornAt(here.get(key)) || "~";
      const circle = path
        .slice(path.indexOf(at))
        .sort((a, b) => compare(birth(a), birth(b)) || compare(a, b));
      links.delete(circle[0] ?? at);
    }
    for (const key of path) settled.add(key);
  }
}

const bornAt = (session: Session | undefined): string => session?.createdAt ?? session?.updatedAt ?? "";

const byBirth = (a: Relative, b: Relative): number =>
  compare(bornAt(a.session), bornAt(b.session)) || compare(formatKey(a.key), formatKey(b.key));

function latestOf(family: Relative): string {
  let latest = "";
  for (const { session } of everyRelative(family))
    if (session?.updatedAt !== undefined && session.updatedAt > latest) latest = session.updatedAt;
  return latest;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
