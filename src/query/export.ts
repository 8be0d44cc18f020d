/** Reads sessions for export, one after the other, redacted if asked for. */

import { createRedactor, type Redactor } from "../model/redact/redact.ts";
import type { Session } from "../model/session/session.ts";
import { homeOf } from "../model/values/home-path.ts";
import { formatKey } from "../model/values/id.ts";
import type { Catalog } from "../sources/catalog.ts";
import { type Progress, readHead, type SessionEntry } from "./heads.ts";
import type { Found } from "./resolve.ts";
import { type ShowVisitor, tellSession } from "./show.ts";

/** The sessions that were named one by one; one that was named twice is exported once. */
export async function namedHeads(
  catalog: Catalog,
  names: readonly string[],
  resolve: (name: string) => Promise<Found>,
): Promise<SessionEntry[]> {
  const found = new Map<string, Found>();
  for (const name of names) {
    const each = await resolve(name);
    found.set(formatKey(each.artifact), each);
  }
  return readAll(catalog, [...found.values()]);
}

/** The heads of listed sessions, as their files are now; and of how many the files are gone, with no copy left. */
export async function findHeads(
  catalog: Catalog,
  sessions: readonly Session[],
): Promise<{ heads: SessionEntry[]; gone: number }> {
  const { artifacts, problems } = await catalog.scan();
  const byPath = new Map(artifacts.map((artifact) => [artifact.path, artifact]));
  const bySession = Map.groupBy(problems, (problem) => `${problem.source}:${problem.session ?? ""}`);
  const found = sessions.flatMap(({ path }) => {
    const artifact = byPath.get(path);
    return artifact ? { artifact, problems: bySession.get(formatKey(artifact)) ?? [] } : [];
  });
  return { heads: await readAll(catalog, found), gone: sessions.length - found.length };
}

async function readAll(catalog: Catalog, found: readonly Found[]): Promise<SessionEntry[]> {
  const heads: SessionEntry[] = [];
  for (const { artifact, problems } of found) heads.push(await readHead(catalog, artifact, problems));
  return heads;
}

/** The same catalog, which tells how far the reading of these sessions has come when each is read so many times. */
export function withProgress(
  catalog: Pick<Catalog, "read">,
  heads: readonly SessionEntry[],
  times: number,
  progress: Progress,
): Pick<Catalog, "read"> {
  const total = times * heads.reduce((sum, { artifact }) => sum + artifact.fingerprint.size, 0);
  let done = 0;
  return {
    async read(artifact, sink, options) {
      const event: typeof sink.event = (each) => {
        if (each.origin.file === undefined) progress(done + each.origin.end, total);
        sink.event(each);
      };
      const session = await catalog.read(artifact, { ...sink, event }, options);
      done += artifact.fingerprint.size;
      return session;
    },
  };
}

export interface TellOptions {
  /** Hold even records of many megabytes; otherwise the long texts in them are cut, and say so. */
  readonly whole: boolean;
  readonly redactor?: Redactor | undefined;
}

/**
 * Knows every secret of these sessions that only a name gives away, before the first of them is told: a password that
 * the last one assigns may already stand in the first. Reads them once more for that, holding nothing but the secrets.
 */
export async function learnSecrets(
  catalog: Pick<Catalog, "read">,
  heads: readonly SessionEntry[],
  homes: readonly string[],
  { whole }: Pick<TellOptions, "whole">,
): Promise<Redactor> {
  const redactor = createRedactor([...homes, ...heads.flatMap(homesOf)]);
  for (const { artifact, session } of heads) {
    redactor.learn(session);
    await catalog.read(
      artifact,
      { event: (event) => redactor.learn(event), problem: () => undefined }, // told with the head
      { textLimit: Number.POSITIVE_INFINITY, ...(whole && { maxLine: Number.POSITIVE_INFINITY }) },
    );
  }
  return redactor;
}

/** Sessions may come from another machine or another person's folder: their own paths tell whose home it was. */
const homesOf = ({ session }: SessionEntry): string[] =>
  [session.workspace, session.path].flatMap((path) => (path && homeOf(path)) ?? []);

export function tellForExport(
  catalog: Pick<Catalog, "read">,
  head: SessionEntry,
  { whole, redactor }: TellOptions,
  visitor: ShowVisitor,
): Promise<void> {
  const clean = <T>(value: T): T => (redactor ? redactor.value(value) : value);
  /** An account's name is whose session it is, as the path of a home folder is. */
  const nameless = ({ userName, ...session }: Session): Session =>
    userName === undefined || redactor ? session : { ...session, userName };
  return tellSession(
    catalog,
    head,
    { whole },
    {
      head: (session, problems) => visitor.head(nameless(clean(session)), clean(problems)),
      preamble: (parts) => visitor.preamble(clean(parts)),
      turn: (turn) => visitor.turn(clean(turn)),
    },
  );
}
