/** Decides which of the changes other threads read while this one writes. */
import type { Artifact } from "../model/session/session.ts";
import type { Catalog } from "../sources/catalog.ts";
import { SOURCES } from "../sources/registry.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { Change } from "./changes.ts";
import type { Indexed } from "./index-one.ts";

/** Threads that read sessions ahead of the one that writes their rows. */
export interface Readers {
  /** Has these sessions read soon, in this order; those that are known are not read twice. */
  ahead(artifacts: readonly Artifact[]): void;
  /** Writes the rows of a session. Sessions that were to be read before it are passed over. */
  take(artifact: Artifact, catalog: Catalog, store: SessionStore): Promise<Indexed>;
  close(): void;
}

export interface ReadingAhead extends Pick<Readers, "take" | "close"> {
  /** Has those read that come next; false where this one is not to be taken. */
  ahead(changes: readonly Change[], at: number): boolean;
}

/** So many sessions are given out, so that no thread waits for the next. */
const AHEAD = 32;

export function readAhead(catalog: Catalog, readers: Readers): ReadingAhead {
  // Threads know the sources as they are by themselves, and the disk: our copies and tails are for who has the store.
  const known = new Set(
    catalog.sources
      .map(({ source }) => source)
      .filter((id) => SOURCES.find((source) => source.id === id)?.read === catalog.source(id).read),
  );
  const isFor = (change: Change | undefined): change is Extract<Change, { kind: "read" }> =>
    change?.kind === "read" && change.artifact.vanishedAt === undefined && known.has(change.artifact.source);
  let given = 0;
  let of: readonly Change[] = [];
  return {
    ahead(changes, at) {
      if (!isFor(changes[at])) return false;
      if (of !== changes) given = at;
      of = changes;
      // A new lot when half of the last is taken.
      if (given <= at + AHEAD / 2) {
        const end = Math.min(at + AHEAD, changes.length);
        readers.ahead(
          changes
            .slice(given, end)
            .filter(isFor)
            .map(({ artifact }) => artifact),
        );
        given = end;
      }
      return true;
    },
    take: readers.take,
    close: readers.close,
  };
}
