/** Who sees a session of a hub, in words. */
import { line } from "../../lib/titles.ts";

export const sharingWords = (sharing: string): string =>
  sharing === "private" ? "Private: nobody else sees it" : `Shared with the team "${line(sharing)}"`;

export const sealedWords = "Sealed: the hub keeps it, and cannot read it";
