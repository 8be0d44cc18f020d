/** Decides which of several folders contains a path. */
import { foldPath, foldsCase, isAtOrBelow } from "../../model/values/paths.ts";

export interface Holder {
  readonly folder: string;
  /** Where the folder really is. */
  readonly place: string;
  /** The identity of the folder, if the system has one. */
  readonly identity: string | undefined;
}

/** The system knows whether two spellings are one folder that exists; for the others only the spelling tells. */
export const findHolder = (
  holders: readonly Holder[],
  place: string,
  /** Of the place and of all folders above it. */
  identities: ReadonlySet<string>,
): string | undefined =>
  holders.find(({ identity, place: holder }) =>
    identity === undefined
      ? isAtOrBelow(place, holder) ||
        (foldsCase(process.platform) && isAtOrBelow(foldPath(place), foldPath(holder)))
      : identities.has(identity),
  )?.folder;
