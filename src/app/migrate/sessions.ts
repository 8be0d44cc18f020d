/** What a copy of a home has to hold: its sessions as a reader finds them, each with all of its files and their hashes. */
import { wayFrom, withSlashes } from "../../model/values/paths.ts";
import type { Catalog } from "../../sources/catalog.ts";

export interface SessionDigest {
  readonly id: string;
  /** Its own file, and all of them; relative to the home, with forward slashes. */
  readonly path: string;
  readonly files: ReadonlyMap<string, string>;
}

/** A session whose own file cannot be reached is none. `hashOf` gives nothing where there is no such file. */
export async function digestSessions(
  at: Catalog,
  root: string,
  hashOf: (path: string, file: string) => string | undefined | Promise<string | undefined>,
): Promise<SessionDigest[]> {
  const found: SessionDigest[] = [];
  for (const artifact of (await at.scan()).artifacts) {
    const files = new Map<string, string>();
    for (const file of await at.files(artifact)) {
      const path = inHome(root, file);
      files.set(path, (await hashOf(path, file)) ?? "");
    }
    const path = inHome(root, artifact.path);
    if (files.has(path)) found.push({ id: artifact.id, path, files });
  }
  return found;
}

/** On other systems than Windows a backslash is a letter as any other. */

const inHome = (root: string, file: string): string => withSlashes(wayFrom(root, file) ?? file);

/** The first thing that a copy lacks or has otherwise, in words; nothing when it holds all of it. */
export function findMissing(
  wanted: readonly SessionDigest[],
  found: readonly SessionDigest[],
): string | undefined {
  const byPath = new Map(found.map((session) => [session.path, session]));
  for (const { id, path, files } of wanted) {
    const copy = byPath.get(path);
    if (copy?.id !== id) return `no session ${id}`;
    for (const [name, hash] of files)
      if (copy.files.get(name) !== hash) return `${copy.files.has(name) ? "other bytes in" : "no"} ${name}`;
  }
  return undefined;
}
